"""The compiler of kernels: machine code on first use, kept on disk, without the interpreter's lock while it runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """A kernel: called from Python, cached on disk."""
    return cast("Function", numba.njit(function, cache=True, nogil=True, boundscheck=False))


def inlined(function: Function) -> Function:
    """A part of kernels.

    The cache of a kernel does not see that a part in another file has changed: whoever changes one removes `__pycache__`.
    """
    return cast("Function", numba.njit(function, inline="never", nogil=True, boundscheck=False))
