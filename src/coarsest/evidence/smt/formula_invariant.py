"""An inductive invariant that is a formula, and its confirmation by a fresh solver.

The three conditions are put to z3 in a context of its own, made from the machine and the expression as it is printed. What the
search relied on besides (elimination of quantifiers, substitution, simplification) takes no part in it.
"""

from __future__ import annotations

from msgspec import Struct

from coarsest.errors import EvidenceRejected
from coarsest.logic.expr import Expr
from coarsest.logic.show import show
from coarsest.model.machine import Machine
from coarsest.run import Run

LONGEST_SHOWN = 400


class FormulaInvariant(Struct, frozen=True):
    """It holds initially, is kept by every step, and implies the property."""

    invariant: Expr

    @property
    def summary(self) -> str:
        text = show(self.invariant)
        return f"inductive invariant: {text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 1] + '…'}"


def confirm_formula_invariant(machine: Machine, certificate: FormulaInvariant, good: Expr, run: Run) -> None:
    """Raises EvidenceRejected if one of the three conditions does not hold."""
    from coarsest.space.smt.smt_solver import Solver
    from coarsest.space.smt.smt_step import Step
    from coarsest.space.smt.smt_terms import Terms

    terms = Terms(machine, Solver(run))
    step, judge, values = Step(terms), Solver(run, terms.context), terms.values
    now, after = terms.condition(certificate.invariant), terms.condition(certificate.invariant, after=True)
    judge.add(step.legal)
    if judge.satisfiable(step.initial, values.opposite(now)):
        raise EvidenceRejected("the invariant does not contain an initial state")
    if judge.satisfiable(now, step.relation, values.opposite(after)):
        raise EvidenceRejected("the invariant does not contain a successor of a member")
    if judge.satisfiable(now, values.opposite(terms.condition(good))):
        raise EvidenceRejected("the invariant contains a state that violates the property")
