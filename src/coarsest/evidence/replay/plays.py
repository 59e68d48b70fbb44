"""Replaying a play of the game of simulation on both machines, state by state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice, pairwise

from coarsest.errors import EvidenceRejected
from coarsest.evidence.play import Play
from coarsest.logic.expr import Name, Value
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Machine

State = Mapping[str, Value]

MOST_ANSWERS = 10_000
"""If there are more states that might be an answer, not all are looked at."""


def is_lost(left: Machine, right: Machine, names: Sequence[str], play: Play) -> bool:
    """Is it a play in which all steps are answered but the last, which cannot be? False if there are too many answers to know;
    EvidenceRejected if it is no play."""
    one, other = Interpreter(left), Interpreter(right)
    for interpreter, states in ((one, play.states), (other, play.answers)):
        if states and (problem := interpreter.why_not_initial(states[0])):
            raise EvidenceRejected(f"a play does not begin in an initial state: {problem}")
        for before, after in pairwise(states):
            if before != after or any(True for _ in interpreter.successors(before)):  # who cannot go on stays
                interpreter.complete_step(before, {}, after)
    looks, answered = ([_look(machine, names, state) for state in states]
                       for machine, states in ((one, play.states), (other, play.answers)))  # fmt: skip
    if looks[:-1] != answered:
        raise EvidenceRejected("in a play, a state is answered by one that looks different")
    possible = list(islice(_answers(other, play), MOST_ANSWERS + 1))
    if any(_look(other, names, state) == looks[-1] for state in possible):
        raise EvidenceRejected("the last step of a play can be answered")
    return len(possible) <= MOST_ANSWERS


def _answers(right: Interpreter, play: Play) -> Iterable[State]:
    if not play.answers:
        yield from right.initial_states()
        return
    stays = True
    for _, after in right.successors(play.answers[-1]):
        stays = False
        yield after
    if stays:
        yield play.answers[-1]


def _look(machine: Interpreter, names: Sequence[str], state: State) -> list[object]:
    return [machine.value(Name(name), state) for name in names]
