"""A play of the game of simulation that ends with a step which cannot be answered."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from coarsest.logic.expr import Value


class Play(Struct, frozen=True):
    """The states of the adversary, and those of the protagonist beside them: there is none beside the last."""

    states: tuple[Mapping[str, Value], ...]
    answers: tuple[Mapping[str, Value], ...]
