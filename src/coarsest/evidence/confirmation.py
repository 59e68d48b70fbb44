"""Who has confirmed a verdict, and on what."""

from __future__ import annotations

from msgspec import Struct

from coarsest.evidence.certificate import Certificate
from coarsest.model.machine import Machine


class Enumerated(Struct, frozen=True):
    """Evidence for a verdict: an independent check on every reachable state has given the same."""

    states: int
    part: str = ""
    """Of which variables they are states, where these are not all."""

    @property
    def summary(self) -> str:
        """
        >>> Enumerated(12).summary
        'confirmed on all 12 reachable states by explicit enumeration'
        >>> Enumerated(12, " of 2 of 5 variables").summary
        'confirmed on all 12 reachable states of 2 of 5 variables by explicit enumeration'
        """
        which = f"all {self.states} reachable states" if self.states != 1 else "the one reachable state"
        return f"confirmed on {which}{self.part} by explicit enumeration"


class Confirmed(Struct, frozen=True):
    """A certificate whose conditions have all been confirmed."""

    certificate: Certificate
    conditions: int

    @property
    def summary(self) -> str:
        sets, nodes = self.certificate.sets, len(self.certificate.graphs.nodes)
        size = f"{sets} set{'s' * (sets != 1)} ({nodes} node{'s' * (nodes != 1)})"
        return f"confirmed by a certificate of {size}: {self.conditions} conditions proved by SAT"


def part_in_words(part: Machine, whole: Machine) -> str:
    """Which part of a state is counted, where it is a part; to be put after a number of states."""
    own = sum(1 for variable in part.state_variables if variable.name in whole.variables)
    every = len(whole.state_variables)
    return "" if own == every else f" of {own} of {every} variables"
