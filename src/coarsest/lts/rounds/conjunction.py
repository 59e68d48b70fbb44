"""Conjunctions without superfluous parts."""

from __future__ import annotations

from collections.abc import Iterable

from coarsest.logic.modal.hennessy_milner import Builder
from coarsest.lts.judge.hennessy_milner import FormulaChecker

LARGEST_TRIED = 400
"""Parts with more nodes are not tried for whether they make others superfluous."""


def conjunction_against(make: Builder, checker: FormulaChecker | None, parts: Iterable[tuple[int, int]]) -> int:
    """The conjunction of formulas, each given with a state in which it is false; one is left out if an earlier one is
    false there too."""
    chosen: list[int] = []
    for place, rival in parts:
        if checker is None or not any(_false_at(make, checker, earlier, rival) for earlier in chosen):
            chosen.append(place)
    return make.conjunction(chosen)


def _false_at(make: Builder, checker: FormulaChecker, place: int, rival: int) -> bool:
    formula = make.formula(place)
    return len(formula.nodes) <= LARGEST_TRIED and not checker.satisfying(formula, [rival])
