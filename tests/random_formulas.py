"""Random formulas and words, from a seeded generator."""

from __future__ import annotations

import random
from collections.abc import Callable

from coarsest.logic.expr import FALSE, TRUE, Apply, Constant, Expr, Name

FUTURE = ("X", "F", "G", "U", "V")
PAST = ("Y", "Z", "O", "H", "S", "T")
BOUNDED = ("BG", "BF", "BH", "BO")
_BINARY = ("U", "V", "S", "T", "implies", "iff", "xor", "and", "or")


def formula(rng: random.Random, size: int, atoms: int = 3, operators: tuple[str, ...] = FUTURE) -> Expr:
    """A formula with about so many operators and atoms."""
    if size <= 1:
        return rng.choice((TRUE, FALSE)) if rng.random() < 0.05 else Name(f"p{rng.randrange(atoms)}")
    op = rng.choice((*operators, *operators, "not", "and", "or", "and", "or", "implies", "iff", "xor"))
    if op in BOUNDED:
        low = rng.randrange(3)
        return Apply(op, (Constant(low), Constant(low + rng.randrange(3)), formula(rng, size - 1, atoms, operators)))
    if op in _BINARY:
        left = rng.randint(1, max(1, size - 2))
        return Apply(op, (formula(rng, left, atoms, operators), formula(rng, size - 1 - left, atoms, operators)))
    return Apply(op, (formula(rng, size - 1, atoms, operators),))


def word(rng: random.Random, atoms: int = 3) -> tuple[list[frozenset[Expr]], list[frozenset[Expr]]]:
    """A prefix and a cycle, short ones more often."""
    return _letters(rng, rng.choice((0, 0, 1, 2, 3, 4)), atoms), _letters(rng, rng.choice((1, 1, 2, 2, 3, 4)), atoms)


def _letters(rng: random.Random, count: int, atoms: int) -> list[frozenset[Expr]]:
    return [frozenset(Name(f"p{number}") for number in range(atoms) if rng.random() < 0.5) for _ in range(count)]


CTL_UNARY = ("EX", "AX", "EF", "AF", "EG", "AG")
CTL_BOUNDED = ("EBF", "ABF", "EBG", "ABG", "EBU", "ABU")
_CONNECTIVES = ("not", "and", "or", "implies", "iff", "xor")


def ctl_formula(rng: random.Random, depth: int, atom: Callable[[], Expr]) -> Expr:
    """A formula of CTL whose temporal operators are nested at most so deep."""

    def inner() -> Expr:
        return ctl_formula(rng, depth - rng.randint(1, 2), atom)

    if depth <= 0:
        return atom()
    if rng.random() < 0.3:
        op = rng.choice(_CONNECTIVES)
        return Apply(op, (inner(),) if op == "not" else (inner(), ctl_formula(rng, depth, atom)))
    op = rng.choice((*CTL_UNARY, *CTL_UNARY, "EU", "AU", "EU", "AU", *CTL_BOUNDED))
    args = (inner(), inner()) if op in ("EU", "AU", "EBU", "ABU") else (inner(),)
    if op not in CTL_BOUNDED:
        return Apply(op, args)
    low = rng.choice((0, 0, 0, 1, 2))
    return Apply(op, (Constant(low), Constant(low + rng.randrange(4)), *args))


def actl_formula(rng: random.Random, depth: int, atom: Callable[[], Expr]) -> Expr:
    """A formula of CTL that speaks of all paths only, some of it by denying that there is one."""

    def inner() -> Expr:
        return actl_formula(rng, depth - rng.randint(1, 2), atom)

    if depth <= 0:
        return atom() if rng.random() < 0.8 else Apply("not", (atom(),))
    match rng.choice(("AX", "AF", "AG", "AU", "not EU", "ABF", "ABG", "and", "or", "implies", "not EX", "not EG")):
        case "AX" | "AF" | "AG" as op:
            return Apply(op, (inner(),))
        case "AU" | "and" | "or" as op:
            return Apply(op, (inner(), inner()))
        case "ABF" | "ABG" as op:
            low = rng.randrange(2)
            return Apply(op, (Constant(low), Constant(low + rng.randrange(3)), inner()))
        case "not EU":
            return Apply("not", (Apply("EU", (Apply("not", (inner(),)), Apply("not", (inner(),)))),))
        case "implies":
            return Apply("implies", (atom(), inner()))
        case op:
            return Apply("not", (Apply(op.removeprefix("not "), (Apply("not", (inner(),)),)),))
