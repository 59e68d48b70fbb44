"""The kernels as a shared library, which lies beside them where a wheel has brought it, or where it was built.

It needs nothing but the C library, and it is used as long as it was made from the sources that lie here.
"""

from __future__ import annotations

import ctypes
import os
from binascii import crc32
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

from coarsest._kernels.native import caller

HERE = os.path.dirname(os.path.abspath(__file__))
NOT_COMPILED = frozenset({"choose", "columns", "library", "native", "worker_threads"})
"""Files that have no part in what is compiled."""
NOT_COMPILED_FOLDERS = frozenset({"__pycache__", "arrays"})
FILE = "kernels.so"
CONTENTS = "coarsest_kernels"
"""The name under which the library tells its contents."""
NAMED = "COARSEST_LIBRARY"
"""A variable: the library is that file, and there is none if that is `none`."""


class Contents(NamedTuple):
    """A checksum of the sources; for a kernel and the kinds of its arguments a symbol, and the kind of the result."""

    sources: str
    symbols: dict[str, tuple[str, str]]

    def to_text(self) -> str:
        """As lines, whose parts tabs lie between.

        >>> contents = Contents("0123", {"csr.count_rows i4.1C i4.1C": ("csr_count_rows_0", "b1")})
        >>> Contents.of(contents.to_text()) == contents
        True
        """
        return "\n".join([self.sources, *("\t".join((name, *made)) for name, made in self.symbols.items())])

    @classmethod
    def of(cls, text: str) -> Contents:
        """Of such lines. Raises ValueError."""
        first, *lines = text.split("\n")
        parts = [line.split("\t") for line in lines]
        return cls(first, {name: (symbol, result) for name, symbol, result in parts})


class Library:
    """A library that is open."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Raises OSError or ValueError if it is none."""
        self._library = ctypes.CDLL(os.fspath(path))
        begin = ctypes.addressof(ctypes.c_char.in_dll(self._library, CONTENTS))
        self._contents = Contents.of(ctypes.string_at(begin).decode())

    @property
    def is_up_to_date(self) -> bool:
        return self._contents.sources == sources()

    def function(self, module: str, function: str, kinds: tuple[str, ...]) -> Callable[..., Any] | None:
        """A kernel for these kinds of arguments, if it is there."""
        symbol, result = self._contents.symbols.get(key(module, function, kinds), ("", ""))
        if not symbol:
            return None
        address = ctypes.cast(getattr(self._library, symbol), ctypes.c_void_p).value
        return caller(address or 0, kinds, result)


def key(module: str, function: str, kinds: tuple[str, ...]) -> str:
    """What a library calls a kernel."""
    return f"{module}.{function} {' '.join(kinds)}"


def opened(path: str | os.PathLike[str]) -> Library | None:
    """The library in a file, if it is one, and made from the sources as they are now."""
    with suppress(OSError, ValueError):
        library = Library(path)
        if library.is_up_to_date:
            return library
    return None


@cache
def library() -> Library | None:
    """The library of this process, if there is one."""
    named = os.environ.get(NAMED)
    return None if named == "none" else opened(named or os.path.join(HERE, FILE))


@cache
def sources() -> str:
    """A checksum of the sources of all kernels, which have parts in other files, and of how they are compiled.

    Every process that calls a kernel asks for it, so that it must not take the milliseconds that digests take to load.
    """
    checksum, length = 0, 0
    for path in sorted(_compiled_files(HERE)):
        with open(path, "rb") as file:
            contents = file.read()
        checksum = crc32(contents, crc32(os.path.basename(path).encode(), checksum))
        length += len(contents)
    return f"{checksum:08x}{length:08x}"


def _compiled_files(folder: str) -> Iterator[str]:
    """The files in a folder, and in the folders in it, that have a part in what is compiled."""
    for entry in os.scandir(folder):
        stem, ending = os.path.splitext(entry.name)
        if ending == ".py":
            if not stem.endswith("_pure") and stem not in NOT_COMPILED:
                yield entry.path
        elif not ending and entry.name not in NOT_COMPILED_FOLDERS and entry.is_dir():
            yield from _compiled_files(entry.path)
