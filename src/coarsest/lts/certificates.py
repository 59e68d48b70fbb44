"""Certificates about graphs: claims with their evidence, in a form that a file can hold.

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
    """For each pair of a block and a set of blocks, every trace from the block is a trace from the set. `ways` has one list of
    pairs for each direction that is claimed: traces of the first graph in the second, then the other way round. The blocks are
    those of a simulation, where a state below a block has no other traces than the block."""

    relation: str
    simulation: SimulationCertificate
    ways: tuple[Pairs, ...]
    preorder: bool
    futures: Pairs = ()
    """For impossible futures: pairs that only show inclusions of traces."""
    kind: ClassVar[str] = "inclusion"

    @property
    def summary(self) -> str:
        return f"{sum(map(len, self.ways))} inclusions that follow from one another"


class NestedCertificate(Struct, frozen=True, eq=False, dict=True):
    """A simulation within the converse of another."""

    simulation: SimulationCertificate
    nested: SimulationCertificate
    kind: ClassVar[str] = "nested"


class PathCertificate(Struct, frozen=True, eq=False, dict=True):
    """For each pair of a block and a set of blocks, all observations along paths from the block are possible from the set, by
    one of the notions of the spectrum. The blocks are those of a simulation that implies the notion; for futures, of a nested
    simulation."""

    notion: str
    simulation: SimulationCertificate | NestedCertificate
    pairs: Pairs
    futures: Pairs = ()
    """Pairs that show inclusions of traces; their blocks are those of the outer one of the nested simulations."""
    kind: ClassVar[str] = "paths"


class FirstStepsCertificate(Struct, frozen=True):
    """An empty certificate: the judge compares first steps itself."""

    kind: ClassVar[str] = "first steps"


class StrategyGraph(Struct, frozen=True):
    """A strategy of a player. In position k the tokens of the spoiler and of the duplicator are on the two states `positions[k]`,
    and a round may lead from there to the positions `after[k]`. The spoiler's `steps` have an action and a state for each
    position; the duplicator needs none, because the next positions contain the answers. If two positions have the same states,
    plays begin in the first of them."""

    positions: tuple[tuple[int, int], ...]
    after: tuple[tuple[int, ...], ...]
    steps: tuple[tuple[str, int], ...] = ()
    begins: int = -1
    """The state in which the spoiler begins, if the strategy is the spoiler's."""


class StrategyCertificate(Struct, frozen=True, eq=False, dict=True):
    """One player wins the games of a fair simulation. The duplicator, who shows that graphs are related, has a strategy for each
    direction that is claimed: against a spoiler in the first graph, then in the second. The spoiler has one, in the graph
    `way` (0 or 1), which shows that they are not."""

    relation: str
    player: str
    strategies: tuple[StrategyGraph, ...]
    preorder: bool
    way: int = 0
    kind: ClassVar[str] = "strategy"

    @property
    def refutes(self) -> bool:
        """Does the certificate show that graphs are not related?"""
        return self.player == "spoiler"

    @property
    def states(self) -> set[int]:
        """All states in it, of both graphs side by side."""
        strategies = self.strategies
        own = {state for strategy in strategies for pair in strategy.positions for state in pair}
        targets = {target for strategy in strategies for _, target in strategy.steps}
        return own | {strategy.begins for strategy in strategies} | targets

    @property
    def summary(self) -> str:
        return f"a strategy of the {self.player} for {sum(len(strategy.positions) for strategy in self.strategies)} positions"


class Lasso(Struct, frozen=True):
    """A fair path from a state: some steps, then a loop for ever; steps are actions and states. No fair path from the state
    `against` follows it in pairs of states that have the same label and are not distinguished on an earlier level."""

    state: int
    against: int
    level: int
    steps: tuple[tuple[int, int], ...]
    loop: tuple[tuple[int, int], ...]


class LassoCertificate(Struct, frozen=True, eq=False, dict=True):
    """Lassos that show that the initial state `begins` of the graph `way` (0 or 1) is below no initial state of the other."""

    relation: str
    lassos: tuple[Lasso, ...]
    begins: int
    preorder: bool
    action_names: tuple[str, ...]
    """The names of the actions of lassos by their numbers."""
    way: int = 0
    kind: ClassVar[str] = "lassos"
    refutes: ClassVar[bool] = True

    @property
    def states(self) -> set[int]:
        """All states in it, of both graphs side by side."""
        ends = {state for lasso in self.lassos for _, state in (*lasso.steps, *lasso.loop)}
        own = {state for lasso in self.lassos for state in (lasso.state, lasso.against) if state >= 0}
        return ends | own | {self.begins}

    @property
    def summary(self) -> str:
        return f"{len(self.lassos)} lassos"


class Arc(Struct, frozen=True):
    """The answers that a duplicator has at least, while the spoiler goes from `start` to `end` on some paths. A node is a state
    of the duplicator (by its number among these) and the fairness set whose turn it is; its number is that of the state times the
    number of sets, plus that of the set. The duplicator has a path between two nodes if their pair is in `passes`, and one on
    which all sets have their turn if it is in `pays`. The bits of `visits` are the fairness sets that the spoiler visits."""

    start: int
    end: int
    visits: int
    passes: tuple[tuple[int, int], ...]
    pays: tuple[tuple[int, int], ...]


class AnswersCertificate(Struct, frozen=True, eq=False, dict=True):
    """Exists simulations, one for each direction that is claimed: pairs of states, the first below the second, and arcs that show
    that fair loops are answered."""

    relation: str
    below: tuple[tuple[tuple[int, int], ...], ...]
    arcs: tuple[tuple[Arc, ...], ...]
    preorder: bool
    kind: ClassVar[str] = "answers"

    @property
    def summary(self) -> str:
        return f"{sum(map(len, self.below))} pairs of states, with {sum(map(len, self.arcs))} arcs between them"


Node: TypeAlias = tuple[int, int]
"""A state, and the number of fairness sets that were visited in turn on the way to it; after the last set, counting restarts."""


class Stem(Struct, frozen=True):
    """After any path that leads one graph to `node`, the same word can lead the other at least to the nodes `reached`."""

    node: Node
    reached: tuple[Node, ...]


class Cycle(Struct, frozen=True):
    """After a stem with the nodes `after`, any word that leads one graph from the node `goal` to `node` can lead the other from
    the first node of each row at least to the second nodes, and past a node with all fairness sets to the third nodes."""

    goal: Node
    after: tuple[Node, ...]
    node: Node
    rows: tuple[tuple[Node, tuple[Node, ...], tuple[Node, ...]], ...]


class WordsWay(Struct, frozen=True):
    """Stems and cycles that are closed under further steps, up to those that lead to fewer nodes."""

    stems: tuple[Stem, ...]
    cycles: tuple[Cycle, ...]


class WordsCertificate(Struct, frozen=True, eq=False, dict=True):
    """The words along fair paths of one graph are words along fair paths of the other, in each direction that is claimed."""

    relation: str
    ways: tuple[WordsWay, ...]
    preorder: bool
    kind: ClassVar[str] = "words"

    @property
    def summary(self) -> str:
        return f"{sum(len(way.stems) for way in self.ways)} stems and {sum(len(way.cycles) for way in self.ways)} cycles"


class LookaheadCertificate(Struct, frozen=True, eq=False, dict=True):
    """Pairs of states where the second answers the first, if the first shows `ahead` steps; `below` has a list of pairs for each
    direction that is claimed. It is not written to files."""

    relation: str
    ahead: int
    below: tuple[tuple[tuple[int, int], ...], ...]
    preorder: bool
    kind: ClassVar[str] = "lookahead"

    @property
    def summary(self) -> str:
        return f"answers to {self.ahead} steps ahead for {sum(map(len, self.below))} pairs of states"


class Attack(Struct, frozen=True):
    """Steps from a state, each an action and a state. Every answer of the state `against` leads to a pair with an attack of its
    own."""

    state: int
    against: int
    steps: tuple[tuple[str, int], ...]


class AttackCertificate(Struct, frozen=True, eq=False, dict=True):
    """Attacks, each after those that it relies on, that show that the initial state `begins` of the graph `way` (0 or 1) is below
    no initial state of the other, if `ahead` steps are shown. It is not written to files."""

    relation: str
    ahead: int
    attacks: tuple[Attack, ...]
    begins: int
    preorder: bool
    way: int = 0
    kind: ClassVar[str] = "attacks"
    refutes: ClassVar[bool] = True

    @property
    def states(self) -> set[int]:
        """All states in it, of both graphs side by side."""
        ends = {state for attack in self.attacks for _, state in attack.steps}
        return ends | {state for attack in self.attacks for state in (attack.state, attack.against)} | {self.begins}


class WeakCertificate(Struct, frozen=True, eq=False, dict=True):
    """A certificate about a graph with other steps: `weak`, `delayed` or `extended` ones. If `coupled`, it also claims that
    internal steps lead states that are above others below them."""

    steps: str
    inner: PartitionCertificate | SimulationCertificate | PathCertificate
    coupled: bool = False
    kind: ClassVar[str] = "weak"


SpectrumCertificate: TypeAlias = (
    PartitionCertificate | SimulationCertificate | NestedCertificate | PathCertificate | FirstStepsCertificate | WeakCertificate
)
"""A certificate that one graph is below another by a notion of the spectrum. The last four are not written to files."""


GraphCertificate: TypeAlias = (
    PartitionCertificate | SimulationCertificate | InclusionCertificate
    | StrategyCertificate | LassoCertificate | AnswersCertificate | WordsCertificate
)


class CertificateCheck(Struct, frozen=True, dict=True):
    """The outcome of checking a certificate: the problem, or an empty text; and facts about it for the report."""

    problem: str = ""
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def accepted(self) -> bool:
        return not self.problem
