"""Conditions on variables that say what the bits of their codes are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from coarsest.encode.layout import code_of
from coarsest.logic.expr import FALSE, Apply, Constant, Expr, Name, Word, conjunction
from coarsest.model.machine import Variable
from coarsest.model.types import Boolean, Range, WordType

FEW_VALUES: Final = 64
"""The values of a variable with at most this many are listed; for other variables, bits are tested."""


def about_bits(variable: Variable, places: Mapping[int, bool]) -> Expr:
    """Some bits of the code of a variable, by their places, have these values."""
    here = Name(variable.name)
    if isinstance(variable.type, Boolean):
        return here if places[0] else Apply("not", (here,))
    if variable.type.size <= FEW_VALUES or not isinstance(variable.type, WordType | Range):
        values = [Constant(v) for v in variable.type.values() if _agrees(code_of(variable.type, v), places)]
        if isinstance(variable.type, WordType):
            tests: list[Expr] = [Apply("=", (here, v)) for v in values]
            return Apply("or", tuple(tests)) if len(tests) > 1 else tests[0] if tests else FALSE
        return is_one_of(here, values) if values else FALSE
    tests = []
    for place, value in places.items():
        if isinstance(variable.type, WordType):
            bit: Expr = Apply("bits", (here, Constant(place), Constant(place)))
            tests.append(Apply("=", (bit, Constant(Word(int(value), 1, False)))))
        else:
            assert isinstance(variable.type, Range)
            away = Apply("-", (here, Constant(variable.type.low)))
            bit = Apply("mod", (Apply("/", (away, Constant(1 << place))), Constant(2)))
            tests.append(Apply("=", (bit, Constant(int(value)))))
    return conjunction(tests)


def _agrees(code: int, places: Mapping[int, bool]) -> bool:
    return all(bool(code >> place & 1) == value for place, value in places.items())


def is_one_of(selector: Expr, values: Sequence[Expr]) -> Expr:
    """The selector has one of the values, and there is at least one."""
    return Apply("=", (selector, values[0])) if len(values) == 1 else Apply("in", (selector, Apply("set", tuple(values))))
