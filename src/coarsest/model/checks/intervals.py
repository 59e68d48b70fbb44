"""Intervals of integer expressions, narrowed by the conditions under which they are evaluated.

Reference: Cousot and Cousot, Static determination of dynamic properties of programs, 1976.
Symbols:   the bound None means that there is no bound.
Invariant: the value of an expression lies in its interval in every state in which the names lie in theirs.
Deviates:  only comparisons narrow intervals; at most DEEPEST_NARROWING conditions deep.
Cost:      every part of an expression once for each set of conditions that narrows it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from itertools import product
from operator import or_
from typing import Final, NamedTuple

from coarsest.logic.expr import Apply, Constant, Expr, Name, conjuncts
from coarsest.model.types import Enumeration, Range, Type

DEEPEST_NARROWING: Final = 12
"""Conditions that are nested more deeply do not narrow intervals."""

_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}
_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!=", "!=": "="}


class Interval(NamedTuple):
    """The integers from `low` to `high`, both included; None is no bound. Empty if low > high."""

    low: int | None
    high: int | None

    @property
    def is_empty(self) -> bool:
        return self.low is not None and self.high is not None and self.low > self.high

    @property
    def is_bounded(self) -> bool:
        return self.low is not None and self.high is not None

    def within(self, other: Interval) -> bool:
        """Is every value of this one in the other?"""
        return self.is_empty or (
            (other.low is None or (self.low is not None and self.low >= other.low))
            and (other.high is None or (self.high is not None and self.high <= other.high))
        )

    def __and__(self, other: Interval) -> Interval:
        lows = [bound for bound in (self.low, other.low) if bound is not None]
        highs = [bound for bound in (self.high, other.high) if bound is not None]
        return Interval(max(lows, default=None), min(highs, default=None))

    def __or__(self, other: Interval) -> Interval:
        if self.is_empty or other.is_empty:
            return other if self.is_empty else self
        low = None if self.low is None or other.low is None else min(self.low, other.low)
        high = None if self.high is None or other.high is None else max(self.high, other.high)
        return Interval(low, high)


ANYTHING = Interval(None, None)
NOTHING = Interval(1, 0)


def interval_of_type(kind: Type) -> Interval:
    """The interval of the values of a type, if they are integers."""
    if isinstance(kind, Range):
        return Interval(kind.low, kind.high)
    if isinstance(kind, Enumeration):
        numbers = [member for member in kind.members if isinstance(member, int)]
        return Interval(min(numbers), max(numbers)) if len(numbers) == len(kind.members) else ANYTHING
    return ANYTHING


class Intervals:
    """The intervals of expressions. `bounds` are those of names; other names have `definitions`.

    `narrowed` has smaller intervals for some operations; small operations are compared by value, others by identity.
    """

    def __init__(
        self,
        bounds: Mapping[str, Interval],
        definitions: Mapping[str, Expr],
        narrowed: Mapping[Expr | int, tuple[Expr, Interval]] | None = None,
        depth: int = 0,
    ) -> None:
        self.bounds = bounds
        self.definitions = definitions
        self._narrowed = narrowed or {}
        self._depth = depth
        self._known: dict[int, tuple[Expr, Interval]] = {}  # the expressions are kept alive beside their identities
        self._truths: dict[int, tuple[Expr, bool | None]] = {}

    def of(self, expr: Expr) -> Interval:
        """The interval of an integer expression."""
        if isinstance(expr, Constant):
            return Interval(expr.value, expr.value) if expr.value.__class__ is int else ANYTHING
        entry = self._known.get(id(expr))
        if entry is not None:
            return entry[1]
        if isinstance(expr, Name):
            interval, body = self.bounds.get(expr.name, ANYTHING), self.definitions.get(expr.name)
            interval = interval if body is None else interval & self.of(body)
        else:
            interval = self._of_operation(expr)
        if self._narrowed and isinstance(expr, Apply):
            interval &= self._narrowed.get(_key(expr), (expr, ANYTHING))[1]
        self._known[id(expr)] = expr, interval
        return interval

    def _of_operation(self, expr: Apply) -> Interval:
        if expr.op == "case":
            return self._of_case(expr)
        if expr.op in ("set", "union"):
            return reduce(or_, map(self.of, expr.args), NOTHING)
        if expr.op == "count":
            return Interval(0, len(expr.args))
        if expr.op == "toint":
            return Interval(0, 1)
        rule = _RULES.get(expr.op)
        if rule is None:
            return ANYTHING
        parts = [self.of(arg) for arg in expr.args]
        return NOTHING if any(part.is_empty for part in parts) else rule(*parts)

    def _of_case(self, expr: Apply) -> Interval:
        interval, here = NOTHING, self
        for condition, value in zip(expr.args[::2], expr.args[1::2]):
            inside = here.under(condition, holds=True)
            if inside is not None:
                interval |= inside.of(value)
            outside = here.under(condition, holds=False)
            if outside is None:
                break
            here = outside
        return interval

    # -- conditions --------------------------------------------------------------------------------------------------------

    def truth(self, condition: Expr) -> bool | None:
        """True or False where the intervals decide a condition, otherwise None."""
        if isinstance(condition, Constant):
            return condition.value if isinstance(condition.value, bool) else None
        entry = self._truths.get(id(condition))
        if entry is None:
            entry = self._truths[id(condition)] = condition, self._truth(condition)
        return entry[1]

    def _truth(self, condition: Name | Apply) -> bool | None:
        if isinstance(condition, Name):
            body = self.definitions.get(condition.name)
            return None if body is None else self.truth(body)
        if condition.op == "case":
            return self._truth_of_case(condition)
        if condition.op in _OPPOSITE:
            return _compared(condition.op, *map(self.of, condition.args))
        if condition.op not in ("not", "and", "or", "implies"):
            return None
        truths = [self.truth(arg) for arg in condition.args]
        if condition.op == "not":
            return None if truths[0] is None else not truths[0]
        if condition.op == "implies":
            truths[0] = None if truths[0] is None else not truths[0]
        deciding = condition.op != "and"
        if deciding in truths:
            return deciding
        return None if None in truths else not deciding

    def _truth_of_case(self, expr: Apply) -> bool | None:
        truths: set[bool | None] = set()
        for condition, value in zip(expr.args[::2], expr.args[1::2]):
            holds = self.truth(condition)
            if holds is not False:
                truths.add(self.truth(value))
            if holds:
                break
        return truths.pop() if len(truths) == 1 else None

    def under(self, condition: Expr, *, holds: bool) -> Intervals | None:
        """The intervals where the condition holds, or where it does not; None if there is no such state."""
        if self.truth(condition) is (not holds):
            return None
        if self._depth >= DEEPEST_NARROWING:
            return self
        bounds, operations = dict(self.bounds), dict(self._narrowed)
        for op, left, right in _comparisons(condition, self.definitions, holds=holds):
            for part, relation, other in ((left, op, right), (right, _MIRRORED[op], left)):
                interval = _narrowed(self.of(part), relation, self.of(other))
                if isinstance(part, Name):
                    interval &= bounds.get(part.name, ANYTHING)
                    bounds[part.name] = interval
                elif isinstance(part, Apply):
                    operations[_key(part)] = part, interval & operations.get(_key(part), (part, ANYTHING))[1]
                if interval.is_empty:
                    return None
        if bounds == self.bounds and operations == self._narrowed:
            return self
        return Intervals(bounds, self.definitions, operations, self._depth + 1)


def _key(expr: Apply) -> Expr | int:
    """The key of an operation: small ones are compared by value, others by identity."""
    small = all(isinstance(arg, Name | Constant) for arg in expr.args)
    return expr if small else id(expr)


def _comparisons(condition: Expr, definitions: Mapping[str, Expr], *, holds: bool) -> Iterator[tuple[str, Expr, Expr]]:
    """Comparisons that are all true where the condition holds, or where it does not."""
    waiting: list[tuple[Expr, bool]] = [(condition, holds)]
    opened: set[str] = set()
    while waiting:
        part, positive = waiting.pop()
        if isinstance(part, Name) and part.name in definitions and part.name not in opened:
            opened.add(part.name)
            waiting.append((definitions[part.name], positive))
        elif isinstance(part, Apply):
            if part.op in _OPPOSITE:
                yield part.op if positive else _OPPOSITE[part.op], part.args[0], part.args[1]
            elif part.op == "not":
                waiting.append((part.args[0], not positive))
            elif part.op == "implies" and not positive:
                waiting += [(part.args[0], True), (part.args[1], False)]
            elif part.op == "and" and positive:
                waiting += [(arg, True) for arg in conjuncts(part)]
            elif part.op == "or" and not positive:
                waiting += [(arg, False) for arg in part.args]


def _narrowed(interval: Interval, relation: str, other: Interval) -> Interval:
    below = None if other.high is None else other.high - (relation == "<")
    above = None if other.low is None else other.low + (relation == ">")
    if relation in ("<", "<="):
        return interval & Interval(None, below)
    if relation in (">", ">="):
        return interval & Interval(above, None)
    if relation == "=":
        return interval & other
    if other.low is not None and other.low == other.high:  # if it differs from one value, only an end can be dropped
        low = other.low + 1 if interval.low == other.low else interval.low
        high = other.low - 1 if interval.high == other.low else interval.high
        return Interval(low, high)
    return interval


def _compared(op: str, left: Interval, right: Interval) -> bool | None:
    if op in (">", ">="):
        return _compared(_MIRRORED[op], right, left)
    if op in ("=", "!="):
        equal: bool | None = None
        if (left & right).is_empty:
            equal = False
        elif left.is_bounded and left.low == left.high and left == right:
            equal = True
        return equal if op == "=" or equal is None else not equal
    strict = op == "<"
    if left.high is not None and right.low is not None and left.high + strict <= right.low:
        return True
    if left.low is not None and right.high is not None and left.low + strict > right.high:
        return False
    return None


def _negated(interval: Interval) -> Interval:
    return Interval(None if interval.high is None else -interval.high, None if interval.low is None else -interval.low)


def _sum(*parts: Interval) -> Interval:
    lows, highs = [part.low for part in parts], [part.high for part in parts]
    low = None if None in lows else sum(bound for bound in lows if bound is not None)
    high = None if None in highs else sum(bound for bound in highs if bound is not None)
    return Interval(low, high)


def _product(left: Interval, right: Interval) -> Interval:
    if left == Interval(0, 0) or right == Interval(0, 0):
        return Interval(0, 0)
    if left.low is None or left.high is None or right.low is None or right.high is None:
        positive = left.low is not None and left.low >= 0 and right.low is not None and right.low >= 0
        return Interval(0, None) if positive else ANYTHING
    ends = [first * second for first, second in product((left.low, left.high), (right.low, right.high))]
    return Interval(min(ends), max(ends))


def _quotient(left: Interval, right: Interval) -> Interval:
    """A quotient is not further from 0 than the dividend."""
    divides_by_positive = right.low is not None and right.low > 0
    if left.low is None or left.high is None:
        return Interval(0, None) if left.low is not None and left.low >= 0 and divides_by_positive else ANYTHING
    if divides_by_positive:
        divisors = [divisor for divisor in right if divisor is not None]
        ends = [_truncated(end, divisor) for end in (left.low, left.high) for divisor in divisors]
        return Interval(min(ends), max(ends)) | (Interval(0, 0) if right.high is None else NOTHING)
    size = max(abs(left.low), abs(left.high))
    return Interval(-size, size)


def _truncated(dividend: int, divisor: int) -> int:
    return dividend // divisor if dividend >= 0 else -(-dividend // divisor)


def _remainder(left: Interval, right: Interval) -> Interval:
    """A remainder has the sign of the dividend and is smaller than the divisor, and no further from 0 than the dividend."""
    sizes = [abs(bound) for bound in right if bound is not None]
    size = max(sizes) - 1 if len(sizes) == 2 and max(sizes) > 0 else None
    low = 0 if left.low is not None and left.low >= 0 else None if size is None else -size
    high = 0 if left.high is not None and left.high <= 0 else size
    return Interval(low, high) & (left | Interval(0, 0))


def _absolute(interval: Interval) -> Interval:
    low, high = interval
    if low is not None and low >= 0:
        return interval
    if high is not None and high <= 0:
        return _negated(interval)
    return Interval(0, None if low is None or high is None else max(-low, high))


def _smaller(left: Interval, right: Interval) -> Interval:
    low = None if left.low is None or right.low is None else min(left.low, right.low)
    highs = [bound for bound in (left.high, right.high) if bound is not None]
    return Interval(low, min(highs, default=None))


_RULES: Mapping[str, Callable[..., Interval]] = {
    "neg": _negated,
    "+": _sum,
    "-": lambda left, right: _sum(left, _negated(right)),
    "*": _product,
    "/": _quotient,
    "mod": _remainder,
    "abs": _absolute,
    "min": _smaller,
    "max": lambda left, right: _negated(_smaller(_negated(left), _negated(right))),
}
