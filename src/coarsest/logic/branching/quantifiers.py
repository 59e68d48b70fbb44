"""Which path quantifiers a formula has when negations are at its atoms: what simulation preserves depends on them."""

from __future__ import annotations

from collections.abc import Iterator

from coarsest.logic.branching.vacuity import BRANCHING, MONOTONE
from coarsest.logic.expr import Apply, Expr
from coarsest.logic.operators import BOOLEAN_CONNECTIVES


def quantifiers(formula: Expr) -> frozenset[str]:
    """`A` where it speaks of all paths, `E` where it speaks of some, both for a mixed formula."""
    return frozenset(_quantifiers(formula, positive=True))


def _quantifiers(formula: Expr, *, positive: bool) -> Iterator[str]:
    if not isinstance(formula, Apply):
        return
    if formula.op in BRANCHING:
        yield "A" if formula.op.startswith("A") == positive else "E"
    for place, part in enumerate(formula.args):
        flips = formula.op == "not" or (formula.op == "implies" and place == 0)
        yield from _quantifiers(part, positive=positive != flips)
        if formula.op not in MONOTONE and formula.op not in ("not", "implies"):  # where it may occur either way
            yield from _quantifiers(part, positive=not positive)


def is_preserved_by_similarity(formula: Expr) -> bool:
    """Is it a boolean combination of formulas that speak of all paths, and of formulas that speak of some?"""
    if len(quantifiers(formula)) < 2:
        return True
    if not isinstance(formula, Apply) or formula.op not in BOOLEAN_CONNECTIVES:
        return False
    return all(map(is_preserved_by_similarity, formula.args))
