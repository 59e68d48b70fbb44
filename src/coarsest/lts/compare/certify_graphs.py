"""Certificates of reductions of graphs: the classes of all states, and formulas that show that no two can be merged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from coarsest.errors import Unsupported
from coarsest.logic.modal.hennessy_milner import Formula
from coarsest.lts.branching.branching_bisimulation import branching_partition
from coarsest.lts.certificates import GraphCertificate, PartitionCertificate, SimulationCertificate
from coarsest.lts.merge import merged
from coarsest.lts.minimise.classes import bisimulation_classes
from coarsest.lts.rounds.distinguish_cleaveland import Distinguisher
from coarsest.lts.rounds.signatures_blom_orzan import refine_by_signatures
from coarsest.lts.rounds.truths import Truths
from coarsest.lts.simulation.preorder_ranzato_tapparo import simulation_preorder
from coarsest.lts.union import tidied
from coarsest.run import Run

if TYPE_CHECKING:
    from coarsest.lts.labelled import Graph


def certify_graph(graph: Graph, *, by: str = "bisimulation", minimal: bool = False, run: Run | None = None) -> GraphCertificate:
    """The classes of the states of a graph under a relation, as a certificate; with `minimal`, formulas that tell them apart."""
    run = run or Run()
    tidy = tidied(graph)
    if by == "simulation":
        if minimal:
            raise Unsupported("formulas show the minimality of bisimulations only", hint="leave out --minimal")
        bisimilar = bisimulation_classes(tidy, run=run).class_of
        order = simulation_preorder(merged(tidy, bisimilar), run)
        return SimulationCertificate(by, order.block[bisimilar].astype(np.int64), order.matrix(), preorder=False)
    if by == "bisimulation":
        blocks = bisimulation_classes(tidy, run=run).class_of.astype(np.int64)
        if not minimal:
            return PartitionCertificate(by, blocks)
        small = merged(tidy, blocks)
        distinguisher = Distinguisher(small, refine_by_signatures(small, run), run)
        return PartitionCertificate(by, blocks, _telling_apart(distinguisher, small, np.arange(small.states), run))
    collapsed, history = branching_partition(tidy, run, divergence=by.endswith("divergence"))
    blocks = history.block[collapsed.component]
    if not minimal:
        return PartitionCertificate(by, blocks)
    distinguisher = Distinguisher(collapsed.graph, history, run, internal=collapsed.internal, divergence=collapsed.divergence)
    representatives = np.empty(history.blocks, dtype=np.int64)
    representatives[blocks] = np.arange(tidy.states)
    states_of_collapsed = np.empty(history.blocks, dtype=np.int64)
    states_of_collapsed[history.block] = np.arange(collapsed.graph.states)
    formulas = _telling_apart(distinguisher, tidy, representatives, run, named=states_of_collapsed)
    return PartitionCertificate(by, blocks, formulas)


def _telling_apart(
    distinguisher: Distinguisher, graph: Graph, classes: NDArray[np.int64], run: Run, *, named: NDArray[np.int64] | None = None
) -> tuple[Formula, ...]:
    """Formulas until no two classes agree on all of them. `classes` are states of the graph, one for each class, and `named` the
    states that the distinguisher knows them by."""
    known = classes if named is None else named
    truths, states = Truths(graph, ()), classes.tolist()
    formulas: list[Formula] = []
    groups = [list(range(len(states)))]
    while groups:
        group = groups.pop()
        if len(group) < 2:
            continue
        run.step("minimality", formulas=len(formulas), waiting=len(groups))
        formula = distinguisher.between(int(known[group[0]]), [int(known[group[1]])])
        assert formula is not None, "classes of the coarsest partition can be told apart"
        formulas.append(formula)
        truths.turn_to(formula.nodes)
        true_in = {state for state in states if truths.at(len(formula.nodes) - 1, state)}
        groups.append(group)
        groups = [part for old in groups for part in _parted(old, states, true_in)]
    return tuple(formulas)


def _parted(group: list[int], states: list[int], true_in: set[int]) -> list[list[int]]:
    parts = [[number for number in group if (states[number] in true_in) == side] for side in (True, False)]
    return [part for part in parts if len(part) > 1]
