"""A stable partition into formulas as evidence, confirmed by a fresh solver.

There are infinitely many states to walk through, so the conditions are put to z3, in a context of its own, made from the machine
and from the classes as they are printed. Which states can enter a class is found by another method of elimination than the
minimiser used; its substitutions and simplifications take no part.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from coarsest.errors import EvidenceRejected, LimitExceeded
from coarsest.logic.expr import Apply, Constant, Expr
from coarsest.reduce.partition.certificate import StablePartition
from coarsest.run import Run
from coarsest.space.smt.smt import SmtSet, SmtSpace
from coarsest.space.smt.smt_solver import Solver
from coarsest.space.smt.smt_step import Step
from coarsest.space.smt.smt_terms import Terms

if TYPE_CHECKING:
    import z3

MOST_CLASSES_CONFIRMED = 60


class StableFormulas(StablePartition[SmtSet], frozen=True):
    """Every state looks like its class and can enter the classes that its class enters, by the same actions."""

    @property
    def classes(self) -> list[Expr]:
        """What is special about the states of each class."""
        space = self.observed.space
        assert isinstance(space, SmtSpace)
        return [space.expression(states) for states in self.partition.classes]

    def confirm(self, run: Run, *, most: int = MOST_CLASSES_CONFIRMED) -> bool:
        """Put all conditions to a fresh solver; False if there are too many, or the solver cannot tell."""
        if len(self.partition) > most:
            return False
        self._confirm_minimal(run)
        try:
            _Conditions(self, run).confirm()
        except LimitExceeded as limit:
            if limit.limit != "solver":
                raise
            return False
        return True


class _Conditions:
    def __init__(self, claim: StableFormulas, run: Run) -> None:
        self.claim = claim
        self.run = run
        self.terms = Terms(claim.observation.machine, Solver(run))
        self.step = Step(self.terms)
        self.judge = Solver(run, self.terms.context)
        self.judge.add(self.step.legal)
        self._confirm_bounds()
        self.now = [self.terms.condition(states) for states in claim.classes]
        self.after = [self.terms.condition(states, after=True) for states in claim.classes]
        self._entering: dict[tuple[int, int], Any] = {}
        self.actions = [self._action(inputs) for inputs in claim.quotient.actions]

    def _confirm_bounds(self) -> None:
        """States outside of these were left out, so they must be unreachable; from here on, the solver assumes them."""
        space = self.claim.observed.space
        assert isinstance(space, SmtSpace)
        bounds, values = space.kept_bounds, self.terms.values
        now, after = self.terms.condition(bounds), self.terms.condition(bounds, after=True)
        self._never("an initial state is out of bounds", self.step.initial, values.opposite(now))
        self._never("a step leads out of bounds", now, self.step.relation, values.opposite(after))
        self.judge.add(now)

    def _action(self, inputs: Any) -> z3.BoolRef:
        terms, variables = self.terms, self.terms.machine.variables
        chosen = (terms.equals(terms.now[name], terms.constant(variables[name], value)) for name, value in inputs.items())
        return terms.values.both(*chosen)

    def confirm(self) -> None:
        values, partition = self.terms.values, self.claim.partition
        covered = values.either(*(self.now[number] for number in partition.initial))
        self._never("an initial state is in no initial class", self.step.initial, values.opposite(covered))
        for number, states in enumerate(self.now):
            self.run.step("confirm the quotient", classes=number)
            if (number in partition.initial) != self.judge.satisfiable(self.step.initial, states):
                raise EvidenceRejected("the classes of the initial states are not the initial classes")
            for other in self.now[:number]:
                self._never("a state is in two classes", states, other)
            for label, seen in self.claim.quotient.labels.items():
                same = self.terms.condition(_is(label, seen[number]))
                self._never(f"a state of class {number} does not look like its class", states, values.opposite(same))
            self._confirm_steps(number)

    def _confirm_steps(self, number: int) -> None:
        values = self.terms.values
        for action, chosen in enumerate(self.actions):
            steps = values.both(self.step.relation, chosen)
            targets = [after for before, by, after in self.claim.partition.edges if (before, by) == (number, action)]
            elsewhere = values.opposite(values.either(*(self.after[target] for target in targets)))
            self._never(f"a step leaves class {number} for another than its class enters", self.now[number], steps, elsewhere)
            for target in targets:
                can_enter = self._can_enter(action, target)
                problem = f"a state of class {number} does not have the steps of its class"
                self._never(problem, self.now[number], values.opposite(can_enter))

    def _can_enter(self, action: int, target: int) -> z3.BoolRef:
        known = self._entering.get((action, target))
        if known is None:
            steps = self.terms.values.both(self.step.relation, self.actions[action], self.after[target])
            unseen = [*self.step.inputs, *self.step.moving]
            known = self._entering[action, target] = self.judge.eliminate(unseen, steps, method="qe")
        return known

    def _never(self, problem: str, *conditions: z3.BoolRef) -> None:
        if self.judge.satisfiable(*conditions):
            raise EvidenceRejected(problem)


def _is(label: Expr, value: Any) -> Expr:
    return (label if value else Apply("not", (label,))) if isinstance(value, bool) else Apply("=", (label, Constant(value)))
