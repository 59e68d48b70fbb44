"""Columns of numbers for kernels, without NumPy: loading NumPy takes as long as reducing a graph of 10^6 transitions."""

from __future__ import annotations

import ctypes
import mmap
import os
import sys
from array import array
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from typing import Any, Final, Self

NUMBERS: dict[str, Any] = {
    "b1": ctypes.c_bool, "i1": ctypes.c_int8, "i2": ctypes.c_int16, "i4": ctypes.c_int32, "i8": ctypes.c_int64,
    "u1": ctypes.c_uint8, "u2": ctypes.c_uint16, "u4": ctypes.c_uint32, "u8": ctypes.c_uint64, "f8": ctypes.c_double,
}  # fmt: skip
CODES = {"u1": "B", "i4": "i", "i8": "q"}

LARGE_PAGE: Final = 2 << 20
"""The bytes of a large page. Longer columns are put into large pages, where the system has them: a large page takes as long to
get as a few small ones."""


@cache
def allocator() -> tuple[Any, Any]:
    """The functions of the C library that allocate memory filled with zeros, and free it."""
    system = ctypes.CDLL(None) if os.name == "posix" else ctypes.CDLL("msvcrt")
    take = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t)(("calloc", system))
    give_back = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(("free", system))
    return take, give_back


def _pages(size: int) -> tuple[mmap.mmap, int]:
    """A piece of memory filled with zeros, and the address of its first large page. A rest of less than half a large page is in
    small pages. Raises OSError."""
    memory = mmap.mmap(-1, size + 2 * LARGE_PAGE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    begin = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    shift = -begin % LARGE_PAGE
    memory.madvise(mmap.MADV_HUGEPAGE, shift, (size + LARGE_PAGE // 2) // LARGE_PAGE * LARGE_PAGE)
    return memory, begin + shift


class Column:
    """Numbers of one kind, all zero at first. With a breadth, it is a matrix of that many columns."""

    __slots__ = ("_owner", "address", "kind", "shape", "width")

    def __init__(self, number: str, length: int, breadth: int = 0) -> None:
        """Raises MemoryError."""
        self._owner: Any = None
        self.address = 0
        self.shape = (length, breadth) if breadth else (length,)
        self.width = int(number[1])
        self.kind = f"{number}.{len(self.shape)}C"
        size = length * max(1, breadth) * self.width
        with suppress(OSError):
            if size >= LARGE_PAGE and hasattr(mmap, "MADV_HUGEPAGE"):
                self._owner, self.address = _pages(size)
        self.address = self.address or allocator()[0](max(1, size), 1) or 0
        if not self.address:
            raise MemoryError("no room for a column of numbers")

    def __del__(self) -> None:
        if self._owner is None and self.address:
            allocator()[1](self.address)

    @classmethod
    def of(cls, number: str, values: Iterable[int]) -> Self:
        """The values in their order."""
        values = array(CODES[number], values)
        column = cls(number, len(values))
        ctypes.memmove(column.address, values.buffer_info()[0], len(values) * column.width)
        return column

    @classmethod
    def over(cls, text: mmap.mmap) -> Self:
        """The bytes of a file that is mapped into memory; nobody writes to them."""
        return cls._part("u1", ctypes.addressof(ctypes.c_char.from_buffer(text)), len(text), text)

    def first(self, length: int) -> Self:
        """The first numbers, without a copy."""
        return self._part(self.kind[:2], self.address, length, self)

    def row(self, number: int) -> Self:
        """A row of a matrix, without a copy."""
        return self._part(self.kind[:2], self.address + number * self.shape[-1] * self.width, self.shape[-1], self)

    def put(self, place: int, values: Column, length: int) -> None:
        """Copy the first `length` values, which are of the same kind, to the position `place`."""
        ctypes.memmove(self.address + place * self.width, values.address, length * self.width)

    @classmethod
    def _part(cls, number: str, address: int, length: int, owner: Any) -> Self:
        part = cls.__new__(cls)
        part._owner, part.address, part.shape, part.width, part.kind = owner, address, (length,), int(number[1]), f"{number}.1C"
        return part

    @property
    def __array_interface__(self) -> dict[str, Any]:
        """The same memory as an array of NumPy, which refers to the column."""
        order = "<" if sys.byteorder == "little" else ">"
        return {"shape": self.shape, "typestr": order + self.kind[:2], "data": (self.address, False), "version": 3}

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, place: int) -> int:
        return int(self._cell(place).value)

    def __setitem__(self, place: int, value: int) -> None:
        self._cell(place).value = value

    def _cell(self, place: int) -> Any:
        return NUMBERS[self.kind[:2]].from_address(self.address + place * self.width)

    def view(self, length: int) -> memoryview:
        """The first bytes, without a copy."""
        return memoryview((ctypes.c_char * length).from_address(self.address)).cast("B")

    def to_bytes(self, length: int) -> bytes:
        """The first bytes."""
        return ctypes.string_at(self.address, length)

    def to_list(self, length: int) -> list[int]:
        """The first numbers, those of a matrix row by row."""
        return array(CODES[self.kind[:2]], self.to_bytes(length * self.width)).tolist()
