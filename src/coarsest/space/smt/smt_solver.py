"""What the SMT carrier asks z3: whether formulas have a model, and formulas without quantifiers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from coarsest.errors import LimitExceeded
from coarsest.run import Run
from coarsest.z3_calls import Calls, constants, has_quantifier, load_z3

if TYPE_CHECKING:
    import z3


class Solver:
    """Decides formulas of one z3 context, all of them under an assumption, and eliminates quantifiers."""

    def __init__(self, run: Run, context: Any = None) -> None:
        self.z3 = load_z3()
        self.context = context or self.z3.Context()
        self.run = run
        self.calls = 0
        """How many questions were asked."""
        self.eliminations = 0
        self._calls = Calls(run, self.context)
        self._solver = self._calls.solver()
        self._solver.set("core.minimize", True)

    def add(self, formula: z3.BoolRef) -> None:
        """From now on, or until the end of `given`, this is taken for granted."""
        self._solver.add(formula)

    @contextmanager
    def given(self, *formulas: z3.BoolRef) -> Iterator[None]:
        """Inside, the formulas are taken for granted."""
        self._solver.push()
        try:
            self._solver.add(*formulas)
            yield
        finally:
            self._solver.pop()

    def satisfiable(self, *formulas: z3.BoolRef) -> bool:
        return self.model(*formulas) is not None

    def model(self, *formulas: z3.BoolRef) -> z3.ModelRef | None:
        """Values that make all the formulas true, if there are any."""
        with self.given(*formulas):
            return self.check()

    def check(self, *assumptions: z3.BoolRef) -> z3.ModelRef | None:
        """A model of what is taken for granted, in which the assumptions (boolean variables) are true."""
        self.calls += 1
        answer = self._calls.check(self._solver, *assumptions)
        if answer == self.z3.unknown:
            raise LimitExceeded("solver", f"the solver could not decide a formula ({self._solver.reason_unknown()})")
        return self._solver.model() if answer == self.z3.sat else None

    def core(self) -> set[int]:
        """After `check` has found no model: the identities of assumptions that suffice for that."""
        return {mark.get_id() for mark in self._solver.unsat_core()}

    def eliminate(self, variables: Sequence[z3.ExprRef], formula: z3.BoolRef) -> z3.BoolRef:
        """A formula without quantifiers that says: for some values of the variables, the formula is true.

        Of z3's methods this is `qe2`, which projects one model after the other (Bjørner, Janota 2015).
        """
        z3 = self.z3
        formula = z3.simplify(formula)
        occurring = {part.get_id() for part in constants(z3, formula)}
        bound = [variable for variable in variables if variable.get_id() in occurring]
        if not bound:  # z3 would take a goal without quantifiers for the question whether it is satisfiable
            return formula
        self.eliminations += 1
        projection = self.transformed(z3.Exists(bound, formula), "qe2")
        if has_quantifier(z3, projection):
            raise LimitExceeded("solver", "the solver could not eliminate the quantifiers of a formula")
        return projection

    def in_context(self, formula: z3.BoolRef) -> z3.BoolRef:
        """An equivalent formula without parts that others imply."""
        return self.transformed(formula, "ctx-solver-simplify")

    def transformed(self, formula: z3.BoolRef, *tactics: str) -> z3.BoolRef:
        """What the tactics of z3, one after the other, make of a formula."""
        result = self._calls.transformed(formula, *tactics)
        if result is None:
            raise LimitExceeded("solver", f"the solver gave up on {tactics[-1]}")
        return result
