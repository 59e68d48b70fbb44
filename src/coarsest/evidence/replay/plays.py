"""Replaying a play of the game of simulation on both machines, state by state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice, pairwise

from coarsest import tuning
from coarsest.errors import EvidenceRejected
from coarsest.evidence.play import ObservedPairs, Play
from coarsest.logic.expr import Expr, Value
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Machine

State = Mapping[str, Value]


class Sight:
    """Two machines, looked at."""

    def __init__(self, left: Machine, right: Machine, look: ObservedPairs) -> None:
        self.left, self.right, self.look = Interpreter(left), Interpreter(right), look

    def is_answer(self, state: State, answer: State) -> bool:
        def values(pairs: Sequence[tuple[Expr, Expr]]) -> list[tuple[object, object]]:
            return [(self.left.value(one, state), self.right.value(other, answer)) for one, other in pairs]

        return all(x == y for x, y in values(self.look.alike)) and all(y or not x for x, y in values(self.look.fair))

    def answers(self, play: Play) -> Iterable[State]:
        """What the protagonist can do last."""
        if not play.answers:
            yield from self.right.initial_states()
            return
        stays = True
        for _, after in self.right.successors(play.answers[-1]):
            stays = False
            yield after
        if stays:
            yield play.answers[-1]

    def require_path(self, machine: Interpreter, states: Sequence[State]) -> None:
        if states and (problem := machine.why_not_initial(states[0])):
            raise EvidenceRejected(f"a play does not begin in an initial state: {problem}")
        for before, after in pairwise(states):
            if before != after or any(True for _ in machine.successors(before)):
                machine.complete_step(before, {}, after)


def is_lost(left: Machine, right: Machine, look: ObservedPairs, play: Play) -> bool:
    """Is it a play in which all steps are answered but the last, which cannot be? False if there are too many answers to know;
    EvidenceRejected if it is no play."""
    sight = Sight(left, right, look)
    sight.require_path(sight.left, play.states)
    sight.require_path(sight.right, play.answers)
    if len(play.states) != len(play.answers) + 1 or not all(map(sight.is_answer, play.states, play.answers)):
        raise EvidenceRejected("in a play, a state is answered by one that looks different")
    possible = list(islice(sight.answers(play), tuning.JUDGED_STEPS + 1))
    if any(sight.is_answer(play.states[-1], state) for state in possible):
        raise EvidenceRejected("the last step of a play can be answered")
    return len(possible) <= tuning.JUDGED_STEPS
