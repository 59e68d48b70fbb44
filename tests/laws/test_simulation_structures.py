"""The minimising algorithm, step by step: whatever the quotient and the way to disconnect little brothers, there is one smallest
structure; it is that of the listed graph, and two are equivalent iff they are isomorphic (Bustan's thesis, theorem 3.1.2)."""

from __future__ import annotations

from random import Random

import numpy as np

from coarsest.api.model import Model
from coarsest.api.reductions import Reduced
from coarsest.logic.expr import Apply, Name
from coarsest.lts.compare.compare_graphs import compare_graphs
from coarsest.lts.labelled import Graph
from coarsest.lts.simulation.smallest_bustan_grumberg import minimise_by_simulation
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Machine
from coarsest.reduce.partition.observation import observe
from coarsest.reduce.partition.observed import Observed
from coarsest.reduce.partition.reachable_part import reachable_part
from coarsest.reduce.simulation import quotients_bustan_grumberg as steps
from coarsest.reduce.simulation.algorithms import minimise_by
from coarsest.reduce.simulation.ordered import dead_ends_apart
from coarsest.reduce.simulation.splitters_gentilini_piazza_policriti import refinements
from coarsest.run import Run
from coarsest.space.bdd.build import build
from random_machines import random_graph_machine

SEEDS = range(60)
LABEL = Name("at0")


def machine_of(seed: int) -> Machine:
    return random_graph_machine(Random(seed), nodes=10)


def test_quotients_and_little_brothers() -> None:
    """From the quotient with fewer steps or the one with more, one by one, in one pass or at once."""
    disconnected = 0
    for seed in SEEDS:
        machine = machine_of(seed)
        space = build(machine)
        observed = dead_ends_apart(Observed.by(space, observe(machine, [LABEL], cone=False).sets(space, Run())))
        inside = reachable_part(observed, Run())
        *_, ordered = refinements(inside, Run())
        labels = [next(i for i, block in enumerate(observed.blocks) if states <= block) for states in ordered.classes]
        _, _, small = minimise_by("reach-then-refine", observed, Run())
        edges = {(small.numbers[a], small.numbers[b]) for a, _, b in small.partition.edges}
        for every in (True, False):
            structure = steps.quotient(inside, ordered, every=every)
            assert (steps.maximal_simulation(structure.initial, structure.steps, labels, Run()) == ordered.above).all(), seed
            ways = (
                steps.disconnect_one_by_one(structure, labels, Run()),
                steps.disconnect_in_one_pass(structure),
                steps.disconnect_at_once(structure),
            )
            for way in ways:
                reached, transitions = steps.reachable(way)
                assert set(np.flatnonzero(reached).tolist()) == set(small.numbers), seed
                (matrix,) = way.steps
                assert {(a, b) for a, b in np.argwhere(matrix).tolist() if reached[a]} == edges, seed
                assert transitions == len(edges), seed
                assert (way.above == ordered.above).all(), seed
                assert set(np.flatnonzero(way.initial).tolist()) == {small.numbers[i] for i in small.partition.initial}, seed
            disconnected += ways[0].transitions < structure.transitions
    assert disconnected > 10


def listed_graph(machine: Machine) -> Graph:
    """The states one by one, by the interpreter; dead ends are seen."""
    interpreter = Interpreter(machine)
    numbers = {state: i for i, state in enumerate(dict.fromkeys(interpreter.initial_values()))}
    first, waiting, edges = len(numbers), list(numbers), []
    for state in waiting:
        for _, after in interpreter.successor_values(state):
            if after not in numbers:
                numbers[after] = len(numbers)
                waiting.append(after)
            edges.append((numbers[state], numbers[after]))
    alive = {source for source, _ in edges}
    labels = [2 * bool(interpreter.value(LABEL, interpreter.assignment(s))) + (i in alive) for s, i in numbers.items()]
    names = ("!at0, stuck", "!at0", "at0, stuck", "at0")
    sources, targets = zip(*edges) if edges else ((), ())
    return Graph.from_edges(
        len(numbers), sources, [0] * len(edges), targets, initial=range(first), labels=labels, label_names=names
    )


def graph_of(reduced: Reduced) -> Graph:
    graph = reduced.graph
    alive = np.diff(graph.offsets) > 0
    kinds = [name if ok else f"{name}, stuck" for name, ok in zip((graph.label_names[i] for i in graph.labels), alive)]
    names = tuple(dict.fromkeys(kinds)) or ("",)
    return Graph.from_edges(
        graph.states, graph.sources, graph.actions, graph.targets, initial=graph.initial, labels=list(map(names.index, kinds)),
        label_names=names,
    )  # fmt: skip


def same(one: Graph, other: Graph) -> bool:
    """Isomorphic: as both are smallest, they are when they are bisimilar and have equally many states and transitions."""
    sizes = (one.states, one.transitions, len(one.initial)) == (other.states, other.transitions, len(other.initial))
    return sizes and compare_graphs(one, other, by="bisimulation").related


def test_the_reduced_model_is_the_reduced_graph() -> None:
    smaller = 0
    for seed in SEEDS:
        machine = machine_of(seed)
        graph = listed_graph(machine)
        reduced = Model(machine).reduce(observe=[LABEL], by="simulation", cone=False)
        assert reduced.confirmed
        if not graph.states:
            assert reduced.states == 0
            continue
        expected = minimise_by_simulation(graph).graph
        assert same(graph_of(reduced), expected), seed
        assert compare_graphs(graph_of(reduced), graph, by="simulation").related, seed
        smaller += expected.states < graph.states
    assert smaller > 20


def test_reduced_structures_are_equivalent_iff_isomorphic() -> None:
    reduced = [graph_of(Model(machine_of(seed)).reduce(observe=[LABEL], by="simulation", confirm="never")) for seed in range(40)]
    reduced = [graph for graph in reduced if graph.states]
    related = 0
    for i, one in enumerate(reduced):
        for other in reduced[:i]:
            equivalent = compare_graphs(one, other, by="simulation").related
            assert equivalent == same(one, other)
            related += equivalent
    assert related >= 5


def test_nothing_observed_is_one_state() -> None:
    """Where all states look alike and go on, each simulates each other."""
    machine = machine_of(1)
    everywhere = Apply("or", (LABEL, Apply("not", (LABEL,))))
    reduced = Model(machine).reduce(observe=[everywhere], by="simulation", cone=False)
    assert (reduced.states, reduced.transitions) == (1, 1)
