"""A word that an automaton accepts: what shows that its language is not empty."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from coarsest.automata.automaton import Automaton, Edge
from coarsest.automata.tidy import components_of


class LassoWord(NamedTuple):
    """The word `prefix cycle cycle …`; a letter is a bit set of the atoms that are true."""

    prefix: tuple[int, ...]
    cycle: tuple[int, ...]


def accepted_word(automaton: Automaton) -> LassoWord | None:
    """A word that is accepted, or None; short, but not always the shortest."""
    found, number_of = components_of(automaton)
    accepting = {number for number, component in enumerate(found) if component.accepting}
    if not accepting:
        return None
    entered = next((state for state in automaton.initial if number_of[state] in accepting), -1)
    prefix: list[Edge] = []
    if entered < 0:
        prefix = _path(automaton, automaton.initial, lambda edge: number_of[edge[2]] in accepting)
        entered = prefix[-1][2]
    cycle = _cycle(automaton, entered, number_of)
    pick = automaton.alphabet.pick
    return LassoWord(tuple(pick(guard) for guard, _, _ in prefix), tuple(pick(guard) for guard, _, _ in cycle))


def _cycle(automaton: Automaton, start: int, number_of: Sequence[int]) -> list[Edge]:
    """A path inside the component of `start` that meets all acceptance sets and comes back."""
    home = number_of[start]
    cycle: list[Edge] = []
    state, missing = start, automaton.all_sets

    def is_inner(edge: Edge) -> bool:
        return number_of[edge[2]] == home

    while missing:
        wanted = missing & -missing
        cycle += _path(automaton, [state], lambda edge: bool(edge[1] & wanted), is_inner)
        state = cycle[-1][2]
        for _, marks, _ in cycle:
            missing &= ~marks
    if state != start or not cycle:
        cycle += _path(automaton, [state], lambda edge: edge[2] == start, is_inner)
    return cycle


def _everywhere(edge: Edge) -> bool:
    return True


def _path(
    automaton: Automaton, starts: Iterable[int], is_goal: Callable[[Edge], bool], may_use: Callable[[Edge], bool] = _everywhere
) -> list[Edge]:
    """A shortest path, with at least one edge, whose last edge is a goal. There must be one."""
    order = list(starts)
    came_by: dict[int, tuple[int, Edge] | None] = dict.fromkeys(order)
    for state in order:
        for edge in automaton.edges[state]:
            if not may_use(edge):
                continue
            if is_goal(edge):
                path = [edge]
                step = came_by[state]
                while step is not None:
                    state, edge = step
                    path.append(edge)
                    step = came_by[state]
                return path[::-1]
            if edge[2] not in came_by:
                came_by[edge[2]] = (state, edge)
                order.append(edge[2])
    raise ValueError("there is no such path")
