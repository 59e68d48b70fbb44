"""Static types of expressions (placeholder until the rules are in)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from coarsest.logic.expr import Expr
from coarsest.model.machine import Machine, PropertyKind, Variable


def check_formula(formula: Expr, machine: Machine, kind: PropertyKind) -> None:
    """Raise TypeProblem if a formula does not fit the machine."""


def width_of(expr: Expr, variables: Mapping[str, Variable], body_of: Callable[[str], Expr | None]) -> int:
    """The width of a word."""
    raise NotImplementedError
