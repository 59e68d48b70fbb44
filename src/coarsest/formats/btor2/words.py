"""The operators of BTOR2 on bit vectors, expressed by our operators on words.

A bit vector of one bit is a boolean, a wider one an unsigned word; operators that have no boolean form convert to `word1` and
back. A case gives the values that BTOR2 defines and our words do not (division by zero, shifts by more than the width).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from coarsest.formats.btor2.shapes import COMPARISONS, OVERFLOWS, REDUCTIONS
from coarsest.formats.netlist import parity
from coarsest.logic.expr import FALSE, TRUE, Apply, Constant, Expr, Word

REPEATING = frozenset(
    {"sdiv", "udiv", "smod", "srem", "urem", "rol", "ror", "sll", "sra", "srl", "redxor"}
    | {"saddo", "uaddo", "sdivo", "smulo", "umulo", "ssubo"}
)
"""Operators whose operands are written several times, so that these should be names or constants."""
_LOGICAL = {"nand": "and", "nor": "or", **{tag: tag for tag in ("and", "or", "xor", "xnor", "implies", "iff")}}
_ORDER = {"gt": ">", "gte": ">=", "lt": "<", "lte": "<="}
_ARITHMETIC = {"add": "+", "sub": "-", "mul": "*"}

Define = Callable[[Expr], Expr]
"""A name for an expression that is needed several times."""


def constant(bits: int, width: int) -> Expr:
    return Constant(Word(bits, width)) if width > 1 else TRUE if bits else FALSE


def negated(value: Expr) -> Expr:
    if isinstance(value, Constant):
        if isinstance(value.value, Word):
            return Constant(Word.of(~value.value.bits, value.value.width, signed=False))
        return FALSE if value.value else TRUE
    return Apply("not", (value,))


def choice(condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    return Apply("case", (condition, then, TRUE, otherwise))


def applied(tag: str, values: Sequence[Expr], widths: Sequence[int], parameters: Sequence[int], define: Define) -> Expr:
    """The value of an operator on operands with these widths."""
    if tag in _LOGICAL:
        combined = Apply(_LOGICAL[tag], tuple(values))
        return Apply("not", (combined,)) if tag in ("nand", "nor") else combined
    match tag:
        case "not":
            return negated(values[0])
        case "ite":
            return choice(*values)
        case "eq" | "neq":
            return Apply("=" if tag == "eq" else "!=", tuple(values))
        case "sext" | "uext" if parameters[0] == 0:
            return values[0]
    words = [value if width > 1 else Constant(Word(int(bool(value.value)), 1)) if isinstance(value, Constant)
             else Apply("word1", (value,)) for value, width in zip(values, widths)]  # fmt: skip
    width = widths[0]
    if tag in COMPARISONS:
        signed = tag.startswith("s")
        return Apply(_ORDER[tag[1:]], tuple(_signed(word) if signed else word for word in words))
    if tag in REDUCTIONS:
        return _reduction(tag, words[0], width)
    if tag in OVERFLOWS:
        return _overflow(tag, words[0], words[1], width, define)
    if tag in ("sext", "uext", "slice", "concat"):
        return _reshaped(tag, words, parameters)
    value = _arithmetic(tag, words, width, define)
    return _as_boolean(value) if width == 1 else value


def _as_boolean(word: Expr) -> Expr:
    return Apply("bool", (word,))


def _number(value: int, width: int) -> Expr:
    return Constant(Word.of(value, width, signed=False))


def _signed(word: Expr) -> Expr:
    return Apply("signed", (word,))


def _unsigned(word: Expr) -> Expr:
    return Apply("unsigned", (word,))


def _bits(word: Expr, high: int, low: int) -> Expr:
    return Apply("bits", (word, Constant(high), Constant(low)))


def bit(word: Expr, index: int) -> Expr:
    """A bit of a word, as a condition."""
    return _as_boolean(_bits(word, index, index))


def _extended(word: Expr, more: int, *, signed: bool) -> Expr:
    if not signed:
        return Apply("extend", (word, Constant(more)))
    return _unsigned(Apply("extend", (_signed(word), Constant(more))))


def _reshaped(tag: str, words: Sequence[Expr], parameters: Sequence[int]) -> Expr:
    match tag:
        case "slice":
            high, low = parameters
            return bit(words[0], low) if high == low else _bits(words[0], high, low)
        case "concat":
            return Apply("::", (words[0], words[1]))
    return _extended(words[0], parameters[0], signed=tag == "sext")


def _reduction(tag: str, word: Expr, width: int) -> Expr:
    match tag:
        case "redand":
            return Apply("=", (word, _number(-1, width)))
        case "redor":
            return Apply("!=", (word, _number(0, width)))
    return parity([bit(word, index) for index in range(width)])


# Arithmetic


def _arithmetic(tag: str, words: Sequence[Expr], width: int, define: Define) -> Expr:
    one = _number(1, width)
    match tag:
        case "inc":
            return Apply("+", (words[0], one))
        case "dec":
            return Apply("-", (words[0], one))
        case "neg":
            return Apply("neg", (words[0],))
        case "sll" | "srl" | "sra":
            return _shift(tag, words[0], words[1], width)
        case "rol" | "ror":
            return _rotation(tag, words[0], words[1], width, define)
        case "udiv" | "urem" | "sdiv" | "srem":
            return _division(tag, words[0], words[1], width)
        case "smod":
            return _modulus(words[0], words[1], width, define)
    return Apply(_ARITHMETIC[tag], tuple(words))


def _shift(tag: str, word: Expr, amount: Expr, width: int) -> Expr:
    def by(distance: Expr) -> Expr:
        if tag == "sra":
            return _unsigned(Apply(">>", (_signed(word), distance)))
        return Apply("<<" if tag == "sll" else ">>", (word, distance))

    if isinstance(amount, Constant) and isinstance(amount.value, Word):
        return by(Constant(min(amount.value.bits, width)))
    if (1 << width) - 1 <= width:
        return by(amount)
    return choice(Apply("<", (amount, _number(width, width))), by(amount), by(Constant(width)))


def _rotation(tag: str, word: Expr, amount: Expr, width: int, define: Define) -> Expr:
    """Two shifts, by the distance and by the rest of the width."""
    size = _number(width, width)
    if isinstance(amount, Constant) and isinstance(amount.value, Word):
        distance: Expr = Constant(amount.value.bits % width)
        rest: Expr = Constant(width - amount.value.bits % width)
    else:
        distance = define(Apply("mod", (amount, size)))
        rest = Apply("-", (size, distance))
    forward, back = ("<<", ">>") if tag == "rol" else (">>", "<<")
    return Apply("or", (Apply(forward, (word, distance)), Apply(back, (word, rest))))


def _division(tag: str, dividend: Expr, divisor: Expr, width: int) -> Expr:
    """Division. By zero, as in SMT-LIB, the quotient is all ones (1 for a negative dividend), and the rest is the dividend."""
    by_zero = dividend
    if tag == "udiv":
        by_zero = _number(-1, width)
    elif tag == "sdiv":
        by_zero = choice(bit(dividend, width - 1), _number(1, width), _number(-1, width))
    operator = "/" if tag.endswith("div") else "mod"
    if tag.startswith("s"):
        value = _unsigned(Apply(operator, (_signed(dividend), _signed(divisor))))
    else:
        value = Apply(operator, (dividend, divisor))
    return choice(Apply("=", (divisor, _number(0, width))), by_zero, value)


def _modulus(dividend: Expr, divisor: Expr, width: int, define: Define) -> Expr:
    """The remainder with the sign of the divisor."""
    rest = define(_division("srem", dividend, divisor, width))
    zero, sign = _number(0, width), width - 1
    agree = Apply("iff", (bit(rest, sign), bit(divisor, sign)))
    as_it_is = Apply("or", (Apply("=", (divisor, zero)), Apply("=", (rest, zero)), agree))
    return choice(as_it_is, rest, Apply("+", (rest, divisor)))


# Overflow


def _overflow(tag: str, a: Expr, b: Expr, width: int, define: Define) -> Expr:
    def wide(operator: str, more: int) -> Expr:
        signed = tag.startswith("s")
        return Apply(operator, (_extended(a, more, signed=signed), _extended(b, more, signed=signed)))

    match tag:
        case "uaddo":
            return Apply("<", (Apply("+", (a, b)), a))
        case "usubo":
            return Apply("<", (a, b))
        case "umulo":
            return Apply("!=", (_bits(wide("*", width), 2 * width - 1, width), _number(0, width)))
        case "smulo":  # with twice the width, the upper half and the sign of the lower half are not all equal
            upper = define(_bits(wide("*", width), 2 * width - 1, width - 1))
            return Apply("and", tuple(Apply("!=", (upper, _number(extreme, width + 1))) for extreme in (0, -1)))
        case "sdivo":  # only the least number, divided by minus one, is too large
            least = Apply("=", (a, _number(1 << (width - 1), width)))
            return Apply("and", (least, Apply("=", (b, _number(-1, width)))))
    total = define(wide("+" if tag == "saddo" else "-", 1))  # with one bit more, its two upper bits differ
    return Apply("xor", (bit(total, width), bit(total, width - 1)))


# Arrays


def element(elements: Sequence[Expr], index: Expr) -> Expr:
    """The element at an index, chosen bit by bit."""
    if isinstance(index, Constant):
        return elements[index.value.bits if isinstance(index.value, Word) else int(bool(index.value))]
    if len(elements) == 2:
        return choice(index, elements[1], elements[0])
    row = list(elements)
    for k in range(len(elements).bit_length() - 1):
        upper = bit(index, k)
        row = [choice(upper, high, low) if high is not low else low for low, high in zip(row[::2], row[1::2])]
    return row[0]


def with_element(elements: Sequence[Expr], index: Expr, value: Expr) -> list[Expr]:
    """All elements after the element at an index has been replaced."""
    width = len(elements).bit_length() - 1
    if isinstance(index, Constant):
        written = index.value.bits if isinstance(index.value, Word) else int(bool(index.value))
        return [value if k == written else old for k, old in enumerate(elements)]
    if width == 1:
        return [choice(index, elements[0], value), choice(index, value, elements[1])]
    return [choice(Apply("=", (index, _number(k, width))), value, old) for k, old in enumerate(elements)]
