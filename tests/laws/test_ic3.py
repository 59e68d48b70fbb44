"""IC3 decides invariants of random machines and circuits as the definition does, and forged clauses are rejected."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

import coarsest
from campaigns import blocks
from coarsest import tuning
from coarsest.encode.equal_gates import EqualGates
from coarsest.encode.relative import StepClauses
from coarsest.encode.unrolling import Network
from coarsest.errors import EvidenceRejected
from coarsest.evidence.decision_diagrams import code_of
from coarsest.evidence.proof import ClauseInvariant
from coarsest.evidence.sat.certificate_check import confirm_certificate
from coarsest.evidence.sat.clauses import Clauses
from coarsest.evidence.verdict import Fails, Holds
from coarsest.formats.aiger.read import to_machine
from coarsest.logic.expr import Expr
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Machine, Property
from coarsest.run import Run
from oracles.brute_force import BruteForce
from random_circuits import random_circuit
from random_expressions import Expressions
from random_machines import random_relational_machine, random_scheduled_machine, seeded_machine

SEEDS = 25

RETIMED = """
MODULE main
IVAR i : boolean; k : boolean;
VAR a : boolean; b : boolean; late : boolean;
ASSIGN init(a) := FALSE; init(b) := FALSE; init(late) := FALSE;
    next(a) := i; next(b) := k; next(late) := i xor k;
"""


def machine_of(seed: int) -> Machine:
    match seed % 4:
        case 0:
            return random_scheduled_machine(Random(seed), processes=2)
        case 1:
            return random_relational_machine(Random(seed))
    return seeded_machine(seed)


def conditions(machine: Machine, seed: int, number: int) -> list[Expr]:
    expressions = Expressions(Random(seed), {v.name: v.type for v in machine.state_variables})
    return [expressions.boolean(3) for _ in range(number)]


@pytest.mark.parametrize("block", blocks(40, by_day=4))
def test_ic3_decides_as_the_definition(block: int) -> None:
    words = set()
    for seed in range(block * SEEDS, (block + 1) * SEEDS):
        machine = machine_of(seed)
        oracle, model = BruteForce(machine), coarsest.Model(machine)
        for good in conditions(machine, seed, 2):
            expected = oracle.shortest_counterexample(good) is None
            (answer,) = model.check(Property(PropertyKind.INVARIANT, good), engine="ic3").answers
            assert answer.confirmed, seed
            assert isinstance(answer.verdict, Holds if expected else Fails), seed
            words.add(answer.verdict.word)
    assert words == {"holds", "fails"}


@pytest.mark.parametrize("questions", [tuning.QUESTIONS_BEFORE_GATES, -1])
@pytest.mark.parametrize("block", blocks(40, by_day=2))
def test_ic3_decides_circuits_as_a_search_through_all_states(
    block: int, questions: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Equal gates are looked for late, or before anything else."""
    monkeypatch.setattr(tuning, "QUESTIONS_BEFORE_GATES", questions)
    monkeypatch.setattr(tuning, "CUBES_OF_A_BIT", 0)
    words = set()
    for seed in range(block * SEEDS, (block + 1) * SEEDS):
        model = coarsest.Model(to_machine(random_circuit(seed, gates=14), "random"))
        claims = [claim for claim in model.properties if claim.kind is PropertyKind.INVARIANT]
        if not claims:
            continue
        for claim, answer in zip(claims, model.check(*claims, engine="ic3").answers, strict=True):
            (expected,) = model.check(claim, carrier="explicit").answers
            assert (answer.verdict.word, answer.confirmed) == (expected.verdict.word, True), (seed, claim)
            words.add(answer.verdict.word)
    assert words == {"holds", "fails"}


def test_no_reachable_state_is_where_equal_gates_differ() -> None:
    """Of random machines, and of one with a register that remembers a function beside those that remember its arguments."""
    retimed = coarsest.loads(RETIMED)
    random = [(machine, condition) for machine in map(machine_of, range(60)) for condition in conditions(machine, 0, 1)]
    for machine, condition in (*random, (retimed.machine, retimed.formula("late = (a xor b)").formula)):
        oracle, network = BruteForce(machine), Network(machine, Run())
        step = StepClauses(network, condition)
        bits, cubes = [network.bit_at(node) for node in step.nodes], EqualGates(network, step, Run()).cubes()
        for values in map(oracle.environment, oracle.reachable()):
            row = [code_of(machine.variables[name].type, values[name]) >> place & 1 == 1 for name, place in bits]
            assert not any(all(row[abs(bit) - 1] == (bit > 0) for bit in cube) for cube in cubes)
    assert {tuple(sorted(bits[abs(bit) - 1][0] for bit in cube)) for cube in cubes} == {("a", "b", "late")}


def test_conditions_about_steps() -> None:
    model = coarsest.loads("MODULE main VAR n : 0..7; b : boolean; ASSIGN init(n) := 0; next(n) := b & n < 5 ? n + 1 : n;")
    for text, word in (("next(n) >= n", "holds"), ("next(n) <= n", "fails"), ("next(n) - n in {0, 1}", "holds")):
        claim = Property(PropertyKind.INVARIANT, model.formula(text).formula)
        (answer,) = model.check(claim, engine="ic3").answers
        assert (answer.verdict.word, answer.confirmed) == (word, True), text


def test_the_clauses_are_inductive_state_by_state() -> None:
    """They hold initially, no step leaves them, and they imply the condition: on the states that the definition gives."""
    proofs = 0
    for seed in range(60):
        machine = machine_of(seed)
        oracle = BruteForce(machine)
        (good,) = conditions(machine, seed + 1000, 1)
        (answer,) = coarsest.Model(machine).check(Property(PropertyKind.INVARIANT, good), engine="ic3", cone=False).answers
        if not isinstance(answer.verdict, Holds) or not isinstance(answer.verdict.proof, ClauseInvariant):
            continue
        proofs += 1
        types = {v.name: v.type for v in machine.state_variables}
        inside = {
            state
            for state in oracle.states
            if all(
                any(code_of(types[name], oracle.environment(state)[name]) >> place & 1 == value for name, place, value in clause)
                for clause in answer.verdict.proof.clauses
            )
        }
        assert set(oracle.initial) <= inside
        assert all(after in inside for before, after in oracle.steps if before in inside)
        assert inside <= oracle.where(good)
    assert proofs > 10


@pytest.mark.parametrize("at_once", [True, False])
def test_forged_clauses_are_rejected(at_once: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A certificate with a clause less, or one more, is believed only where it is still inductive: by one question, or by one for
    each clause."""
    if not at_once:
        monkeypatch.setattr(Clauses, "is_refuted_soon", lambda *_: False)
    outcomes = set()
    for seed in range(60):
        machine = machine_of(seed)
        oracle = BruteForce(machine)
        for good in conditions(machine, seed, 2):
            claim = Property(PropertyKind.INVARIANT, good)
            (answer,) = coarsest.Model(machine).check(claim, engine="ic3", certificates=True).answers
            if not isinstance(answer.verdict, Holds) or answer.verdict.certificate is None:
                continue
            honest = answer.verdict.certificate
            for parts in (honest.parts[1:], (0, *honest.parts), ()):
                try:
                    confirm_certificate(machine, claim, replace(honest, parts=parts), run=Run())
                except EvidenceRejected:
                    outcomes.add("rejected")
                else:
                    outcomes.add("accepted")
                    assert oracle.shortest_counterexample(good) is None
    assert outcomes == {"rejected", "accepted"}
