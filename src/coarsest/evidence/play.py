"""A play of the simulation game that ends with a step that cannot be answered, and the observed expressions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from coarsest.logic.expr import Expr, Name, Value


class Play(Struct, frozen=True):
    """The states of the adversary, and the protagonist's answers to all but the last of them."""

    states: tuple[Mapping[str, Value], ...]
    answers: tuple[Mapping[str, Value], ...]


class ObservedPairs(Struct, frozen=True):
    """The observed expressions of two machines, in pairs."""

    alike: Sequence[tuple[Expr, Expr]]
    """These have equal values in a state and its answer."""
    fair: Sequence[tuple[Expr, Expr]] = ()
    """If one of these is true on the left, it is true in the answer, too."""

    @classmethod
    def by_names(cls, names: Iterable[str]) -> ObservedPairs:
        return cls([(Name(name), Name(name)) for name in names])
