"""What a package for binary decision diagrams must offer.

A function is the package's own object: it has `& | ^ ~`, equality and a hash, and nothing else is asked of it, so that the common
operations cost no Python at all. Everything else is a method of the manager. Variables are numbered 0, 1, … in the order in
which they were added, whatever their level is now; a set of variables is a *cube*, made once by `cube` and used many times.

Reordering never invalidates a function. Running out of room raises `OutOfNodes`; the manager stays usable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar

from coarsest.errors import LimitExceeded

if TYPE_CHECKING:
    from coarsest.bdd.sifting import Reordering


def no_meter(work: float) -> None:
    """Nobody counts the work of a manager that belongs to no run."""


class OutOfNodes(LimitExceeded):
    """The manager has no room for the result; drop functions, or build again with a larger capacity."""

    def __init__(self, message: str = "the limit on nodes was reached") -> None:
        super().__init__("nodes", message)


class Function(Protocol):
    def __and__(self, other: Self, /) -> Self: ...
    def __or__(self, other: Self, /) -> Self: ...
    def __xor__(self, other: Self, /) -> Self: ...
    def __invert__(self, /) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...


F = TypeVar("F", bound=Function)


class Manager(Protocol[F]):
    """A package with its variables."""

    true: F
    false: F
    memory_error: type[BaseException]
    """What the package's own operators (`&`, `|`, …) raise when there is no room; methods raise the same."""
    reorder: Reordering | None
    """Whether and how to reorder now and then; may be set at any time, for instance when the groups are known."""
    spend: Callable[[float], None]
    """Hears at each `tidy` of the work that was done since the one before."""

    def add_variables(self, names: Sequence[str]) -> range:
        """Add variables at the bottom of the order; returns their numbers."""

    def var(self, number: int) -> F: ...

    @property
    def names(self) -> Sequence[str]:
        """Names of the variables, by number."""

    def ite(self, condition: F, then: F, otherwise: F) -> F: ...
    def implies(self, f: F, g: F) -> F: ...
    def iff(self, f: F, g: F) -> F: ...
    def included(self, f: F, g: F) -> bool:
        """Does f imply g everywhere?"""

    def cube(self, variables: Iterable[int]) -> F:
        """The conjunction of the variables: a set of variables, for the quantifiers."""

    def exists(self, f: F, variables: F) -> F: ...
    def forall(self, f: F, variables: F) -> F: ...
    def and_exists(self, f: F, g: F, variables: F) -> F:
        """∃ variables. f ∧ g, without building f ∧ g."""

    def substitution(self, replacements: Mapping[int, F]) -> Any:
        """A substitution to be used many times; all variables are replaced at once."""

    def substitute(self, f: F, substitution: Any) -> F: ...
    def restrict(self, f: F, literals: Mapping[int, bool]) -> F:
        """The cofactor of f when the variables have these values."""

    def support(self, f: F) -> set[int]:
        """The variables f depends on."""

    def size(self, *functions: F) -> int:
        """Number of nodes of a function (shared nodes of several functions may be counted once per function)."""

    def count(self, f: F, variables: int) -> int:
        """Exact number of satisfying assignments over a domain of that many variables, of which f's support is a part."""

    def pick(self, f: F) -> dict[int, bool] | None:
        """One satisfying cube (variables that do not matter are missing); None if there is none."""

    def evaluate(self, f: F, values: Mapping[int, bool]) -> bool:
        """The value of f; every variable of its support must have a value."""

    def children(self, f: F) -> tuple[int, F, F] | None:
        """Top variable, cofactor where it is true, cofactor where it is false; None for a constant."""

    # Order and room

    @property
    def order(self) -> list[int]:
        """Variable numbers from the top level down."""

    def set_order(self, order: Sequence[int]) -> None: ...

    @property
    def live_nodes(self) -> int:
        """Nodes now in the manager (dead ones included until the next collection)."""

    @property
    def peak_nodes(self) -> int:
        """The most nodes seen at any `tidy`."""

    @property
    def made_nodes(self) -> int:
        """All nodes made so far, those that were dropped again among them."""

    def collect(self) -> None:
        """Drop dead nodes."""

    def tidy(self) -> None:
        """A safe moment between operations: collect, reorder if the manager was told to and it pays, note the peak.

        Raises OutOfNodes when the node limit is passed even after collecting.
        """
