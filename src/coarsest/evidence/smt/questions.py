"""The judge's questions to z3, in a separate context."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from coarsest.errors import EvidenceRejected
from coarsest.evidence.effort import NotConfirmed
from coarsest.run import Run
from coarsest.z3_calls import Calls, constants, has_quantifier, load_z3

if TYPE_CHECKING:
    import z3


class Questions:
    """Questions under the assumptions that have been made."""

    def __init__(self, run: Run) -> None:
        self.z3 = load_z3()
        self.context = self.z3.Context()
        self._calls = Calls(run, self.context)
        self._solver = self._calls.solver()

    def assume(self, formula: z3.BoolRef) -> None:
        """Assume a formula in all further questions."""
        self._solver.add(formula)

    def example(self, *formulas: z3.BoolRef) -> z3.ModelRef | None:
        """Values that make all the formulas true, if there are any; raises NotConfirmed if z3 cannot decide it."""
        self._solver.push()
        try:
            self._solver.add(*formulas)
            answer = self._calls.check(self._solver)
            if answer == self.z3.unknown:
                raise NotConfirmed(f"the solver could not decide a formula ({self._solver.reason_unknown()})")
            return self._solver.model() if answer == self.z3.sat else None
        finally:
            self._solver.pop()

    def refute(self, problem: str, *formulas: z3.BoolRef) -> None:
        """Raise EvidenceRejected if the formulas can be true together."""
        if self.example(*formulas) is not None:
            raise EvidenceRejected(problem)

    def for_some(self, variables: Sequence[z3.ExprRef], formula: z3.BoolRef) -> z3.BoolRef:
        """A formula without quantifiers that says: for some values of the variables, the formula is true.

        This uses z3's method `qe`, which looks for test points of the variables (Loos, Weispfenning 1993; Cooper 1972); the
        engines use another method. It is wrong about divisions inside the quantifier (z3 5.4 gives too few values and too many),
        so these are removed before.
        """
        z3 = self.z3
        parts, formula = without_division(z3, z3.simplify(formula))
        occurring = {part.get_id() for part in constants(z3, formula)}
        bound = [variable for variable in (*variables, *parts) if variable.get_id() in occurring]
        if not bound:  # for a goal without quantifiers, z3 would only decide whether it is satisfiable
            return formula
        result = self._calls.transformed(z3.Exists(bound, formula), "qe")
        if result is None or has_quantifier(z3, result):
            raise NotConfirmed("the solver could not eliminate the quantifiers of a formula")
        return result


def without_division(z3: Any, formula: z3.BoolRef) -> tuple[list[Any], z3.BoolRef]:
    """The formula with a variable for each quotient and remainder, which the formula defines, and these variables."""
    fresh: list[Any] = []
    meanings: list[Any] = []
    rewritten: dict[int, Any] = {}

    def rewrite(part: Any) -> Any:
        if part.get_id() not in rewritten:
            operands = [rewrite(operand) for operand in part.children()]
            if z3.is_mod(part) or z3.is_idiv(part):
                rewritten[part.get_id()] = divided(*operands)[z3.is_mod(part)]
            else:
                rewritten[part.get_id()] = part.decl()(*operands) if operands else part
        return rewritten[part.get_id()]

    def divided(number: Any, divisor: Any) -> tuple[Any, Any]:
        quotient, remainder = (z3.FreshInt(word, ctx=number.ctx) for word in ("quotient", "remainder"))
        fresh.extend((quotient, remainder))
        meanings.append(z3.And(number == divisor * quotient + remainder, remainder >= 0, remainder < abs(divisor.as_long())))
        return quotient, remainder

    rewritten_formula = rewrite(formula)
    return fresh, z3.simplify(z3.And(rewritten_formula, *meanings)) if meanings else formula
