"""Certificates that a property holds: sets of states, ranks and choices, to be checked by local conditions alone.

A certificate is about *positions*: states together with the inputs that the formula or fairness speaks of (`inputs`). All its
sets are decision graphs. What has to be true of them, the checker derives from the model and the formula
(`evidence/sat/certificate_conditions.py`); a certificate only names the sets.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from coarsest.evidence.decision_diagrams import DecisionDiagrams


class StepChoice(Struct, frozen=True):
    """A step for every state of a set: bits of the inputs and of the state after, each a graph over the state now and the bits
    before it in the list. A variable whose equation has one value needs none."""

    bits: tuple[tuple[int, int], ...] = ()
    """The number of the bit, and the graph."""


class PathLayer(Struct, frozen=True):
    """States from which the chosen step leads to the layer before this one; in the first layer there is nothing to choose."""

    states: int
    choice: StepChoice = StepChoice()


class Removal(Struct, frozen=True):
    """States in which no fair path stays for ever, because …

    `leave`       every step leads out of them,
    `justice`     no step leads out of them but to where no such path goes, and they do not meet that justice constraint,
    `compassion`  the same; they do not meet the second part of that constraint, and without its first part, too, no fair path
                  stays in them (`inside`).
    """

    states: int
    reason: str
    constraint: int = 0
    inside: tuple[Removal, ...] = ()


class EveryPath(Struct, frozen=True):
    """AX, AR: the positions from which every fair path is as it should be. `states` hold whatever the inputs are."""

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
    """Of a linear formula: beside a watcher that counts, nothing in the invariant has met all that a violation needs more than so
    many times."""

    most: int


class NoReturn(Struct, frozen=True):
    """The same beside a watcher that saves a state: nothing in the invariant is there again and has met all in between."""


Proof: TypeAlias = EveryPath | Inevitable | Possible | FairPath
AnyProof: TypeAlias = Proof | CountedRounds | NoReturn


class Stuck(Struct, frozen=True):
    """The states without a step; `choice` has a step for the others among those that matter."""

    states: int
    among: int
    choice: StepChoice


class Certificate(Struct, frozen=True):
    """Why a property holds."""

    graphs: DecisionDiagrams
    variables: tuple[str, ...]
    """What it is about; nothing else influences these."""
    inputs: tuple[str, ...]
    """Those inputs that are part of the position."""
    invariant: int
    """It contains the initial states, and no step leaves it; where there are `parts`, only what is in all of these counts."""
    stuck: Stuck | None = None
    """None if there is no constraint that could forbid a step."""
    fair: FairPath | None = None
    """Positions from which a fair path begins; None where every path is fair."""
    unfair: Inevitable | None = None
    """Positions from which none begins; None where there is none."""
    proofs: tuple[AnyProof, ...] = ()
    """For each part of the formula with a path quantifier, inner ones first; for LTL, that no fair path violates it."""
    parts: tuple[int, ...] = ()
    """Further sets: the invariant is what they have in common."""

    @property
    def sets(self) -> int:
        """How many sets and choices there are."""
        return sum(1 for _ in roots_in(self))


def roots_in(part: object) -> list[int]:
    """All graphs in a part of a certificate."""
    match part:
        case StepChoice(bits):
            return [root for _, root in bits]
        case tuple():
            return [root for one in part for root in roots_in(one)]
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
