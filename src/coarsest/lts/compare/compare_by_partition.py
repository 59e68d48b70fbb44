"""Bisimulations: one partition of all states, and formulas from its history that distinguish initial states, or all classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from coarsest.logic.modal.hennessy_milner import Formula
from coarsest.lts.branching.branching_bisimulation import branching_partition, branching_quotient, branching_rounds
from coarsest.lts.certificates import PartitionCertificate
from coarsest.lts.compare.comparison import Comparison, Difference
from coarsest.lts.minimise.classes import bisimulation_classes
from coarsest.lts.minimise.quotient import merged
from coarsest.lts.rounds.distinguish_cleaveland import Distinguisher
from coarsest.lts.rounds.signatures_blom_orzan import refine_by_signatures
from coarsest.lts.rounds.truths import FormulaTruths
from coarsest.run import Run

if TYPE_CHECKING:
    from coarsest.lts.labelled import Graph


def compare_by_bisimulation(both: Graph, first_states: int, run: Run) -> Comparison:
    """Strong bisimulation between two graphs side by side."""
    classes = bisimulation_classes(both, run=run)
    sides = [sorted({int(classes.class_of[state]) for state in states}) for states in initial_states(both, first_states)]
    if sides[0] == sides[1]:
        certificate = PartitionCertificate("bisimulation", classes.class_of.astype(np.int64))
        return Comparison("bisimulation", False, certificate, statistics={"blocks": classes.number})
    small = merged(both, classes.class_of)
    history = refine_by_signatures(small, run)  # the rounds are repeated on the small graph, because formulas need their history
    difference = difference_of(Distinguisher(small, history, run), sides[0], sides[1])
    facts = {"blocks": classes.number, "rounds": history.rounds}
    return Comparison("bisimulation", False, difference=difference, statistics=facts)


def compare_by_branching_bisimulation(both: Graph, first_states: int, run: Run, *, divergence: bool = False) -> Comparison:
    """Branching bisimulation between two graphs side by side, perhaps with divergence."""
    relation = "branching-bisimulation-divergence" if divergence else "branching-bisimulation"
    small, class_of = branching_quotient(both, run, divergence=divergence)
    sides = [sorted({int(class_of[state]) for state in states}) for states in initial_states(both, first_states)]
    if sides[0] == sides[1]:
        return Comparison(relation, False, PartitionCertificate(relation, class_of), statistics={"blocks": small.states})
    collapsed, history = branching_rounds(small, run, divergence=divergence, sides=sides)  # for formulas
    distinguisher = Distinguisher(collapsed.graph, history, run, internal=collapsed.internal, divergence=collapsed.divergence)
    difference = difference_of(distinguisher, *(sorted(int(collapsed.component[state]) for state in side) for side in sides))
    facts = {"blocks": small.states, "rounds": history.rounds}
    return Comparison(relation, False, difference=difference, statistics=facts)


def initial_states(both: Graph, first_states: int) -> tuple[list[int], list[int]]:
    """The initial states of the first graph and those of the second."""
    initial = sorted(set(both.initial.tolist()))
    return [state for state in initial if state < first_states], [state for state in initial if state >= first_states]


def difference_of(distinguisher: Distinguisher, first: list[int], second: list[int]) -> Difference | None:
    """A formula of least depth that distinguishes an initial state of one graph from all those of the other."""
    choices = [(state, side) for side, states in enumerate((first, second)) for state in states]
    depths = []
    for state, side in choices:
        depth = distinguisher.separation(state, (first, second)[1 - side])
        if depth is not None:
            depths.append((depth, side, state))
    if not depths:
        return None
    _, side, state = min(depths)
    formula = distinguisher.between(state, (first, second)[1 - side])
    return None if formula is None else Difference(formula, side)


def certify_bisimulation(graph: Graph, run: Run, *, minimal: bool) -> PartitionCertificate:
    """The classes of the states; with `minimal`, also formulas that distinguish them."""
    blocks = bisimulation_classes(graph, run=run).class_of.astype(np.int64)
    if not minimal:
        return PartitionCertificate("bisimulation", blocks)
    small = merged(graph, blocks)
    distinguisher = Distinguisher(small, refine_by_signatures(small, run), run)
    return PartitionCertificate("bisimulation", blocks, telling_apart(distinguisher, small, np.arange(small.states), run))


def certify_branching_bisimulation(graph: Graph, run: Run, *, minimal: bool, divergence: bool = False) -> PartitionCertificate:
    """The classes by branching bisimulation, perhaps with divergence."""
    relation = "branching-bisimulation-divergence" if divergence else "branching-bisimulation"
    if not minimal:
        return PartitionCertificate(relation, branching_quotient(graph, run, divergence=divergence)[1])
    collapsed, history = branching_partition(graph, run, divergence=divergence)
    blocks = history.block[collapsed.component]
    distinguisher = Distinguisher(collapsed.graph, history, run, internal=collapsed.internal, divergence=collapsed.divergence)
    representatives = np.empty(history.blocks, dtype=np.int64)
    representatives[blocks] = np.arange(graph.states)
    states_of_collapsed = np.empty(history.blocks, dtype=np.int64)
    states_of_collapsed[history.block] = np.arange(collapsed.graph.states)
    formulas = telling_apart(distinguisher, graph, representatives, run, named=states_of_collapsed)
    return PartitionCertificate(relation, blocks, formulas)


def telling_apart(
    distinguisher: Distinguisher, graph: Graph, classes: NDArray[np.int64], run: Run, *, named: NDArray[np.int64] | None = None
) -> tuple[Formula, ...]:
    """Formulas such that no two classes agree on all of them. `classes` are states of the graph, one for each class; `named` are
    the corresponding states of the distinguisher's graph, if it has another one."""
    states_asked = classes if named is None else named
    truths, states = FormulaTruths(graph, ()), classes.tolist()
    formulas: list[Formula] = []
    groups = [list(range(len(states)))]
    while groups:
        group = groups.pop()
        if len(group) < 2:
            continue
        run.step("minimality", formulas=len(formulas), waiting=len(groups))
        formula = distinguisher.between(int(states_asked[group[0]]), [int(states_asked[group[1]])])
        assert formula is not None, "classes of the coarsest partition can be distinguished"
        formulas.append(formula)
        truths.turn_to(formula.nodes)
        true_in = {state for state in states if truths.at(len(formula.nodes) - 1, state)}
        assert (states[group[0]] in true_in) and (states[group[1]] not in true_in), "the formula distinguishes the two"
        groups.append(group)
        halves = ([n for n in old if (states[n] in true_in) == side] for old in groups for side in (True, False))
        groups = [half for half in halves if len(half) > 1]
    return tuple(formulas)
