"""Sequences as non-deterministic automata on finite words, without empty moves.

Reference: Antimirov 1996 (states are partial derivatives); IEEE 1850-2005, annex B, for the letter ⊤.
Symbols:   a state is a number; state 0 is the beginning.
Invariant: from every state except perhaps 0 a final state can be reached if the guards of moves are ignored (by letters ⊤).
Deviates:  states with the same moves are merged; moves that only ⊤ could take are left out at the end.
Cost:      as many states as partial derivatives; merging takes one pass per round over the moves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from coarsest.automata.sere_derivatives import Derivatives
from coarsest.logic.expr import Expr
from coarsest.logic.guards import Guard
from coarsest.logic.sere import Sere, nullable
from coarsest.logic.sere_construction import core
from coarsest.run import Run


@dataclass(frozen=True, slots=True, eq=False)
class SereAutomaton:
    """Moves per state as (guard, target), final states, and states that can go on to a match by letters ⊤."""

    moves: tuple[tuple[tuple[Any, int], ...], ...]
    final: tuple[bool, ...]
    can_go_on: tuple[bool, ...]

    def __len__(self) -> int:
        return len(self.moves)


def sere_to_automaton(sere: Sere, guard_of: Callable[[Expr], Guard], run: Run | None = None) -> SereAutomaton:
    """The automaton of the words that a sequence matches. `guard_of` gives the letters of a condition.

    >>> from coarsest.logic.alphabet import alphabet_over
    >>> from coarsest.logic.expr import Name
    >>> from coarsest.logic.sere import Boolean
    >>> from coarsest.logic.sere_construction import concatenation, repeated
    >>> letters = alphabet_over([Name("a"), Name("b")])
    >>> a_then_bs = concatenation(Boolean(Name("a")), repeated(Boolean(Name("b")), 0, None))
    >>> automaton = sere_to_automaton(a_then_bs, letters.of_atom)
    >>> len(automaton), automaton.final
    (2, (False, True))
    """
    run = run or Run()
    derivatives = Derivatives(guard_of)
    start = core(sere)
    number_of: dict[Sere, int] = {start: 0}
    rests = [start]
    moves: list[list[tuple[Any, int]]] = []
    for rest in rests:  # grows while it is walked
        run.step("sere-to-automaton", states=len(rests), explored=len(moves))
        moves.append([])
        for target, guard in derivatives.moves(rest).items():
            if target not in number_of:
                number_of[target] = len(rests)
                rests.append(target)
            moves[-1].append((guard, number_of[target]))
    return _finish(moves, [nullable(rest) for rest in rests])


def _finish(moves: list[list[tuple[Any, int]]], final: list[bool]) -> SereAutomaton:
    """Keep what can reach a final state, merge states that move alike, and number the rest from the beginning."""
    live = _can_reach_final(moves, final)
    moves = [[(guard, target) for guard, target in row if live[target]] for row in moves]
    can_go_on = [bool(row) for row in moves]
    moves = [[(guard, target) for guard, target in row if guard] for row in moves]
    block_of = _merge(moves, final, can_go_on)
    number_of = {block_of[0]: 0}
    order = [0]
    kept: list[tuple[tuple[Any, int], ...]] = []
    for state in order:  # grows while it is walked
        joined: dict[int, Any] = {}
        for guard, target in moves[state]:
            block = block_of[target]
            if block not in number_of:
                number_of[block] = len(order)
                order.append(target)
            place = number_of[block]
            joined[place] = joined[place] | guard if place in joined else guard
        kept.append(tuple((guard, target) for target, guard in joined.items()))
    return SereAutomaton(tuple(kept), tuple(final[state] for state in order), tuple(can_go_on[state] for state in order))


def _can_reach_final(moves: list[list[tuple[Any, int]]], final: list[bool]) -> list[bool]:
    sources: list[list[int]] = [[] for _ in moves]
    for source, row in enumerate(moves):
        for _, target in row:
            sources[target].append(source)
    live = list(final)
    waiting = [state for state, is_final in enumerate(final) if is_final]
    while waiting:
        for source in sources[waiting.pop()]:
            if not live[source]:
                live[source] = True
                waiting.append(source)
    return live


def _merge(moves: list[list[tuple[Any, int]]], final: list[bool], can_go_on: list[bool]) -> list[int]:
    """Blocks of states that agree on being final and on their moves into blocks: signature refinement."""
    block_of = [0] * len(moves)
    blocks = 1
    while True:
        numbers: dict[object, int] = {}
        refined = []
        for state, row in enumerate(moves):
            joined: dict[int, Any] = {}
            for guard, target in row:
                block = block_of[target]
                joined[block] = joined[block] | guard if block in joined else guard
            signature = (block_of[state], final[state], can_go_on[state], frozenset(joined.items()))
            refined.append(numbers.setdefault(signature, len(numbers)))
        block_of = refined
        if len(numbers) == blocks:
            return block_of
        blocks = len(numbers)
