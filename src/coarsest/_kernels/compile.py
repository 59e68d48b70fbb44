"""What is compiled: kernels and their parts, which only processes that build the library import, and with them Numba."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., Any])
_HOW: Any = {"nogil": True, "boundscheck": False, "no_cfunc_wrapper": True}
_PART: Any = {**_HOW, "inline": "never", "no_cpython_wrapper": True}


def compiled(function: Function) -> Function:
    """A kernel: others call it as machine code (`object_code`)."""
    return cast("Function", numba.njit(function, **_HOW))


def inlined(function: Function) -> Function:
    """A part of kernels, which is not called from Python."""
    return cast("Function", numba.njit(function, **_PART))
