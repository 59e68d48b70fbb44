"""Variables that are constant, or equal to others, can be left out: nothing changes but the size of what is built."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from campaigns import blocks
from coarsest import load, loads, tuning
from coarsest.check.setting.explore import explore
from coarsest.check.setting.merging import merged
from coarsest.encode.correspondence import equal_variables
from coarsest.encode.latches import Latches
from coarsest.errors import EvidenceRejected, ModelProblem
from coarsest.evidence.proof import Induction
from coarsest.evidence.replay.replay import confirm_trace
from coarsest.evidence.sat.induction import confirm_induction
from coarsest.evidence.verdict import Fails, Holds
from coarsest.logic.expr import Name
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Machine
from coarsest.options.methods import BuildOptions
from coarsest.run import Limits, Run
from oracles.brute_force import BruteForce
from random_copies import with_copies
from random_expressions import Expressions, apply
from random_machines import random_deterministic_machine, random_machine, with_fairness
from temporal_laws import ask, ctl_formulas, ltl_formulas


@pytest.fixture(autouse=True)
def small_machines_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuning, "BITS_WORTH_MERGING", 0)
    monkeypatch.setattr(tuning, "CIRCUIT_SHARE", 0)


def machine_of(seed: int) -> Machine:
    random = Random(seed)
    machine = (random_deterministic_machine if seed % 3 == 0 else random_machine)(random, state_bits=4)
    more = with_copies(random, machine)
    try:
        Latches(more, Run())
    except ModelProblem:  # what guarded an operation is read from a copy now, which might have another value
        return machine
    return more


@pytest.mark.parametrize("block", blocks(8, by_day=2))
def test_what_is_found_equal_is_so_in_every_reachable_state(block: int) -> None:
    found = Counter[str]()
    for seed in range(25 * block, 25 * (block + 1)):
        machine = machine_of(seed)
        part, oracle = merged(machine, Run()), BruteForce(machine)
        for equation in part.equations:
            assert all(oracle.holds(equation, oracle.environment(state)) for state in oracle.reachable())
        kept = [v.name for v in machine.state_variables if v.name in part.machine.variables]
        smaller = BruteForce(part.machine)
        assert [v.name for v in part.machine.state_variables] == kept
        assert [len(ring) for ring in smaller.rings()] == [len(ring) for ring in oracle.rings()]
        for copy in machine.variables.keys() - part.machine.variables.keys():
            found[copy.partition(".")[2]] += 1
    assert sum(found[word] for word in ("same", "not", "still")) > 3, found


@pytest.mark.parametrize("block", blocks(8, by_day=2))
def test_counts_and_diameters_stay(block: int) -> None:
    for seed in range(1000 + 25 * block, 1000 + 25 * (block + 1)):
        machine = machine_of(seed)
        facts = [explore(machine, BuildOptions(), Run(), merge=merge)[0] for merge in (True, False)]
        assert facts[0]["states"] == facts[1]["states"] == len(BruteForce(machine).reachable())
        assert facts[0]["diameter"] == facts[1]["diameter"]


def verdicts(machine: Machine, kind: PropertyKind, formulas: list[Any], **options: Any) -> list[Any]:
    _, answers = ask(machine, kind, formulas, vacuity=False, confirm="always", **options)
    for claim, answer in zip(formulas, answers, strict=True):
        verdict = answer.verdict
        if isinstance(verdict, Fails) and verdict.trace is not None and kind is PropertyKind.INVARIANT:
            confirm_trace(machine, verdict.trace, violates=claim)
        if isinstance(verdict, Holds) and kind is PropertyKind.INVARIANT:
            assert verdict.confirmed, answer.doubt
    return [answer.verdict.word for answer in answers]


@pytest.mark.parametrize("block", blocks(8, by_day=1))
@pytest.mark.parametrize("engine", ["forward", "backward", "k-induction"])
def test_invariants(engine: str, block: int) -> None:
    words = Counter[str]()
    for seed in range(2000 + 15 * block, 2000 + 15 * (block + 1)):
        machine = machine_of(seed)
        random = Random(seed)
        expressions = Expressions(random, {v.name: v.type for v in machine.state_variables})
        good = [expressions.boolean(2) for _ in range(3)]
        with_it, without_it = (
            verdicts(machine, PropertyKind.INVARIANT, good, engine=engine, merge=merge, certificates=engine == "forward")
            for merge in (True, False)
        )
        assert with_it == without_it
        words.update(with_it)
    assert min(words["holds"], words["fails"]) > 3


@pytest.mark.parametrize("block", blocks(8, by_day=1))
@pytest.mark.parametrize("kind", [PropertyKind.CTL, PropertyKind.LTL])
def test_formulas(kind: PropertyKind, block: int) -> None:
    words = Counter[str]()
    make = ctl_formulas if kind is PropertyKind.CTL else ltl_formulas
    for seed in range(3000 + 12 * block, 3000 + 12 * (block + 1)):
        machine, random = machine_of(seed), Random(seed)
        if seed % 2:
            machine = with_fairness(random, machine)
        formulas = make(random, machine, 3, inputs=0.2)
        with_it, without_it = (verdicts(machine, kind, formulas, merge=merge, certificates=True) for merge in (True, False))
        assert with_it == without_it
        words.update(with_it)
    assert min(words["holds"], words["fails"]) > 3


def test_what_a_constraint_makes_equal_is_not_left_out() -> None:
    text = """MODULE main IVAR a : boolean; b : boolean; VAR x : boolean; y : boolean;
    ASSIGN init(x) := FALSE; init(y) := FALSE; next(x) := a; next(y) := b; INVAR x = y INVARSPEC x -> y"""
    machine = loads(text).machine
    assert not merged(machine, Run()).merged


def test_what_is_read_at_the_same_moment_stays() -> None:
    text = """MODULE main VAR x : boolean; y : boolean; DEFINE both := x & y;
    ASSIGN init(x) := {TRUE, FALSE}; init(y) := x; next(x) := y; next(y) := next(x);"""
    part = merged(loads(text).machine, Run())
    assert dict(part.merged) == {"y": Name("x")}
    assert explore(part.machine, BuildOptions(), Run(), merge=False)[0]["states"] == 2


def test_a_simulation_with_unknown_inputs_finds_constants_alone() -> None:
    text = """MODULE main IVAR i : boolean; VAR a : boolean; b : boolean; c : boolean;
    ASSIGN init(a) := FALSE; next(a) := a & i; init(b) := TRUE; next(b) := b | i; init(c) := FALSE; next(c) := i;"""
    latches = Latches(loads(text).machine, Run())
    names = {bits[0]: name for name, bits in latches.now.items()}
    assert {names[node]: value for node, value in latches.constants().items()} == {"a": False, "b": True}


def test_at_a_limit_there_are_constants_or_nothing() -> None:
    machine = load("examples/toggle.bench").machine
    stopped = Run(Limits(steps=3))
    assert set(equal_variables(machine, Run(), machine.next_values)) >= set(merged(machine, stopped).merged)


def test_the_judge_rejects_facts_that_are_none() -> None:
    text = "MODULE main VAR x : boolean; y : boolean; ASSIGN init(x) := TRUE; next(x) := !y; init(y) := FALSE; next(y) := !x;"
    machine = loads(text).machine
    opposite = apply("xor", Name("x"), Name("y"))
    for fact, message in ((Name("y"), "initial state"), (Name("x"), "in which one is false")):
        with pytest.raises(EvidenceRejected, match=message):
            confirm_induction(machine, opposite, Induction(0, (fact,)), run=Run())
    assert confirm_induction(machine, opposite, Induction(1, (apply("=", Name("x"), apply("not", Name("y"))),)), run=Run())
    with pytest.raises(EvidenceRejected):
        confirm_induction(replace(machine, initial_values={}), opposite, Induction(0, (opposite,)), run=Run())
