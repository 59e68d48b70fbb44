"""ACTL: formulas of CTL about all paths only, in a normal form.

The normal form has negations before propositional formulas only, and the operators `and or AX AU AR`, where A[p R q] (release)
means that on every path q is true up to and including the first state with p, or for ever. Simulations preserve ACTL: formulas
that are true of a system are true of all systems that it simulates.
"""

from __future__ import annotations

from typing import Final

from coarsest.errors import InputError
from coarsest.logic.branching.ctl import bounds, is_temporal, negate, positive
from coarsest.logic.expr import FALSE, TRUE, Apply, Expr, conjunction
from coarsest.logic.show import show
from coarsest.logic.temporal_operators import CTL_OPERATORS, PATH_QUANTIFIERS

LARGEST_BOUND: Final = 64
"""The number of nested AX that a bounded operator becomes is its upper bound, which may not be larger."""

OF_SOME_PATH = "only formulas about all paths (ACTL) can be assumed: 'E' says that there is a path"


def universal(formula: Expr) -> Expr:
    """The normal form; raises InputError at the first part about some path."""
    return _universal(positive(formula))


def _universal(formula: Expr) -> Expr:
    if not is_temporal(formula):
        return formula
    assert isinstance(formula, Apply)
    op, args = formula.op, formula.args
    match op, args:
        case ("and" | "or", _):
            return Apply(op, tuple(map(_universal, args)), formula.span)
        case "AX", (p,):
            return Apply("AX", (_universal(p),), formula.span)
        case "AF", (p,):
            return Apply("AU", (TRUE, _universal(p)), formula.span)
        case "AG", (p,):
            return Apply("AR", (FALSE, _universal(p)), formula.span)
        case "AU", (p, q):
            return Apply("AU", (_universal(p), _universal(q)), formula.span)
        case "not", (Apply("EU", (p, q)),):
            return Apply("AR", (universal(negate(p)), universal(negate(q))), formula.span)
        case "not", (Apply("EBU", (*_, p, q)) as bounded,):
            return _unfolded(bounded, "AR", universal(negate(p)), universal(negate(q)))
        case "ABF", (*_, p):
            return _unfolded(formula, "AU", TRUE, _universal(p))
        case "ABG", (*_, p):
            return _unfolded(formula, "AR", FALSE, _universal(p))
        case "ABU", (*_, p, q):
            return _unfolded(formula, "AU", _universal(p), _universal(q))
    kind = "it is about some path" if op in CTL_OPERATORS else f"'{op}' is not an operator of ACTL"
    raise InputError(f"'{show(formula)}' is not in ACTL: {kind}", formula.span, hint=OF_SOME_PATH)


def _unfolded(formula: Apply, op: str, p: Expr, q: Expr) -> Expr:
    """An until or a release between bounds, by nested AX."""
    low, high = bounds(formula)
    if high > LARGEST_BOUND:
        hint = f"bounds up to {LARGEST_BOUND} are unfolded here"
        raise InputError(f"the bound {high} of '{show(formula)}' is too large", formula.span, hint=hint)
    inner, outer = ("and", "or") if op == "AU" else ("or", "and")
    result = q
    for step in reversed(range(high)):
        later = Apply(inner, (p, Apply("AX", (result,))))
        result = Apply(outer, (q, later)) if step >= low else later
    return result


def holds_without_paths(formula: Expr) -> Expr:
    """The formula in a state from which no path starts: there, all claims about all paths are true."""

    def without(part: Expr) -> Expr:
        if not is_temporal(part):
            return part
        assert isinstance(part, Apply)
        if part.op not in ("and", "or"):
            return TRUE
        parts = [left for arg in part.args if (left := without(arg)) != TRUE]
        if part.op == "and":
            return conjunction(parts)
        return TRUE if len(parts) < len(part.args) else Apply("or", tuple(parts))

    return without(positive(formula))


def require_universal(formula: Expr, *, linear: bool = False) -> None:
    """Raise InputError at a part of a formula about some path, which need not hold in all systems that a composition represents.
    A `linear` formula is about all paths."""
    if linear:
        return
    waiting = [(formula, True)]
    while waiting:
        part, asserted = waiting.pop()
        if not isinstance(part, Apply) or not is_temporal(part):
            continue
        if part.op in CTL_OPERATORS | PATH_QUANTIFIERS and part.op.startswith("E" if asserted else "A"):
            hint = "what is shown under an assumption is about all paths: 'A', and no 'E' unless it is denied"
            raise InputError(f"'{show(part)}' says that there is a path", part.span, hint=hint)
        match part.op:
            case "not":
                waiting.append((part.args[0], not asserted))
            case "implies":
                waiting += [(part.args[0], not asserted), (part.args[1], asserted)]
            case "iff" | "xor" | "xnor":
                waiting += [(arg, polarity) for arg in part.args for polarity in (asserted, not asserted)]
            case _:
                waiting += [(arg, asserted) for arg in part.args]
