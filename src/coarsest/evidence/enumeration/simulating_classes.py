"""Confirms that a machine and its smallest structure simulate each other, and that no structure is smaller: the interpreter
visits the states, one by one.

The engine that made the structure says for each state which class it is in, and which states of the structure are above the
class and which below. It is not believed: these are shown to be two simulations, or it is rejected.
"""

from __future__ import annotations

from collections.abc import Sequence

from coarsest.errors import EvidenceRejected
from coarsest.evidence.enumeration.classes import ClassOf, ClassWalk, Step, confirm_looks, require_few, steps_of
from coarsest.evidence.quotient import MachineQuotient, Simulations
from coarsest.model.machine import Machine
from coarsest.run import Run


def confirm_simulations(
    machine: Machine,
    quotient: MachineQuotient,
    simulations: Simulations,
    class_of: ClassOf,
    run: Run,
    *,
    actions: Sequence[str],
    most: int,
) -> None:
    """Raises EvidenceRejected at the first mismatch, NotConfirmed if there are more than `most` states."""
    require_few(quotient, most)
    require_reduced(quotient, run, brothers=not simulations.is_smallest)
    walk = ClassWalk(machine, class_of, run, actions=actions, most=most)
    initial, ours = set(quotient.initial), walk.initial()
    if any(not initial & simulations.above[number] for number in ours):
        raise EvidenceRejected("no initial state of the structure is above an initial state of the machine")
    if initial - {one for number in ours for one in simulations.below[number]}:
        raise EvidenceRejected("an initial state of the structure is below no initial state of the machine")
    steps = steps_of(quotient)
    for state, number, own in walk:
        above, below = simulations.above[number], simulations.below[number]
        for other in above | below:
            confirm_looks(walk.interpreter, quotient, state, other)
            if bool(own) != bool(steps[other]):
                raise EvidenceRejected("a dead end and a state with steps are related")
        for other in above:
            if any(all((action, answer) not in steps[other] for answer in simulations.above[target]) for action, target in own):
                raise EvidenceRejected("a step of the machine is not answered by a state of the structure that is above")
        answered = {(action, other) for action, target in own for other in simulations.below[target]}
        if any(steps[other] - answered for other in below):
            raise EvidenceRejected(f"a step of the structure is not answered by a state of class {number} that is above")


def require_reduced(quotient: MachineQuotient, run: Run, *, brothers: bool = False) -> None:
    """No two states of the structure are equivalent, no step leads to a little brother unless that is allowed, and every state
    is reached."""
    above = _greatest_simulation(quotient, run)
    for one in range(quotient.size):
        if any(one in above[other] for other in above[one] if other != one):
            raise EvidenceRejected("two states of the structure are simulation equivalent")
    steps = steps_of(quotient)
    starts: set[Step] = {((), number) for number in quotient.initial}
    choices: set[Step]
    for choices in (starts, *steps):
        for action, target in choices:
            if not brothers and any((action, other) in choices for other in above[target] if other != target):
                raise EvidenceRejected("a step of the structure leads to a little brother")
    reached, waiting = set(quotient.initial), list(quotient.initial)
    for number in waiting:
        fresh = {target for _, target in steps[number]} - reached
        reached |= fresh
        waiting += sorted(fresh)
    if len(reached) < quotient.size:
        raise EvidenceRejected("a state of the structure cannot be reached")


def _greatest_simulation(quotient: MachineQuotient, run: Run) -> list[set[int]]:
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
