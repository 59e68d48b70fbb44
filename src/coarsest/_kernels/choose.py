"""Which version of a kernel: small graphs are not worth the loading of code, and nobody waits for a compiler who need not.

Object code lies on disk. Where it is not there yet, a process of its own compiles it: what twins do quickly, they do meanwhile,
and all else waits for it. If there is no such process, and for kernels that are not called so, Numba compiles in ours.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any

from coarsest._kernels.aside import aside

if TYPE_CHECKING:
    import subprocess

    from coarsest._kernels.object_cache import Code, Entry

SMALL = 10_000
"""Fewer transitions than these take the pure path."""
SMALL_AT_START, NATIVE_AT_START = 25_000, 15_000
"""Fewer than these take it before the compiler is loaded, or what loads object code: that takes as long as reducing such a graph
without it."""
QUICK = frozenset({"csr"})
"""Modules of object code whose twins are quick, too."""
NATIVE = QUICK | {
    "diagrams.signatures", "text.aut_text", "text.aut_lines", "partition.quotient", "partition.numbering", "partition.signatures",
    "partition.valmari",
}  # fmt: skip
"""Modules that are called as object code. The others are called by Numba."""
HURRY = "COARSEST_KERNELS"
"""A variable: with `wait`, everything waits for the compiler; with `never`, nothing is compiled."""

_LOCK = RLock()


def kernels(name: str, transitions: int, choice: str = "auto") -> Any:
    """The kernels of that name, compiled or pure."""
    at_start, loader = (NATIVE_AT_START, "llvmlite") if name in NATIVE else (SMALL_AT_START, "numba")
    small = SMALL if loader in sys.modules else at_start
    if choice == "pure" or (choice == "auto" and transitions < small):
        return _module(f"{name}_pure")
    return _compiled(name, choice == "compiled") if name in NATIVE else _module(name)


def _module(name: str) -> Any:
    name = f"coarsest._kernels.{name}"
    return sys.modules[name] if name in sys.modules else aside(partial(import_module, name))


@cache
def _compiled(name: str, patient: bool) -> Kernels:
    return Kernels(name, patient=patient)


class Kernels:
    """The kernels of a module, which is not imported: that would load the compiler."""

    def __init__(self, name: str, *, patient: bool) -> None:
        self._name, self._patient = name, patient
        self.__name__ = f"coarsest._kernels.{name}"

    def __getattr__(self, function: str) -> Any:
        if function.startswith("_"):
            raise AttributeError(function)
        kernel = Kernel(self._name, function, patient=self._patient)
        setattr(self, function, kernel)
        return kernel


class Kernel:
    """A function: for each kind of arguments there is code, or its twin, or Numba, does the work."""

    def __init__(self, module: str, function: str, *, patient: bool) -> None:
        self._module, self._function = module, function
        self._patient = patient or module not in QUICK
        self._codes: dict[tuple[str, ...], Callable[..., Any]] = {}

    def __call__(self, *arguments: Any) -> Any:
        from coarsest._kernels.native import kind_of

        kinds = tuple(map(kind_of, arguments))
        code = self._codes.get(kinds)
        if code is None:
            with _LOCK:
                code = self._codes.get(kinds) or self._code(kinds)
        return code(*arguments)

    def _code(self, kinds: tuple[str, ...]) -> Callable[..., Any]:
        from coarsest._kernels.native import loaded, processor
        from coarsest._kernels.object_cache import Entry, Wish

        entry = Entry(Wish(self._module, self._function, kinds), processor())
        code = entry.read() or self._wished(entry)
        if code is None and not self._patient:
            twin: Callable[..., Any] = getattr(_module(f"{self._module}_pure"), self._function)
            return twin
        if code is not None and code.code:
            self._codes[kinds] = aside(partial(loaded, code.name, kinds, code.result, code.code))
        else:
            self._codes[kinds] = getattr(_module(self._module), self._function)
        return self._codes[kinds]

    def _wished(self, entry: Entry) -> Code | None:
        """Code that was not there: compiled now, or by somebody else for next time."""
        from coarsest._kernels.object_cache import writable

        hurry, folder = os.environ.get(HURRY, ""), writable()
        if hurry == "never":
            return None
        if self._patient or hurry == "wait":
            return _compiled_now(entry, folder)
        if folder is not None:
            _leave_word(entry, folder)
        return None


def _compiled_now(entry: Entry, folder: Path | None) -> Code | None:
    """Wait for the compiler. If nothing can be kept, the code is for this process only."""
    from coarsest._kernels.compiler import start

    with suppress(OSError), tempfile.TemporaryDirectory() as alone:
        start(folder or Path(alone), entry.wish).wait()
        return entry.read_in(folder or Path(alone))
    return None


@cache
def _compilers() -> dict[Path, subprocess.Popen[bytes]]:
    """The processes that were started, at most one for each folder at a time."""
    return {}


def _leave_word(entry: Entry, folder: Path) -> None:
    """Have code compiled by a process that may outlive ours."""
    from coarsest._kernels.compiler import start

    with suppress(OSError):
        entry.wanted(folder)
        running = _compilers().get(folder)
        if running is None or running.poll() is not None:
            _compilers()[folder] = start(folder)
