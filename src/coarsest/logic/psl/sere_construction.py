"""Functions that make sequences, with simple simplifications.

Every simplification keeps the words that are matched, also those with the letter ⊤ (see `logic.sere`), and is idempotent: a
sequence that is taken apart and made again is the same.
"""

from __future__ import annotations

from coarsest.logic.expr import TRUE, Apply, Expr
from coarsest.logic.psl.sere import (
    ANYTHING,
    EMPTY,
    VOID,
    Concatenation,
    Conjunction,
    Empty,
    Fusion,
    Goto,
    Intersection,
    Occurrences,
    Repetition,
    Sere,
    StateCondition,
    Union,
    Within,
    lengths,
    nullable,
)


def concatenation(first: Sere, then: Sere) -> Sere:
    """`first ; then`."""
    if first == VOID or then == VOID:
        return VOID
    if first == EMPTY:
        return then
    if then == EMPTY:
        return first
    if isinstance(first, Concatenation):
        return Concatenation(first.first, concatenation(first.then, then))
    return Concatenation(first, then)


def fusion(first: Sere, then: Sere) -> Sere:
    """`first : then`."""
    if lengths(first)[1] == 0 or lengths(then)[1] == 0 or first == VOID or then == VOID:
        return VOID
    if isinstance(first, Fusion):
        return fusion(first.first, fusion(first.then, then))
    if isinstance(first, StateCondition) and isinstance(then, StateCondition):
        return StateCondition(both(first.condition, then.condition))
    if isinstance(first, StateCondition) and isinstance(then, Fusion) and isinstance(then.first, StateCondition):
        return fusion(fusion(first, then.first), then.then)
    return Fusion(first, then)


def union(one: Sere, other: Sere) -> Sere:
    """`one | other`."""
    if one in (VOID, other) or other == ANYTHING:
        return other
    if other == VOID or one == ANYTHING:
        return one
    if isinstance(one, Union):
        return union(one.one, union(one.other, other))
    if isinstance(other, Union) and one in _parts(other):
        return other
    return Union(one, other)


def _parts(sere: Sere) -> list[Sere]:
    return [sere.one, *_parts(sere.other)] if isinstance(sere, Union) else [sere]


def intersection(one: Sere, other: Sere) -> Sere:
    """`one && other`."""
    if one in (ANYTHING, other):
        return other
    if other == ANYTHING:
        return one
    (least, most), (least_other, most_other) = lengths(one), lengths(other)
    if (most is not None and most < least_other) or (most_other is not None and most_other < least):
        return VOID
    if VOID in (one, other):
        return VOID
    if EMPTY in (one, other):
        return EMPTY if nullable(one) and nullable(other) else VOID
    if isinstance(one, Intersection):
        return intersection(one.one, intersection(one.other, other))
    if isinstance(one, StateCondition) and isinstance(other, StateCondition):
        return StateCondition(both(one.condition, other.condition))
    if isinstance(one, StateCondition) and isinstance(other, Intersection) and isinstance(other.one, StateCondition):
        return intersection(intersection(one, other.one), other.other)
    return Intersection(one, other)


def both(one: Expr, other: Expr) -> Expr:
    """A condition that is two conditions."""
    return other if one in (TRUE, other) else one if other == TRUE else Apply("and", (one, other))


def conjunction_of(one: Sere, other: Sere) -> Sere:
    """`one & other`."""
    if one == VOID or other == VOID:
        return VOID
    if one == other or other == EMPTY:
        return one
    if one == EMPTY:
        return other
    if isinstance(one, StateCondition) and isinstance(other, StateCondition):
        return StateCondition(both(one.condition, other.condition))
    return Conjunction(one, other)


def within(inner: Sere, outer: Sere) -> Sere:
    """`inner within outer`."""
    if inner == VOID or outer == VOID:
        return VOID
    return outer if inner == EMPTY else Within(inner, outer)


def repeated(body: Sere, least: int, most: int | None) -> Sere:
    """`body[*least:most]`."""
    if body == EMPTY or most == 0:
        return EMPTY
    if body == VOID:
        return EMPTY if least == 0 else VOID
    if (least, most) == (1, 1):
        return body
    if isinstance(body, Repetition) and body.most is None and body.least <= 1 and most is None and least <= 1:
        return Repetition(body.body, body.least * least, None)
    return Repetition(body, least, most)


def goto(condition: Expr, least: int = 1, most: int | None = 1) -> Sere:
    """`condition[->least:most]`."""
    return EMPTY if most == 0 else Goto(condition, least, most)


def occurrences(condition: Expr, least: int, most: int | None) -> Sere:
    """`condition[=least:most]`."""
    return ANYTHING if (least, most) == (0, None) else Occurrences(condition, least, most)


def core(sere: Sere) -> Sere:
    """The same sequence without `&`, `within`, `[->]` and `[=]`, by their definitions in IEEE 1850.

    >>> from coarsest.logic.expr import Name
    >>> core(goto(Name("b"))) == concatenation(repeated(StateCondition(negation(Name("b"))), 0, None), StateCondition(Name("b")))
    True
    """
    match sere:
        case Empty() | StateCondition():
            return sere
        case Concatenation():
            return concatenation(core(sere.first), core(sere.then))
        case Fusion():
            return fusion(core(sere.first), core(sere.then))
        case Union():
            return union(core(sere.one), core(sere.other))
        case Intersection():
            return intersection(core(sere.one), core(sere.other))
        case Conjunction():
            one, other = core(sere.one), core(sere.other)
            one_is_longer = intersection(one, concatenation(other, ANYTHING))
            return union(one_is_longer, intersection(concatenation(one, ANYTHING), other))
        case Within():
            around = concatenation(ANYTHING, concatenation(core(sere.inner), ANYTHING))
            return intersection(around, core(sere.outer))
        case Repetition():
            return repeated(core(sere.body), sere.least, sere.most)
        case Goto() | Occurrences():
            quiet = repeated(StateCondition(negation(sere.condition)), 0, None)
            counted = repeated(concatenation(quiet, StateCondition(sere.condition)), sere.least, sere.most)
            return counted if isinstance(sere, Goto) else concatenation(counted, quiet)


def negation(condition: Expr) -> Expr:
    """The opposite condition."""
    if isinstance(condition, Apply) and condition.op == "not":
        return condition.args[0]
    return Apply("not", (condition,))
