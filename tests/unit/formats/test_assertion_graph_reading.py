"""Assertion graphs: the definition, reading and writing."""

from __future__ import annotations

from random import Random

import pytest

from coarsest.errors import ModelProblem, NameProblem, SyntaxProblem
from coarsest.formats.assertion_graph.read import read
from coarsest.formats.assertion_graph.write import write
from coarsest.formats.smv.read import read as read_model
from coarsest.logic.expr import FALSE, TRUE, Name
from coarsest.logic.parse import parse_expression
from coarsest.model.assertion_graph import AssertionGraph, Semantics, Vertex, check_assertion_graph, made_total
from coarsest.text import Source
from random_graphs import random_graph

HANDSHAKE = """
-- what a handshake must look like
GRAPH handshake
VERTEX start INITIAL  ANT req & !ack  CONS TRUE   -- a request
VERTEX wait           ANT !ack        CONS busy
EDGE start -> wait, wait -> wait -> done
VERTEX done FINAL     ANT ack         CONS data = 3
"""


def graph_of(text: str) -> AssertionGraph:
    (graph,) = read(Source("g.ag", text))
    return graph


def test_reading() -> None:
    graph = graph_of(HANDSHAKE)
    assert graph.name == "handshake"
    assert [vertex.name for vertex in graph.vertices] == ["start", "wait", "done"]
    assert graph.edges == {(0, 1), (1, 1), (1, 2)}
    assert (graph.initial, graph.final, graph.fair) == ({0}, {2}, ())
    assert graph.vertices[2].consequent == parse_expression("data = 3")
    assert graph.vertices[0].consequent == TRUE


def test_braces_and_chains() -> None:
    graph = graph_of("GRAPH g VERTEX a INITIAL VERTEX b VERTEX c EDGE {a, b} -> {b, c} -> a FAIR {a} FAIR {b, c}")
    assert graph.edges == {(0, 1), (0, 2), (1, 1), (1, 2), (1, 0), (2, 0)}
    assert graph.fair == ({0}, {1, 2})
    assert graph.semantics is Semantics.FAIR


def test_several_graphs() -> None:
    graphs = read(Source("g.ag", "GRAPH one VERTEX a INITIAL FINAL GRAPH two VERTEX a INITIAL EDGE a -> a"))
    assert [(graph.name, graph.semantics.value) for graph in graphs] == [("one", "finite"), ("two", "fair")]


def test_conditions_are_resolved_against_a_model() -> None:
    model = "MODULE main IVAR i : boolean; VAR x : array 0..1 of 0..3; p : cell; MODULE cell VAR on : boolean;"
    machine = read_model(Source("m.smv", model))
    text = "GRAPH g VERTEX a INITIAL FINAL ANT i & x[0 + 1] = 2 CONS p.on ? TRUE : x[0] in {1, 2}"
    (graph,) = read(Source("g.ag", text), machine)
    assert graph.vertices[0].antecedent == parse_expression("i & x[1] = 2")
    assert graph.vertices[0].consequent == parse_expression("case p.on : TRUE; TRUE : x[0] in {1, 2}; esac")


def test_without_a_model_operators_of_paths_are_refused_as_well() -> None:
    with pytest.raises(SyntaxProblem, match="about paths"):
        graph_of("GRAPH g VERTEX a INITIAL FINAL ANT F x")
    with pytest.raises(ModelProblem, match="about a step"):
        graph_of("GRAPH g VERTEX a INITIAL FINAL CONS next(x)")


@pytest.mark.parametrize("seed", range(200))
def test_what_is_written_is_read_back(seed: int) -> None:
    random = Random(seed)
    atoms = [Name("a"), parse_expression("x = 3"), parse_expression("p.q[1] > y + 1"), parse_expression("b -> c")]
    count = random.randint(1, 3)
    graphs = tuple(random_graph(random, lambda: random.choice(atoms), name=f"g{number}") for number in range(count))
    assert read(Source("g.ag", write(graphs))) == graphs


# -- the definition --------------------------------------------------------------------------------------------------------


def small(*, edges: set[tuple[int, int]], **rest: object) -> AssertionGraph:
    return AssertionGraph("g", (Vertex("a"), Vertex("b")), frozenset(edges), frozenset({0}), **rest)  # type: ignore[arg-type]


def test_one_set_serves_both_semantics() -> None:
    final = small(edges={(0, 1), (1, 0)}, final=frozenset({1}))
    fair = small(edges={(0, 1), (1, 0)}, fair=(frozenset({1}),))
    for semantics in Semantics:
        assert final.accepting(semantics) == fair.accepting(semantics) == ({1},)
    assert (final.semantics, fair.semantics) == (Semantics.FINITE, Semantics.FAIR)


def test_without_a_set_every_infinite_path_is_fair() -> None:
    graph = small(edges={(0, 1), (1, 0)})
    assert graph.semantics is Semantics.FAIR
    assert graph.accepting(Semantics.FAIR) == ({0, 1},)
    with pytest.raises(ModelProblem, match="no final vertices"):
        graph.accepting(Semantics.FINITE)


def test_two_fair_sets_are_not_for_the_finite_semantics() -> None:
    with pytest.raises(ModelProblem, match="no final vertices"):
        check_assertion_graph(small(edges={(0, 0), (1, 1)}, fair=(frozenset({0}), frozenset({1}))), Semantics.FINITE)


def test_only_the_fair_semantics_needs_successors() -> None:
    graph = small(edges={(0, 1)}, final=frozenset({1}))
    check_assertion_graph(graph, Semantics.FINITE)
    with pytest.raises(ModelProblem, match="`b` has no successor"):
        check_assertion_graph(graph, Semantics.FAIR)
    total = made_total(graph)
    check_assertion_graph(total, Semantics.FAIR)
    assert total.vertices[2].antecedent == FALSE
    assert total.edges == {(0, 1), (1, 2), (2, 2)}
    assert made_total(total) is total


def test_wrong_graphs_cannot_be_made() -> None:
    with pytest.raises(NameProblem, match="two vertices"):
        AssertionGraph("g", (Vertex("a"), Vertex("a")), frozenset(), frozenset({0}))
    for wrong in ({"edges": {(0, 2)}}, {"edges": set(), "final": frozenset({-1})}, {"edges": set(), "fair": (frozenset({5}),)}):
        with pytest.raises(ModelProblem, match="there is no vertex"):
            small(**wrong)  # type: ignore[arg-type]
    with pytest.raises(ModelProblem, match="no initial"):
        check_assertion_graph(AssertionGraph("g", (Vertex("a"),), frozenset({(0, 0)}), frozenset()), Semantics.FAIR)
    with pytest.raises(ModelProblem, match="no vertices"):
        check_assertion_graph(AssertionGraph("g", (), frozenset(), frozenset()), Semantics.FAIR)
