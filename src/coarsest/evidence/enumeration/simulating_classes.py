"""Do a machine and its smallest structure simulate each other, and is there no smaller one? The interpreter goes through the
states, one by one.

Whoever made the structure says for each state which class it is in, and which states of the structure are above the class.
Whatever is said: it is shown to be a simulation, or it is rejected.
"""

from __future__ import annotations

from collections.abc import Sequence

from coarsest.errors import EvidenceRejected
from coarsest.evidence.effort import NotConfirmed
from coarsest.evidence.enumeration.classes import MOST_STEPS_FOR_EACH, ClassOf, Step, confirm_looks, steps_of
from coarsest.evidence.quotient import Quotient, Simulations
from coarsest.model.interpret.interpret import Interpreter, Values
from coarsest.model.machine import Machine
from coarsest.run import Run


def confirm_simulations(
    machine: Machine,
    quotient: Quotient,
    simulations: Simulations,
    class_of: ClassOf,
    run: Run,
    *,
    actions: Sequence[str],
    most: int,
) -> None:
    """Raises EvidenceRejected at the first mismatch, NotConfirmed if there are more than so many states."""
    if quotient.size > most:
        raise NotConfirmed(f"there are more than {most} states to walk through")
    insist_reduced(quotient, run)
    walk = _Walk(machine, quotient, simulations, class_of, most)
    walk.confirm_initial()
    interpreter = walk.interpreter
    places = [[v.name for v in interpreter.input_variables].index(name) for name in actions]
    looked_at = 0
    for state in walk.waiting:
        run.step("confirm the smallest structure", states=len(walk.classes))
        own: set[Step] = set()
        for inputs, after in interpreter.successor_values(state):
            own.add((tuple(inputs[place] for place in places), walk.meet(after)))
            looked_at += 1
            if looked_at > most * MOST_STEPS_FOR_EACH:
                raise NotConfirmed("there are too many steps to look at each")
        walk.confirm_steps(state, own)


class _Walk:
    """The states that have been met, with their classes."""

    def __init__(self, machine: Machine, quotient: Quotient, simulations: Simulations, class_of: ClassOf, most: int) -> None:
        self.interpreter = Interpreter(machine)
        self.quotient, self.above, self.class_of, self.most = quotient, simulations.above, class_of, most
        self.standing = {number: one for one, number in enumerate(simulations.stands_for)}
        self.steps = steps_of(quotient)
        self.classes: dict[Values, int] = {}
        self.waiting: list[Values] = []

    def meet(self, state: Values) -> int:
        if state not in self.classes:
            if len(self.classes) == self.most:
                raise NotConfirmed(f"there are more than {self.most} states to walk through")
            self.classes[state] = self.class_of(self.interpreter.assignment(state))
            self.waiting.append(state)
        return self.classes[state]

    def confirm_initial(self) -> None:
        initial, ours = set(self.quotient.initial), {self.meet(state) for state in self.interpreter.initial_values()}
        if any(not initial & self.above[number] for number in ours):
            raise EvidenceRejected("no initial state of the structure is above an initial state of the machine")
        if initial - {self.standing.get(number) for number in ours}:
            raise EvidenceRejected("an initial state of the structure stands for no initial state of the machine")

    def confirm_steps(self, state: Values, own: set[Step]) -> None:
        """What the state does, those above it can do; what stands for it, it can do itself."""
        number = self.classes[state]
        for other in self.above[number]:
            confirm_looks(self.interpreter, self.quotient, state, other)
            if bool(own) != bool(self.steps[other]):
                raise EvidenceRejected("a dead end and a state with steps are related")
            for action, target in own:
                if not any((action, answer) in self.steps[other] for answer in self.above[target]):
                    raise EvidenceRejected(f"a step of class {number} is not answered by state {other} of the structure")
        one = self.standing.get(number)
        if one is None:
            return
        if one not in self.above[number]:
            raise EvidenceRejected(f"state {one} of the structure is not above what it stands for")
        if self.steps[one] - {(action, self.standing.get(target)) for action, target in own}:
            raise EvidenceRejected(f"a step of state {one} of the structure is not answered by a state of class {number}")


def insist_reduced(quotient: Quotient, run: Run) -> None:
    """No two states of the structure are equivalent, no step leads to a little brother, and every state is reached."""
    above = _greatest_simulation(quotient, run)
    for one in range(quotient.size):
        if any(one in above[other] for other in above[one] if other != one):
            raise EvidenceRejected("two states of the structure are simulation equivalent")
    steps = steps_of(quotient)
    starts: set[Step] = {((), number) for number in quotient.initial}
    choices: set[Step]
    for choices in (starts, *steps):
        for action, target in choices:
            if any((action, other) in choices for other in above[target] if other != target):
                raise EvidenceRejected("a step of the structure leads to a little brother")
    reached, waiting = set(quotient.initial), list(quotient.initial)
    for number in waiting:
        fresh = {target for _, target in steps[number]} - reached
        reached |= fresh
        waiting += sorted(fresh)
    if len(reached) < quotient.size:
        raise EvidenceRejected("a state of the structure cannot be reached")


def _greatest_simulation(quotient: Quotient, run: Run) -> list[set[int]]:
    """For each state, those that simulate it; a state without steps, and only that, is above one without."""
    size, steps = quotient.size, steps_of(quotient)
    looks = [(*(values[i] for values in quotient.labels.values()), bool(steps[i])) for i in range(size)]
    alike: dict[object, set[int]] = {}
    for one in range(size):
        alike.setdefault(looks[one], set()).add(one)
    above = [set(alike[looks[one]]) for one in range(size)]
    changed = True
    while changed:
        run.step("confirm the smallest structure")
        changed = False
        for one in range(size):
            for action, target in steps[one]:
                wrong = {o for o in above[one] if not any(a == action and t in above[target] for a, t in steps[o])}
                above[one] -= wrong
                changed = changed or bool(wrong)
    return above
