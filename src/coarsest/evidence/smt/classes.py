"""Confirms that the classes of a quotient, as formulas, are those of a bisimulation, by z3 and the judge's own formulas.

There may be infinitely many states. The states that can enter a class are computed by another method of quantifier elimination
than the minimiser's; its terms, substitutions and simplifications are not used.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coarsest.errors import EvidenceRejected
from coarsest.evidence.enumeration.classes import require_told_apart
from coarsest.evidence.quotient import MachineQuotient
from coarsest.evidence.smt.formulas import MachineFormulas
from coarsest.logic.expr import Apply, Constant, Expr, Value
from coarsest.model.machine import Kind, Machine
from coarsest.run import Run


def confirm_classes_by_solver(
    machine: Machine, quotient: MachineQuotient, classes: Sequence[Expr], bounds: Expr, run: Run
) -> None:
    """Raises EvidenceRejected if a condition does not hold, NotConfirmed if z3 cannot decide one.

    States out of `bounds`, which are in no class, must be unreachable.
    """
    require_told_apart(quotient, run)
    if len(classes) != quotient.size:
        raise EvidenceRejected(f"there are {len(classes)} classes, but the quotient has {quotient.size} states")
    _Conditions(machine, quotient, classes, bounds, run).confirm()


class _Conditions:
    def __init__(self, machine: Machine, quotient: MachineQuotient, classes: Sequence[Expr], bounds: Expr, run: Run) -> None:
        self.quotient = quotient
        self.run = run
        self.formulas = formulas = MachineFormulas(machine, run)
        self.refute = formulas.questions.refute
        self.bounds, bounds_after = (formulas.condition(bounds, after=after) for after in (False, True))
        self.now = [formulas.condition(states) for states in classes]
        self.after = [formulas.condition(states, after=True) for states in classes]
        self.looks = [
            formulas.every([formulas.condition(_is(label, values[number])) for label, values in quotient.labels.items()])
            for number in range(quotient.size)
        ]
        self.actions = [
            formulas.every([formulas.has_value(name, value) for name, value in inputs.items()]) for inputs in quotient.actions
        ]
        self.initial, self.step = formulas.initial, formulas.step
        formulas.require_defined()
        self.refute("an initial state is out of bounds", self.initial, formulas.opposite(self.bounds))
        self.refute("a step leads out of bounds", self.bounds, self.step, formulas.opposite(bounds_after))
        formulas.questions.assume(formulas.legal)
        formulas.questions.assume(self.bounds)
        states = [formulas.after[v.name] for v in machine.of_kind(Kind.STATE)]
        self._not_now = [*(formulas.now[v.name] for v in machine.input_variables), *states]
        self._entering: dict[tuple[int, int], Any] = {}

    def confirm(self) -> None:
        formulas, quotient = self.formulas, self.quotient
        covered = formulas.some([self.now[number] for number in quotient.initial])
        self.refute("an initial state is in no initial class", self.initial, formulas.opposite(covered))
        other = formulas.opposite(formulas.some(self.actions))
        for number, states in enumerate(self.now):
            self.run.step("confirm the quotient", classes=number)
            if (number in quotient.initial) != (formulas.questions.example(self.initial, states) is not None):
                raise EvidenceRejected("the classes of the initial states are not the initial classes")
            for earlier in self.now[:number]:
                self.refute("a state is in two classes", states, earlier)
            unlike = formulas.opposite(self.looks[number])
            self.refute(f"a state of class {number} does not look like its class", states, unlike)
            self.refute(f"a step leaves class {number} by an action that the quotient does not have", states, self.step, other)
            self._confirm_steps(number)

    def _confirm_steps(self, number: int) -> None:
        formulas, here = self.formulas, self.now[number]
        for action, chosen in enumerate(self.actions):
            targets = [after for before, by, after in self.quotient.edges if (before, by) == (number, action)]
            elsewhere = formulas.opposite(formulas.some([self.after[target] for target in targets]))
            problem = f"a step leaves class {number} for a class that the quotient does not enter"
            self.refute(problem, here, self.step, chosen, elsewhere)
            for target in targets:
                problem = f"a state of class {number} does not have the steps of its class"
                self.refute(problem, here, formulas.opposite(self._can_enter(action, target)))

    def _can_enter(self, action: int, target: int) -> Any:
        """The states from which a step with an action enters a class."""
        if (action, target) not in self._entering:
            steps = self.formulas.every([self.step, self.actions[action], self.after[target]])
            self._entering[action, target] = self.formulas.questions.for_some(self._not_now, steps)
        return self._entering[action, target]


def _is(label: Expr, value: Value) -> Expr:
    return (label if value else Apply("not", (label,))) if isinstance(value, bool) else Apply("=", (label, Constant(value)))
