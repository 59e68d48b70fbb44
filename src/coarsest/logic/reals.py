"""Exact constants of real numbers in the syntax of nuXmv: `0.5`, `2e-3`, `f'1/3`."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from coarsest.errors import SyntaxProblem
from coarsest.logic.words import LONGEST_NUMBER
from coarsest.text import Span

_REAL = re.compile(r"[fF]'([0-9]+)/([0-9]+)|[0-9]+(?:\.[0-9]+)?(?:[eE]([+-]?[0-9]+))?")
_MOST_DECIMALS: Final = 6
"""Numbers with more digits after the point are written as fractions."""


def real_constant(text: str, span: Span | None = None) -> Fraction:
    """The number that a constant denotes.

    >>> real_constant("1.25"), real_constant("f'2/6"), real_constant("5e-1")
    (Fraction(5, 4), Fraction(1, 3), Fraction(1, 2))
    """
    match = _REAL.fullmatch(text)
    assert match is not None, text
    above, below, exponent = match.groups()
    if len(text) > LONGEST_NUMBER or (exponent is not None and (len(exponent) > 4 or abs(int(exponent)) > LONGEST_NUMBER)):
        raise SyntaxProblem("this number is too long", span, hint=f"at most {LONGEST_NUMBER} digits are handled")
    if above is None:
        return Fraction(text)
    if int(below) == 0:
        raise SyntaxProblem(f"`{text}` divides by zero", span)
    return Fraction(int(above), int(below))


def show_real(value: Fraction) -> str:
    """A real number as SMV text: as a short decimal if possible, and otherwise as a fraction.

    >>> show_real(Fraction(5, 4)), show_real(Fraction(2)), show_real(Fraction(-1, 3))
    ('1.25', '2.0', "-f'1/3")
    """
    scaled = abs(value) * 10**_MOST_DECIMALS
    sign = "-" if value < 0 else ""
    if scaled.denominator != 1:
        return f"{sign}f'{abs(value.numerator)}/{value.denominator}"
    whole, decimals = divmod(scaled.numerator, 10**_MOST_DECIMALS)
    shown = f"{decimals:0{_MOST_DECIMALS}d}".rstrip("0")
    return f"{sign}{whole}.{shown or '0'}"
