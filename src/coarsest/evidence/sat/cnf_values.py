"""Values as literals, and the operators on them.

A value is one of several *options*, each with a literal that says when it is an option. A value that is not a choice has one
option, or several that exclude one another (`single`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from coarsest.evidence.effort import NotConfirmed
from coarsest.evidence.sat.clauses import FALSE, TRUE, Clauses
from coarsest.evidence.sat.cnf_numbers import Numbers, Vector, constant, constant_value, trim
from coarsest.logic.expr import Value as Plain
from coarsest.logic.expr import Word
from coarsest.model.types import Boolean, Enumeration, Range, Type, WordType


class Truth(Struct, frozen=True):
    literal: int


class Number(Struct, frozen=True):
    vector: Vector


class WordLiterals(Struct, frozen=True):
    vector: Vector
    signed: bool


class Symbols(Struct, frozen=True):
    """A member of an enumeration, with a literal for each member that says when it is this one."""

    where: Mapping[str | int, int]


Single: TypeAlias = Truth | Number | WordLiterals | Symbols


class Value(Struct, frozen=True):
    """One of the options, each with its literal. If `single`, exactly one of the literals is true at any time."""

    options: Sequence[tuple[int, Single]]
    single: bool = True


def width_of(kind: Type) -> int:
    """The number of bits for a value of the type."""
    match kind:
        case Boolean():
            return 1
        case WordType(width, _):
            return width
        case Range() | Enumeration():
            return (kind.size - 1).bit_length()
    raise NotConfirmed(f"the type {kind} occurs in it")


def of_constant(value: Plain) -> Single:
    if isinstance(value, bool):
        return Truth(TRUE if value else FALSE)
    if isinstance(value, int):
        return Number(constant(value))
    if isinstance(value, str):
        return Symbols({value: TRUE})
    if isinstance(value, Word):
        return WordLiterals(tuple(TRUE if value.bits >> place & 1 else FALSE for place in range(value.width)), value.signed)
    raise NotConfirmed(f"the constant {value} occurs in it")


class LiteralOperators:
    """The operators on values with one option."""

    def __init__(self, clauses: Clauses) -> None:
        self.clauses = clauses
        self.numbers = Numbers(clauses)

    def as_number(self, value: Single) -> Vector:
        """A value as a number; a word is read with its sign."""
        match value:
            case Number(vector):
                return vector
            case WordLiterals(vector, signed):
                return trim(vector if signed else (*vector, FALSE))
            case Truth(literal):
                return trim((literal, FALSE))
        raise NotConfirmed("a symbol is used as a number")

    def equal(self, a: Single, b: Single) -> int:
        """Are they the same value? Values of different kinds are never equal."""
        clauses = self.clauses
        match a, b:
            case Truth(p), Truth(q):
                return clauses.same(p, q)
            case Number(x), Number(y):
                return self.numbers.equal(x, y)
            case WordLiterals(x, s), WordLiterals(y, t):
                return clauses.every(map(clauses.same, x, y)) if len(x) == len(y) and s == t else FALSE
            case Symbols(x), Symbols(y):
                return clauses.some(clauses.both(here, y[member]) for member, here in x.items() if member in y)
            case (Symbols(where), Number(vector)) | (Number(vector), Symbols(where)):
                members = ((member, here) for member, here in where.items() if isinstance(member, int))
                return clauses.some(clauses.both(here, self.numbers.equal(vector, constant(m))) for m, here in members)
        return FALSE

    def choose(self, condition: int, then: Single, otherwise: Single) -> Single | None:
        """`then` if the condition is true, or else `otherwise`; None if they are of different kinds."""
        clauses = self.clauses
        match then, otherwise:
            case Truth(p), Truth(q):
                return Truth(clauses.choose(condition, p, q))
            case Number(x), Number(y):
                return Number(self.numbers.choose(condition, x, y))
            case WordLiterals(x, s), WordLiterals(y, t) if len(x) == len(y) and s == t:
                return WordLiterals(tuple(clauses.choose(condition, a, b) for a, b in zip(x, y)), s)
            case Symbols(x), Symbols(y):
                members = {**x, **y}
                return Symbols({m: clauses.choose(condition, x.get(m, FALSE), y.get(m, FALSE)) for m in members})
        return None

    def undefined(self, op: str, values: Sequence[Single]) -> int:
        """The condition that the operator has no result."""
        numbers = self.numbers
        if op in ("/", "mod"):
            return numbers.equal(self.as_number(values[1]), (FALSE,))
        if op in ("<<", ">>"):
            word, amount = values
            if not isinstance(word, WordLiterals):
                raise NotConfirmed("something that is not a word is shifted")
            by = self.as_number(amount)
            return self.clauses.either(by[-1], numbers.less(constant(len(word.vector)), by))
        return FALSE

    def apply(self, op: str, values: Sequence[Single], parameters: Sequence[int] = ()) -> Single:
        match op:
            case "=":
                return Truth(self.equal(values[0], values[1]))
            case "!=":
                return Truth(-self.equal(values[0], values[1]))
            case "not" | "and" | "or" | "xor" | "xnor" | "iff" | "implies":
                return self._logical(op, values)
            case "<" | "<=" | ">" | ">=":
                a, b = map(self.as_number, values)
                below = self.numbers.less(a, b) if op in ("<", ">=") else self.numbers.less(b, a)
                return Truth(below if op in ("<", ">") else -below)
            case "neg" | "abs" | "+" | "-" | "*" | "/" | "mod" | "min" | "max":
                return self._arithmetic(op, values)
            case "count":
                return Number(self.numbers.total([_literal(value) for value in values]))
            case "toint":
                return Number(self.as_number(values[0]))
            case "bool":
                return Truth(-self.numbers.equal(self.as_number(values[0]), (FALSE,)))
            case "word1":
                return WordLiterals((_literal(values[0]),), signed=False)
        return self._on_words(op, values, parameters)

    def _logical(self, op: str, values: Sequence[Single]) -> Single:
        clauses = self.clauses
        gates: dict[str, Callable[..., int]] = {
            "not": lambda a: -a, "and": lambda *all_: clauses.every(all_), "or": lambda *all_: clauses.some(all_),
            "xor": clauses.differ, "xnor": clauses.same, "iff": clauses.same, "implies": clauses.implies,
        }  # fmt: skip
        gate = gates[op]
        first = values[0]
        if isinstance(first, Truth):
            return Truth(gate(*map(_literal, values)))
        if isinstance(first, WordLiterals):
            vectors = [_word(value).vector for value in values]
            return WordLiterals(tuple(gate(*column) for column in zip(*vectors)), first.signed)
        raise NotConfirmed(f"'{op}' is applied to something that is neither boolean nor a word")

    def _arithmetic(self, op: str, values: Sequence[Single]) -> Single:
        numbers = self.numbers
        a, *rest = map(self.as_number, values)
        match op, rest:
            case "neg", []:
                result = numbers.negate(a)
            case "abs", []:
                result = numbers.absolute(a)
            case "+", [b]:
                result = numbers.add(a, b)
            case "-", [b]:
                result = numbers.subtract(a, b)
            case "*", [b]:
                result = numbers.multiply(a, b)
            case "/", [b]:
                result = numbers.divide(a, b)[0]
            case "mod", [b]:
                result = numbers.divide(a, b)[1]
            case ("min" | "max"), [b]:
                result = numbers.choose(numbers.less(a, b), *((a, b) if op == "min" else (b, a)))
            case _:
                raise NotConfirmed(f"'{op}' has {len(values)} operands")
        first = values[0]
        if isinstance(first, WordLiterals):
            return WordLiterals(resized(result, len(first.vector)), first.signed)
        return Number(result)

    def _on_words(self, op: str, values: Sequence[Single], parameters: Sequence[int]) -> Single:
        word = _word(values[0])
        vector, signed = word.vector, word.signed
        match op:
            case "<<" | ">>":
                fill = vector[-1] if op == ">>" and signed else FALSE
                return WordLiterals(self.numbers.shift(vector, self.as_number(values[1]), fill=fill, left=op == "<<"), signed)
            case "::":
                return WordLiterals(_word(values[1]).vector + vector, signed=False)
            case "bits":
                high, low = parameters
                return WordLiterals(vector[low : high + 1], signed=False)
            case "signed" | "unsigned":
                return WordLiterals(vector, op == "signed")
            case "extend":
                return WordLiterals(resized(self.as_number(word), len(vector) + parameters[0]), signed)
            case "resize":
                (width,) = parameters
                if signed and width < len(vector):  # it keeps its sign bit
                    return WordLiterals((*vector[: width - 1], vector[-1]), signed)
                return WordLiterals(resized(self.as_number(word), width), signed)
        raise NotConfirmed(f"'{op}' occurs in it")


def resized(vector: Vector, width: int) -> Vector:
    """The lowest bits of a number."""
    return (vector + (vector[-1],) * max(0, width - len(vector)))[:width]


def _literal(value: Single) -> int:
    if not isinstance(value, Truth):
        raise NotConfirmed("something that is not boolean is used as a condition")
    return value.literal


def _word(value: Single) -> WordLiterals:
    if not isinstance(value, WordLiterals):
        raise NotConfirmed("something that is not a word is used as one")
    return value


def can_be_true(clauses: Clauses, value: Value) -> int:
    """The condition that one of the options of a condition is true."""
    return clauses.some(clauses.both(condition, _literal(single)) for condition, single in value.options)


def can_be(clauses: Clauses, value: Value, *, truth: bool) -> int:
    """The condition that one of the options of an operand is true, or false; a word may be both."""
    sign = 1 if truth else -1
    options = [(condition, sign * single.literal) for condition, single in value.options if isinstance(single, Truth)]
    return clauses.some(clauses.both(*option) for option in options) if options else TRUE


def intervals(values: Iterable[int]) -> list[tuple[int, int]]:
    """Numbers as the fewest intervals.

    >>> intervals([3, 1, 2, 7])
    [(1, 3), (7, 7)]
    """
    result: list[tuple[int, int]] = []
    for value in sorted(values):
        if result and value <= result[-1][1] + 1:
            result[-1] = (result[-1][0], value)
        else:
            result.append((value, value))
    return result


def constant_numbers(value: Value) -> list[int] | None:
    """The options, if all of them are constant numbers that can be chosen at any time."""
    result = []
    for condition, single in value.options:
        number = constant_value(single.vector) if isinstance(single, Number) and condition == TRUE else None
        if number is None:
            return None
        result.append(number)
    return result
