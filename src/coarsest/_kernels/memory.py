"""Memory that is fetched before it is needed, and memory in large pages.

Reading a random element of a large array takes a hundred times as long as a step of computation. But many elements can be fetched
at once, and which ones come next is often known long before. Large pages make it faster to find where an element is.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Final, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from coarsest._kernels.compile import inlined

Numbers = NDArray[np.signedinteger[Any]]

AHEAD: Final = 48
"""While one element is looked at, the element this many places later is fetched."""
ROWS_AHEAD: Final = 8
"""Fetching a row takes three steps: where it begins, where it leads, and the values there. Each step is this many rows ahead."""
FETCHED_OF_A_ROW: Final = 16
"""At most this many entries of a row are fetched ahead."""
CACHE_BYTES: Final = 1 << 18
"""Arrays up to this size are taken to be in the cache."""
SAMPLED_ROWS: Final = 1000

PAGE_BYTES: Final = 4096
LARGE_PAGE_BYTES: Final = 4 << 20
"""Arrays of at least this size are put into large pages."""
MADV_HUGEPAGE: Final = 14
"""The number by which Linux is asked for large pages."""
_HAS_LARGE_PAGES = sys.platform == "linux"
_types: Any = types
_advise: Any = types.ExternalFunction("madvise", _types.intc(types.uintp, types.uintp, types.intc))
_code: Any = cgutils


def _fetching(_typing: Any, array: Any, index: Any) -> Any:
    """Generate the code for `prefetch`, an instruction of the processor that has no name in Python."""

    def generate(context: Any, builder: Any, call: Any, arguments: Any) -> Any:
        kind = call.args[0]
        parts = context.make_array(kind)(context, builder, arguments[0])
        place = _code.get_item_pointer(context, builder, kind, parts, [arguments[1]], wraparound=False)
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        shape = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        function = _code.get_or_insert_function(builder.module, shape, "llvm.prefetch.p0")
        builder.call(function, [builder.bitcast(place, byte), number(0), number(3), number(1)])  # to read, to keep, data
        return context.get_dummy_value()

    return types.void(array, types.intp), generate


prefetch: Callable[[NDArray[Any], Any], None] = cast("Any", intrinsic(_fetching))
"""Begin to fetch an element of an array into the cache, without waiting for it."""


@inlined
def prefetch_row(rows: Numbers, at: int, end: int, offsets: Numbers, columns: Numbers, values: NDArray[Any]) -> None:
    """While the row `rows[at]` is looked at, fetch what three later rows before `end` need: the beginning of one, the columns of
    another, and the `values` of a third."""
    if at + 3 * ROWS_AHEAD < end:
        prefetch(offsets, rows[at + 3 * ROWS_AHEAD])
        prefetch(columns, offsets[rows[at + 2 * ROWS_AHEAD]])
        begin = offsets[rows[at + ROWS_AHEAD]]
        for index in range(begin, min(offsets[rows[at + ROWS_AHEAD] + 1], begin + FETCHED_OF_A_ROW)):
            prefetch(values, columns[index])


@inlined
def scattered(offsets: Numbers, columns: Numbers, values: NDArray[Any]) -> bool:
    """Do neighbouring rows lead to entries of `values` that are far apart, and is `values` too large for the cache? Judged by a
    sample."""
    far, tried = 0, 0
    if values.nbytes > CACHE_BYTES:
        for row in range(0, len(offsets) - 2, max(1, len(offsets) // SAMPLED_ROWS)):
            middle = offsets[row + 1]
            for at in range(min(middle - offsets[row], offsets[row + 2] - middle)):
                tried += 1
                far += abs(columns[offsets[row] + at] - columns[middle + at]) * values.itemsize > PAGE_BYTES
    return 4 * far > tried


@inlined
def room(number: int, kind: Any) -> Any:
    """An array with arbitrary contents, in large pages if it is large enough."""
    array = np.empty(number, dtype=kind)
    if _HAS_LARGE_PAGES and array.nbytes >= LARGE_PAGE_BYTES:
        begin = (array.ctypes.data + PAGE_BYTES - 1) // PAGE_BYTES * PAGE_BYTES
        end = (array.ctypes.data + array.nbytes) // PAGE_BYTES * PAGE_BYTES
        _advise(begin, end - begin, MADV_HUGEPAGE)
    return array
