"""Comparisons that a model repeats are one expression; those of properties are not, for each has its own meaning there."""

from __future__ import annotations

import coarsest
from coarsest.logic.expr import Apply, Expr, subexpressions

MODEL = """MODULE main
VAR x : 0..3; y : 0..3;
TRANS (x = 1 & next(x) = x) | (x = 1 & next(x) = y & y != 2) | (next(x) = x & y != 2);
INVAR x + 1 = 4 -> x + 1 = 4;
CTLSPEC AG (x = 1 -> AX x = 1)"""


def comparisons(*exprs: Expr) -> list[Apply]:
    parts = [part for expr in exprs for part in subexpressions(expr)]
    return [part for part in parts if isinstance(part, Apply) and part.op in ("=", "!=")]


def test_repeated_comparisons() -> None:
    machine = coarsest.loads(MODEL).machine
    in_steps = comparisons(*machine.transition_constraints)
    assert len(in_steps) == len(set(in_steps)) == 4  # each is met once, by identity
    assert len(comparisons(*machine.invariant_constraints)) == 2  # a sum may be wrong in one place only
    (claim,) = machine.properties
    assert len(comparisons(claim.formula)) == 2
    assert not {id(part) for part in comparisons(claim.formula)} & {id(part) for part in in_steps}
