"""The common ground of all strong notions: two graphs side by side, reduced by bisimulation, and preorders between their states.

No notion of the strong spectrum is finer than bisimulation, so all are decided on its classes. The path notions are decided on
the classes of a preorder that implies them: simulation, ready simulation or 2-nested simulation.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coarsest import tuning
from coarsest.lts.certificates import NestedCertificate, Pairs, PartitionCertificate, SimulationCertificate
from coarsest.lts.language.inclusion_antichains import TraceInclusion
from coarsest.lts.minimise.classes import bisimulation_classes
from coarsest.lts.minimise.quotient import merged
from coarsest.lts.rounds.distinguish_cleaveland import Distinguisher
from coarsest.lts.rounds.signatures_blom_orzan import refine_by_signatures
from coarsest.lts.simulation.distinguish_by_game import DistinguishingGame
from coarsest.lts.simulation.preorder_ranzato_tapparo import (
    Preorder,
    nested_simulation_within,
    ready_simulation_within,
    simulation_preorder,
)
from coarsest.lts.spectrum.futures import Futures
from coarsest.lts.spectrum.observed_states import ObservedStates, SeenOfState
from coarsest.lts.spectrum.path_observations import PathNotion, PathObservations
from coarsest.run import Run

if TYPE_CHECKING:
    from coarsest.lts.labelled import Graph


class PreorderClasses(NamedTuple):
    """The graph of the classes of a preorder; the class of each state of both graphs; the set of classes above each class."""

    graph: Graph
    class_of: NDArray[np.int64]
    above: list[int]


class Ground:
    """Results about two graphs that are computed once, when they are first needed. `initial` are the initial states of each."""

    def __init__(self, both: Graph, initial: tuple[list[int], list[int]], run: Run) -> None:
        self.both, self.initial, self.run = both, initial, run
        self.class_of = bisimulation_classes(both, run=run).class_of.astype(np.int64)
        self.small = merged(both, self.class_of)
        self.sides = self.sides_by(self.class_of)

    def sides_by(self, class_of: NDArray[np.int64]) -> tuple[list[int], list[int]]:
        """The classes of the initial states of each graph."""
        first, second = (sorted({int(class_of[state]) for state in states}) for states in self.initial)
        return first, second

    @cached_property
    def simulation(self) -> Preorder:
        return simulation_preorder(self.small, self.run)

    @cached_property
    def ready_simulation(self) -> Preorder:
        return ready_simulation_within(self.simulation, self.small, self.run)

    @cached_property
    def nested_simulation(self) -> Preorder:
        return nested_simulation_within(self.simulation, self.small, self.run)

    @cached_property
    def distinguisher(self) -> Distinguisher:
        return Distinguisher(self.small, refine_by_signatures(self.small, self.run), self.run)

    @cached_property
    def _games(self) -> dict[str, DistinguishingGame]:
        return {}

    def game(self, notion: str) -> DistinguishingGame:
        """The game of a simulation of that name."""
        if notion not in self._games:
            nested = self.game("finite-simulation") if notion == "2-nested-simulation" else None
            ready = notion == "ready-simulation"
            self._games[notion] = DistinguishingGame(self.small, self.order(notion), self.run, ready=ready, nested=nested)
        return self._games[notion]

    def order(self, notion: str) -> Preorder:
        orders = {
            "finite-simulation": "simulation", "ready-simulation": "ready_simulation", "2-nested-simulation": "nested_simulation",
        }  # fmt: skip
        order: Preorder = getattr(self, orders[notion])
        return order

    def classes(self, notion: str) -> PreorderClasses:
        """The classes of a simulation of that name."""
        order = self.order(notion)
        above = [int.from_bytes(row.tobytes(), "little") for row in order.rows]
        return PreorderClasses(merged(self.small, order.block), order.block[self.class_of].astype(np.int64), above)

    @cached_property
    def _path_grounds(self) -> dict[str, tuple[PreorderClasses, PathObservations]]:
        return {}

    def paths(self, notion: str) -> tuple[PreorderClasses, PathObservations]:
        """Path observations on the classes of a simulation that implies them; for 2-nested simulation, also traces of states."""
        if notion not in self._path_grounds:
            classes = self.classes(notion)
            futures = Futures(classes.graph, self._simulated(classes), self.run) if notion == "2-nested-simulation" else None
            states = ObservedStates(classes.graph, futures)
            paths = PathObservations(classes.graph, classes.above, states, self.run)
            self._path_grounds[notion] = classes, paths
        return self._path_grounds[notion]

    def _simulated(self, classes: PreorderClasses) -> Preorder:
        """The simulation preorder of the classes of a finer one."""
        block = np.zeros(classes.graph.states, dtype=np.int64)
        block[classes.class_of] = self.simulation.block[self.class_of]
        return Preorder(block, self.simulation.rows)

    def inclusions(self, notion: PathNotion, pairs: Iterable[tuple[int, tuple[int, ...]]]) -> Pairs | None:
        """Pairs of classes of simulation that show, for each pair of a class and others by 2-nested simulation, that traces do
        not distinguish it from one of the others. None if that takes too much work."""
        fine, paths = self.paths("2-nested-simulation")
        block = self._simulated(fine).block
        question = TraceInclusion(self.classes("finite-simulation").graph, self.simulation.matrix(), self.run)
        shown: dict[tuple[int, int], Pairs] = {}
        with self.run.within(steps=tuning.SPECTRUM_SETS) as budget:
            for state, others in pairs:
                own, other = int(block[state]), int(block[paths.fitting(notion, state, others)[0]])
                ways = ((other, own), (own, other)) if notion.last is SeenOfState.POSSIBLE else ((other, own),)
                for lower, upper in ways:
                    if (lower, upper) not in shown:
                        shown[lower, upper] = question.decide([lower], [upper]).pairs
        if budget.spent:
            return None
        return tuple(dict.fromkeys(pair for inclusion in shown.values() for pair in inclusion))

    @cached_property
    def partition(self) -> PartitionCertificate:
        return PartitionCertificate("bisimulation", self.class_of)

    def certificate(self, notion: str) -> SimulationCertificate | NestedCertificate:
        """The certificate that a preorder is a simulation of that kind."""
        if notion not in self._certificates:
            order = self.order(notion)
            relation = "finite-simulation" if notion == "2-nested-simulation" else notion
            blocks = order.block[self.class_of].astype(np.int64)
            self._certificates[notion] = SimulationCertificate(relation, blocks, order.matrix(), preorder=True)
        certificate = self._certificates[notion]
        if notion != "2-nested-simulation":
            return certificate
        self.certificate("finite-simulation")
        return NestedCertificate(self._certificates["finite-simulation"], certificate)

    @cached_property
    def _certificates(self) -> dict[str, SimulationCertificate]:
        return {}
