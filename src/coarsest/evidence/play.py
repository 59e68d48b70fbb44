"""A play of the game of simulation that ends with a step which cannot be answered, and what is seen of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from coarsest.logic.expr import Expr, Name, Value


class Play(Struct, frozen=True):
    """The states of the adversary, and the protagonist's answers to all but the last of them."""

    states: tuple[Mapping[str, Value], ...]
    answers: tuple[Mapping[str, Value], ...]


class ObservedPairs(Struct, frozen=True):
    """What is seen of the states of two machines: expressions of the one beside those of the other."""

    alike: Sequence[tuple[Expr, Expr]]
    """An answer has the same values of these."""
    fair: Sequence[tuple[Expr, Expr]] = ()
    """Where one of these is true on the left, an answer has it true, too."""

    @classmethod
    def by_names(cls, names: Iterable[str]) -> ObservedPairs:
        return cls([(Name(name), Name(name)) for name in names])
