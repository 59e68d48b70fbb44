"""Texts by eight bytes at once, as parts of kernels: where a byte stands among them, and the number that digits mean.

The first of eight bytes is the lowest of a word, as on all processors that kernels are compiled for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from coarsest._kernels.compile import inlined

Text = NDArray[np.uint8]

WORD = 8
ONES, HIGH = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
_code: Any = cgutils


def _loading(_typing: Any, text: Any, place: Any) -> Any:
    """The code for it: the bytes may lie anywhere."""

    def generate(context: Any, builder: Any, call: Any, arguments: Any) -> Any:
        kind = call.args[0]
        parts = context.make_array(kind)(context, builder, arguments[0])
        byte = _code.get_item_pointer(context, builder, kind, parts, [arguments[1]], wraparound=False)
        return builder.load(builder.bitcast(byte, ir.IntType(64).as_pointer()), align=1)

    return types.uint64(text, types.intp), generate


def _counting(_typing: Any, word: Any) -> Any:
    """The code for it."""

    def generate(_context: Any, builder: Any, _call: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), generate


word_at: Callable[[Text, int], np.uint64] = cast("Any", intrinsic(_loading))
"""Eight bytes from a place on, which must be there."""
low_zeros: Callable[[np.uint64], np.uint64] = cast("Any", intrinsic(_counting))
"""How many bits are zero before the first that is not; 64 if all are."""


@inlined
def bytes_equal(word: np.uint64, byte: int) -> np.uint64:
    """The high bit of the first byte of a word that is equal to a given one, and perhaps of later ones; 0 if none is."""
    other = word ^ (ONES * np.uint64(byte))
    return (other - ONES) & ~other & HIGH


@inlined
def digits_of(word: np.uint64) -> tuple[int, int]:
    """With how many digits a word begins, and their value, which is right if they are at most seven."""
    values = word ^ np.uint64(0x3030303030303030)
    ends = (values | (values + np.uint64(0x7676767676767676))) & HIGH
    number = int(low_zeros(ends) >> np.uint64(3))
    if number == 0 or number == WORD:
        return number, 0
    values <<= np.uint64(8 * (WORD - number))
    values = ((values & np.uint64(0x0F0F0F0F0F0F0F0F)) * np.uint64(2561)) >> np.uint64(8)
    values = ((values & np.uint64(0x00FF00FF00FF00FF)) * np.uint64(6553601)) >> np.uint64(16)
    values = ((values & np.uint64(0x0000FFFF0000FFFF)) * np.uint64(42949672960001)) >> np.uint64(32)
    return number, int(values)
