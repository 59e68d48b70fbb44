"""Conditions of the SMT carrier: z3 terms with connectives, as expressions are evaluated over. Nothing here asks the solver."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    import z3


class Values:
    """The connectives over one z3 context."""

    def __init__(self, z3: Any, context: Any) -> None:
        self.z3 = z3
        self.context = context
        self.true = z3.BoolVal(True, context)
        self.false = z3.BoolVal(False, context)

    def both(self, *conditions: z3.BoolRef) -> z3.BoolRef:
        """All of the conditions, constants left out."""
        z3 = self.z3
        kept = [c for c in conditions if not z3.is_true(c)]
        if any(z3.is_false(c) for c in kept):
            return self.false
        return self.true if not kept else kept[0] if len(kept) == 1 else z3.And(kept)

    def either(self, *conditions: z3.BoolRef) -> z3.BoolRef:
        """Some of the conditions, constants left out."""
        z3 = self.z3
        kept = [c for c in conditions if not z3.is_false(c)]
        if any(z3.is_true(c) for c in kept):
            return self.true
        return self.false if not kept else kept[0] if len(kept) == 1 else z3.Or(kept)

    def opposite(self, condition: z3.BoolRef) -> z3.BoolRef:
        z3 = self.z3
        if z3.is_true(condition) or z3.is_false(condition):
            return self.false if z3.is_true(condition) else self.true
        return condition.arg(0) if z3.is_not(condition) else z3.Not(condition)


class Formula:
    """A condition with the operators of an algebra; two that are equal are one term."""

    __slots__ = ("term", "values")

    def __init__(self, term: z3.BoolRef, values: Values) -> None:
        self.term = term
        self.values = values

    def __and__(self, other: Self) -> Self:
        return self._made(self.values.both(self.term, other.term))

    def __or__(self, other: Self) -> Self:
        return self._made(self.values.either(self.term, other.term))

    def __xor__(self, other: Self) -> Self:
        return self._made(self.term != other.term)

    def __invert__(self) -> Self:
        return self._made(self.values.opposite(self.term))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Formula) and bool(self.term.eq(other.term))

    def __hash__(self) -> int:
        return int(self.term.get_id())

    def _made(self, term: z3.BoolRef) -> Self:
        return self.__class__(term, self.values)
