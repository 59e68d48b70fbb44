"""Which judge has confirmed the evidence of a verdict, or why none has."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from coarsest.evidence.certificate import Certificate
from coarsest.model.machine import Machine


class Replayed(Struct, frozen=True):
    """The interpreter has replayed a path, or walked through a set of states, and confirmed the claim."""


class Enumerated(Struct, frozen=True):
    """An independent check on every state has given the same verdict."""

    states: int
    part: str = ""
    """The variables that a state consists of, unless it has all variables."""
    reachable: bool = True
    """Are these the reachable states, as for a model? Otherwise, they are all states."""

    @property
    def summary(self) -> str:
        """
        >>> Enumerated(12).summary
        'confirmed on all 12 reachable states by explicit enumeration'
        >>> Enumerated(12, " of 2 of 5 variables").summary
        'confirmed on all 12 reachable states of 2 of 5 variables by explicit enumeration'
        """
        if not self.reachable:
            return f"confirmed on all {self.states} states by explicit enumeration"
        states = f"all {self.states} reachable states" if self.states != 1 else "the one reachable state"
        return f"confirmed on {states}{self.part} by explicit enumeration"


class BySat(Struct, frozen=True):
    """A SAT solver has proved all conditions that the judge has derived from the model, and from the certificate if any."""

    conditions: int
    certificate: Certificate | None = None

    @property
    def summary(self) -> str:
        conditions = f"{self.conditions} conditions proved by SAT"
        if self.certificate is None:
            return f"confirmed: {conditions}"
        sets, nodes = self.certificate.sets, len(self.certificate.graphs.nodes)
        size = f"{sets} set{'s' * (sets != 1)} ({nodes} node{'s' * (nodes != 1)})"
        return f"confirmed by a certificate of {size}: {conditions}"


class BySolver(Struct, frozen=True):
    """An SMT solver has proved all conditions that the judge has derived from the model."""


class ByParts(Struct, frozen=True):
    """The verdict follows by a rule from other, confirmed verdicts."""

    verdicts: int


class Unconfirmed(Struct, frozen=True):
    """No judge has confirmed the verdict, for a reason that is reported unless it is obvious."""

    because: str
    reported: bool = True

    def __post_init__(self) -> None:
        if not self.because:
            raise ValueError("an unconfirmed verdict needs a reason")


UNASKED = Unconfirmed("no confirmation was asked for", reported=False)

Confirmation: TypeAlias = Replayed | Enumerated | BySat | BySolver | ByParts | Unconfirmed


def part_in_words(part: Machine, whole: Machine) -> str:
    """The words after a number of states that say which part of a state is counted; empty if it is the whole state."""
    own = sum(1 for variable in part.state_variables if variable.name in whole.variables)
    every = len(whole.state_variables)
    return "" if own == every else f" of {own} of {every} variables"
