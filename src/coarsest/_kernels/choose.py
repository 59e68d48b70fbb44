"""Which version of a kernel: that of the library if it is there, or code that is compiled on the spot, or its twin.

Without a library, object code lies on disk. Where it is not there yet, a process of its own compiles it, if Numba is installed:
what twins do quickly, they do meanwhile, and all else waits for it. Small graphs are not worth the loading of code.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from threading import RLock
from typing import TYPE_CHECKING, Any

from coarsest._kernels.aside import aside

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

    from coarsest._kernels.object_cache import Code, Entry

SMALL_FOR_LIBRARY, SMALL, SMALL_AT_START = 1_000, 10_000, 15_000
"""Fewer transitions than these take the pure path: where there is a library; where there is none; and there, before what loads
object code is loaded, which takes as long as reducing such a graph without it."""
QUICK = frozenset({"csr"})
"""Modules whose twins are quick, too."""
HURRY = "COARSEST_KERNELS"
"""A variable: with `wait`, everything waits for the compiler; with `never`, nothing is compiled."""

ADVICE = "kernels are not compiled here, and what takes their place is slow: pip install 'coarsest[compile]'"

_LOCK = RLock()
_slow: set[str] = set()
"""Modules whose twins work for want of code."""


def kernels(name: str, transitions: int, choice: str = "auto") -> Any:
    """The kernels of that name, compiled or pure."""
    if choice == "pure" or (choice == "auto" and transitions < _worth_it(transitions)):
        return _twin(name)
    return _compiled(name, choice == "compiled")


def _worth_it(transitions: int) -> int:
    """From how many transitions on is it worth it? The library is not looked for if there are few."""
    from coarsest._kernels.library import library

    if transitions < SMALL_FOR_LIBRARY or library() is not None:
        return SMALL_FOR_LIBRARY
    return SMALL if "llvmlite" in sys.modules else SMALL_AT_START


def is_ready(name: str) -> bool:
    """Are the kernels of that name compiled, so that nobody waits for them?"""
    from coarsest._kernels.library import library
    from coarsest._kernels.object_cache import has_code

    return library() is not None or has_code(name)


def compiled_kernels() -> bool:
    """Are there kernels that are compiled, or can they be?"""
    from coarsest._kernels.library import library

    return library() is not None or _has_compiler()


def advice() -> str | None:
    """What would have made kernels faster that were called in this process."""
    return ADVICE if _slow else None


@cache
def _has_compiler() -> bool:
    return find_spec("numba") is not None


def _twin(name: str) -> Any:
    return import_module(f"coarsest._kernels.{name}_pure")


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
    """A function: for each kind of arguments there is code, or its twin does the work."""

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
        from coarsest._kernels.library import library

        built = library()
        function = built.function(self._module, self._function, kinds) if built is not None else None
        if function is None:
            twin: Callable[..., Any] = getattr(_twin(self._module), self._function)
            if not _has_compiler():
                _slow.add(self._module)
            function = self._object_code(kinds) if _has_compiler() else twin
            if function is None:
                return twin
        self._codes[kinds] = function
        return function

    def _object_code(self, kinds: tuple[str, ...]) -> Callable[..., Any] | None:
        """What a compiler makes of it, if that is there already, or is worth waiting for, and can be made."""
        from coarsest._kernels.native import loaded, processor
        from coarsest._kernels.object_cache import Entry, Wish

        entry = Entry(Wish(self._module, self._function, kinds), processor())
        code = entry.read() or self._wished(entry)
        if code is None or not code.code:
            return None
        return aside(partial(loaded, code.name, kinds, code.result, code.code))

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
    import tempfile
    from pathlib import Path

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
