"""Replaying a play of the simulation game on both machines, state by state."""

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


class ObservedMachines:
    """Two machines with their observed expressions."""

    def __init__(self, left: Machine, right: Machine, observed: ObservedPairs) -> None:
        self.left, self.right, self.observed = Interpreter(left), Interpreter(right), observed

    def is_answer(self, state: State, answer: State) -> bool:
        def values(pairs: Sequence[tuple[Expr, Expr]]) -> list[tuple[object, object]]:
            return [(self.left.value(left, state), self.right.value(right, answer)) for left, right in pairs]

        return all(x == y for x, y in values(self.observed.alike)) and all(y or not x for x, y in values(self.observed.fair))

    def answers(self, play: Play) -> Iterable[State]:
        """The possible last answers of the protagonist."""
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


def is_lost(left: Machine, right: Machine, observed: ObservedPairs, play: Play) -> bool:
    """Is every step of the play answered except the last, which cannot be? False if there are too many possible answers;
    EvidenceRejected if it is not a play."""
    machines = ObservedMachines(left, right, observed)
    machines.require_path(machines.left, play.states)
    machines.require_path(machines.right, play.answers)
    if len(play.states) != len(play.answers) + 1 or not all(map(machines.is_answer, play.states, play.answers)):
        raise EvidenceRejected("in a play, a state is answered by one that looks different")
    possible = list(islice(machines.answers(play), tuning.JUDGED_STEPS + 1))
    if any(machines.is_answer(play.states[-1], state) for state in possible):
        raise EvidenceRejected("the last step of a play can be answered")
    return len(possible) <= tuning.JUDGED_STEPS
