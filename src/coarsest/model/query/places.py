"""The operators that are allowed in each place: next() in steps only, temporal operators in properties only."""

from __future__ import annotations

from typing import NamedTuple

from coarsest.errors import InputError, ModelProblem, SyntaxProblem
from coarsest.logic.expr import Apply, Expr
from coarsest.logic.operators import BOOLEAN_CONNECTIVES
from coarsest.logic.temporal_operators import (
    COMPUTE_OPERATORS,
    CTL_OPERATORS,
    LTL_OPERATORS,
    PATH_QUANTIFIERS,
    PSL_OPERATORS,
    TEMPORAL_OPERATORS,
)

_NEXT = frozenset({"next"})


class Place(NamedTuple):
    """A part of a model. `operands` is the place of operands of comparisons and sums in a formula."""

    title: str
    forbidden: frozenset[str]
    operands: Place | None = None

    def problem(self, expr: Apply) -> InputError:
        """The problem with an operator that is not allowed here."""
        if expr.op == "next":
            hint = "next() is for TRANS, for the right side of next(x) := …, and for definitions used there"
            return ModelProblem(f"next() cannot stand in {self.title}", expr.span, hint=hint)
        kind = "CTL" if expr.op in CTL_OPERATORS | PATH_QUANTIFIERS else "LTL" if expr.op in LTL_OPERATORS else "temporal"
        hint = {
            "CTL": "CTL formulas stand after SPEC or CTLSPEC, and only under logical connectives",
            "LTL": "LTL formulas stand after LTLSPEC, and only under logical connectives",
        }.get(kind, "MIN and MAX stand after COMPUTE")
        return SyntaxProblem(f"the {kind} operator {expr.op} cannot stand in {self.title}", expr.span, hint=hint)


STATE = Place("a condition on a single state", TEMPORAL_OPERATORS | _NEXT)
STEP = Place("a condition on a step", TEMPORAL_OPERATORS)
INSIDE_NEXT = Place("another next()", STATE.forbidden)
DEFINITION = Place("a definition or an argument", STEP.forbidden)
CTL = Place("a CTL formula", LTL_OPERATORS | COMPUTE_OPERATORS | _NEXT, Place("a comparison or sum", STATE.forbidden))
LTL = Place("an LTL formula", CTL_OPERATORS | PATH_QUANTIFIERS | COMPUTE_OPERATORS, Place("a comparison or sum", STEP.forbidden))
CTL_STAR = Place("a CTL* formula", COMPUTE_OPERATORS | _NEXT, Place("a comparison or sum", STATE.forbidden))
PSL = Place("a PSL formula", COMPUTE_OPERATORS, Place("a comparison or sum", STATE.forbidden))
COMPUTE = Place("a COMPUTE specification", LTL_OPERATORS | PATH_QUANTIFIERS | _NEXT)

FORMULA_OPERATORS = BOOLEAN_CONNECTIVES | TEMPORAL_OPERATORS | PSL_OPERATORS

def is_branching(formula: Expr) -> bool:
    """Is it a formula of the branching layer of PSL, which is CTL?"""
    from coarsest.logic.psl import psl_layers  # few models need it

    return psl_layers.is_branching(formula)
