"""The maximal boolean subformulas of a formula of any logic: whoever sees their values can decide the formula."""

from __future__ import annotations

from collections.abc import Iterator

from coarsest.logic.expr import Apply, Constant, Expr, subexpressions
from coarsest.logic.temporal_operators import PSL_OPERATORS, TEMPORAL_OPERATORS

_TEMPORAL = TEMPORAL_OPERATORS | PSL_OPERATORS


def boolean_parts(formula: Expr) -> list[Expr]:
    """The largest parts without operators of a temporal logic, each once, from left to right; bounds and constants are none."""
    return list(dict.fromkeys(_parts(formula)))


def _parts(formula: Expr) -> Iterator[Expr]:
    if isinstance(formula, Apply) and any(isinstance(part, Apply) and part.op in _TEMPORAL for part in subexpressions(formula)):
        for part in formula.args:
            yield from _parts(part)
    elif not isinstance(formula, Constant):
        yield formula
