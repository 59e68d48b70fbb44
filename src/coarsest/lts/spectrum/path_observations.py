"""Is all that is seen along the paths of some states seen along those of others?

For notions whose observations are a path with more or less about the states on it: traces, failures, revivals, readiness,
failure traces, ready traces, possible futures.

Reference: De Wulf, Doyen, Henzinger, Raskin 2006, Antichains; the observations are those of van Glabbeek 1990, The linear time –
           branching time spectrum, sections 2 to 7.
Symbols:   a position (p, Q) asks whether all that is seen from p is seen from a state of Q.
Invariant: a position that was left out is told apart by no formula that does not tell one apart that was kept, on a path that
           is no longer; so the first formula is one of least depth.
Deviates:  one search for all notions: `along` says which states of Q still fit when p was seen on the way, `last` which fit
           at the end of the path. States below others are left out by a finer preorder (ready simulation, 2-nested simulation).
Cost:      exponential in the worst case: at most MOST_WORK sets of states are compared, then nothing is said.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from coarsest.errors import LimitExceeded
from coarsest.logic.modal.hennessy_milner import Builder, Formula
from coarsest.lts.rounds.truths import Truths
from coarsest.lts.spectrum.observed_states import Kind, ObservedStates, members_of
from coarsest.run import Run

if TYPE_CHECKING:
    from coarsest.lts.labelled import Graph

MOST_WORK = 400_000
"""Comparisons of sets, in all, before a question is given up; on large graphs, where each costs more, they are fewer."""
LARGE = 2_000
"""States whose sets are compared at the price of one."""


class PathNotion(NamedTuple):
    """What is seen of the states on the way, and of the last one."""

    name: str
    along: Kind = Kind.LABEL
    last: Kind = Kind.LABEL


PATH_NOTIONS = (
    PathNotion("traces"),
    PathNotion("failures", last=Kind.REFUSED),
    PathNotion("revivals", last=Kind.REVIVED),
    PathNotion("readiness", last=Kind.READY),
    PathNotion("failure-traces", Kind.REFUSED, Kind.REFUSED),
    PathNotion("ready-traces", Kind.READY, Kind.READY),
    PathNotion("impossible-futures", last=Kind.IMPOSSIBLE),
    PathNotion("possible-futures", last=Kind.POSSIBLE),
)


class Step(NamedTuple):
    """A position on the way to another: what was done last, and where it was done."""

    state: int
    others: tuple[int, ...]
    before: Step | None = None
    action: int = -1
    length: int = 0


class Outcome(NamedTuple):
    """Positions that follow from one another; or the last one on a path whose observation is missing, and the formula's depth."""

    pairs: tuple[tuple[int, tuple[int, ...]], ...] = ()
    missing: Step | None = None
    depth: int = 0


class PathObservations:
    """Questions about one graph, no two states of which are equivalent by the order that `above` has a mask for each state of."""

    def __init__(self, graph: Graph, above: Sequence[int], states: ObservedStates, run: Run) -> None:
        self._above, self._states, self._run = above, states, run
        self._graph, self._work = graph, 0
        self._higher: dict[int, list[int]] = {}
        self._after: list[dict[int, list[int]]] = [defaultdict(list) for _ in range(graph.states)]
        for source, action, target in zip(graph.sources.tolist(), graph.actions.tolist(), graph.targets.tolist()):
            self._after[source][action].append(target)

    def decide(self, notion: PathNotion, firsts: Iterable[int], seconds: Iterable[int], least: int | None = None) -> Outcome:
        """Breadth-first through the positions. Formulas of depth `least` or more are of no interest, if it is given: then the
        outcome may be empty."""
        start = self._strongest(seconds)
        layer = [Step(first, start) for first in sorted(set(firsts))]
        antichains: dict[int, list[tuple[int, ...]]] = defaultdict(list)
        pairs: list[tuple[int, tuple[int, ...]]] = []
        best, bound = Outcome(), least
        self._work = 0
        while layer:
            following: list[Step] = []
            for step in layer:
                missing = self._missing(notion, step)
                if missing is not None and (bound is None or missing < bound):
                    best, bound = Outcome((), step, missing), missing
                if self._superfluous(step, antichains):
                    continue
                self._run.step(notion.name, pairs=len(pairs), length=step.length)
                antichains[step.state].append(step.others)
                pairs.append((step.state, step.others))
                following += self._next(notion, step)
            if bound is not None and following and following[0].length >= bound:
                break
            layer = following
        return best if best.missing is not None or bound is not None else Outcome(tuple(pairs))

    def _missing(self, notion: PathNotion, step: Step) -> int | None:
        """The depth of a formula that tells the state from all the others by what is seen of it, or None."""
        fitting = self._states.fitting(notion.last, step.state, step.others)
        return None if fitting.depth is None else step.length + fitting.depth

    def fitting(self, notion: PathNotion, state: int, others: Sequence[int]) -> Sequence[int]:
        """Those of the others that cannot be told from a state at the end of a path."""
        return self._states.fitting(notion.last, state, others).states

    def _next(self, notion: PathNotion, step: Step) -> Iterable[Step]:
        fitting = self._states.fitting(notion.along, step.state, step.others).states
        for action, targets in sorted(self._after[step.state].items()):
            answers = self._strongest({target for other in fitting for target in self._after[other].get(action, ())})
            for target in targets:
                yield Step(target, answers, step, action, step.length + 1)

    def _strongest(self, states: Iterable[int]) -> tuple[int, ...]:
        """The states that no other is above."""
        unique = sorted(set(states))
        members = _mask(unique)
        return tuple(state for state in unique if self._above[state] & members == 1 << state)

    def _superfluous(self, step: Step, antichains: dict[int, list[tuple[int, ...]]]) -> bool:
        """Is one of the others above the state, or was a stronger question kept: of a higher state, and a set of lower ones?"""
        above, others = self._above[step.state], _mask(step.others)
        if above & others:
            return True
        higher = self._higher.get(step.state)
        if higher is None:
            higher = self._higher[step.state] = list(members_of(above))
        sets = [earlier for state in higher for earlier in antichains.get(state, ())]
        self._work += 1 + len(sets)
        most = MOST_WORK // (1 + self._graph.states // LARGE)
        if self._work > most:
            raise LimitExceeded("work", f"more than {most:,} sets of states have to be compared")
        return any(all(self._above[lower] & others for lower in earlier) for earlier in sets)

    def formula(self, notion: PathNotion, last: Step) -> Formula:
        """What is seen along the path to the last position, as a formula; of each state on the way no more than is needed."""
        make = Builder()
        truths = Truths(self._graph, make.nodes)
        place = make.conjunction(self._states.told(make, notion.last, last.state, last.others))
        step = last
        while step.before is not None:
            deeper = make.diamond(self._graph.action_names[step.action], place)
            step = step.before
            rivals = [other for other in step.others if truths.at(deeper, other)]
            place = make.conjunction([*self._states.told(make, notion.along, step.state, rivals), deeper])
        return make.formula(place)


def _mask(states: Iterable[int]) -> int:
    mask = 0
    for state in states:
        mask |= 1 << state
    return mask

