"""Constants of bit vectors, as SMV writes them: `0ub4_1010`, `-0sd8_3`, `0h_ff`."""

from __future__ import annotations

import re
from fractions import Fraction

from coarsest.errors import SyntaxProblem
from coarsest.logic.expr import Value, Word
from coarsest.text import Span

_WORD = re.compile(r"0([us]?)([bBoOdDhH])([0-9]*)_([0-9a-fA-F_]+)")
_RADIX = {"b": 2, "o": 8, "d": 10, "h": 16}
WIDEST_WORD = 1 << 16
LONGEST_NUMBER = 1000
_BITS_PER_DIGIT = {"b": 1, "o": 3, "h": 4}


def word_constant(text: str, span: Span | None = None) -> Word:
    """The word a constant denotes.

    >>> str(word_constant("0uh8_ff")), word_constant("0sb4_1111").value
    ('0ud8_255', -1)
    """
    if len(text) > LONGEST_NUMBER:
        raise SyntaxProblem("this constant is too long", span, hint=f"at most {LONGEST_NUMBER} characters are handled")
    match = _WORD.fullmatch(text)
    if match is None:
        raise SyntaxProblem(f"`{text}` is not a word constant", span)
    sign, base, width_text, digits = match.group(1), match.group(2).lower(), match.group(3), match.group(4).replace("_", "")
    try:
        value = int(digits, _RADIX[base])
    except ValueError:
        raise SyntaxProblem(f"`{text}` has a digit that base {_RADIX[base]} does not have", span) from None
    if width_text:
        width = int(width_text) if len(width_text) < 10 else WIDEST_WORD + 1
    elif base == "d":
        hint = f"write the width after the base: 0ud8_{value}"
        raise SyntaxProblem(f"`{text}` does not say how wide it is", span, hint=hint)
    else:
        width = _BITS_PER_DIGIT[base] * len(digits)
    if not 1 <= width <= WIDEST_WORD:
        raise SyntaxProblem(f"a word of {width_text or width} bits", span, hint=f"the width is from 1 to {WIDEST_WORD}")
    # A signed decimal is the size of a number whose sign is written before it: -0sd4_8 is the least of four bits.
    largest = 1 << (width - 1) if sign == "s" and base == "d" else (1 << width) - 1
    if value > largest:
        raise SyntaxProblem(f"`{text}` does not fit into {width} bits", span, hint=f"it needs {value.bit_length()}")
    return Word(value, width, sign == "s")


def negated(value: Value) -> Value:
    """A number or a word with the opposite sign."""
    if isinstance(value, Word):
        return Word.of(-value.value, value.width, signed=value.signed)
    assert isinstance(value, int | Fraction)
    return -value


def integer_constant(text: str, span: Span | None = None) -> int:
    """The value of a row of digits."""
    if len(text) > LONGEST_NUMBER:
        raise SyntaxProblem("this number is too large", span, hint=f"at most {LONGEST_NUMBER} digits are handled")
    return int(text)
