"""Weak bisimulation between graphs, perhaps with divergence: bisimulation on weak transitions, and formulas of weak steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from coarsest.lts.certificates import PartitionCertificate
from coarsest.lts.compare.compare_by_partition import difference_of, initial_states, telling_apart
from coarsest.lts.compare.comparison import Comparison
from coarsest.lts.rounds.distinguish_by_weak_steps import WeakDistinguisher
from coarsest.lts.rounds.distinguish_cleaveland import Distinguisher
from coarsest.lts.rounds.weak_modalities import WeakModalities
from coarsest.lts.weak.weak_bisimulation import WeakClasses, weak_classes
from coarsest.run import Run

if TYPE_CHECKING:
    from coarsest.lts.labelled import Graph


def compare_by_weak_bisimulation(both: Graph, first_states: int, run: Run, *, divergence: bool = False) -> Comparison:
    """Two graphs side by side."""
    relation = "weak-bisimulation-divergence" if divergence else "weak-bisimulation"
    classes = weak_classes(both, run, divergence=divergence)
    facts = {"blocks": classes.graph.states, "branching_classes": classes.branching_classes}
    sides = [sorted({int(classes.block[state]) for state in states}) for states in initial_states(both, first_states)]
    if sides[0] == sides[1]:
        return Comparison(relation, False, PartitionCertificate(relation, classes.block), statistics=facts)
    difference = difference_of(_distinguisher(classes, run), sides[0], sides[1])
    return Comparison(relation, False, difference=difference, statistics=facts)


def certify_weak_bisimulation(graph: Graph, run: Run, *, minimal: bool, divergence: bool = False) -> PartitionCertificate:
    """The classes of the states; with `minimal`, also formulas that distinguish them."""
    relation = "weak-bisimulation-divergence" if divergence else "weak-bisimulation"
    classes = weak_classes(graph, run, divergence=divergence)
    if not minimal:
        return PartitionCertificate(relation, classes.block)
    representatives = np.empty(classes.graph.states, dtype=np.int64)
    representatives[classes.block] = np.arange(graph.states)
    named = np.arange(classes.graph.states)
    formulas = telling_apart(_distinguisher(classes, run), graph, representatives, run, named=named)
    return PartitionCertificate(relation, classes.block, formulas)


def _distinguisher(classes: WeakClasses, run: Run) -> Distinguisher:
    graph, divergence = classes.graph, classes.divergence
    mark = graph.action_names[divergence] if divergence >= 0 else None
    make = WeakModalities(mark=mark, silent=graph.action_names[classes.internal])
    return WeakDistinguisher(graph, classes.history(run), run, silent=classes.internal, divergence=divergence, make=make)
