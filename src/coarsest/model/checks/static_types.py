"""Types of expressions, coarser than types of variables: all ranges are integers, all symbols are of one type.

The rules are those of NuSMV 2.6: an enumeration of integers only is an integer; symbols and integers together are `mixed`;
a set is not a value, but a value is a set of one; words convert to nothing. As in nuXmv, an integer is also a real.
"""

from __future__ import annotations

from enum import Enum
from fractions import Fraction
from typing import TypeAlias

from coarsest.logic.expr import Value, Word
from coarsest.model.types import Boolean, Enumeration, IntegerType, Range, RealType, Type, WordType


class Basic(Enum):
    """Types without parameters; the value is the name in messages."""

    BOOLEAN = "boolean"
    INTEGER = "integer"
    REAL = "real"
    SYMBOL = "symbol"
    MIXED = "symbol or integer"
    BOOLEANS = "set of booleans"
    INTEGERS = "set of integers"
    REALS = "set of reals"
    SYMBOLS = "set of symbols"
    MIXTURE = "set of symbols and integers"

    def __str__(self) -> str:
        return self.value


StaticType: TypeAlias = Basic | WordType

BOOLEAN, INTEGER, REAL, SYMBOL, MIXED = Basic.BOOLEAN, Basic.INTEGER, Basic.REAL, Basic.SYMBOL, Basic.MIXED

_SET_OF = {
    Basic.BOOLEAN: Basic.BOOLEANS,
    Basic.INTEGER: Basic.INTEGERS,
    Basic.REAL: Basic.REALS,
    Basic.SYMBOL: Basic.SYMBOLS,
    Basic.MIXED: Basic.MIXTURE,
}
_ELEMENT_OF = {whole: element for element, whole in _SET_OF.items()}
_REALS = frozenset({Basic.REAL, Basic.REALS})
_COUNTABLE = frozenset({Basic.INTEGER, Basic.SYMBOL, Basic.MIXED})


def static_type(kind: Type) -> StaticType:
    """The type of the expression that is just a variable of this type."""
    match kind:
        case Boolean():
            return Basic.BOOLEAN
        case Range() | IntegerType():
            return Basic.INTEGER
        case RealType():
            return Basic.REAL
        case WordType():
            return kind
        case Enumeration(members):
            integers = sum(isinstance(member, int) for member in members)
            return Basic.INTEGER if integers == len(members) else Basic.MIXED if integers else Basic.SYMBOL


def type_of_value(value: Value) -> StaticType:
    """The type of a constant."""
    if isinstance(value, bool):
        return Basic.BOOLEAN
    if isinstance(value, int):
        return Basic.INTEGER
    if isinstance(value, Fraction):
        return Basic.REAL
    return WordType(value.width, value.signed) if isinstance(value, Word) else Basic.SYMBOL


def is_set(kind: StaticType) -> bool:
    return kind in _ELEMENT_OF


def set_of(kind: StaticType) -> StaticType | None:
    """The type of sets of such values; a set is its own. Words have no sets."""
    if isinstance(kind, WordType):
        return None
    return _SET_OF.get(kind, kind)


def element_of(kind: StaticType) -> StaticType:
    """The type of the elements of a set; a value is its own."""
    return kind if isinstance(kind, WordType) else _ELEMENT_OF.get(kind, kind)


def fits(wider: StaticType, narrower: StaticType) -> bool:
    """Does every value of the narrower type count as one of the wider?"""
    if wider == narrower:
        return True
    if wider is Basic.MIXED:
        return narrower in (Basic.INTEGER, Basic.SYMBOL)
    if wider is Basic.REAL or wider is Basic.REALS:
        return narrower is (Basic.INTEGER if wider is Basic.REAL else Basic.INTEGERS)
    return wider is Basic.MIXTURE and is_set(narrower) and narrower is not Basic.REALS


def greater(left: StaticType, right: StaticType) -> StaticType | None:
    """The wider of two types, if one fits the other."""
    return left if fits(left, right) else right if fits(right, left) else None


def least_common(left: StaticType, right: StaticType) -> StaticType | None:
    """The least type that both types fit, if there is one."""
    if left == right:
        return left
    if left in _REALS or right in _REALS:
        return greater(left, right)
    if left in _COUNTABLE and right in _COUNTABLE:
        return Basic.MIXED
    if is_set(left) and is_set(right):
        return Basic.MIXTURE
    return None
