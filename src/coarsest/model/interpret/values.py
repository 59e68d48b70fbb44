"""The results of operators on values: booleans, integers, reals, symbols and words.

An operator that does not fit its operands raises TypeProblem, one that has no result (division by zero, a shift out of range)
raises ModelProblem, both without a position in a text, which the caller adds.

A choice is one of several values. In Python, True equals 1; here they are different, so choices are tuples without repetition
in the order of first occurrence, and never Python sets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import reduce
from types import MappingProxyType
from typing import Any, NoReturn, TypeVar

from msgspec import Struct

from coarsest.errors import ModelProblem, TypeProblem
from coarsest.logic.expr import Value, Word
from coarsest.model.types import show_value

NUMBERS = (int, Fraction)
V = TypeVar("V", int, Fraction)


def same(a: Value, b: Value) -> bool:
    """Are two values the same? True is not 1, words of different types are different, but 2 is 2.0."""
    if a.__class__ is b.__class__:
        return a == b
    return a.__class__ in NUMBERS and b.__class__ in NUMBERS and a == b


def distinct(values: Iterable[Value]) -> tuple[Value, ...]:
    """The values without repetition, in the order of their first occurrence.

    >>> distinct([1, True, 1])
    (1, True)
    """
    return tuple({(value.__class__, value): value for value in values}.values())


class ValueChoice(Struct, frozen=True, eq=False):
    """Any of several values, as in `{a, b}`. It equals another choice of the same values."""

    values: tuple[Value, ...]

    def __contains__(self, value: Value) -> bool:
        return any(same(value, member) for member in self.values)

    def __iter__(self) -> Iterator[Value]:
        return iter(self.values)

    def __len__(self) -> int:
        return len(self.values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ValueChoice) and len(self) == len(other) and all(value in other for value in self)

    def __hash__(self) -> int:
        return hash(frozenset((value.__class__, value) for value in self.values))

    def __str__(self) -> str:
        return "{" + ", ".join(map(show_value, self.values)) + "}"


def misfit(operator: str, *operands: Value) -> NoReturn:
    """Raise TypeProblem, because an operator does not fit its operands."""
    shown = " and ".join(f"{show_value(value)} ({_kind(value)})" for value in operands)
    raise TypeProblem(f"'{operator}' does not fit {shown}")


def _kind(value: Value) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, Fraction):
        return "real"
    if isinstance(value, str):
        return "symbol"
    return f"{'signed' if value.signed else 'unsigned'} word[{value.width}]"


# Numbers and words


def _alike(a: object, b: object) -> bool:
    return isinstance(a, Word) and isinstance(b, Word) and a.width == b.width and a.signed == b.signed


def _arithmetic(
    operator: str, compute: Callable[[int, int], int], real: Callable[[Fraction, Fraction], Fraction] | None = None
) -> Callable[[Any, Any], Value]:
    def apply(a: Any, b: Any) -> Value:
        if a.__class__ is int and b.__class__ is int:
            return compute(a, b)
        if real is not None and a.__class__ in NUMBERS and b.__class__ in NUMBERS:
            return real(Fraction(a), Fraction(b))
        if not _alike(a, b):
            misfit(operator, a, b)
        return Word.of(compute(a.value, b.value), a.width, signed=a.signed)

    return apply


def _comparison(operator: str, compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], Value]:
    def apply(a: Any, b: Any) -> Value:
        if a.__class__ in NUMBERS and b.__class__ in NUMBERS:
            return compare(a, b)
        if not _alike(a, b):
            misfit(operator, a, b)
        return compare(a.value, b.value)

    return apply


def _of_number(operator: str, compute: Callable[[Any], Any]) -> Callable[[Any], Value]:
    def apply(a: Any) -> Value:
        if a.__class__ in NUMBERS:
            return compute(a)  # type: ignore[no-any-return]
        if not isinstance(a, Word):
            misfit(operator, a)
        return Word.of(compute(a.value), a.width, signed=a.signed)

    return apply


def _quotient(a: int, b: int) -> int:
    """The quotient, rounded towards zero as in C."""
    magnitude = abs(a) // abs(_divisor(b))
    return magnitude if (a < 0) == (b < 0) else -magnitude


def _divisor(number: V) -> V:
    if number == 0:
        raise ModelProblem("division by zero", hint="guard the division with a case")
    return number


# Booleans, and words bit by bit


def _bitwise(operator: str, combine: Callable[[int, int], int]) -> Callable[[Any, Any], Value]:
    """Python's bit operators are right for booleans and, cut to the width, for words (a ^ -1 is the complement)."""

    def apply(a: Any, b: Any) -> Value:
        if a.__class__ is bool and b.__class__ is bool:
            return bool(combine(a, b) & 1)
        if not _alike(a, b):
            misfit(operator, a, b)
        return Word.of(combine(a.bits, b.bits), a.width, signed=a.signed)

    return apply


def negation(a: Any) -> Value:
    """`!a`."""
    if a.__class__ is bool:
        return not a
    if not isinstance(a, Word):
        misfit("!", a)
    return Word.of(~a.bits, a.width, signed=a.signed)


def _count(*operands: Any) -> Value:
    for operand in operands:
        if operand.__class__ is not bool:
            misfit("count", operand)
    return sum(1 for operand in operands if operand)


# Words


def _word(operator: str, a: Value) -> Word:
    if not isinstance(a, Word):
        misfit(operator, a)
    return a


def _number(operator: str, a: Value) -> int:
    if a.__class__ is not int:
        misfit(operator, a)
    return a


def _distance(operator: str, word: Word, amount: Value) -> int:
    """The distance of a shift: an integer or an unsigned word, at most the width of the shifted word."""
    if isinstance(amount, Word) and not amount.signed:
        amount = amount.bits
    distance = _number(operator, amount)
    if not 0 <= distance <= word.width:
        raise ModelProblem(f"a shift by {distance} is out of range: expected 0 to {word.width} bits")
    return distance


def _shift_left(a: Value, amount: Value) -> Value:
    word = _word("<<", a)
    return Word.of(word.bits << _distance("<<", word, amount), word.width, signed=word.signed)


def _shift_right(a: Value, amount: Value) -> Value:
    """A shift that keeps the sign of a signed word, as Python's shift of negative numbers does."""
    word = _word(">>", a)
    return Word.of(word.value >> _distance(">>", word, amount), word.width, signed=word.signed)


def _concatenation(a: Value, b: Value) -> Value:
    high, low = _word("::", a), _word("::", b)
    return Word(high.bits << low.width | low.bits, high.width + low.width)


def _bits(a: Value, high: Value, low: Value) -> Value:
    word, top, bottom = _word("bits", a), _number("bits", high), _number("bits", low)
    if not 0 <= bottom <= top < word.width:
        raise ModelProblem(f"the bits {top}:{bottom} are out of range for a word of {word.width} bits")
    return Word.of(word.bits >> bottom, top - bottom + 1, signed=False)


def _signed(a: Value) -> Value:
    word = _word("signed", a)
    return Word(word.bits, word.width, signed=True)


def _unsigned(a: Value) -> Value:
    word = _word("unsigned", a)
    return Word(word.bits, word.width, signed=False)


def _extend(a: Value, by: Value) -> Value:
    word, extra = _word("extend", a), _number("extend", by)
    if extra < 0:
        raise ModelProblem(f"a word cannot be extended by {extra} bits")
    return Word.of(word.value, word.width + extra, signed=word.signed)


def _resize(a: Value, to: Value) -> Value:
    """The word with another width. A signed word that becomes shorter has its sign bit before its lowest bits."""
    word, width = _word("resize", a), _number("resize", to)
    if width < 1:
        raise ModelProblem(f"a word cannot have {width} bits")
    if not word.signed or width >= word.width:
        return Word.of(word.value, width, signed=word.signed)
    sign = word.bits >> (word.width - 1)
    low = word.bits & ((1 << (width - 1)) - 1)
    return Word(sign << (width - 1) | low, width, signed=True)


def _word1(a: Value) -> Value:
    if a.__class__ is not bool:
        misfit("word1", a)
    return Word(int(a), 1)


def _toint(a: Value) -> Value:
    if isinstance(a, Word):
        return a.value
    if isinstance(a, int):
        return int(a)
    misfit("toint", a)


def _bool(a: Value) -> Value:
    if isinstance(a, Word):
        return a.bits != 0
    if isinstance(a, int):
        return a != 0
    misfit("bool", a)


def _folded(operator: Callable[[Any, Any], Value]) -> Callable[..., Value]:
    return lambda *operands: reduce(operator, operands)


OPERATORS: Mapping[str, Callable[..., Value]] = MappingProxyType(
    {
        "not": negation,
        "and": _folded(_bitwise("&", lambda a, b: a & b)),
        "or": _folded(_bitwise("|", lambda a, b: a | b)),
        "xor": _bitwise("xor", lambda a, b: a ^ b),
        "xnor": _bitwise("xnor", lambda a, b: a ^ b ^ -1),
        "implies": _bitwise("->", lambda a, b: (a ^ -1) | b),
        "iff": _bitwise("<->", lambda a, b: a ^ b ^ -1),
        "=": same,
        "!=": lambda a, b: not same(a, b),
        "<": _comparison("<", lambda a, b: a < b),
        "<=": _comparison("<=", lambda a, b: a <= b),
        ">": _comparison(">", lambda a, b: a > b),
        ">=": _comparison(">=", lambda a, b: a >= b),
        "neg": _of_number("-", lambda a: -a),
        "abs": _of_number("abs", abs),
        "+": _arithmetic("+", lambda a, b: a + b, lambda a, b: a + b),
        "-": _arithmetic("-", lambda a, b: a - b, lambda a, b: a - b),
        "*": _arithmetic("*", lambda a, b: a * b, lambda a, b: a * b),
        "/": _arithmetic("/", _quotient, lambda a, b: a / _divisor(b)),
        "mod": _arithmetic("mod", lambda a, b: a - b * _quotient(a, b)),  # it has the sign of a
        "min": _arithmetic("min", min, min),
        "max": _arithmetic("max", max, max),
        "<<": _shift_left,
        ">>": _shift_right,
        "::": _concatenation,
        "bits": _bits,
        "signed": _signed,
        "unsigned": _unsigned,
        "extend": _extend,
        "resize": _resize,
        "word1": _word1,
        "toint": _toint,
        "bool": _bool,
        "count": _count,
    }
)
"""The operators that need all their operands and have one result: all but `set`, `union`, `in`, `case` and `next`."""
