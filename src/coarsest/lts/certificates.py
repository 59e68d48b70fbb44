"""Certificates about graphs: what is claimed, in a form that a file can carry.

A certificate is about one graph, or about two side by side: then the states of the second follow those of the first.
"""

from __future__ import annotations

from typing import Any, ClassVar, TypeAlias

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from coarsest.logic.modal.hennessy_milner import Formula

Blocks: TypeAlias = NDArray[np.int64]


class PartitionCertificate(Struct, frozen=True, eq=False, dict=True):
    """States with one number are related; with `formulas`, states with different numbers are not: each formula is true in
    all states of some blocks and false in all others, and no two blocks agree on all of them."""

    relation: str
    blocks: Blocks
    formulas: tuple[Formula, ...] = ()
    kind: ClassVar[str] = "partition"

    @property
    def summary(self) -> str:
        return f"a partition into {int(self.blocks.max(initial=-1)) + 1} blocks"


class SimulationCertificate(Struct, frozen=True, eq=False, dict=True):
    """A state of block B is below every state of the blocks C with `above[B, C]`."""

    relation: str
    blocks: Blocks
    above: NDArray[np.bool_]
    preorder: bool
    kind: ClassVar[str] = "simulation"

    @property
    def summary(self) -> str:
        return f"a simulation between {len(self.above)} blocks"


Pairs: TypeAlias = tuple[tuple[int, tuple[int, ...]], ...]


class InclusionCertificate(Struct, frozen=True, eq=False, dict=True):
    """For each pair of a block and a set of blocks, every trace from the block is one from the set; `ways` has one list of
    pairs for each direction that is claimed: traces of the first graph in the second, then the other way round. Blocks are
    those of a simulation:
    what is below a block has no other traces than the block."""

    relation: str
    simulation: SimulationCertificate
    ways: tuple[Pairs, ...]
    preorder: bool
    kind: ClassVar[str] = "inclusion"

    @property
    def summary(self) -> str:
        return f"{sum(map(len, self.ways))} inclusions that follow from one another"


class PathCertificate(Struct, frozen=True, eq=False, dict=True):
    """For each pair of a block and a set of blocks, all that is seen along paths from the block is seen from the set, by one of
    the notions of the spectrum. Blocks are those of a simulation that implies the notion."""

    notion: str
    simulation: SimulationCertificate
    pairs: Pairs
    kind: ClassVar[str] = "paths"


class NestedCertificate(Struct, frozen=True, eq=False, dict=True):
    """A simulation within the converse of another."""

    simulation: SimulationCertificate
    nested: SimulationCertificate
    kind: ClassVar[str] = "nested"


class FirstStepsCertificate(Struct, frozen=True):
    """Nothing: first steps speak for themselves."""

    kind: ClassVar[str] = "first steps"


class WeakCertificate(Struct, frozen=True, eq=False, dict=True):
    """A certificate about a graph with other steps: `weak`, `delayed` or `extended` ones. `coupled`: and states above others come
    below them by internal steps."""

    steps: str
    inner: PartitionCertificate | SimulationCertificate | PathCertificate
    coupled: bool = False
    kind: ClassVar[str] = "weak"


SpectrumCertificate: TypeAlias = (
    PartitionCertificate | SimulationCertificate | NestedCertificate | PathCertificate | FirstStepsCertificate | WeakCertificate
)
"""What shows that one graph is below another by a notion of the spectrum. No files are written of the last four."""


GraphCertificate: TypeAlias = PartitionCertificate | SimulationCertificate | InclusionCertificate


class Outcome(Struct, frozen=True, dict=True):
    """The outcome of checking a certificate: what was found wrong, or nothing; and what it shows."""

    problem: str = ""
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def accepted(self) -> bool:
        return not self.problem
