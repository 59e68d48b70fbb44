"""Decorators of kernels and of their parts. Only processes that build the library import them, and Numba with them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., Any])
_HOW: Any = {"nogil": True, "boundscheck": False, "no_cfunc_wrapper": True}
_PART: Any = {**_HOW, "inline": "never", "no_cpython_wrapper": True}


def compiled(function: Function) -> Function:
    """Mark a kernel, which is called as machine code (`object_code`)."""
    return cast("Function", numba.njit(function, **_HOW))


def inlined(function: Function) -> Function:
    """Mark a part of kernels, which is not called from Python."""
    return cast("Function", numba.njit(function, **_PART))
