"""Expressions: the common syntax tree of all our languages.

An expression is a Constant, a Name or an operator applied to arguments. Parsers produce it, `model/checks` finds ill-typed ones,
`model/interpret` evaluates it in one state and `encode` in all states at once.

Operators after lowering (a parser may use more, which its front end replaces):

    not and or xor xnor implies iff             booleans, and words bit by bit; `and`, `or` take any number of arguments
    = != < <= > >=
    neg + - * / mod abs min max                 integers (division truncates towards zero, as in C), words (modulo 2^width)
                                                and, except mod, reals; an integer beside a real counts as one
    << >> :: bits                               words: shifts, concatenation, bits(word, high, low) with constant bounds
    signed unsigned extend resize word1 toint bool
    count                                       the number of arguments that are true
    set                                         any of the arguments: a non-deterministic choice
    union in                                    operators on sets
    case                                        case(c1, v1, c2, v2, …): the first value whose condition holds
    next                                        the value after the step

Temporal operators (AG, EF, G, F, U, …) appear in properties only; `logic.temporal_operators` lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import islice
from typing import Final, TypeAlias

from msgspec import Struct

from coarsest.text import Span
from coarsest.text.placed import Placed

WIDEST_IN_DECIMAL: Final = 4096
"""Wider words are shown in hexadecimal digits, because Python limits the number of decimal ones."""


class Word(Struct, frozen=True):
    """A bit vector of fixed width. `bits` is its unsigned value; `value` respects the sign if there is one."""

    bits: int
    width: int
    signed: bool = False

    @property
    def value(self) -> int:
        if self.signed and self.bits >> (self.width - 1):
            return self.bits - (1 << self.width)
        return self.bits

    @classmethod
    def of(cls, value: int, width: int, *, signed: bool) -> Word:
        """The word of a number modulo 2^width."""
        return cls(value & ((1 << width) - 1), width, signed)

    def __str__(self) -> str:
        if self.width > WIDEST_IN_DECIMAL:
            return f"0{'s' if self.signed else 'u'}h{self.width}_{self.bits:x}"
        sign = "-" if self.value < 0 else ""
        return f"{sign}0{'s' if self.signed else 'u'}d{self.width}_{abs(self.value)}"


Value: TypeAlias = bool | int | str | Word | Fraction
"""The value of a variable; a symbol of an enumeration is a str, a real number is a Fraction."""


class Constant(Placed, frozen=True):
    """A boolean, a number, a symbol or a word."""

    value: Value
    span: Span | None = None

    def __hash__(self) -> int:
        return hash((self.value.__class__, self.value))

    def __eq__(self, other: object) -> bool:  # True == 1 in Python, but not here
        return (
            isinstance(other, Constant) and self.value.__class__ is other.value.__class__ and self.value == other.value
        )


class Name(Placed, frozen=True):
    """A variable or a definition, by its full name (`p1.status`, `forks[0]`)."""

    name: str
    span: Span | None = None

    def __hash__(self) -> int:
        return hash(self.name)

    def __eq__(self, other: object) -> bool:
        return other.__class__ is Name and self.name == other.name


class Apply(Placed, frozen=True):
    """An operator and its arguments.

    Comparing and hashing are written out, here and above, because no other objects are compared and hashed as often.
    """

    op: str
    args: tuple[Expr, ...]
    span: Span | None = None

    def __hash__(self) -> int:
        return hash((self.op, self.args))

    def __eq__(self, other: object) -> bool:
        return other.__class__ is Apply and self.op == other.op and self.args == other.args


Expr: TypeAlias = Constant | Name | Apply

TRUE = Constant(True)
FALSE = Constant(False)


def conjunction(parts: tuple[Expr, ...] | list[Expr]) -> Expr:
    """The conjunction of the parts."""
    return parts[0] if len(parts) == 1 else Apply("and", tuple(parts)) if parts else TRUE


def conjuncts(expr: Expr) -> Iterator[Expr]:
    """The parts of a conjunction, with any brackets."""
    if isinstance(expr, Apply) and expr.op == "and":
        for part in expr.args:
            yield from conjuncts(part)
    else:
        yield expr


def subexpressions(expr: Expr) -> Iterator[Expr]:
    """The expression and all its parts, each shared part once."""
    visited: set[int] = set()
    waiting: list[Expr] = [expr]
    while waiting:
        part = waiting.pop()
        if id(part) in visited:
            continue
        visited.add(id(part))
        yield part
        if isinstance(part, Apply):
            waiting.extend(part.args)


def is_larger(expr: Expr, size: int) -> bool:
    """Does the expression have more parts than `size`? Counting stops there."""
    return sum(1 for _ in islice(subexpressions(expr), size + 1)) > size


MOST_REMEMBERED: Final = 5_000
"""The cache of names holds this many expressions."""
_names_of: dict[int, tuple[Expr, frozenset[str]]] = {}
"""A cache, because the parts of a model are examined for each property. It changes no result, since expressions never change."""


def names(expr: Expr) -> frozenset[str]:
    """The names that an expression mentions directly; definitions are not expanded."""
    remembered = _names_of.get(id(expr))
    if remembered is None:
        if len(_names_of) >= MOST_REMEMBERED:
            _names_of.clear()
        mentioned = frozenset(part.name for part in subexpressions(expr) if isinstance(part, Name))
        remembered = _names_of[id(expr)] = expr, mentioned  # the cache keeps the expression alive, and so its identity unique
    return remembered[1]


def replace(expr: Expr, change: Callable[[Expr], Expr | None]) -> Expr:
    """Rebuild an expression from the top: where `change` returns an expression, it replaces the part."""
    changed = change(expr)
    if changed is not None:
        return changed
    if isinstance(expr, Apply):
        args = tuple(replace(arg, change) for arg in expr.args)
        if any(new is not old for new, old in zip(args, expr.args)):
            return Apply(expr.op, args, expr.span)
    return expr
