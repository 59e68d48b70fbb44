"""The compiler of kernels: machine code on first use, kept on disk, without the interpreter's lock while it runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., Any])


def _stamps(folder: Path) -> tuple[tuple[str, int, int], ...]:
    """What tells versions of the files in a folder apart, of those with parts of kernels."""
    found = [(path.name, path.stat()) for path in sorted(folder.glob("*.py")) if not path.stem.endswith("_pure")]
    return tuple((name, status.st_size, status.st_mtime_ns) for name, status in found)


_STAMPS = _stamps(Path(__file__).parent)


def compiled(function: Function) -> Function:
    """A kernel: called from Python, cached on disk.

    By itself the cache of a kernel sees changes of its own file only, not of the parts of it that are in others. So it is told to
    compare all files here.
    """
    kernel = numba.njit(function, cache=True, nogil=True, boundscheck=False)
    index = getattr(getattr(kernel, "_cache", None), "_cache_file", None)
    if index is not None:
        index._source_stamp = _STAMPS
    return cast("Function", kernel)


def inlined(function: Function) -> Function:
    """A part of kernels."""
    return cast("Function", numba.njit(function, inline="never", nogil=True, boundscheck=False))
