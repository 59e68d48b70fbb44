"""Sequences (SEREs): the regular expressions of PSL over conditions on a state.

    [*0]   Empty                     the empty word
    b      StateCondition            one state in which the condition holds
    r ; s  Concatenation             s begins in the state after the last of r
    r : s  Fusion                    s begins in the last state of r; neither is empty
    r | s  Union
    r && s Intersection              both, of the same length
    r & s  Conjunction               both, beginning together; the longer one decides the length
    r within s  Within               r somewhere inside s
    r[*n:m]  Repetition              r[*] is 0 or more, r[+] is 1 or more times
    b[->n:m] Goto                    up to and including the n-th (… m-th) state with b
    b[=n:m]  Occurrences             exactly n (… m) states with b, and any states without b

`sere_construction.py` makes sequences and simplifies them. Among the letters is the ⊤ by which IEEE 1850 defines weak
sequences: it satisfies every condition, even FALSE. So `{FALSE; r}` is not the same as `{FALSE}`, but `{a; b} && {a}` matches
nothing whatever the letters: this is VOID, and is written `{[*0]} && {TRUE}`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from msgspec import Struct

from coarsest.logic.expr import TRUE, Expr


class Empty(Struct, frozen=True):
    """The empty word."""


class StateCondition(Struct, frozen=True):
    """One state in which a condition holds."""

    condition: Expr


class Concatenation(Struct, frozen=True):
    """One sequence after the other; chains lean to the right."""

    first: Sere
    then: Sere


class Fusion(Struct, frozen=True):
    """One sequence after the other, sharing a state; chains lean to the right."""

    first: Sere
    then: Sere


class Union(Struct, frozen=True):
    """Either sequence; chains lean to the right."""

    one: Sere
    other: Sere


class Intersection(Struct, frozen=True):
    """Both sequences, of the same length; chains lean to the right."""

    one: Sere
    other: Sere


class Conjunction(Struct, frozen=True):
    """Both sequences, beginning in the same state."""

    one: Sere
    other: Sere


class Within(Struct, frozen=True):
    """A sequence somewhere inside another."""

    inner: Sere
    outer: Sere


class Repetition(Struct, frozen=True):
    """A sequence at least `least` and at most `most` times; None is any number."""

    body: Sere
    least: int
    most: int | None


class Goto(Struct, frozen=True):
    """Up to and including the n-th state in which a condition holds, for some n in the range."""

    condition: Expr
    least: int
    most: int | None


class Occurrences(Struct, frozen=True):
    """A number of states in the range in which a condition holds, and any number of states in which it does not."""

    condition: Expr
    least: int
    most: int | None


Sere: TypeAlias = (
    Empty | StateCondition | Concatenation | Fusion | Union | Intersection | Conjunction | Within
    | Repetition | Goto | Occurrences
)

EMPTY = Empty()
ANY_STATE = StateCondition(TRUE)
ANYTHING = Repetition(ANY_STATE, 0, None)
VOID = Intersection(EMPTY, ANY_STATE)


def nullable(sere: Sere) -> bool:
    """Does it match the empty word?

    >>> nullable(Repetition(ANY_STATE, 0, 3)), nullable(ANY_STATE)
    (True, False)
    """
    match sere:
        case Empty():
            return True
        case StateCondition() | Fusion():
            return False
        case Goto() | Occurrences():
            return sere.least == 0
        case Repetition():
            return sere.least == 0 or nullable(sere.body)
        case Union():
            return nullable(sere.one) or nullable(sere.other)
        case Concatenation():
            return nullable(sere.first) and nullable(sere.then)
        case Within():
            return nullable(sere.inner) and nullable(sere.outer)
        case Intersection() | Conjunction():
            return nullable(sere.one) and nullable(sere.other)


def lengths(sere: Sere) -> tuple[int, int | None]:
    """Bounds on the lengths of the words it matches; None is without bound. Not exact: the bounds may be too wide."""
    match sere:
        case Empty():
            return 0, 0
        case StateCondition():
            return 1, 1
        case Concatenation():
            (least, most), (least_then, most_then) = lengths(sere.first), lengths(sere.then)
            return least + least_then, _sum(most, most_then)
        case Fusion():
            (least, most), (least_then, most_then) = lengths(sere.first), lengths(sere.then)
            return max(1, least) + max(1, least_then) - 1, _sum(_sum(most, most_then), -1)
        case Union():
            (least, most), (least_other, most_other) = lengths(sere.one), lengths(sere.other)
            return min(least, least_other), None if most is None or most_other is None else max(most, most_other)
        case Intersection():
            (least, most), (least_other, most_other) = lengths(sere.one), lengths(sere.other)
            return max(least, least_other), most_other if most is None else most if most_other is None else min(most, most_other)
        case Conjunction():
            (least, most), (least_other, most_other) = lengths(sere.one), lengths(sere.other)
            return max(least, least_other), None if most is None or most_other is None else max(most, most_other)
        case Within():
            least, most = lengths(sere.outer)
            return max(least, lengths(sere.inner)[0]), most
        case Repetition():
            least, most = lengths(sere.body)
            return least * sere.least, 0 if most == 0 else None if most is None or sere.most is None else most * sere.most
        case Goto() | Occurrences():
            return sere.least, None


def conditions(sere: Sere) -> Iterator[Expr]:
    """The conditions it is made of, with repetitions."""
    match sere:
        case Empty():
            return
        case StateCondition() | Goto() | Occurrences():
            yield sere.condition
        case Repetition():
            yield from conditions(sere.body)
        case Concatenation() | Fusion():
            yield from conditions(sere.first)
            yield from conditions(sere.then)
        case Within():
            yield from conditions(sere.inner)
            yield from conditions(sere.outer)
        case Union() | Intersection() | Conjunction():
            yield from conditions(sere.one)
            yield from conditions(sere.other)


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


def size(sere: Sere) -> int:
    """How many letters it has when its repetitions are written out: about the states of its automaton.

    >>> size(Repetition(Repetition(ANY_STATE, 0, 10), 5, 5))
    50
    """
    match sere:
        case Empty():
            return 0
        case StateCondition():
            return 1
        case Concatenation() | Fusion():
            return size(sere.first) + size(sere.then)
        case Union():
            return size(sere.one) + size(sere.other)
        case Intersection() | Conjunction():
            return max(1, size(sere.one)) * max(1, size(sere.other))
        case Within():
            return max(1, size(sere.inner)) * max(1, size(sere.outer))
        case Repetition():
            return size(sere.body) * _copies(sere)
        case Goto() | Occurrences():
            return 2 * _copies(sere)


def _copies(sere: Repetition | Goto | Occurrences) -> int:
    return max(1, sere.least if sere.most is None else sere.most)
