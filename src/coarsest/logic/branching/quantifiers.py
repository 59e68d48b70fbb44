"""The path quantifiers of a formula when negations are at its atoms, which decide whether simulation preserves it."""

from __future__ import annotations

from collections.abc import Iterator

from coarsest.logic.branching.vacuity import BRANCHING, MONOTONE
from coarsest.logic.expr import Apply, Expr
from coarsest.logic.operators import BOOLEAN_CONNECTIVES


def quantifiers(formula: Expr) -> frozenset[str]:
    """`A` if a part is about all paths, `E` if a part is about some, and both for a mixed formula."""
    return frozenset(_quantifiers(formula, positive=True))


def _quantifiers(formula: Expr, *, positive: bool) -> Iterator[str]:
    if not isinstance(formula, Apply):
        return
    if formula.op in BRANCHING:
        yield "A" if formula.op.startswith("A") == positive else "E"
    for index, part in enumerate(formula.args):
        flips = formula.op == "not" or (formula.op == "implies" and index == 0)
        yield from _quantifiers(part, positive=positive != flips)
        if formula.op not in MONOTONE and formula.op not in ("not", "implies"):  # the part occurs both ways
            yield from _quantifiers(part, positive=not positive)


def is_preserved_by_similarity(formula: Expr) -> bool:
    """Is a formula a boolean combination of formulas about all paths, and of formulas about some?"""
    if len(quantifiers(formula)) < 2:
        return True
    if not isinstance(formula, Apply) or formula.op not in BOOLEAN_CONNECTIVES:
        return False
    return all(map(is_preserved_by_similarity, formula.args))
