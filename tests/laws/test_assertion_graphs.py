"""Assertion graphs against the definitions: theorems 1 to 4, GSTE on every carrier, and the shortcut of figure 4."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from campaigns import blocks
from coarsest.automata.automaton import Automaton
from coarsest.automata.shrink.degeneralise import degeneralise
from coarsest.automata.translate.assertion_graphs_and_buchi import assertion_graph_against, violations_of
from coarsest.check.gste.gste_yang_seger import figure_4, gste, gste_fair_states
from coarsest.check.setting.arena import machine_for
from coarsest.logic.expr import TRUE, Name
from coarsest.model.assertion_graph import AssertionGraph, Semantics, Vertex, check_assertion_graph
from coarsest.model.machine import Machine
from coarsest.options.methods import FAIR_ALGORITHMS_ON_GRAPHS as FAIR_ALGORITHMS
from coarsest.options.methods import PRUNING
from coarsest.run import Run
from coarsest.search.fair_states import fair_hull
from coarsest.search.reachability import BreadthFirst
from coarsest.search.witness import Path
from coarsest.space.assertion_graph_product import AssertionGraphProduct
from coarsest.space.bdd.build import build
from coarsest.space.counting import CountingSpace, Counts
from coarsest.space.explicit.enumerate import enumerate_machine
from coarsest.space.explicit.explicit import ExplicitSpace
from coarsest.space.partitioned import PartitionedSpace
from coarsest.space.views import RestrictedSpace
from oracles.assertion_graphs import System, accepts_some, refutes, word
from oracles.brute_force import BruteForce
from oracles.fair_graphs import FairGraph
from random_graphs import random_automaton, random_graph
from random_machines import random_condition, random_graph_machine, seeded_machine, with_fairness

NAMES = ("p", "q")


def draw(random: Random) -> Name:
    return Name(random.choice(NAMES))


# -- theorems 1 to 4, on words ---------------------------------------------------------------------------------------------


def words(random: Random, semantics: Semantics) -> Iterator[System]:
    """Random sequences: finite ones, or lassos."""
    for _ in range(12):
        letters = [frozenset(name for name in NAMES if random.random() < 0.6) for _ in range(random.randint(1, 6))]
        yield word(letters, None if semantics is Semantics.FINITE else random.randrange(len(letters)))


@pytest.mark.parametrize("semantics", Semantics)
def test_theorems_1_and_2_on_words(semantics: Semantics) -> None:
    """The automaton accepts exactly the sequences that do not satisfy the graph."""
    fair, seen = semantics is Semantics.FAIR, set()
    for seed in range(300):
        random = Random(seed)
        graph = random_graph(random, lambda: draw(random), semantics=semantics)
        automaton = violations_of(graph, semantics)
        assert automaton.is_state_based
        for sequence in words(random, semantics):
            refuted = refutes(sequence, graph, fair=fair)
            assert accepts_some(sequence, automaton, fair=fair) == refuted
            seen.add(refuted)
    assert seen == {False, True}


@pytest.mark.parametrize("semantics", Semantics)
def test_theorems_3_and_4_on_words(semantics: Semantics) -> None:
    """The graph is satisfied by exactly the sequences that the automaton does not accept; and there and back again."""
    fair, seen = semantics is Semantics.FAIR, set()
    for seed in range(300):
        random = Random(seed)
        automaton = random_automaton(random, lambda: draw(random), sets=random.choice([0, 1, 2]) if fair else 1)
        graph = assertion_graph_against(automaton, semantics)
        check_assertion_graph(graph, semantics)
        again = violations_of(graph, semantics)
        for sequence in words(random, semantics):
            accepted = accepts_some(sequence, automaton, fair=fair)
            assert refutes(sequence, graph, fair=fair) == accepted
            assert accepts_some(sequence, again, fair=fair) == accepted
            seen.add(accepted)
    assert seen == {False, True}


def test_a_state_comes_back_as_one_vertex() -> None:
    """All edges out of a state of a translated graph have the same guard and marks."""
    for seed in range(50):
        random = Random(seed)
        graph = random_graph(random, lambda: draw(random), semantics=Semantics.FAIR)
        automaton = violations_of(graph, Semantics.FAIR)
        back = assertion_graph_against(automaton, Semantics.FAIR)
        labelled = [edges for edges in automaton.edges if edges]
        assert len(back.vertices) - len(labelled) in (0, 1)  # one vertex for each state, perhaps one more to be total


# -- on systems, every carrier ---------------------------------------------------------------------------------------------


def seeded(seed: int) -> Machine:
    """A small machine; most walk in a random graph, some cannot always go on, half have fairness."""
    random = Random(seed)
    machine = random_graph_machine(random) if seed % 4 else seeded_machine(seed // 4, state_bits=3)
    return with_fairness(random, machine) if seed % 2 else machine


def explicit_system(machine: Machine) -> System:
    """The system of a machine, by trying everything."""
    force = BruteForce(machine)
    after: dict[Any, list[Any]] = {state: [] for state in force.states}
    for before, then in force.steps:
        after[before].append(then)
    justice = [force.where(p) for p in machine.justice]
    graph = FairGraph(after, justice, [(force.where(p), force.where(q)) for p, q in machine.compassion])
    return System(set(force.initial), graph, force.where)


def systems(seeds: range, semantics: Semantics) -> Iterator[tuple[int, AssertionGraph, Machine, System]]:
    """Graphs beside machines in which the inputs they mention are part of the state."""
    for seed in seeds:
        random = Random(seed)
        machine = seeded(seed)
        with_inputs = random.random() < 0.3
        graph = random_graph(random, lambda: random_condition(random, machine, inputs=with_inputs), semantics=semantics)
        promoted, _ = machine_for(machine, graph.conditions, cone=False)
        yield seed, graph, promoted, explicit_system(promoted)


def carriers(machine: Machine) -> list[Any]:
    """The same system by decision diagrams and by bit sets."""
    return [build(machine), enumerate_machine(machine, reachable_only=False)]


def check_path(path: Path[Any], product: AssertionGraphProduct[Any], system: System) -> None:
    """The path refutes the graph, by the definition."""
    graph = product.graph
    described = [product.describe(pair) for pair in path.states]
    states = [next(s for s in system.graph.after if _same(s, values)) for values in described]
    vertices = [product.vertex_of(pair) for pair in path.states]
    assert states[0] in system.initial and vertices[0] in graph.initial
    after = list(range(1, len(states))) + ([] if path.loop is None else [path.loop])
    for here, there in enumerate(after):
        assert states[there] in system.graph.after[states[here]]
        assert (vertices[here], vertices[there]) in graph.edges
    for state, vertex in zip(states, vertices):
        assert state in system.where(graph.vertices[vertex].antecedent)
    assert any(state not in system.where(graph.vertices[vertex].consequent) for state, vertex in zip(states, vertices))
    if product.semantics is Semantics.FINITE:
        assert path.loop is None and vertices[-1] in graph.final
        return
    around, on_loop = set(states[path.loop :]), set(vertices[path.loop :])
    assert all(members & on_loop for members in graph.fair)
    assert all(around & justice for justice in system.graph.justice)
    assert all(around & q or not around & p for p, q in system.graph.compassion)


def _same(state: tuple[Any, ...], values: Any) -> bool:
    return [(type(v), v) for v in state] == [(type(v), v) for v in values.values()]


@pytest.mark.parametrize("semantics", Semantics)
@pytest.mark.parametrize("block", blocks(4, by_day=2))
def test_gste_on_every_carrier(semantics: Semantics, block: int) -> None:
    """GSTE is right, whenever it prunes and however it finds fair states, and its paths refute the graph."""
    fair, seen = semantics is Semantics.FAIR, set()
    for seed, graph, machine, system in systems(range(block * 90, block * 90 + 90), semantics):
        refuted = refutes(system, graph, fair=fair)
        seen.add(refuted)
        for number, space in enumerate(carriers(machine)):
            product = AssertionGraphProduct(space, graph, semantics)
            for prune in PRUNING:
                algorithm = [*FAIR_ALGORITHMS][(seed + number) % len(FAIR_ALGORITHMS)]
                outcome = gste(product, Run(), prune=prune, fair=algorithm)
                assert (outcome.path is not None) == refuted
                if outcome.path is not None:
                    check_path(outcome.path, product, system)
    assert seen == {False, True}


@pytest.mark.parametrize("semantics", Semantics)
@pytest.mark.parametrize("block", blocks(4, by_day=2))
def test_gste_is_model_checking_of_the_translated_graph(semantics: Semantics, block: int) -> None:
    """Theorems 1 and 2 on systems: the violations as an automaton, by sets split along its states."""
    fair = semantics is Semantics.FAIR
    for seed, graph, machine, system in systems(range(1000 + block * 80, 1080 + block * 80), semantics):
        automaton = violations_of(graph, semantics)
        accepted = accepts_some(system, automaton, fair=fair)
        assert refutes(system, graph, fair=fair) == accepted
        for space in carriers(machine) if seed % 2 else carriers(machine)[:1]:
            assert _meets(space, automaton, fair=fair) == accepted
            assert (gste(AssertionGraphProduct(space, graph, semantics), Run()).path is not None) == accepted


@pytest.mark.parametrize("semantics", Semantics)
@pytest.mark.parametrize("block", blocks(4, by_day=2))
def test_model_checking_is_gste_of_the_translated_automaton(semantics: Semantics, block: int) -> None:
    """Theorems 3 and 4 on systems."""
    fair, seen = semantics is Semantics.FAIR, set()
    for seed in range(2000 + block * 80, 2080 + block * 80):
        random = Random(seed)
        machine, sets = seeded(seed), random.choice([0, 1, 2]) if fair else 1
        automaton = random_automaton(random, lambda: random_condition(random, machine, inputs=False), sets=sets)
        graph = assertion_graph_against(automaton, semantics)
        promoted, _ = machine_for(machine, graph.conditions, cone=False)
        system = explicit_system(promoted)
        accepted = accepts_some(system, automaton, fair=fair)
        assert refutes(system, graph, fair=fair) == accepted
        seen.add(accepted)
        for space in carriers(promoted):
            assert (gste(AssertionGraphProduct(space, graph, semantics), Run()).path is not None) == accepted
    assert seen == {False, True}


def _meets(space: Any, automaton: Automaton, *, fair: bool) -> bool:
    """Has the system a trace that the automaton accepts, by sets?"""
    if fair:
        product = PartitionedSpace(space, degeneralise(automaton))
        reached = BreadthFirst(product, product.initial).finish(Run())
        return bool(fair_hull(RestrictedSpace(product, reached), Run(), reached))
    product = PartitionedSpace(space, automaton)
    reached = BreadthFirst(product, product.initial).finish(Run())
    return any(
        states & space.where(automaton.alphabet.expr(guard))
        for states, edges in zip(reached.parts, automaton.edges)
        for guard, marks, _ in edges
        if marks
    )


# -- figures 4 and 5 -------------------------------------------------------------------------------------------------------


def test_figure_4_is_right_where_consequents_are_trivial_off_the_final_vertices() -> None:
    seen = set()
    for seed in range(300):
        random = Random(seed)
        machine = seeded(seed)
        graph = random_graph(
            random, lambda: random_condition(random, machine, inputs=False), semantics=Semantics.FINITE, trivial_off_final=True
        )
        assert all(vertex.consequent == TRUE for v, vertex in enumerate(graph.vertices) if v not in graph.final)
        space = build(machine) if seed % 2 else enumerate_machine(machine, reachable_only=False)
        product = AssertionGraphProduct(space, graph, Semantics.FINITE)
        shortcut = figure_4(product, Run())
        assert shortcut == (gste(product, Run()).path is None)
        seen.add(shortcut)
    assert seen == {False, True}


def test_figure_4_overlooks_a_violation_off_the_final_vertices() -> None:
    """Two states in a row; the first vertex asks for what the first state does not have. Definition 4 says: refuted."""
    space = ExplicitSpace.from_edges(2, [(0, 1), (1, 1)], [0], labels={"p": [1]})
    vertices = (Vertex("a", consequent=Name("p")), Vertex("b"))
    graph = AssertionGraph("g", vertices, frozenset({(0, 1)}), frozenset({0}), frozenset({1}))
    product = AssertionGraphProduct(space, graph, Semantics.FINITE)
    assert figure_4(product, Run())
    outcome = gste(product, Run())
    assert outcome.path is not None
    assert [product.vertex_of(pair) for pair in outcome.path.states] == [0, 1]


def test_figure_4_in_the_fair_semantics() -> None:
    """There the figure is right as it stands, for systems without fairness of their own."""
    for seed in range(200):
        random = Random(seed)
        machine = random_graph_machine(random)
        graph = random_graph(random, lambda: random_condition(random, machine, inputs=False), semantics=Semantics.FAIR)
        space = build(machine) if seed % 2 else enumerate_machine(machine, reachable_only=False)
        product = AssertionGraphProduct(space, graph, Semantics.FAIR)
        assert figure_4(product, Run()) == (gste(product, Run()).path is None)


def test_figure_5_gives_the_pairs_that_start_fair_paths() -> None:
    for seed, graph, machine, system in systems(range(3000, 3080), Semantics.FAIR):
        if machine.compassion:
            continue
        antecedent = [system.where(vertex.antecedent) for vertex in graph.vertices]
        after = {
            (s, v): [(t, w) for t in system.graph.after[s] for a, w in graph.edges if a == v and t in antecedent[w]]
            for v in range(len(graph.vertices))
            for s in antecedent[v]
        }
        justice = [{(s, v) for s, v in after if v in members} for members in graph.fair]
        justice += [{(s, v) for s, v in after if s in states} for states in system.graph.justice]
        expected = FairGraph(after, justice).with_fair_path(set(after))
        for space in carriers(machine)[seed % 2 :]:
            found = gste_fair_states(product := AssertionGraphProduct(space, graph, Semantics.FAIR), Run(), product.states)
            for s, v in after:
                values = dict(zip([x.name for x in machine.state_variables], s))
                assert bool(space.state(values) & found.parts[v]) == ((s, v) in expected)


def test_vertices_with_the_same_predecessors_share_an_image() -> None:
    counts = Counts()
    space = CountingSpace(ExplicitSpace.from_edges(3, [(0, 1), (1, 2), (2, 0)], [0]), counts)
    edges = frozenset((v, w) for v in range(5) for w in range(5))
    graph = AssertionGraph("g", tuple(Vertex(f"v{v}") for v in range(5)), edges, frozenset({0}))
    product = AssertionGraphProduct(space, graph, Semantics.FAIR)
    product.post(product.initial)
    assert counts.images == 1
