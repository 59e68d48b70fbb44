"""Automata as properties: against the definition, against the formulas they were made of, and as assertion graphs."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from coarsest.api.model import Model
from coarsest.automata.automaton import Automaton
from coarsest.automata.automaton_claim import never
from coarsest.automata.ltl.ltl_to_buchi import ltl_to_buchi, ltl_to_generalised_buchi
from coarsest.automata.translate.assertion_graphs_and_buchi import assertion_graph_against, violating_paths
from coarsest.check.answers import Checker
from coarsest.errors import EvidenceRejected
from coarsest.evidence.enumeration.automaton_on_lasso import confirm_accepted
from coarsest.evidence.verdict import Answer, Fails, Holds
from coarsest.formats.assertion_graph.read import read as read_graphs
from coarsest.formats.assertion_graph.write import write as write_graphs
from coarsest.formats.hoa.read import read
from coarsest.formats.hoa.write import write
from coarsest.logic.expr import Expr
from coarsest.logic.linear.ltl_from_expr import from_expr
from coarsest.model.assertion_graph import Semantics
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Machine
from coarsest.model.trace import Trace
from coarsest.options.methods import check_options
from coarsest.run import Run
from coarsest.space.bdd.build import BuildOptions
from coarsest.text import Source
from oracles.assertion_graphs import System, accepts_some
from oracles.automaton_words import accepts
from oracles.temporal import Temporal
from random_graphs import random_automaton, random_graph
from random_machines import random_condition
from temporal_laws import ask, cases, is_fair_lasso, ltl_formulas, places_of

WAYS: tuple[dict[str, Any], ...] = (
    {},
    {"engine": "smc"},
    {"engine": "partitioned"},
    {"engine": "smc", "encoding": "one-hot"},
    {"engine": "partitioned", "fair": "emerson-lei"},
    {"reduce": "bisimulation"},
)


def ways(machine: Machine) -> tuple[dict[str, Any], ...]:
    """How to decide it; a quotient of which inputs are a part has dead ends that the machine does not have."""
    return WAYS[:-1] if machine.may_be_stuck and machine.input_variables else WAYS


def decide(machine: Machine, automaton: Automaton, **options: Any) -> Answer:
    (answer,) = Checker(machine, BuildOptions(), check_options(**options), Run()).answers([never(automaton, "no path")])
    return answer


def is_accepted(oracle: Temporal, trace: Trace, automaton: Automaton) -> bool:
    """Is the lasso a fair path of the machine that the automaton accepts, by the oracles?"""
    atoms = automaton.alphabet.atoms
    letters = [frozenset(atom for atom in atoms if true(atom)) for true in places_of(oracle, trace)]
    return is_fair_lasso(oracle, trace) and accepts(automaton, letters[: trace.loop], letters[trace.loop :])


def claims(seeds: range) -> Iterator[tuple[int, Machine, Temporal, Automaton]]:
    for seed, machine, oracle in cases(seeds):
        random = Random(seed)
        inputs = random.random() < 0.4

        def condition(random: Random = random, machine: Machine = machine, inputs: bool = inputs) -> Expr:
            return random_condition(random, machine, inputs=inputs)

        yield seed, machine, oracle, random_automaton(random, condition, sets=seed % 3)


@pytest.mark.parametrize("block", range(3))
def test_against_the_definition(block: int) -> None:
    """On machines with inputs, dead ends and fairness, by every engine; what is shown is accepted."""
    seen = set()
    for seed, machine, oracle, automaton in claims(range(block * 80, block * 80 + 80)):
        fails = accepts_some(System(oracle.initial, oracle.graph, oracle.where), automaton, fair=True)
        cone = seed % 4 == 0
        possible = ways(machine)
        answer = decide(machine, automaton, cone=cone, **possible[seed // 3 % len(possible)])
        assert isinstance(answer.verdict, Fails if fails else Holds)
        assert answer.confirmed
        if isinstance(answer.verdict, Fails) and answer.verdict.trace is not None and not cone:
            assert is_accepted(oracle, answer.verdict.trace, automaton)
        seen.add((automaton.sets, fails))
    assert len(seen) == 6


def test_against_the_formula() -> None:
    """The automaton of the negation, written and read back, gives the verdict on the formula."""
    seen = set()
    for seed, machine, _ in cases(range(120)):
        random = Random(seed)
        (formula,) = ltl_formulas(random, machine, 1, inputs=0.2)
        translate = ltl_to_buchi if seed % 2 else ltl_to_generalised_buchi
        text = write(translate(from_expr(formula).negation))
        automaton = read(Source("n.hoa", text), machine)
        wanted = ask(machine, PropertyKind.LTL, [formula])[1][0].verdict.word
        for options in ways(machine):
            assert decide(machine, automaton, **options).verdict.word == wanted
        seen.add(wanted)
    assert seen == {"holds", "fails"}


@pytest.mark.parametrize("semantics", Semantics)
def test_against_assertion_graphs(semantics: Semantics) -> None:
    """A graph, the automaton of what violates it, and the graph against that automaton agree, also written and read back."""
    seen = set()
    for seed, machine, oracle in cases(range(150)):
        if semantics is Semantics.FINITE:  # a finite path need not be fair, nor go on
            if oracle.stuck:
                continue
            machine = replace(machine, justice=(), compassion=())
        random = Random(seed)
        graph = random_graph(random, lambda: random_condition(random, machine, inputs=False), semantics=semantics)
        model = Model(machine)
        wanted = model.gste(graph)[0].verdict.word
        violating = read(Source("v.hoa", write(violating_paths(graph, semantics))), machine)
        assert decide(machine, violating).verdict.word == wanted
        for reading in Semantics if semantics is Semantics.FINITE else (Semantics.FAIR,):
            (back,) = read_graphs(Source("b.ag", write_graphs([assertion_graph_against(violating, reading)])), machine)
            assert model.gste(back)[0].verdict.word == wanted
        seen.add(wanted)
    assert seen == {"holds", "fails"}


def test_a_lasso_that_is_not_accepted_is_rejected() -> None:
    """The replay is able to say no: of lassos of the model it accepts exactly those that the automaton does."""
    answers = set()
    for _, machine, oracle, automaton in claims(range(60)):
        everything = Automaton(automaton.alphabet, (0,), [[(automaton.alphabet.full, 0, 0)]])
        verdict = decide(machine, everything, cone=False).verdict
        if not isinstance(verdict, Fails) or verdict.trace is None:
            continue
        accepted = is_accepted(oracle, verdict.trace, automaton)
        try:
            confirm_accepted(machine, verdict.trace, automaton)
            assert accepted
        except EvidenceRejected:
            assert not accepted
        answers.add(accepted)
    assert answers == {False, True}
