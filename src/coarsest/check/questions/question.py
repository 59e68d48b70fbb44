"""Questions to engines: a claim about a part of a machine, and the way back to the machine that the user wrote."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from coarsest.logic.expr import Expr
from coarsest.model.parts.part import Part


class Invariant(Struct, frozen=True):
    """A condition is true in every reachable state of the part."""

    good: Expr
    stated: Expr
    """What the user wrote. Where that is about steps, a variable of the part remembers it, and `good` is that variable."""

    @property
    def is_about_steps(self) -> bool:
        return self.good is not self.stated


Claim: TypeAlias = Invariant


class Question(Struct, frozen=True):
    """All that an engine sees."""

    part: Part
    claim: Claim
