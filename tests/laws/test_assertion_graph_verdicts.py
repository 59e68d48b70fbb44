"""Verdicts on assertion graphs of machines with inputs, dead ends and fairness, against the definition; their evidence."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from coarsest.errors import EvidenceRejected
from coarsest.evidence.assertion_graph_answer import AssertionGraphAnswer, AssertionGraphPath
from coarsest.evidence.enumeration.assertion_graph_by_enumeration import confirm_assertion_graph_holds
from coarsest.evidence.enumeration.enumerated_states import EnumerationBounds
from coarsest.evidence.replay.assertion_graph_path import confirm_assertion_graph_path
from coarsest.evidence.verdict import Fails, Holds
from coarsest.formats.assertion_graph.read import read
from coarsest.formats.smv.read import read as read_model
from coarsest.model.assertion_graph import AssertionGraph, Semantics
from coarsest.model.machine import Machine
from coarsest.model.trace import Trace
from coarsest.options.methods import FAIR_ALGORITHMS_ON_GRAPHS as FAIR_ALGORITHMS
from coarsest.options.methods import PRUNING, GsteOptions
from coarsest.run import Run
from coarsest.text import Source
from graph_answers import graph_answers
from oracles.assertion_graphs import System, refutes
from oracles.fair_graphs import FairGraph
from oracles.temporal import Temporal
from random_graphs import random_graph
from random_machines import random_condition
from temporal_laws import cases

MACHINES = 320


def system_of(oracle: Temporal, semantics: Semantics) -> System:
    """Pairs of a state and inputs that lead on; only infinite paths stay where nothing follows."""
    graph: FairGraph[Any] = oracle.graph
    if semantics is Semantics.FINITE:
        graph = FairGraph({pair: [] if pair[0] in oracle.stuck else after for pair, after in graph.after.items()})
    return System(oracle.initial, graph, oracle.where)


def claims(seeds: range) -> Iterator[tuple[int, Machine, Temporal, AssertionGraph, Semantics]]:
    for seed, machine, oracle in cases(seeds):
        random = Random(seed)
        semantics = list(Semantics)[seed % 2]
        with_inputs = random.random() < 0.5
        graph = random_graph(random, lambda: random_condition(random, machine, inputs=with_inputs), semantics=semantics)
        yield seed, machine, oracle, graph, semantics


def ask(machine: Machine, graph: AssertionGraph, **options: Any) -> AssertionGraphAnswer:
    (answer,) = graph_answers(machine, [graph], GsteOptions(**options))
    return answer


@pytest.mark.parametrize("block", range(4))
def test_verdicts(block: int) -> None:
    seen = set()
    first, last = block * MACHINES // 4, (block + 1) * MACHINES // 4
    for seed, machine, oracle, graph, semantics in claims(range(first, last)):
        refuted = refutes(system_of(oracle, semantics), graph, fair=semantics is Semantics.FAIR)
        algorithm = [*FAIR_ALGORITHMS][seed // 2 % len(FAIR_ALGORITHMS)]
        answer = ask(machine, graph, prune=[*PRUNING][seed // 2 % 2], fair=algorithm, cone=seed % 3 == 0)
        assert answer.semantics is semantics
        assert isinstance(answer.verdict, Fails if refuted else Holds)
        assert answer.confirmed
        if refuted:
            assert answer.path is not None and answer.path.violations
        else:
            check_warnings(answer, system_of(oracle, semantics), graph)
        seen.add((semantics, refuted))
    assert len(seen) == 4


def check_warnings(answer: AssertionGraphAnswer, system: System, graph: AssertionGraph) -> None:
    """A vertex is said not to be reached only if no path gets there."""
    holds = [system.where(vertex.antecedent) for vertex in graph.vertices]
    found = {(s, v) for s in system.initial for v in graph.initial if s in holds[v]}
    waiting = list(found)
    while waiting:
        s, v = waiting.pop()
        new = {(t, w) for t in system.graph.after[s] for a, w in graph.edges if a == v and t in holds[w]} - found
        found |= new
        waiting += new
    reached = {v for _, v in found}
    for warning in answer.warnings:
        if warning.startswith("along"):
            named = warning.rpartition("vert")[2].split(maxsplit=1)[1].split(", ")
            if "accepted" not in warning:
                assert {graph.vertices[v].name for v in range(len(graph.vertices)) if v not in reached} == set(named)
        else:
            assert warning.startswith("holds vacuously")


def test_confirmation_by_enumeration_rejects_wrong_verdicts() -> None:
    seen = set()
    for _, machine, oracle, graph, semantics in claims(range(500, 580)):
        refuted = refutes(system_of(oracle, semantics), graph, fair=semantics is Semantics.FAIR)
        relevant = replace(machine, justice=(), compassion=()) if semantics is Semantics.FINITE else machine
        if refuted:
            with pytest.raises(EvidenceRejected, match="is violated"):
                confirm_assertion_graph_holds(relevant, graph, semantics, Run(), EnumerationBounds())
        else:
            assert confirm_assertion_graph_holds(relevant, graph, semantics, Run(), EnumerationBounds()) is not None
        seen.add((semantics, refuted))
    assert len(seen) == 4


# -- tampered evidence -----------------------------------------------------------------------------------------------------


def refuted_graphs(seeds: range) -> Iterator[tuple[Machine, AssertionGraph, AssertionGraphPath]]:
    for _, machine, _, graph, semantics in claims(seeds):
        answer = ask(machine, graph, cone=False)
        if answer.path is not None:
            yield replace(machine, justice=(), compassion=()) if semantics is Semantics.FINITE else machine, graph, answer.path


def tampered(random: Random, graph: AssertionGraph, path: AssertionGraphPath) -> Iterator[AssertionGraphPath]:
    """The same evidence with one thing changed."""
    count = len(path.vertices)
    yield replace(path, vertices=path.vertices[:-1])
    yield replace(path, violations=())
    yield replace(path, violations=(*path.violations, count))
    yield replace(path, trace=Trace((), (), None), vertices=())
    yield replace(path, vertices=(*path.vertices[:-1], len(graph.vertices)))
    yield replace(path, semantics=Semantics.FAIR if path.semantics is Semantics.FINITE else Semantics.FINITE)
    for place in range(count):
        other = random.randrange(len(graph.vertices))
        if other != path.vertices[place]:
            yield replace(path, vertices=(*path.vertices[:place], other, *path.vertices[place + 1 :]))


def test_tampered_paths_are_rejected() -> None:
    """Every change is rejected, unless the changed evidence is right as well, by the definition."""
    random, rejected, accepted = Random(1), 0, 0
    for machine, graph, path in refuted_graphs(range(700, 800)):
        confirm_assertion_graph_path(machine, graph, path)
        for wrong in tampered(random, graph, path):
            try:
                confirm_assertion_graph_path(machine, graph, wrong)
            except EvidenceRejected:
                rejected += 1
            else:
                accepted += 1
                assert is_accepting(graph, wrong)
    assert rejected > 150
    assert accepted < rejected / 10


def is_accepting(graph: AssertionGraph, path: AssertionGraphPath) -> bool:
    vertices, loop = path.vertices, path.trace.loop
    after = [*vertices[1:], *([] if loop is None else [vertices[loop]])]
    if vertices[0] not in graph.initial or any(edge not in graph.edges for edge in zip(vertices, after)):
        return False
    if loop is None:
        return vertices[-1] in (graph.final or graph.fair[0])
    return all(members & set(vertices[loop:]) for members in graph.fair)


def test_antecedents_and_inputs_are_looked_at() -> None:
    model = "MODULE main IVAR i : boolean; VAR x : 0..1; ASSIGN init(x) := 0; next(x) := i ? 1 : 0; TRANS x = 1 -> i"
    machine = read_model(Source("m.smv", model))
    (graph,) = read(Source("g.ag", "GRAPH g VERTEX a INITIAL ANT i VERTEX b FINAL ANT i CONS x = 0 EDGE a -> b"), machine)
    path = ask(machine, graph).path
    assert path is not None
    assert (path.vertices, path.violations, path.last_inputs) == ((0, 1), (1,), {"i": True})
    confirm_assertion_graph_path(machine, graph, path)
    wrong = {
        "no step can be taken": replace(path, last_inputs={"i": False}),
        "is not a value": replace(path, last_inputs={"j": False}),
        "has no value": replace(path, last_inputs={}),
        "is not a step": replace(path, trace=replace(path.trace, states=(path.trace.states[0], {"x": 0}))),
        "not initial": replace(path, trace=replace(path.trace, states=({"x": 1}, {"x": 1}))),
        "violates the antecedent of the vertex a": replace(
            path, trace=Trace(({"x": 0}, {"x": 0}), ({"i": False},)), last_inputs={"i": True}
        ),
    }
    for reason, other in wrong.items():
        with pytest.raises(EvidenceRejected, match=reason):
            confirm_assertion_graph_path(machine, graph, other)
