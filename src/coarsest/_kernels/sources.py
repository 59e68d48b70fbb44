"""Of which sources the code of kernels was made."""

from __future__ import annotations

import os
from binascii import crc32
from collections.abc import Iterator
from functools import cache

HERE = os.path.dirname(os.path.abspath(__file__))
NOT_COMPILED = frozenset({"aside", "choose", "columns", "compiler", "library", "native", "object_cache", "sources"})
"""Files that have no part in what is compiled."""
ON_ARRAYS = "arrays"
"""A folder of those, too."""


@cache
def sources() -> str:
    """A checksum of the sources of all kernels, which have parts in other files, and of how they are compiled.

    Every process asks for it that calls a kernel, so that it must not take the milliseconds that digests take to load.
    """
    checksum, length = 0, 0
    for path in sorted(_compiled(HERE)):
        with open(path, "rb") as file:
            contents = file.read()
        checksum = crc32(contents, crc32(os.path.basename(path).encode(), checksum))
        length += len(contents)
    return f"{checksum:08x}{length:08x}"


def _compiled(folder: str) -> Iterator[str]:
    """The files in a folder, and in those in it, that have a part in what is compiled."""
    for entry in os.scandir(folder):
        stem, ending = os.path.splitext(entry.name)
        if ending == ".py":
            if not stem.endswith("_pure") and stem not in NOT_COMPILED:
                yield entry.path
        elif not ending and entry.name not in (ON_ARRAYS, "__pycache__") and entry.is_dir():
            yield from _compiled(entry.path)
