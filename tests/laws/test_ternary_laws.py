"""Unknown bits: abstract states allow what the machine does, and abstract verdicts never contradict the precise ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from test_assertion_graph_verdicts import system_of

from campaigns import blocks
from coarsest.bdd.packages import new_manager
from coarsest.check.gste.graph_by_bounded_search import AssertionGraphSearch
from coarsest.check.gste.gste_ternary import gste_ternary, leading_to_acceptance
from coarsest.encode.layout import code_of
from coarsest.evidence.replay.assertion_graph_path import confirm_assertion_graph_path, violations_along
from coarsest.evidence.verdict import Fails, Holds, Unknown
from coarsest.logic.expr import Apply, Expr
from coarsest.model.assertion_graph import AssertionGraph, Semantics
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Machine
from coarsest.options.methods import GsteOptions
from coarsest.run import Run
from coarsest.space.ternary.ternary_circuit import Abstract, TernaryCircuit
from coarsest.space.ternary.ternary_refine import TernaryRefinement
from graph_answers import graph_answers
from oracles.assertion_graphs import refutes
from oracles.brute_force import BruteForce
from oracles.temporal import Temporal
from random_graphs import random_graph
from random_machines import (
    random_condition,
    random_deterministic_machine,
    random_machine,
    random_scheduled_machine,
    with_fairness,
)


def circuit_machine(seed: int) -> Machine:
    """A machine without INVAR and TRANS; some are deterministic, some have a scheduler, INIT constraints stay."""
    random = Random(seed)
    if seed % 3 == 0:
        machine = random_machine(random, state_bits=5, input_bits=2)
    elif seed % 3 == 1:
        machine = random_deterministic_machine(random, state_bits=5)
    else:
        machine = random_scheduled_machine(random)
    return replace(machine, transition_constraints=(), invariant_constraints=())


def some_names(random: Random, machine: Machine) -> list[str]:
    """Variables to be kept."""
    names = [name for name in machine.variables if name not in machine.current_values]
    return random.sample(names, random.randint(0, len(names)))


def allows(circuit: TernaryCircuit[Any], state: Abstract[Any], values: Mapping[str, Any]) -> bool:
    """Is a valuation of all variables one that the abstract state stands for?"""
    manager = circuit.manager
    bits: dict[int, bool] = {}
    for variable in circuit.machine.variables.values():
        code = code_of(variable.type, values[variable.name])
        bits |= {place: bool(code >> i & 1) for i, place in enumerate(circuit.layout.slots[variable.name].now)}
    kept = {var: bits[place] for place, var in circuit._now.items()}
    everywhere = {number: kept.get(number, False) for number in range(len(manager.names))}
    if not manager.evaluate(state.domain, everywhere):
        return False
    return all(manager.evaluate(rails.one if bits[place] else rails.zero, everywhere) for place, rails in state.rails.items())


def valuations(machine: Machine) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Reachable states, each with inputs of a step that leaves it, and the state after."""
    interpreter = Interpreter(machine)
    waiting = list(interpreter.initial_states())
    for state in waiting:
        for inputs, after in interpreter.successors(state):
            if after not in waiting and len(waiting) < 40:
                waiting.append(after)
            yield {**state, **inputs}, after


@pytest.mark.parametrize("block", blocks(4, by_day=2))
def test_steps_conditions_and_unions_lose_nothing(block: int) -> None:
    """From an abstract state that allows a state: the step allows what follows, a condition that holds keeps it."""
    steps = kept_by_conditions = unknown = 0
    for seed in range(block * 24, block * 24 + 24):
        random = Random(seed)
        machine = circuit_machine(seed)
        circuit: TernaryCircuit[Any] = TernaryCircuit(machine, new_manager(), kept=some_names(random, machine))
        refinement = TernaryRefinement(circuit)
        state = circuit.initial()
        for constraint in machine.initial_constraints:
            state = refinement.where(state, constraint)
        interpreter = Interpreter(machine)
        for values in interpreter.initial_states():
            for inputs, _ in interpreter.successors(values):
                assert allows(circuit, state, {**values, **inputs})
        for _ in range(4):
            state = circuit.join(state, circuit.post(state))
        for values, after in valuations(machine):
            if not allows(circuit, state, values):
                continue
            condition = conditions(random, machine)
            truth = circuit.truth(state, condition)
            holds = interpreter.satisfies(condition, values, values)
            unknown += truth.one & truth.zero != circuit.manager.false
            narrowed = refinement.where(state, condition, holds=holds)
            assert allows(circuit, narrowed, values), (seed, condition)
            kept_by_conditions += 1
            moved = circuit.post(narrowed)
            for more, _ in interpreter.successors(after):
                assert allows(circuit, moved, {**after, **more})
                steps += 1
                break
    assert steps > 100
    assert kept_by_conditions > 100
    assert unknown > 20


def conditions(random: Random, machine: Machine) -> Expr:
    def one() -> Expr:
        return random_condition(random, machine, inputs=True)

    match random.randrange(5):
        case 0:
            return Apply("not", (Apply("and", (one(), one())),))
        case 1:
            return Apply("or", (one(), Apply("and", (one(), one()))))
        case 2:
            return Apply("implies", (one(), one()))
        case 3:
            return Apply("iff", (one(), one()))
    return one()


def claims(seeds: range) -> Iterator[tuple[int, Random, Machine, AssertionGraph, Semantics]]:
    for seed in seeds:
        random = Random(seed)
        machine = circuit_machine(seed)
        semantics = list(Semantics)[seed % 2]
        if semantics is Semantics.FAIR and seed % 4 == 1:
            machine = with_fairness(random, machine)
        with_inputs = random.random() < 0.7
        graph = random_graph(random, lambda: random_condition(random, machine, inputs=with_inputs), semantics=semantics)
        yield seed, random, machine, graph, semantics


@pytest.mark.parametrize("block", blocks(4, by_day=2))
def test_verdicts_never_contradict_the_definition(block: int) -> None:
    seen: dict[str, int] = {}
    for seed, random, machine, graph, semantics in claims(range(block * 100, block * 100 + 100)):
        precise, confirm = tuple(some_names(random, machine)), "auto" if seed % 5 else "never"
        options = GsteOptions(abstraction="ternary", precise=precise, cone=bool(seed % 3), confirm=confirm)
        (answer,) = graph_answers(machine, [graph], options)
        seen[answer.verdict.word] = seen.get(answer.verdict.word, 0) + 1
        if isinstance(answer.verdict, Unknown):
            assert "of abstraction" in answer.verdict.because
            continue
        refuted = refutes(system_of(Temporal(machine, most_states=1000), semantics), graph, fair=semantics is Semantics.FAIR)
        assert isinstance(answer.verdict, Fails if refuted else Holds), seed
        if refuted:
            assert answer.path is not None and answer.confirmed == options.for_check.confirms
    assert seen["holds"] > 10
    assert seen["fails"] > 10
    assert seen.get("unknown", 0) > 0


def test_with_everything_kept_nothing_is_abstracted() -> None:
    """On finite paths suspected is then exactly what is violated, by definition 4; the verdict is known in either semantics."""
    seen = set()
    for _, _, machine, graph, semantics in claims(range(1000, 1200)):
        precise = [name for name in machine.variables if name not in machine.current_values]
        refuted = refutes(system_of(Temporal(machine, most_states=1000), semantics), graph, fair=semantics is Semantics.FAIR)
        circuit: TernaryCircuit[Any] = TernaryCircuit(machine, new_manager(), kept=precise)
        suspected = gste_ternary(circuit, graph, semantics, Run()).suspicion is not None
        assert suspected == refuted or (suspected and semantics is Semantics.FAIR)
        options = GsteOptions(abstraction="ternary", precise=tuple(precise))
        (answer,) = graph_answers(machine, [graph], options)
        assert isinstance(answer.verdict, Fails if refuted else Holds)
        assert answer.confirmed
        seen.add((semantics, suspected, refuted))
    assert len(seen) == 5


def test_more_precision_never_suspects_more() -> None:
    """Keeping more variables can only clear a graph; and it does clear some."""
    cleared = 0
    for _, random, machine, graph, semantics in claims(range(2000, 2200)):
        kept: list[str] = []
        suspected = True
        for name in ["", *random.sample(list(machine.variables), len(machine.variables))]:
            kept += [name] if name and name not in machine.current_values else []
            circuit: TernaryCircuit[Any] = TernaryCircuit(machine, new_manager(), kept=kept)
            now = gste_ternary(circuit, graph, semantics, Run()).suspicion is not None
            assert suspected or not now
            cleared += suspected and not now and len(kept) > 0
            suspected = now
    assert cleared > 1


def test_bounded_search_finds_the_shortest_violation() -> None:
    """Against GSTE on sets, on which shortest is the first ring that violates; paths are replayed."""
    found = 0
    for _, _, machine, graph, semantics in claims(range(3000, 3120)):
        relevant = replace(machine, justice=(), compassion=()) if semantics is Semantics.FINITE else machine
        refuted = refutes(system_of(Temporal(machine, most_states=1000), semantics), graph, fair=semantics is Semantics.FAIR)
        path = AssertionGraphSearch(relevant, graph, semantics, Run()).shortest(first=0, last=7)
        if path is None:
            (answer,) = graph_answers(machine, [graph])
            assert not refuted or (answer.path is not None and len(answer.path.vertices) > 8)
            continue
        assert refuted
        path = replace(path, violations=violations_along(graph, Interpreter(relevant), path))
        confirm_assertion_graph_path(relevant, graph, path)
        found += 1
    assert found > 20


def test_leading_to_acceptance_is_what_the_graph_alone_allows() -> None:
    for seed in range(200):
        random = Random(seed)
        machine = circuit_machine(1)
        semantics = list(Semantics)[seed % 2]
        graph = random_graph(random, lambda: random_condition(random, machine, inputs=False), semantics=semantics)
        counting = leading_to_acceptance(graph, semantics)
        for vertex in range(len(graph.vertices)):
            assert (vertex in counting) == _can_be_accepted(graph, semantics, vertex)


def _can_be_accepted(graph: AssertionGraph, semantics: Semantics, vertex: int) -> bool:
    """By all paths, long enough: to a final vertex; or to a vertex that comes back to itself through every fair set."""
    edges = {v: [w for a, w in graph.edges if a == v] for v in range(len(graph.vertices))}

    def reach(start: int, *, least: int) -> set[tuple[int, frozenset[int]]]:
        """Vertices with the sets met on the way."""
        sets = graph.accepting(semantics)
        nodes = {(start, frozenset[int]())} if least == 0 else set()
        waiting = [(start, frozenset[int]())]
        while waiting:
            here, met = waiting.pop()
            for after in edges[here]:
                node = (after, met | {i for i, members in enumerate(sets) if after in members})
                if node not in nodes:
                    nodes.add(node)
                    waiting.append(node)
        return nodes

    places = {v for v, _ in reach(vertex, least=0)}
    if semantics is Semantics.FINITE:
        return bool(places & graph.accepting(semantics)[0])
    every = frozenset(range(len(graph.accepting(semantics))))
    return any((v, every) in reach(v, least=1) for v in places)


def test_brute_force_agrees_that_unknown_bits_are_not_equal() -> None:
    """Two unknown bits that look the same must not be taken for one: the sign of a number is not a copy of its highest bit."""
    from coarsest.api.model import loads

    model = loads("MODULE main IVAR a : 0..3; b : 0..3; VAR x : -3..3; ASSIGN init(x) := 0; next(x) := a - b;")
    graph = "GRAPH g VERTEX s INITIAL VERTEX t FINAL CONS x >= -2 EDGE s -> t"
    report = model.gste(graph, abstraction="ternary")
    assert report[0].verdict.word == "fails"
    assert len(BruteForce(model.machine).states) == 7
