"""What an encoder of expressions computes with: Boolean functions in whatever form.

Decision diagrams satisfy it, and so do and-inverter graphs (`aig.py`) and pairs of functions that leave bits unknown
(`space/ternary`). Only complaints about a model ask for more than the connectives: an example of where something goes wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from coarsest.bdd.protocol import F


class Algebra(Protocol[F]):
    """Functions with `& | ^ ~` and equality; two that are equal are surely the same function."""

    @property
    def true(self) -> F: ...

    @property
    def false(self) -> F: ...

    @property
    def names(self) -> Sequence[str]:
        """Names of the variables, by number."""

    def add_variables(self, names: Sequence[str]) -> range: ...
    def var(self, number: int) -> F: ...
    def ite(self, condition: F, then: F, otherwise: F) -> F: ...

    def support(self, f: F) -> set[int]:
        """The variables f depends on; perhaps more, where that is not easily known."""

    def pick(self, f: F) -> dict[int, bool] | None:
        """Values of variables with which f is true (those that do not matter may be missing); None if there are none."""

    def evaluate(self, f: F, values: Mapping[int, bool]) -> bool:
        """The value of f; every variable of its support must have a value."""

    def substitution(self, replacements: Mapping[int, F]) -> Any: ...
    def substitute(self, f: F, substitution: Any) -> F: ...

    def tidy(self) -> None:
        """A safe moment between operations."""
