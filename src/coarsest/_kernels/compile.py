"""The compiler of kernels: machine code on first use, kept on disk, without the interpreter's lock while it runs."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar, cast

import llvmlite
import numba

from coarsest._kernels.aside import aside
from coarsest._kernels.disk_cache import KernelCache

Function = TypeVar("Function", bound=Callable[..., Any])


def _stamp(folder: Path) -> str:
    """What tells versions of the compiler apart, and of the files in and below a folder, of those with parts of kernels."""
    sources = [path for path in sorted(folder.rglob("*.py")) if not path.stem.endswith("_pure")]
    digests = [f"{path.name} {sha256(path.read_bytes()).hexdigest()}" for path in sources]
    return "\n".join([numba.__version__, llvmlite.__version__, *digests])


_STAMP = _stamp(Path(__file__).parent)


def compiled(function: Function) -> Function:
    """A kernel: called from Python, cached on disk if there is a place for it, and never compiled in the main thread.

    By itself the cache of a kernel sees changes of its own file only, not of the parts of it that are in others. So all files
    here are compared.
    """
    kernel: Any = numba.njit(function, nogil=True, boundscheck=False)
    with suppress(RuntimeError):  # nowhere to keep it
        kernel._cache = KernelCache(function, _STAMP)
    compile_and_call = kernel._compile_for_args
    kernel._compile_for_args = lambda *arguments: aside(partial(compile_and_call, *arguments))
    return cast("Function", kernel)


def inlined(function: Function) -> Function:
    """A part of kernels, which is not called from Python."""
    alone: Any = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return cast("Function", numba.njit(function, inline="never", nogil=True, boundscheck=False, **alone))
