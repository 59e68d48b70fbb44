"""The ACTL tableau as Grumberg and Long define it: sets of elementary formulas, states that cannot go on dropped.

Formulas are tuples: ("p", name), ("not", name), ("and", f, g), ("or", f, g), ("AX", f), ("AU", f, g), ("AR", f, g), ("false",).
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

from coarsest.logic.expr import FALSE, TRUE, Apply, Expr, Name
from oracles.fair_simulation import Structure

Formula = tuple[Any, ...]
AX_FALSE: Formula = ("AX", ("false",))


def from_expr(formula: Expr) -> Formula:
    """A formula in normal form, from the syntax tree of the package."""
    if formula == TRUE:
        return ("or", ("p", "p"), ("not", "p"))
    if formula == FALSE:
        return ("and", ("p", "p"), ("not", "p"))
    if isinstance(formula, Name):
        return ("p", formula.name)
    assert isinstance(formula, Apply)
    if formula.op == "not":
        (inner,) = formula.args
        assert isinstance(inner, Name)
        return ("not", inner.name)
    assert formula.op in ("and", "or", "AX", "AU", "AR")
    return (formula.op, *map(from_expr, formula.args))


def elementary(f: Formula) -> set[Formula]:
    match f:
        case ("p", _):
            return {f}
        case ("not", name):
            return {("p", name)}
        case ("and" | "or", g, h):
            return elementary(g) | elementary(h)
        case ("AX", g):
            return {f} | elementary(g)
        case ("AU" | "AR", g, h):
            return {AX_FALSE, ("AX", f)} | elementary(g) | elementary(h)
    return set()


def satisfied(f: Formula, state: frozenset[Formula]) -> bool:
    match f:
        case ("false",):
            return False
        case ("p", _) | ("AX", _):
            return f in state
        case ("not", name):
            return ("p", name) not in state
        case ("and", g, h):
            return satisfied(g, state) and satisfied(h, state)
        case ("or", g, h):
            return satisfied(g, state) or satisfied(h, state)
        case ("AU", g, h):
            return satisfied(h, state) or (satisfied(g, state) and ("AX", f) in state) or AX_FALSE in state
        case ("AR", g, h):
            return (satisfied(h, state) and (satisfied(g, state) or ("AX", f) in state)) or AX_FALSE in state
    raise AssertionError(f)


def tableau(formula: Formula, labels: tuple[str, ...]) -> Structure:
    """T, with the labels as atomic propositions; states without successor are dropped, repeatedly."""
    el = sorted(elementary(formula) | {("p", label) for label in labels}, key=repr)
    states = [frozenset(chosen) for size in range(len(el) + 1) for chosen in combinations(el, size)]
    promises = [f for f in el if f[0] == "AX"]
    after = {s: [t for t in states if all(satisfied(f[1], t) for f in promises if f in s)] for s in states}
    while stuck := {s for s, targets in after.items() if not targets}:
        after = {s: [t for t in targets if t not in stuck] for s, targets in after.items() if s not in stuck}
    untils = [f for f in promises if f[1][0] == "AU"]
    return Structure(
        after,
        [s for s in after if satisfied(formula, s)],
        {s: tuple(("p", label) in s for label in labels) for s in after},
        [{s for s in after if f not in s or satisfied(f[1][2], s)} for f in untils],
    )
