"""States that accept exactly the words of some others together: edges lead to those instead.

Reference: –
Symbols:   R(s) is `parts`: the states that s simulates and that do not simulate s.
Invariant: the words accepted from s are those accepted from one of R(s).
Deviates:  the words of s are covered if, for each step of s, a state of R(s) has a step with no fewer marks to the same target
           or a higher one. So every prefix of a run from s is one from R(s), with no fewer marks, and therefore so is the whole
           run (König). A step from s to itself must be covered for all of R(s), which then replaces s. Marks of a step that
           leaves the component of s need not be copied if the copy never returns to s, because this happens once in a run.
Cost:      one simulation for each state that is removed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coarsest.automata.automaton import Automaton, Edge, united
from coarsest.automata.shrink.direct_simulation import greatest_simulation
from coarsest.automata.tidy import renumber
from coarsest.run import Run


def remove_unions(automaton: Automaton, run: Run) -> Automaton:
    """The same language without such states, one after the other; initial states stay."""
    while True:
        above = greatest_simulation(automaton.edges, [(1 << automaton.states) - 1] * automaton.states, run)
        for state in range(automaton.states):
            parts = [] if state in automaton.initial else _parts(state, above)
            if len(parts) > 1 and _is_covered(automaton, state, parts, above):
                automaton = _instead(automaton, state, parts)
                break
        else:
            return automaton


def _parts(state: int, above: Sequence[int]) -> list[int]:
    return [other for other, over in enumerate(above) if over >> state & 1 and not above[state] >> other & 1]


def _is_covered(automaton: Automaton, state: int, parts: Sequence[int], above: Sequence[int]) -> bool:
    coming_back = _leading_to(automaton, state)
    edges = [edge for part in parts for edge in automaton.edges[part]]
    for guard, marks, target in automaton.edges[state]:
        for reached in parts if target == state else (target,):
            rest: Any = guard
            for other_guard, other_marks, other in edges:
                once = target not in coming_back and other not in coming_back
                if above[reached] >> other & 1 and (once or marks & ~other_marks == 0):
                    rest = rest ^ (rest & other_guard)
            if rest:
                return False
    return True


def _leading_to(automaton: Automaton, state: int) -> set[int]:
    """The states from which there is a path to a state, which is one of them."""
    before: list[list[int]] = [[] for _ in automaton.edges]
    for source, own in enumerate(automaton.edges):
        for _, _, target in own:
            before[target].append(source)
    sources, waiting = {state}, [state]
    while waiting:
        for source in before[waiting.pop()]:
            if source not in sources:
                sources.add(source)
                waiting.append(source)
    return sources


def _instead(automaton: Automaton, state: int, parts: Sequence[int]) -> Automaton:
    edges: list[list[Edge]] = []
    for own in automaton.edges:
        moved = ((guard, marks, to) for guard, marks, target in own for to in (parts if target == state else (target,)))
        edges.append(united(moved))
    return renumber(Automaton(automaton.alphabet, automaton.initial, edges, automaton.sets))
