"""Memory asked for before it is needed, and in large pages.

A look here or there into large arrays takes a hundred times as long as a step of computation, but many looks can be under way at
once, and where the next ones go is often known long before. In large pages less is looked up to find where an element is.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from coarsest._kernels.compile import inlined

Numbers = NDArray[np.signedinteger[Any]]

AHEAD = 48
"""Memory for elements in order is asked for so many elements ahead."""
ROWS_AHEAD = 8
"""To ask for rows here and there takes three steps, each so many rows before the next."""
MOST_OF_ROW = 16
CACHE, SAMPLE = 1 << 18, 1000

PAGE, WORTH_LARGE_PAGES, LARGE_PAGES = 4096, 4 << 20, 14
_HAS_LARGE_PAGES = sys.platform == "linux"
_types: Any = types
_advise: Any = types.ExternalFunction("madvise", _types.intc(types.uintp, types.uintp, types.intc))
_code: Any = cgutils


def _fetching(_typing: Any, array: Any, index: Any) -> Any:
    """The code for it: an instruction of the processor that has no name in Python."""

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
"""Begin to fetch an element of an array into the cache; nothing waits for it."""


@inlined
def prefetch_row(rows: Numbers, at: int, end: int, offsets: Numbers, columns: Numbers, values: NDArray[Any]) -> None:
    """While the row `rows[at]` is looked at, fetch what is needed for later ones before `end`: for one where it begins, for
    another where it leads, for a third the `values` there."""
    if at + 3 * ROWS_AHEAD < end:
        prefetch(offsets, rows[at + 3 * ROWS_AHEAD])
        prefetch(columns, offsets[rows[at + 2 * ROWS_AHEAD]])
        begin = offsets[rows[at + ROWS_AHEAD]]
        for index in range(begin, min(offsets[rows[at + ROWS_AHEAD] + 1], begin + MOST_OF_ROW)):
            prefetch(values, columns[index])


@inlined
def scattered(offsets: Numbers, columns: Numbers, values: NDArray[Any]) -> bool:
    """Do rows beside one another lead to places far apart among `values`, which are too many for the cache? Some are tried."""
    far, tried = 0, 0
    if values.nbytes > CACHE:
        for row in range(0, len(offsets) - 2, max(1, len(offsets) // SAMPLE)):
            middle = offsets[row + 1]
            for at in range(min(middle - offsets[row], offsets[row + 2] - middle)):
                tried += 1
                far += abs(columns[offsets[row] + at] - columns[middle + at]) * values.itemsize > PAGE
    return 4 * far > tried


@inlined
def room(number: int, kind: Any) -> Any:
    """An array with any contents, in large pages if it is worth it."""
    array = np.empty(number, dtype=kind)
    if _HAS_LARGE_PAGES and array.nbytes >= WORTH_LARGE_PAGES:
        begin = (array.ctypes.data + PAGE - 1) // PAGE * PAGE
        end = (array.ctypes.data + array.nbytes) // PAGE * PAGE
        _advise(begin, end - begin, LARGE_PAGES)
    return array
