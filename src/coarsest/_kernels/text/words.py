"""Parts of kernels that read and write texts by eight or sixteen bytes at once.

The first of eight bytes is the lowest of a word, as on all processors that kernels are compiled for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from coarsest._kernels.compile import inlined

Text = NDArray[np.uint8]

WORD: Final = 8
BLOCK: Final = 16
ONES, HIGH = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
_code: Any = cgutils


def _loading(_typing: Any, text: Any, place: Any) -> Any:
    """Generate the code, for bytes that may lie anywhere."""

    def generate(context: Any, builder: Any, call: Any, arguments: Any) -> Any:
        kind = call.args[0]
        parts = context.make_array(kind)(context, builder, arguments[0])
        byte = _code.get_item_pointer(context, builder, kind, parts, [arguments[1]], wraparound=False)
        return builder.load(builder.bitcast(byte, ir.IntType(64).as_pointer()), align=1)

    return types.uint64(text, types.intp), generate


def _storing(_typing: Any, text: Any, place: Any, word: Any) -> Any:
    """Generate the code, for bytes that may lie anywhere."""

    def generate(context: Any, builder: Any, call: Any, arguments: Any) -> Any:
        kind = call.args[0]
        parts = context.make_array(kind)(context, builder, arguments[0])
        byte = _code.get_item_pointer(context, builder, kind, parts, [arguments[1]], wraparound=False)
        builder.store(arguments[2], builder.bitcast(byte, ir.IntType(64).as_pointer()), align=1)
        return context.get_dummy_value()

    return types.void(text, types.intp, types.uint64), generate


def _marking(_typing: Any, text: Any, place: Any, byte: Any) -> Any:
    """Generate the code, which compares sixteen bytes at once."""

    def generate(context: Any, builder: Any, call: Any, arguments: Any) -> Any:
        kind = call.args[0]
        parts = context.make_array(kind)(context, builder, arguments[0])
        first = _code.get_item_pointer(context, builder, kind, parts, [arguments[1]], wraparound=False)
        many = ir.VectorType(ir.IntType(8), BLOCK)
        sixteen = builder.load(builder.bitcast(first, many.as_pointer()), align=1)
        sought = builder.trunc(arguments[2], ir.IntType(8))
        lanes = builder.insert_element(ir.Constant(many, ir.Undefined), sought, ir.IntType(32)(0))
        order = ir.Constant(ir.VectorType(ir.IntType(32), BLOCK), [ir.IntType(32)(0)] * BLOCK)
        every = builder.shuffle_vector(lanes, ir.Constant(many, ir.Undefined), order)
        equal = builder.icmp_unsigned("==", sixteen, every)
        return builder.zext(builder.bitcast(equal, ir.IntType(BLOCK)), ir.IntType(64))

    return types.uint64(text, types.intp, types.intp), generate


def _copying(_typing: Any, source: Any, begin: Any, target: Any, place: Any) -> Any:
    """Generate the code, which copies sixteen bytes at once. They may lie anywhere."""

    def generate(context: Any, builder: Any, call: Any, arguments: Any) -> Any:
        many = ir.VectorType(ir.IntType(8), BLOCK).as_pointer()
        places = []
        for number in (0, 2):
            parts = context.make_array(call.args[number])(context, builder, arguments[number])
            byte = _code.get_item_pointer(context, builder, call.args[number], parts, [arguments[number + 1]], wraparound=False)
            places.append(builder.bitcast(byte, many))
        builder.store(builder.load(places[0], align=1), places[1], align=1)
        return context.get_dummy_value()

    return types.void(source, types.intp, target, types.intp), generate


def _comparing(_typing: Any, text: Any, first: Any, other: Any) -> Any:
    """Generate the code, which compares sixteen bytes at once."""

    def generate(context: Any, builder: Any, call: Any, arguments: Any) -> Any:
        many = ir.VectorType(ir.IntType(8), BLOCK)
        parts = context.make_array(call.args[0])(context, builder, arguments[0])
        blocks = []
        for place in arguments[1:]:
            byte = _code.get_item_pointer(context, builder, call.args[0], parts, [place], wraparound=False)
            blocks.append(builder.load(builder.bitcast(byte, many.as_pointer()), align=1))
        equal = builder.bitcast(builder.icmp_unsigned("==", *blocks), ir.IntType(BLOCK))
        return builder.icmp_unsigned("==", equal, ir.Constant(ir.IntType(BLOCK), (1 << BLOCK) - 1))

    return types.boolean(text, types.intp, types.intp), generate


def _counting(_typing: Any, word: Any) -> Any:
    """Generate the code."""

    def generate(_context: Any, builder: Any, _call: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), generate


word_at: Callable[[Text, int], np.uint64] = cast("Any", intrinsic(_loading))
"""Eight bytes from a place on, which must be there."""
put_word: Callable[[Text, int, np.uint64], None] = cast("Any", intrinsic(_storing))
"""Write eight bytes from a place on, for which there must be room."""
block_equal: Callable[[Text, int, int], np.uint64] = cast("Any", intrinsic(_marking))
"""A bit for each of the sixteen bytes from a place on, which must be there: it is 1 where they are equal to a given one."""
copy_block: Callable[[Text, int, Text, int], None] = cast("Any", intrinsic(_copying))
"""Copy sixteen bytes from a place on, which must be there, to where there must be room for them."""
blocks_same: Callable[[Text, int, int], bool] = cast("Any", intrinsic(_comparing))
"""Whether the sixteen bytes from two places on, which must be there, are the same."""
low_zeros: Callable[[np.uint64], np.uint64] = cast("Any", intrinsic(_counting))
"""How many bits are zero before the first that is not; 64 if all are."""


@inlined
def place_of(text: Text, place: int, end: int, byte: int) -> int:
    """The next position of a byte, or the end."""
    while place + BLOCK <= end:
        marks = block_equal(text, place, byte)
        if marks:
            return place + int(low_zeros(marks))
        place += BLOCK
    while place < end and text[place] != byte:
        place += 1
    return place


@inlined
def copy_words(source: Text, begin: int, end: int, target: Text, place: int) -> None:
    """Copy `source[begin:end]` by words; up to seven bytes behind it may change, for which there must be room."""
    while begin + WORD <= len(source) and begin < end:
        put_word(target, place, word_at(source, begin))
        begin += WORD
        place += WORD
    while begin < end:
        target[place] = source[begin]
        begin += 1
        place += 1


@inlined
def copy_blocks(source: Text, begin: int, end: int, target: Text, place: int) -> None:
    """Copy `source[begin:end]` by sixteen bytes; up to fifteen bytes behind it may change, for which there must be room."""
    while begin + BLOCK <= len(source) and begin < end:
        copy_block(source, begin, target, place)
        begin += BLOCK
        place += BLOCK
    while begin < end:
        target[place] = source[begin]
        begin += 1
        place += 1


@inlined
def digits_word(value: np.uint64) -> tuple[np.uint64, int]:
    """The digits of a number below 10^8, where the first digit is the lowest byte, and how many there are."""
    halves = (value // np.uint64(10000)) | ((value % np.uint64(10000)) << np.uint64(32))
    hundreds = ((halves * np.uint64(10486)) >> np.uint64(20)) & np.uint64(0x0000007F0000007F)
    pairs = hundreds | ((halves - hundreds * np.uint64(100)) << np.uint64(16))
    tens = ((pairs * np.uint64(103)) >> np.uint64(10)) & np.uint64(0x000F000F000F000F)
    digits = tens | ((pairs - tens * np.uint64(10)) << np.uint64(8))
    leading = min(low_zeros(digits) >> np.uint64(3), np.uint64(WORD - 1))
    return (digits | np.uint64(0x3030303030303030)) >> (leading << np.uint64(3)), WORD - int(leading)


@inlined
def digits_of(word: np.uint64) -> tuple[int, int]:
    """The number of digits with which a word begins, and their value, which is right for at most seven digits."""
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
