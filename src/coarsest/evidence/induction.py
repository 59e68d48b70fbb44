"""Claims that induction over several steps shows an invariant, or that all paths end: `evidence/sat/induction.py` judges them."""

from __future__ import annotations

from msgspec import Struct


class Induction(Struct, frozen=True):
    """The claim that induction over so many steps shows an invariant."""

    depth: int

    @property
    def summary(self) -> str:
        """
        >>> Induction(3).summary
        'it follows by induction over 3 steps'
        """
        return f"it follows by induction over {self.depth} step{'s' * (self.depth != 1)}"


class AllPathsEnd(Struct, frozen=True):
    """The claim that no path has so many steps, and none of them violates an invariant."""

    steps: int

    @property
    def depth(self) -> int:
        return self.steps

    @property
    def summary(self) -> str:
        return f"no path has {self.steps} step{'s' * (self.steps != 1)}, and none that is shorter violates it"
