"""Are all observations along the paths of some states also observations along those of others?

This is for notions whose observations are a path with more or less about the states on it: traces, failures, revivals,
readiness, failure traces, ready traces, possible futures.

Reference: De Wulf, Doyen, Henzinger, Raskin 2006, Antichains; the observations are those of van Glabbeek 1990, The linear time –
           branching time spectrum, sections 2 to 7.
Symbols:   a position (p, Q) asks whether each observation from p is one from a state of Q.
Invariant: if a formula distinguishes a position that was left out, some formula on a path of at most the same length
           distinguishes a position that was not. So the first formula is one of least depth.
Deviates:  one search for all notions: `along` selects the states of Q that fit p on the way, `last` those that fit at the end
           of the path. States below others are left out by a finer preorder (ready simulation, 2-nested simulation).
Cost:      exponential in the worst case; the number of compared sets is limited, and beyond the limit there is no answer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from coarsest import tuning
from coarsest.errors import LimitExceeded
from coarsest.logic.modal.hennessy_milner import Builder, Formula
from coarsest.lts.language.inclusion_antichains import mask_of
from coarsest.lts.rounds.truths import FormulaTruths
from coarsest.lts.spectrum.observed_states import ObservedStates, SeenOfState, members_of
from coarsest.run import Run

if TYPE_CHECKING:
    from coarsest.lts.labelled import Graph


class PathNotion(NamedTuple):
    """The observations of the states on the way, and of the last one."""

    name: str
    along: SeenOfState = SeenOfState.LABEL
    last: SeenOfState = SeenOfState.LABEL


PATH_NOTIONS = (
    PathNotion("traces"),
    PathNotion("failures", last=SeenOfState.REFUSED),
    PathNotion("revivals", last=SeenOfState.REVIVED),
    PathNotion("readiness", last=SeenOfState.READY),
    PathNotion("failure-traces", SeenOfState.REFUSED, SeenOfState.REFUSED),
    PathNotion("ready-traces", SeenOfState.READY, SeenOfState.READY),
    PathNotion("impossible-futures", last=SeenOfState.IMPOSSIBLE),
    PathNotion("possible-futures", last=SeenOfState.POSSIBLE),
)


class PathPosition(NamedTuple):
    """A position, with the last action and the position before it."""

    state: int
    others: tuple[int, ...]
    before: PathPosition | None = None
    action: int = -1
    length: int = 0


class PathOutcome(NamedTuple):
    """Positions that follow from one another; or the last one of a path with a missing observation, and the formula's depth."""

    pairs: tuple[tuple[int, tuple[int, ...]], ...] = ()
    missing: PathPosition | None = None
    depth: int = 0


class PathObservations:
    """Questions about one graph. `above[s]` is the bit mask of the states above s, in an order by which no two states are
    equivalent."""

    def __init__(self, graph: Graph, above: Sequence[int], states: ObservedStates, run: Run) -> None:
        self._above, self._states, self._run = above, states, run
        self._graph, self._work = graph, 0
        self._higher: dict[int, list[int]] = {}
        self._after: list[dict[int, list[int]]] = [defaultdict(list) for _ in range(graph.states)]
        for source, action, target in zip(graph.sources.tolist(), graph.actions.tolist(), graph.targets.tolist()):
            self._after[source][action].append(target)

    def decide(self, notion: PathNotion, firsts: Iterable[int], seconds: Iterable[int], least: int | None = None) -> PathOutcome:
        """Search the positions breadth first. If `least` is given, only formulas of a smaller depth are wanted, so the outcome
        may be empty."""
        start = self._strongest(seconds)
        layer = [PathPosition(first, start) for first in sorted(set(firsts))]
        antichains: dict[int, list[tuple[int, ...]]] = defaultdict(list)
        pairs: list[tuple[int, tuple[int, ...]]] = []
        best, bound = PathOutcome(), least
        self._work = 0
        while layer:
            following: list[PathPosition] = []
            for step in layer:
                missing = self._missing(notion, step)
                if missing is not None and (bound is None or missing < bound):
                    best, bound = PathOutcome((), step, missing), missing
                if self._superfluous(step, antichains):
                    continue
                self._run.step(notion.name, pairs=len(pairs), length=step.length)
                antichains[step.state].append(step.others)
                pairs.append((step.state, step.others))
                following += self._next(notion, step)
            if bound is not None and following and following[0].length >= bound:
                break
            layer = following
        return best if best.missing is not None or bound is not None else PathOutcome(tuple(pairs))

    def _missing(self, notion: PathNotion, step: PathPosition) -> int | None:
        """The depth of a formula about the observations of the state that is false in all the others, or None."""
        fitting = self._states.fitting(notion.last, step.state, step.others)
        return None if fitting.depth is None else step.length + fitting.depth

    def fitting(self, notion: PathNotion, state: int, others: Sequence[int]) -> Sequence[int]:
        """The others that look like a state at the end of a path."""
        return self._states.fitting(notion.last, state, others).states

    def _next(self, notion: PathNotion, step: PathPosition) -> Iterable[PathPosition]:
        fitting = self._states.fitting(notion.along, step.state, step.others).states
        for action, targets in sorted(self._after[step.state].items()):
            answers = self._strongest({target for other in fitting for target in self._after[other].get(action, ())})
            for target in targets:
                yield PathPosition(target, answers, step, action, step.length + 1)

    def _strongest(self, states: Iterable[int]) -> tuple[int, ...]:
        """The maximal states."""
        unique = sorted(set(states))
        members = mask_of(unique)
        return tuple(state for state in unique if self._above[state] & members == 1 << state)

    def _superfluous(self, step: PathPosition, antichains: dict[int, list[tuple[int, ...]]]) -> bool:
        """Is one of the others above the state, or was there a stronger question, of a higher state and a set of lower ones?"""
        above, others = self._above[step.state], mask_of(step.others)
        if above & others:
            return True
        higher = self._higher.get(step.state)
        if higher is None:
            higher = self._higher[step.state] = list(members_of(above))
        sets = [earlier for state in higher for earlier in antichains.get(state, ())]
        self._work += 1 + len(sets)
        if self._work > tuning.SPECTRUM_COMPARISONS:
            raise LimitExceeded("work", f"more than {tuning.SPECTRUM_COMPARISONS:,} sets of states have to be compared")
        return any(all(self._above[lower] & others for lower in earlier) for earlier in sets)

    def formula(self, notion: PathNotion, last: PathPosition) -> Formula:
        """A formula of the observations along the path to the last position, with only those of each state that are needed."""
        make = Builder()
        truths = FormulaTruths(self._graph, make.nodes)
        node = make.conjunction(self._states.observations(make, notion.last, last.state, last.others))
        step = last
        while step.before is not None:
            deeper = make.diamond(self._graph.action_names[step.action], node)
            step = step.before
            rivals = [other for other in step.others if truths.at(deeper, other)]
            node = make.conjunction([*self._states.observations(make, notion.along, step.state, rivals), deeper])
        return make.formula(node)
