"""Constants of bit vectors in the syntax of SMV: `0ub4_1010`, `-0sd8_3`, `0h_ff`."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from coarsest.errors import SyntaxProblem
from coarsest.logic.expr import Value, Word
from coarsest.text import Span

_WORD = re.compile(r"0([us]?)([bBoOdDhH])([0-9]*)_([0-9a-fA-F_]+)")
_RADIX = {"b": 2, "o": 8, "d": 10, "h": 16}
WIDEST_WORD: Final = 1 << 16
"""Words with more bits are refused."""
LONGEST_NUMBER: Final = 1000
"""Numbers with more digits are refused."""
LONGEST_SHOWN: Final = 60
"""Messages show this many characters of a constant."""
_BITS_PER_DIGIT = {"b": 1, "o": 3, "h": 4}


def word_constant(text: str, span: Span | None = None) -> Word:
    """The word that a constant denotes.

    >>> str(word_constant("0uh8_ff")), word_constant("0sb4_1111").value
    ('0ud8_255', -1)
    """
    shown = text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"
    match = _WORD.fullmatch(text)
    if match is None:
        raise SyntaxProblem(f"`{shown}` is not a word constant", span)
    sign, base, width_text, digits = match.group(1), match.group(2).lower(), match.group(3), match.group(4).replace("_", "")
    try:
        value = number_of_digits(digits, _RADIX[base], span)
    except ValueError:
        raise SyntaxProblem(f"`{shown}` has a digit that base {_RADIX[base]} does not have", span) from None
    if width_text:
        width = int(width_text) if len(width_text) < 10 else WIDEST_WORD + 1
    elif base == "d":
        hint = "write the width after the base: 0ud8_5"
        raise SyntaxProblem(f"`{shown}` has no width", span, hint=hint)
    else:
        width = _BITS_PER_DIGIT[base] * len(digits)
    if not 1 <= width <= WIDEST_WORD:
        given = width_text[:LONGEST_SHOWN] or width
        raise SyntaxProblem(f"a word of {given} bits", span, hint=f"the width is from 1 to {WIDEST_WORD}")
    # A signed decimal is the absolute value of a number whose sign is before it: -0sd4_8 is the least number of four bits.
    largest = 1 << (width - 1) if sign == "s" and base == "d" else (1 << width) - 1
    if value > largest:
        raise SyntaxProblem(f"`{shown}` does not fit into {width} bits", span, hint=f"it needs {value.bit_length()}")
    return Word(value, width, sign == "s")


def negated(value: Value) -> Value:
    """A number or a word with the opposite sign."""
    if isinstance(value, Word):
        return Word.of(-value.value, value.width, signed=value.signed)
    assert isinstance(value, int | Fraction)
    return -value


def integer_constant(text: str, span: Span | None = None) -> int:
    """The value of a sequence of digits."""
    if len(text) > LONGEST_NUMBER:
        raise SyntaxProblem("this number is too large", span, hint=f"at most {LONGEST_NUMBER} digits are handled")
    return int(text)


def number_of_digits(digits: str, base: int, span: Span | None = None) -> int:
    """The value of a sequence of digits of a base. Without leading zeros, there are no more digits than the widest word has bits.

    >>> number_of_digits("1f", 16), number_of_digits("0101", 2), number_of_digits("9" * 5000, 10) == 10**5000 - 1
    (31, 5, True)
    """
    digits = digits.lstrip("0") or "0"
    if len(digits) > WIDEST_WORD:
        raise SyntaxProblem("this number is too long", span, hint=f"at most {WIDEST_WORD} digits are handled")
    if base != 10:
        return int(digits, base)
    value = 0
    for start in range(0, len(digits), LONGEST_NUMBER):  # Python limits the number of decimal digits that it reads at once
        piece = digits[start : start + LONGEST_NUMBER]
        value = value * 10 ** len(piece) + int(piece)
    return value
