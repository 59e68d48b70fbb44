"""One rule for each operator: from the types of operands to the type of the result."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from coarsest.errors import ModelProblem, TypeProblem
from coarsest.logic.expr import Apply, Constant, Word
from coarsest.logic.operators import BOOLEAN_CONNECTIVES, SYMBOL_OF
from coarsest.logic.temporal_operators import PSL_OPERATORS, TEMPORAL_OPERATORS
from coarsest.logic.words import WIDEST_WORD
from coarsest.model.checks.static_types import (
    BOOLEAN,
    INTEGER,
    MIXED,
    REAL,
    SYMBOL,
    StaticType,
    greater,
    is_set,
    least_common,
    set_of,
)
from coarsest.model.types import WordType

ORDER = frozenset({"<", "<=", ">", ">="})


class Operation(NamedTuple):
    """An operator with the types of its operands."""

    expr: Apply
    types: list[StaticType]

    def unfit(self, needed: str, hint: str = "") -> TypeProblem:
        """The problem that the operands do not fit."""
        op = self.expr.op
        shown = {"not": "!", "neg": "unary -", "set": "{…}", "bits": "bit selection"}.get(op, SYMBOL_OF.get(op, op))
        distinct = list(dict.fromkeys(map(str, self.types)))
        given = " and ".join(distinct) if len(self.types) > 1 else distinct[0]
        return TypeProblem(f"`{shown}` needs {needed}, found {given}", self.expr.span, hint=hint or self.hint())

    def hint(self) -> str:
        first = self.expr.args[0] if self.expr.args else None
        if isinstance(first, Apply) and self.expr.op in ORDER and first.op in ORDER:
            return "one comparison at a time: `a < x & x < b`"
        numbers = [a for a in self.expr.args if isinstance(a, Constant) and a.value.__class__ is int and a.value in (0, 1)]
        if BOOLEAN in self.types and INTEGER in self.types:
            if numbers:
                return "0 and 1 are not booleans: write FALSE and TRUE"
            return "toint(…) makes a number of a boolean, bool(…) a boolean of a number"
        widths = {kind.width for kind in self.types if isinstance(kind, WordType)}
        if len(widths) > 1:
            return "resize(…) and extend(…) change the width of a word"
        signs = {kind.signed for kind in self.types if isinstance(kind, WordType)}
        if len(signs) > 1:
            return "signed(…) and unsigned(…) change the sign of a word"
        if widths and INTEGER in self.types:
            width = min(widths)
            one = Word(1 % (1 << width), width, signs == {True})
            return f"toint(…) makes a number of a word; a constant word is written {one}"
        return self._hint_for_values()

    def _hint_for_values(self) -> str:
        """What the author may have meant, where a value is used as a condition, or a condition as a value."""
        op, unfit = self.expr.op, next((kind for kind in self.types if kind in (SYMBOL, MIXED, INTEGER)), None)
        if op == "not" and unfit is not None:
            return "`!a = b` is `(!a) = b`: write `a != b` or `!(a = b)`"
        if (op in BOOLEAN_CONNECTIVES or op in TEMPORAL_OPERATORS or op in PSL_OPERATORS) and unfit is not None:
            return "compare the value with another one: `x = …`"
        if BOOLEAN in self.types and RULES[op] in (_arithmetic, _order):
            return "toint(…) makes a number of a boolean"
        return ""

    def constant(self, position: int) -> int:
        """The value of an argument that must be a constant number."""
        argument = self.expr.args[position]
        if not isinstance(argument, Constant) or not isinstance(argument.value, int):
            raise TypeProblem(f"argument {position + 1} of `{self.expr.op}` must be a constant number", self.expr.span)
        return argument.value


Rule = Callable[[Operation], StaticType]


def _logical(operation: Operation) -> StaticType:
    first = operation.types[0]
    if (first is BOOLEAN or isinstance(first, WordType)) and all(kind == first for kind in operation.types):
        return first
    raise operation.unfit("booleans, or words of one type" if len(operation.types) > 1 else "a boolean or a word")


def _arithmetic(operation: Operation) -> StaticType:
    first = operation.types[0]
    if (first is INTEGER or isinstance(first, WordType)) and all(kind == first for kind in operation.types):
        return first
    if operation.expr.op != "mod" and all(kind is INTEGER or kind is REAL for kind in operation.types):
        return REAL
    if operation.expr.op == "mod" and REAL in operation.types:
        raise operation.unfit("integers, or words of one type", "real numbers have no remainder")
    raise operation.unfit("integers, or words of one type" if len(operation.types) > 1 else "an integer or a word")


def _order(operation: Operation) -> StaticType:
    if SYMBOL in operation.types or MIXED in operation.types:
        raise operation.unfit("integers, or words of one type", "symbols have no order: compare them with = or in")
    _arithmetic(operation)
    return BOOLEAN


def _equality(operation: Operation) -> StaticType:
    common = greater(*operation.types)
    if common is None or is_set(common):
        hint = "membership in a set is written `in`" if any(map(is_set, operation.types)) else ""
        raise operation.unfit("values that can be compared", hint)
    return BOOLEAN


def _shift(operation: Operation) -> StaticType:
    word, amount = operation.types
    if not isinstance(word, WordType) or not (amount is INTEGER or (isinstance(amount, WordType) and not amount.signed)):
        raise operation.unfit("a word, and an integer or unsigned word")
    by = operation.expr.args[1]
    if isinstance(by, Constant):
        value = by.value.value if isinstance(by.value, Word) else by.value
        if isinstance(value, int) and not 0 <= value <= word.width:
            raise ModelProblem(f"a shift by {value} of a word of {word.width} bits", operation.expr.span)
    return word


def _concatenation(operation: Operation) -> StaticType:
    left, right = operation.types
    if not isinstance(left, WordType) or not isinstance(right, WordType):
        raise operation.unfit("two words", "word1(…) makes a word of a boolean" if BOOLEAN in operation.types else "")
    return WordType(left.width + right.width)


def _bits(operation: Operation) -> StaticType:
    word = operation.types[0]
    if not isinstance(word, WordType):
        raise operation.unfit("a word")
    high, low = operation.constant(1), operation.constant(2)
    if not 0 <= low <= high < word.width:
        hint = f"bits are counted from 0 to {word.width - 1}, the higher one first"
        raise ModelProblem(f"bits {high}:{low} of a word of {word.width} bits", operation.expr.span, hint=hint)
    return WordType(high - low + 1)


def _signed(operation: Operation) -> StaticType:
    word = operation.types[0]
    if isinstance(word, WordType) and not word.signed:
        return WordType(word.width, signed=True)
    raise operation.unfit("an unsigned word")


def _unsigned(operation: Operation) -> StaticType:
    word = operation.types[0]
    if isinstance(word, WordType) and word.signed:
        return WordType(word.width, signed=False)
    raise operation.unfit("a signed word")


def _resized(operation: Operation) -> StaticType:
    word = operation.types[0]
    if not isinstance(word, WordType):
        raise operation.unfit("a word")
    amount = operation.constant(1)
    width = amount if operation.expr.op == "resize" else word.width + amount
    if amount < 0 or not 0 < width <= WIDEST_WORD:
        raise ModelProblem(f"a word of {width} bits", operation.expr.span)
    return WordType(width, word.signed)


def _to_word(operation: Operation) -> StaticType:
    if operation.types[0] is BOOLEAN:
        return WordType(1)
    raise operation.unfit("a boolean")


def _to_integer(operation: Operation) -> StaticType:
    operand = operation.types[0]
    if operand is BOOLEAN or operand is INTEGER or isinstance(operand, WordType):
        return INTEGER
    raise operation.unfit("a word or a boolean")


def _to_boolean(operation: Operation) -> StaticType:
    operand = operation.types[0]
    fits = operand is INTEGER or operand is BOOLEAN or operand == WordType(1)
    if fits:
        return BOOLEAN
    raise operation.unfit("a word of one bit or an integer")


def _count(operation: Operation) -> StaticType:
    if all(kind is BOOLEAN for kind in operation.types):
        return INTEGER
    raise operation.unfit("booleans")


def _union(operation: Operation) -> StaticType:
    common: StaticType | None = set_of(operation.types[0])
    for kind in operation.types[1:]:
        whole = set_of(kind)
        common = least_common(common, whole) if common is not None and whole is not None else None
    if common is not None:
        return common
    raise operation.unfit("values that can form a set")


def _membership(operation: Operation) -> StaticType:
    left, right = map(set_of, operation.types)
    if left is not None and right is not None and greater(left, right) is not None:
        return BOOLEAN
    raise operation.unfit("sets of one type")


def _case(operation: Operation) -> StaticType:
    args, types = operation.expr.args, operation.types
    for condition, kind in zip(args[::2], types[::2]):
        if kind is not BOOLEAN:
            hint = "0 and 1 are not booleans: write FALSE and TRUE" if kind is INTEGER else ""
            raise TypeProblem(f"the condition of a case must be boolean, this is {kind}", condition.span, hint=hint)
    common = types[1]
    for value, kind in zip(args[3::2], types[3::2]):
        before, here = (set_of(common), set_of(kind)) if is_set(common) or is_set(kind) else (common, kind)
        joined = least_common(before, here) if before is not None and here is not None else None
        if joined is None:
            message = f"the branches of a case do not fit: {common} before, {kind} here"
            hint = Operation(operation.expr, [common, kind]).hint()
            raise TypeProblem(message, value.span or operation.expr.span, hint=hint)
        common = joined
    return common


def _temporal(operation: Operation) -> StaticType:
    """The operands are formulas. The bounds of bounded operators come first, and are numbers."""
    bounded = operation.expr.op in ("BG", "BF", "BH", "BO", "ABF", "ABG", "EBF", "EBG", "ABU", "EBU")
    if bounded:
        low, high = operation.constant(0), operation.constant(1)
        if not 0 <= low <= high:
            hint = "the first bound is 0 or more, the second is not below it"
            raise ModelProblem(f"the bounds {low} and {high} are not a range of steps", operation.expr.span, hint=hint)
    formulas = operation.types[2:] if bounded else operation.types
    if all(kind is BOOLEAN for kind in formulas):
        return BOOLEAN
    raise operation.unfit("a boolean" if len(formulas) == 1 else "booleans")


def _sere(operation: Operation) -> StaticType:
    """The operands are formulas, and numbers of repetitions or steps."""
    if all(kind in (BOOLEAN, INTEGER) for kind in operation.types):
        return BOOLEAN
    raise operation.unfit("booleans")


RULES: dict[str, Rule] = {
    **dict.fromkeys(PSL_OPERATORS, _sere),
    **dict.fromkeys(BOOLEAN_CONNECTIVES, _logical),
    **dict.fromkeys(("neg", "+", "-", "*", "/", "mod", "abs", "min", "max"), _arithmetic),
    **dict.fromkeys(("<", "<=", ">", ">="), _order),
    **dict.fromkeys(("=", "!="), _equality),
    **dict.fromkeys(("<<", ">>"), _shift),
    **dict.fromkeys(("extend", "resize"), _resized),
    **dict.fromkeys(("set", "union"), _union),
    "::": _concatenation,
    "bits": _bits,
    "signed": _signed,
    "unsigned": _unsigned,
    "word1": _to_word,
    "toint": _to_integer,
    "bool": _to_boolean,
    "count": _count,
    "in": _membership,
    "case": _case,
    "next": lambda operation: operation.types[0],
    **dict.fromkeys(TEMPORAL_OPERATORS, _temporal),
}
