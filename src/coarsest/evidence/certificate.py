"""Certificates that a property holds: sets of states, ranks and choices, to be checked by local conditions alone.

A certificate is about *positions*: states together with the inputs that the formula or fairness mentions (`inputs`). All its
sets are decision diagrams. The checker derives the conditions on them from the model and the formula
(`evidence/sat/certificate_conditions.py`); a certificate only names the sets.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from coarsest.evidence.decision_diagrams import DecisionDiagrams


class StepChoice(Struct, frozen=True):
    """A step for every state of a set: bits of the inputs and of the next state, each a diagram over the current state and the
    bits before it in the list. A variable needs none if its equation has one value."""

    bits: tuple[tuple[int, int], ...] = ()
    """The number of the bit, and the diagram."""


class PathLayer(Struct, frozen=True):
    """States from which the chosen step leads to the layer before this one; the first layer has no choices."""

    states: int
    choice: StepChoice = StepChoice()


class Removal(Struct, frozen=True):
    """States in which no fair path stays for ever, because …

    `leave`       every step leads out of them,
    `justice`     all steps that leave them lead to states without such paths, and they do not meet that justice constraint,
    `compassion`  the same; they do not meet the second part of that constraint, and no fair path stays in those of them that
                  do not meet its first part, either (`inside`).
    """

    states: int
    reason: str
    constraint: int = 0
    inside: tuple[Removal, ...] = ()


class EveryPath(Struct, frozen=True):
    """AX, AR: the positions from which every fair path satisfies the formula. From the `states` it does so for all inputs."""

    states: int
    positions: int


class Inevitable(Struct, frozen=True):
    """AU: the positions are goals, or one of the removals has them."""

    states: int
    positions: int
    removals: tuple[Removal, ...] = ()


class Possible(Struct, frozen=True):
    """EX, EU: the positions are in the layers, and those of the first layer are goals. `begin` chooses the inputs."""

    states: int
    positions: int
    layers: tuple[PathLayer, ...] = ()
    begin: StepChoice = StepChoice()


class FairPath(Struct, frozen=True):
    """EG: the layers lead to the hull, in which every state has a step, and a way to every constraint."""

    states: int
    positions: int
    layers: tuple[PathLayer, ...]
    hull: int
    step: StepChoice
    justice: tuple[tuple[PathLayer, ...], ...] = ()
    compassion: tuple[tuple[PathLayer, ...], ...] = ()
    begin: StepChoice = StepChoice()


class CountedRounds(Struct, frozen=True):
    """A linear formula holds: with a watcher that counts, no state of the invariant has met everything that a violation needs
    more than `most` times."""

    most: int


class NoReturn(Struct, frozen=True):
    """A linear formula holds: with a watcher that saves a state, no state of the invariant is equal to the saved one after having
    met everything that a violation needs."""


Proof: TypeAlias = EveryPath | Inevitable | Possible | FairPath
AnyProof: TypeAlias = Proof | CountedRounds | NoReturn


class Stuck(Struct, frozen=True):
    """The states without a step; `choice` has a step for the other states in `among`."""

    states: int
    among: int
    choice: StepChoice


class Certificate(Struct, frozen=True):
    """Why a property holds."""

    graphs: DecisionDiagrams
    variables: tuple[str, ...]
    """The variables that it is about; no other variable influences them."""
    inputs: tuple[str, ...]
    """The inputs that are part of a position."""
    invariant: int
    """A set that contains the initial states and that no step leaves; if there are `parts`, its intersection with them."""
    stuck: Stuck | None = None
    """None if there is no constraint that could forbid a step."""
    fair: FairPath | None = None
    """Positions from which a fair path begins; None if every path is fair."""
    unfair: Inevitable | None = None
    """Positions from which no fair path begins; None if there are no such positions."""
    proofs: tuple[AnyProof, ...] = ()
    """For each part of the formula with a path quantifier, inner ones first; for LTL, that no fair path violates it."""
    parts: tuple[int, ...] = ()
    """Further sets: the invariant is the intersection of all."""

    @property
    def sets(self) -> int:
        """The number of sets and choices."""
        return len(roots_in(self))


def roots_in(part: object) -> list[int]:
    """All diagrams in a part of a certificate."""
    match part:
        case StepChoice(bits):
            return [root for _, root in bits]
        case tuple():
            return [root for member in part for root in roots_in(member)]
        case PathLayer() | Removal() | EveryPath() | Inevitable() | Possible() | FairPath() | Stuck() | Certificate():
            roots: list[int] = []
            for name in part.__struct_fields__:
                value = getattr(part, name)
                if name in ("states", "positions", "hull", "invariant", "among"):
                    roots.append(value)
                elif name == "parts":
                    roots += value
                elif name not in ("variables", "inputs"):
                    roots += roots_in(value)
            return roots
    return []
