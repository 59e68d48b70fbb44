"""The choice between the compiled kernel in the library and its twin in Python, which does the work where there is no library."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from coarsest import tuning

if TYPE_CHECKING:
    from coarsest._kernels.library import Library

ADVICE = (
    "kernels are not compiled here, and what takes their place is slow: "
    "pip install 'coarsest[compile]' and run 'python -m coarsest._kernels.build_library'"
)

_missed: set[str] = set()
"""The modules whose compiled kernels were missing. One warning at the end speaks of all of them."""


def kernels(name: str, transitions: int, choice: str = "auto") -> Any:
    """The kernels of that name; `choice` is of "auto", "compiled" and "pure"."""
    if choice == "pure" or (choice == "auto" and transitions < tuning.KERNEL_TRANSITIONS):
        return _twin(name)
    from coarsest._kernels.library import library

    built = library()
    if built is not None:
        return _of(built, name)
    if choice == "compiled" or transitions >= 10 * tuning.KERNEL_TRANSITIONS:
        _missed.add(name)  # with fewer transitions, nobody notices that there is no library
    return _twin(name)


def has_library() -> bool:
    """Are there compiled kernels?"""
    from coarsest._kernels.library import library

    return library() is not None


def advice() -> str | None:
    """How to make the kernels faster that were called in this process; None if nothing was missing."""
    return ADVICE if _missed else None


def _twin(name: str) -> Any:
    return import_module(f"coarsest._kernels.{name}_pure")


@cache
def _of(library: Library, name: str) -> Kernels:
    return Kernels(library, name)


class Kernels:
    """The kernels of a module, which is not imported, because that would load the compiler."""

    def __init__(self, library: Library, name: str) -> None:
        self._library, self._name = library, name
        self.__name__ = f"coarsest._kernels.{name}"

    def __getattr__(self, function: str) -> Any:
        if function.startswith("_"):
            raise AttributeError(function)
        kernel = Kernel(self._library, self._name, function)
        setattr(self, function, kernel)
        return kernel


class Kernel:
    """A function of the library; for kinds of arguments that are not in `call_kinds`, its twin does the work."""

    def __init__(self, library: Library, module: str, function: str) -> None:
        self._library, self._module, self._function = library, module, function
        self._codes: dict[tuple[str, ...], Callable[..., Any]] = {}

    def __call__(self, *arguments: Any) -> Any:
        from coarsest._kernels.native import kind_of

        kinds = tuple(map(kind_of, arguments))
        code = self._codes.get(kinds)
        if code is None:
            code = self._library.function(self._module, self._function, kinds)
            code = self._codes[kinds] = code or getattr(_twin(self._module), self._function)
        return code(*arguments)
