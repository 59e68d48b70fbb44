"""Confirms that a machine and its smallest structure simulate each other, and that no structure is smaller: the interpreter
visits the states, one by one.

The engine that made the structure says which class each state is in, and which states of the structure are above the class. It is
not believed: this is shown to be a simulation, or it is rejected.
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
    require_reduced(quotient, run)
    walk = ClassWalk(machine, class_of, run, actions=actions, most=most)
    state_for = {number: k for k, number in enumerate(simulations.stands_for)}
    initial, ours = set(quotient.initial), walk.initial()
    if any(not initial & simulations.above[number] for number in ours):
        raise EvidenceRejected("no initial state of the structure is above an initial state of the machine")
    if initial - {state_for.get(number) for number in ours}:
        raise EvidenceRejected("an initial state of the structure represents no initial state of the machine")
    steps = steps_of(quotient)
    for state, number, own in walk:
        for above in simulations.above[number]:
            confirm_looks(walk.interpreter, quotient, state, above)
            _confirm_answers(own, steps[above], simulations.above)
        k = state_for.get(number)
        if k is None:
            continue
        if k not in simulations.above[number]:
            raise EvidenceRejected(f"state {k} of the structure is not above the class that it represents")
        if steps[k] - {(action, state_for.get(target)) for action, target in own}:
            raise EvidenceRejected(f"a step of state {k} of the structure is not answered by a state of class {number}")


def _confirm_answers(own: set[Step], steps: set[Step], above: Sequence[frozenset[int]]) -> None:
    """Raise EvidenceRejected unless a state of the structure can do everything that a state below it does."""
    if bool(own) != bool(steps):
        raise EvidenceRejected("a dead end and a state with steps are related")
    for action, target in own:
        if not any((action, answer) in steps for answer in above[target]):
            raise EvidenceRejected("a step of the machine is not answered by a state of the structure that is above")


def require_reduced(quotient: MachineQuotient, run: Run) -> None:
    """Raise EvidenceRejected if two states are equivalent, a step leads to a little brother, or a state is unreachable."""
    above = _greatest_simulation(quotient, run)
    for k in range(quotient.size):
        if any(k in above[other] for other in above[k] if other != k):
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


def _greatest_simulation(quotient: MachineQuotient, run: Run) -> list[set[int]]:
    """For each state, the states that simulate it; only a state without steps simulates a state without steps."""
    size, steps = quotient.size, steps_of(quotient)
    looks = [(*(values[i] for values in quotient.labels.values()), bool(steps[i])) for i in range(size)]
    alike: dict[object, set[int]] = {}
    for k in range(size):
        alike.setdefault(looks[k], set()).add(k)
    above = [set(alike[looks[k]]) for k in range(size)]
    changed = True
    while changed:
        run.step("confirm the smallest structure")
        changed = False
        for k in range(size):
            for action, target in steps[k]:
                wrong = {o for o in above[k] if not any(a == action and t in above[target] for a, t in steps[o])}
                above[k] -= wrong
                changed = changed or bool(wrong)
    return above
