"""Which version of a kernel: small graphs are not worth the start of the compiler."""

from __future__ import annotations

from importlib import import_module
from typing import Any

SMALL = 10_000
"""Fewer transitions than these take the pure path."""

CHOICES = ("auto", "compiled", "pure")


def kernels(name: str, transitions: int, choice: str = "auto") -> Any:
    """The module of kernels of that name, compiled or pure."""
    pure = choice == "pure" or (choice == "auto" and transitions < SMALL)
    return import_module(f"coarsest._kernels.{name}_pure" if pure else f"coarsest._kernels.{name}")
