"""One state of a set, always the same for the same set, however its formula looks.

Variables are fixed one after the other: a boolean to FALSE if it can be, a number to the one that is nearest to zero, the
positive one of two; a real to the fraction of that kind with the least denominator.

Cost: for an integer of size n about 2 log n questions to the solver, for a real with least denominator d, d times as many.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from coarsest.logic.expr import Value
from coarsest.model.machine import Variable
from coarsest.space.smt.smt_solver import Solver
from coarsest.space.smt.smt_terms import Terms

if TYPE_CHECKING:
    import z3


class Picker:
    """Picks values for variables of one machine."""

    def __init__(self, terms: Terms, solver: Solver) -> None:
        self.terms = terms
        self.solver = solver
        self.z3 = terms.z3

    def pick(self, formula: z3.BoolRef, variables: Iterable[Variable]) -> dict[str, Value] | None:
        """Values of the variables with which the formula can be true; None if there are none."""
        known = [formula]
        if not self.solver.satisfiable(formula):
            return None
        picked: dict[str, Value] = {}
        for variable in variables:
            held = self.terms.now[variable.name]
            chosen: list[Any] = []
            for term in reversed(held):  # of an index, the highest bit first
                chosen.append(self._value(term, known))
                known.append(term == chosen[-1])
            picked[variable.name] = self.terms.held_value(variable, tuple(reversed(chosen)))
        return picked

    def _value(self, term: z3.ExprRef, known: Sequence[z3.BoolRef]) -> z3.ExprRef:
        z3, context = self.z3, self.terms.context
        if z3.is_bool(term):
            return z3.BoolVal(not self.solver.satisfiable(*known, z3.Not(term)), context)
        if z3.is_int(term):
            return z3.IntVal(self._nearest_to_zero(term, known), context)
        # The model's own value is a fraction in the set: no denominator above its own need be tried.
        model = self.solver.model(*known)
        assert model is not None
        found = model.eval(term, model_completion=True)
        most = found.denominator_as_long()
        multiple = z3.Int("multiple!", context)
        for denominator in range(1, most):
            as_fraction = [*known, term * denominator == z3.ToReal(multiple)]
            if self.solver.satisfiable(*as_fraction):
                return z3.Q(self._nearest_to_zero(multiple, as_fraction), denominator, context)
        as_fraction = [*known, term * most == z3.ToReal(multiple)]
        return z3.Q(self._nearest_to_zero(multiple, as_fraction), most, context)

    def _nearest_to_zero(self, term: z3.ArithRef, known: Sequence[z3.BoolRef]) -> int:
        """By bisection between what is too small and what some model shows to be enough."""
        if self.solver.satisfiable(*known, term == 0):
            return 0
        too_small, enough = 0, self._size(self.solver.model(*known), term)
        while enough - too_small > 1:
            middle = (too_small + enough) // 2
            model = self.solver.model(*known, term <= middle, term >= -middle)
            too_small, enough = (middle, enough) if model is None else (too_small, self._size(model, term))
        return enough if self.solver.satisfiable(*known, term == enough) else -enough

    @staticmethod
    def _size(model: Any, term: z3.ArithRef) -> int:
        return abs(int(model.eval(term, model_completion=True).as_long()))
