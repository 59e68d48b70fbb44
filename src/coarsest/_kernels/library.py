"""The kernels as a shared library, which lies beside their sources: it comes with a wheel, or was built here.

It needs nothing but the C library, and is used only if it was made from the sources as they are now.
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
"""Files that are not compiled, and whose code is in no kernel."""
NOT_COMPILED_FOLDERS = frozenset({"__pycache__", "arrays"})
FILE = "kernels.so"
CONTENTS = "coarsest_kernels"
"""The name of the constant in the library that lists its contents."""
NAMED = "COARSEST_LIBRARY"
"""The environment variable that names another file as the library; `none` means that no library is used."""


class LibraryContents(NamedTuple):
    """A checksum of the sources; and the symbol and the kind of the result, by kernel and kinds of arguments."""

    sources: str
    symbols: dict[str, tuple[str, str]]

    def to_text(self) -> str:
        """The contents as lines with tabs between their parts.

        >>> contents = LibraryContents("0123", {"csr.count_rows i4.1C i4.1C": ("csr_count_rows_0", "b1")})
        >>> LibraryContents.of(contents.to_text()) == contents
        True
        """
        return "\n".join([self.sources, *("\t".join((name, *made)) for name, made in self.symbols.items())])

    @classmethod
    def of(cls, text: str) -> LibraryContents:
        """Read such lines. Raises ValueError."""
        first, *lines = text.split("\n")
        parts = [line.split("\t") for line in lines]
        return cls(first, {name: (symbol, result) for name, symbol, result in parts})


class Library:
    """A library that is open."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Raises OSError or ValueError if the file is not a library of kernels."""
        self._library = ctypes.CDLL(os.fspath(path))
        begin = ctypes.addressof(ctypes.c_char.in_dll(self._library, CONTENTS))
        self._contents = LibraryContents.of(ctypes.string_at(begin).decode())

    @property
    def is_up_to_date(self) -> bool:
        return self._contents.sources == sources()

    def function(self, module: str, function: str, kinds: tuple[str, ...]) -> Callable[..., Any] | None:
        """The kernel for these kinds of arguments, if the library has it."""
        symbol, result = self._contents.symbols.get(key(module, function, kinds), ("", ""))
        if not symbol:
            return None
        address = ctypes.cast(getattr(self._library, symbol), ctypes.c_void_p).value
        return caller(address or 0, kinds, result)


def key(module: str, function: str, kinds: tuple[str, ...]) -> str:
    """The name of a kernel in the contents of a library."""
    return f"{module}.{function} {' '.join(kinds)}"


def opened(path: str | os.PathLike[str]) -> Library | None:
    """The library in a file, unless the file is not one, or was made from other sources."""
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
    """A checksum of the sources of all kernels, of their parts in other files, and of how they are compiled.

    Every process that calls a kernel computes it, so it is a CRC: loading hashlib would take longer than reading the files.
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
