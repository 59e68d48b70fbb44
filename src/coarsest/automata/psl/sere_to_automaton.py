"""Sequences as non-deterministic automata on finite words, without empty moves.

Reference: Antimirov 1996 (states are partial derivatives); IEEE 1850-2005, annex B, for the letter ⊤.
Symbols:   a move is (guard, target, ends): by a letter of the guard, and whether a match may end with it. State 0 is initial.
Invariant: every move can be part of a match if guards are ignored (by letters ⊤).
Deviates:  moves, not states, end a match, so that there is no empty match, which formulas do not use. States with the same
           moves are merged; moves that only ⊤ could take are left out at the end.
Cost:      as many states as partial derivatives; merging takes a few passes over the moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct

from coarsest.automata.psl.sere_derivatives import Derivatives
from coarsest.logic.expr import Expr
from coarsest.logic.letters.guards import Guard
from coarsest.logic.psl.sere import Sere, nullable
from coarsest.logic.psl.sere_construction import core
from coarsest.run import Run

Move = tuple[Any, int, bool]
"""Guard, target, and whether a match may end here."""


class SereAutomaton(Struct, frozen=True, eq=False):
    """The moves of each state, and whether it can reach the end of a match by letters ⊤."""

    moves: tuple[tuple[Move, ...], ...]
    can_go_on: tuple[bool, ...]

    def __len__(self) -> int:
        return len(self.moves)


def sere_to_automaton(sere: Sere, guard_of: Callable[[Expr], Guard], run: Run | None = None) -> SereAutomaton:
    """The automaton of the words that a sequence matches. `guard_of` gives the letters of a condition.

    >>> from coarsest.logic.letters.alphabet import alphabet_over
    >>> from coarsest.logic.expr import Name
    >>> from coarsest.logic.psl.sere import StateCondition
    >>> from coarsest.logic.psl.sere_construction import concatenation, repeated
    >>> letters = alphabet_over([Name("a"), Name("b")])
    >>> a_then_bs = concatenation(StateCondition(Name("a")), repeated(StateCondition(Name("b")), 0, None))
    >>> automaton = sere_to_automaton(a_then_bs, letters.of_atom)
    >>> [[(letters.expr(guard).name, target, ends) for guard, target, ends in moves] for moves in automaton.moves]
    [[('a', 1, True)], [('b', 1, True)]]
    """
    run = run or Run()
    derivatives = Derivatives(guard_of)
    start = core(sere)
    number_of: dict[Sere, int] = {start: 0}
    rests = [start]
    moves: list[list[Move]] = []
    for rest in rests:  # grows while it is walked
        run.step("sere-to-automaton", states=len(rests), explored=len(moves))
        moves.append([])
        for target, guard in derivatives.moves(rest).items():
            if target not in number_of:
                number_of[target] = len(rests)
                rests.append(target)
            moves[-1].append((guard, number_of[target], nullable(target)))
    return _finish(moves)


def _finish(moves: list[list[Move]]) -> SereAutomaton:
    """Remove moves that are in no match, merge states with the same moves, and number the states from the initial one."""
    can_go_on = _can_go_on(moves)
    moves = [[move for move in row if move[2] or can_go_on[move[1]]] for row in moves]
    moves = [[move for move in row if move[0]] for row in moves]
    block_of = _merge(moves, can_go_on)
    number_of = {block_of[0]: 0}
    order = [0]
    rows: list[tuple[Move, ...]] = []
    for state in order:  # grows while it is walked
        for _, target, _ in moves[state]:
            if block_of[target] not in number_of:
                number_of[block_of[target]] = len(order)
                order.append(target)
        joined = _joined(moves[state], block_of)
        rows.append(tuple((guard, number_of[block], ends) for (block, ends), guard in joined.items()))
    return SereAutomaton(tuple(rows), tuple(can_go_on[state] for state in order))


def _joined(row: Iterable[Move], block_of: list[int]) -> dict[tuple[int, bool], Any]:
    joined: dict[tuple[int, bool], Any] = {}
    for guard, target, ends in row:
        key = (block_of[target], ends)
        joined[key] = joined[key] | guard if key in joined else guard
    return joined


def _can_go_on(moves: list[list[Move]]) -> list[bool]:
    """The states from which a match can end, if guards are ignored."""
    sources: list[list[int]] = [[] for _ in moves]
    for source, row in enumerate(moves):
        for _, target, _ in row:
            sources[target].append(source)
    can_go_on = [any(ends for _, _, ends in row) for row in moves]
    waiting = [state for state, can in enumerate(can_go_on) if can]
    while waiting:
        for source in sources[waiting.pop()]:
            if not can_go_on[source]:
                can_go_on[source] = True
                waiting.append(source)
    return can_go_on


def _merge(moves: list[list[Move]], can_go_on: list[bool]) -> list[int]:
    """A representative for each state. States with the same moves are merged until nothing changes."""
    block_of = list(range(len(moves)))
    merged = True
    while merged:
        merged = False
        first_with: dict[object, int] = {}
        for state, row in enumerate(moves):
            if block_of[state] == state:
                signature = (can_go_on[state], frozenset(_joined(row, block_of).items()))
                block_of[state] = first_with.setdefault(signature, state)
                merged = merged or block_of[state] != state
        block_of = [block_of[block] for block in block_of]
    return block_of
