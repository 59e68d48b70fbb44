"""Which version of a kernel: small graphs are not worth the start of the compiler."""

from __future__ import annotations

import sys
from functools import partial
from importlib import import_module
from typing import Any

from coarsest._kernels.aside import aside

SMALL = 10_000
"""Fewer transitions than these take the pure path."""
SMALL_AT_START = 25_000
"""Fewer than these take it before the compiler is loaded: to load it takes as long as reducing such a graph without it."""


def kernels(name: str, transitions: int, choice: str = "auto") -> Any:
    """The module of kernels of that name, compiled or pure."""
    small = SMALL if "numba" in sys.modules else SMALL_AT_START
    pure = choice == "pure" or (choice == "auto" and transitions < small)
    module = f"coarsest._kernels.{name}_pure" if pure else f"coarsest._kernels.{name}"
    return sys.modules[module] if module in sys.modules else aside(partial(import_module, module))
