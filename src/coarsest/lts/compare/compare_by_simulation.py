"""Comparing graphs by simulation and ready simulation: as preorders, or as the equivalences that they make."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from coarsest.lts.certificates import SimulationCertificate
from coarsest.lts.compare.compare_by_partition import initial_states
from coarsest.lts.compare.comparison import Comparison, Difference
from coarsest.lts.merge import merged
from coarsest.lts.minimise.classes import bisimulation_classes
from coarsest.lts.simulation.distinguish_by_game import SimulationGame
from coarsest.lts.simulation.preorder_ranzato_tapparo import simulation_preorder
from coarsest.run import Run

if TYPE_CHECKING:
    from coarsest.lts.labelled import Graph


def compare_by_simulation(both: Graph, first_states: int, run: Run, *, preorder: bool, ready: bool = False) -> Comparison:
    """Two graphs side by side: does the second simulate the first, and, unless it is the preorder, the first the second?"""
    relation = "ready-simulation" if ready else "simulation"
    bisimilar = bisimulation_classes(both, run=run).class_of
    small = merged(both, bisimilar)
    order = simulation_preorder(small, run, ready=ready)
    facts = {"bisimulation_classes": small.states, "classes": order.blocks}
    sides = [sorted({int(bisimilar[state]) for state in states}) for states in initial_states(both, first_states)]
    game = SimulationGame(small, order, run, ready=ready)
    depths = [
        (depth, side, state)
        for side, (states, others) in enumerate([sides, sides[::-1]][: 1 if preorder else 2])
        for state in states
        if (depth := game.depth(state, others)) is not None
    ]
    if not depths:
        blocks = order.block[bisimilar].astype(np.int64)
        certificate = SimulationCertificate(relation, blocks, order.matrix(), preorder)
        return Comparison(relation, preorder, certificate, statistics=facts)
    _, side, state = min(depths)
    difference = Difference(game.between(state, sides[1 - side]), side)
    return Comparison(relation, preorder, difference=difference, statistics=facts)
