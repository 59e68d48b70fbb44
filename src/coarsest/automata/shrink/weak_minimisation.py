"""The minimal deterministic weak automaton, for languages that have one: the obligation properties.

Reference: Löding, Efficient minimization of deterministic weak ω-automata, 2001 (colours);
           Dax, Eisinger, Klaedtke, Mechanizing the powerset construction for restricted classes of ω-automata, 2007.
Symbols:   the colour of a state is even if its component is accepting; colours do not fall along edges.
Invariant: a subset holds the states in which runs on some finite word can be.
Deviates:  gives up when there are too many subsets; colours count down from 0.
Cost:      the subsets × the classes of letters they tell apart; refinement is quadratic at worst.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coarsest.automata.automaton import Automaton, Edge
from coarsest.automata.components import components
from coarsest.automata.product import product
from coarsest.automata.tidy import is_empty

Moves = list[list[tuple[Any, int]]]
"""For each state of a complete deterministic automaton: guards and targets."""


def minimal_weak(automaton: Automaton, *, most_subsets: int) -> Automaton | None:
    """The minimal deterministic weak automaton for the same words, if these are an obligation property.

    If they are not, the result accepts other words. None if there are more than `most_subsets` subsets on the way.
    """
    determinised = _subsets(automaton, most_subsets)
    if determinised is None:
        return None
    subsets, moves = determinised
    colours = _colours(automaton, subsets, moves)
    blocks = _refine(moves, [colour & 1 for colour in colours])
    representative: dict[int, int] = {}
    for state, block in enumerate(blocks):
        representative.setdefault(block, state)
    edges: list[list[Edge]] = []
    for block in range(len(representative)):
        state = representative[block]
        mark = 1 - (colours[state] & 1)
        edges.append([(guard, mark, target) for target, guard in _by_block(moves[state], blocks).items()])
    return Automaton(automaton.alphabet, (blocks[0],), edges, 1)


def _subsets(automaton: Automaton, most: int) -> tuple[list[int], Moves] | None:
    """The powerset automaton; subsets are bit sets, and the first is the initial one."""
    start = sum(1 << state for state in automaton.initial)
    subsets = [start]
    number = {start: 0}
    moves: Moves = []
    for subset in subsets:
        own: list[tuple[Any, int]] = []
        leading = _split(automaton, subset, most)
        if leading is None:
            return None
        for target, guard in leading.items():
            if target not in number:
                if len(subsets) == most:
                    return None
                number[target] = len(subsets)
                subsets.append(target)
            own.append((guard, number[target]))
        moves.append(own)
    return subsets, moves


def _split(automaton: Automaton, subset: int, most: int) -> dict[int, Any] | None:
    """The letters by the subset they lead to; None if there are more subsets than allowed."""
    guards: dict[int, Any] = {}
    while subset:
        lowest = subset & -subset
        subset ^= lowest
        for guard, _, target in automaton.edges[lowest.bit_length() - 1]:
            guards[target] = guards[target] | guard if target in guards else guard
    classes: dict[int, Any] = {0: automaton.alphabet.full}
    for target, guard in guards.items():
        cut: dict[int, Any] = {}
        for reached, letters in classes.items():
            inside = letters & guard
            if inside:
                cut[reached | 1 << target] = inside
            if inside != letters:
                cut[reached] = letters ^ inside
        if len(cut) > most:
            return None
        classes = cut
    return classes


def _colours(automaton: Automaton, subsets: Sequence[int], moves: Moves) -> list[int]:
    """The largest colours up to 0 that do not fall along edges and are even in accepting and odd in rejecting components."""
    colours = [0] * len(subsets)
    successors = [[target for _, target in own] for own in moves]
    for members in components(successors, [0]):
        inside = set(members)
        colour = min((colours[target] for member in members for target in successors[member] if target not in inside), default=0)
        first = members[0]
        if len(members) > 1 or first in successors[first]:
            accepting = _accepts_a_cycle(automaton, subsets, moves, first, inside)
            if accepting == bool(colour & 1):
                colour -= 1
        for member in members:
            colours[member] = colour
    return colours


def _accepts_a_cycle(automaton: Automaton, subsets: Sequence[int], moves: Moves, start: int, inside: set[int]) -> bool:
    """Does the automaton accept, from the states of a subset, the word of a cycle through it? Obligations agree on all cycles."""
    letters = _cycle_letters(automaton, moves, start, inside)
    reached = [(state, 0) for state in range(automaton.states) if subsets[start] >> state & 1]
    number = {pair: place for place, pair in enumerate(reached)}
    initial = tuple(range(len(reached)))
    edges: list[list[Edge]] = []
    for state, place in reached:
        own: list[Edge] = []
        for guard, marks, target in automaton.edges[state]:
            if guard & letters[place]:
                pair = (target, (place + 1) % len(letters))
                if pair not in number:
                    number[pair] = len(reached)
                    reached.append(pair)
                own.append((guard, marks, number[pair]))
        edges.append(own)
    return not is_empty(Automaton(automaton.alphabet, initial, edges, automaton.sets))


def _cycle_letters(automaton: Automaton, moves: Moves, start: int, inside: set[int]) -> list[Any]:
    """Guards of one letter each that lead from a state back to it, through a component."""
    came_by: dict[int, tuple[int, Any]] = {}
    order = [start]
    for state in order:
        for guard, target in moves[state]:
            if target in inside and target not in came_by:
                came_by[target] = (state, guard)
                order.append(target)
        if start in came_by:
            break
    letters: list[Any] = []
    state = start
    while not letters or state != start:
        state, guard = came_by[state]
        letters.append(automaton.alphabet.single(automaton.alphabet.pick(guard)))
    return letters[::-1]


def _refine(moves: Moves, blocks: list[int]) -> list[int]:
    """The coarsest partition that refines `blocks` and in which equivalent states move to equivalent states."""
    count = len(set(blocks))
    while True:
        number: dict[object, int] = {}
        refined = []
        for own, block in zip(moves, blocks):
            signature = (block, frozenset(_by_block(own, blocks).items()))
            refined.append(number.setdefault(signature, len(number)))
        blocks = refined
        if len(number) == count:
            return blocks
        count = len(number)


def _by_block(moves: Sequence[tuple[Any, int]], blocks: Sequence[int]) -> dict[int, Any]:
    guards: dict[int, Any] = {}
    for guard, target in moves:
        block = blocks[target]
        guards[block] = guards[block] | guard if block in guards else guard
    return guards


def complement_weak(automaton: Automaton) -> Automaton:
    """The words that a complete deterministic weak automaton, such as `minimal_weak` gives, does not accept."""
    edges = [[(guard, marks ^ 1, target) for guard, marks, target in own] for own in automaton.edges]
    return Automaton(automaton.alphabet, automaton.initial, edges, 1)


def is_contained_in_weak(automaton: Automaton, weak: Automaton) -> bool:
    """Does a complete deterministic weak automaton accept all words that the other one accepts?"""
    return is_empty(product(complement_weak(weak), automaton))
