"""Confirms that a formula is an inductive invariant that implies a property, by z3 and the judge's own formulas.

The engine's terms, its elimination of quantifiers, its substitutions and simplifications are not used.
"""

from __future__ import annotations

from coarsest.evidence.proof import FormulaInvariant
from coarsest.evidence.smt.formulas import MachineFormulas
from coarsest.logic.expr import Expr
from coarsest.model.machine import Machine
from coarsest.run import Run


def confirm_formula_invariant(machine: Machine, certificate: FormulaInvariant, good: Expr, run: Run) -> None:
    """Raises EvidenceRejected if one of the three conditions does not hold, NotConfirmed if z3 cannot decide one."""
    formulas = MachineFormulas(machine, run)
    member, member_after = (formulas.condition(certificate.invariant, after=after) for after in (False, True))
    bad = formulas.opposite(formulas.condition(good))
    initial, step, refute = formulas.initial, formulas.step, formulas.questions.refute
    formulas.require_defined()
    refute("the invariant does not contain an initial state", initial, formulas.opposite(member))
    refute("the invariant does not contain a successor of a member", member, step, formulas.opposite(member_after))
    refute("the invariant contains a state that violates the property", formulas.legal, member, bad)
