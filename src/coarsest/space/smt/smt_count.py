"""How many states a formula has, or that they are infinitely many.

Reference: counting by the values of one variable after the other, as on a decision diagram.
Symbols:   –
Invariant: `counted` maps a formula and the number of variables already fixed to the number of ways to fix the rest.
Deviates:  a variable without bounds is first shown to have finitely many values, by elimination of quantifiers.
Cost:      one simplification per formula and value; at most MOST_FORMULAS of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from coarsest.errors import TooManyStates
from coarsest.model.machine import Variable
from coarsest.model.types import is_finite
from coarsest.space.smt.smt_terms import Held

if TYPE_CHECKING:
    import z3

    from coarsest.space.smt.smt import SmtSpace

MOST_FORMULAS: Final = 20_000


def count(space: SmtSpace, formula: z3.BoolRef, without: Collection[Variable] = ()) -> int:
    """The number of legal states in which the formula is true; those that differ in nothing but some variables count once."""
    variables = sorted((v for v in space.machine.state_variables if v not in without), key=lambda v: not is_finite(v.type))
    legal = space.z3.And(space.step.legal, space.within(formula))
    if without:
        legal = space.solver.eliminate([term for v in without for term in space.terms.now[v.name]], legal)
    return _Counting(space, variables).count(legal, 0)


class _Counting:
    def __init__(self, space: SmtSpace, variables: Sequence[Variable]) -> None:
        self.space = space
        self.z3 = space.z3
        self.variables = variables
        self.held = [space.terms.now[v.name] for v in variables]
        self.counted: dict[tuple[int, int], int] = {}
        self._kept: list[Any] = []  # a formula that is kept alive keeps its number

    def count(self, formula: z3.BoolRef, fixed: int) -> int:
        z3 = self.z3
        formula = z3.simplify(formula)
        if z3.is_false(formula):
            return 0
        if fixed == len(self.variables):
            return 1
        key = (formula.get_id(), fixed)
        if key not in self.counted:
            if len(self.counted) > MOST_FORMULAS:
                raise TooManyStates("there are too many states to count them one by one")
            self._kept.append(formula)
            held = self.held[fixed]
            self.counted[key] = sum(
                self.count(z3.substitute(formula, *zip(held, value)), fixed + 1) for value in self._values(formula, fixed)
            )
        return self.counted[key]

    def _values(self, formula: z3.BoolRef, fixed: int) -> Iterator[Held]:
        variable, terms = self.variables[fixed], self.space.terms
        if is_finite(variable.type):
            for value in variable.type.values():
                yield terms.constant(variable, value)
            return
        self._require_finite(formula, fixed)
        (term,) = self.held[fixed]
        known = [formula]
        while (model := self.space.solver.model(*known)) is not None:
            self.space.run.step("count", formulas=len(self.counted))
            value = model.eval(term, model_completion=True)
            known.append(term != value)
            yield (value,)

    def _require_finite(self, formula: z3.BoolRef, fixed: int) -> None:
        (term,) = self.held[fixed]
        alone = self.space.solver.eliminate([other for held in self.held[fixed + 1 :] for other in held], formula)
        if self._is_infinite(alone, term):
            raise TooManyStates(f"there are infinitely many states: `{self.variables[fixed].name}` has infinitely many values")

    def _is_infinite(self, formula: z3.BoolRef, term: z3.ArithRef) -> bool:
        """Does the formula, in which nothing else is free, have infinitely many solutions?"""
        z3, solver, context = self.z3, self.space.solver, self.space.solver.context
        if z3.is_int(term):  # there are solutions beyond every bound
            bound = z3.Int("bound!", context)
            beyond = solver.eliminate([term], z3.And(formula, z3.Or(term > bound, term < -bound)))
            return not solver.satisfiable(z3.Not(beyond))
        low, high = z3.Real("low!", context), z3.Real("high!", context)  # a whole interval consists of solutions
        missed = solver.eliminate([term], z3.And(low < term, term < high, z3.Not(formula)))
        return solver.satisfiable(low < high, z3.Not(missed))
