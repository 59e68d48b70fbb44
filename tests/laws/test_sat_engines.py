"""Bounded search and induction on bits agree with the definition, and the judge with its own clauses agrees with them."""

from __future__ import annotations

from random import Random

import pytest

from coarsest import loads
from coarsest.check.invariants.bounded_search import bounded_search
from coarsest.check.invariants.induction import induction
from coarsest.check.invariants.joint_bmc import JointSearch
from coarsest.check.questions.finding import Proved, Refuted
from coarsest.check.questions.question import Invariant
from coarsest.encode.aig import AigEdge
from coarsest.encode.cnf import CircuitSolver, SatAig
from coarsest.encode.unrolling import Network
from coarsest.errors import EvidenceRejected
from coarsest.evidence.proof import Induction
from coarsest.evidence.replay.replay import confirm_trace
from coarsest.evidence.sat.induction import confirm_induction
from coarsest.logic.expr import TRUE, Expr, Name
from coarsest.model.machine import Machine
from coarsest.model.parts.part import Part
from coarsest.run import Run
from oracles.brute_force import BruteForce
from random_expressions import Expressions, apply, const
from random_machines import random_deterministic_machine, random_scheduled_machine, seeded_machine

DEEP = 12
"""So many steps are looked at."""


def claims(machine: Machine, seed: int) -> list[Expr]:
    """Random conditions, and that some state is not reached: which may take many steps to see."""
    random = Random(seed)
    expressions = Expressions(random, {v.name: v.type for v in machine.state_variables})
    state = {v.name: random.choice(list(v.type.values())) for v in machine.state_variables}
    avoided = apply("not", apply("and", *(apply("=", Name(name), const(value)) for name, value in state.items()), TRUE))
    return [expressions.boolean(3), expressions.boolean(3), avoided]


def machine_of(seed: int) -> Machine:
    match seed % 3:
        case 0:
            return random_scheduled_machine(Random(seed), processes=2)
        case 1:
            return random_deterministic_machine(Random(seed), state_bits=5)
    return seeded_machine(3000 + seed)


@pytest.mark.parametrize("block", range(5))
def test_random_machines(block: int) -> None:
    verdicts, depths = set(), set()
    for seed in range(block * 15, (block + 1) * 15):
        machine = machine_of(seed)
        oracle, network = BruteForce(machine), Network(machine, Run())
        for good in claims(machine, seed):
            length = oracle.shortest_counterexample(good)
            answers = bounded_search(network, good, Run())
            traces = [trace for _, trace in zip(range(DEEP), answers)]
            verdicts.add(length is None)
            if length is not None:
                trace = traces[-1]
                assert len(traces) == min(length, DEEP)
                assert (trace is None) == (length > DEEP)
                if trace is not None:
                    assert len(trace) == length
                    confirm_trace(machine, trace, violates=good)
            else:
                assert all(trace is None for trace in traces)
            steps = induction(network, good, Run())
            if length is not None:  # the last states of a shortest path are good until the last
                assert not any(holds for _, holds in zip(range(min(length, DEEP)), steps))
                with pytest.raises(EvidenceRejected, match="leads to a violation"):
                    confirm_induction(machine, good, Induction(length), run=Run())
                continue
            depth = next((k for k, holds in zip(range(DEEP), steps) if holds), None)
            if depth is not None:
                depths.add(depth)
                confirm_induction(machine, good, Induction(depth), run=Run())
    assert verdicts == {True, False}
    assert len(depths) > 2


@pytest.mark.parametrize("block", range(3))
def test_several_invariants_together(block: int) -> None:
    """What is shown with others is true of all states, and the judge says so; whatever follows alone follows no later."""
    shown_with_others = 0
    for seed in range(block * 20, (block + 1) * 20):
        machine = machine_of(seed)
        oracle = BruteForce(machine)
        goods = [*claims(machine, seed), *claims(machine, 1000 + seed), *claims(machine, 2000 + seed)]
        search = JointSearch(Part(machine), [Invariant(good, good) for good in goods], machine, Run(), deepest_induction=None)
        for _ in range(5):
            search.deepen()
        for number, good in enumerate(goods):
            finding = search.findings.get(number)
            length = oracle.shortest_counterexample(good)
            assert isinstance(finding, Refuted) == (length is not None and length <= 5), (seed, number)
            alone = next((k for k, holds in zip(range(5), induction(Network(machine, Run()), good, Run())) if holds), None)
            proof = finding.proof if isinstance(finding, Proved) else None
            if isinstance(proof, Induction):
                assert length is None
                confirm_induction(machine, good, proof, run=Run())
                shown_with_others += bool(proof.others)
                assert alone is None or proof.depth <= alone
            else:
                assert proof is not None or alone is None or length is not None, (seed, number)
        search.close()
    assert shown_with_others


def test_the_judge_looks_at_all_that_is_shown_together() -> None:
    """The registers x and y exchange their values: neither is inductive alone, both are together; z has no part in it."""
    text = "MODULE main VAR x : boolean; y : boolean; z : boolean; ASSIGN init(x) := FALSE; init(y) := FALSE;"
    machine = loads(f"{text} next(x) := y; next(y) := x & z;").machine
    x, y, z = (apply("not", Name(name)) for name in "xyz")
    assert confirm_induction(machine, y, Induction(1, others=(x,)), run=Run())
    for others in ((), (z,), (x, z)):
        with pytest.raises(EvidenceRejected):
            confirm_induction(machine, x, Induction(1, others=others), run=Run())


def test_the_judge_rejects_inductions_that_are_too_short() -> None:
    rejected = 0
    for seed in range(40):
        machine = machine_of(seed)
        network = Network(machine, Run())
        for good in claims(machine, seed):
            steps = list(zip(range(4), induction(network, good, Run())))
            for depth, holds in steps:
                if not holds:
                    rejected += 1
                    with pytest.raises(EvidenceRejected):
                        confirm_induction(machine, good, Induction(depth), run=Run())
    assert rejected > 20




def truth(operation: AigEdge, values: list[dict[int, bool]]) -> list[bool]:
    return [operation.aig.evaluate(operation, value) for value in values]


def test_graphs_compute_what_they_say() -> None:
    """Operators are compared with truth tables, the solver with both."""
    for seed in range(60):
        random, aig = Random(seed), SatAig()
        aig.add_variables(["a", "b", "c", "d"])
        values = [{i: bool(code >> i & 1) for i in range(4)} for code in range(16)]
        edges = [aig.true, aig.false, *(aig.var(i) for i in range(4))]
        tables = [truth(edge, values) for edge in edges]
        for _ in range(30):
            i, j, k = (random.randrange(len(edges)) for _ in range(3))
            x, y, z = (tables[n] for n in (i, j, k))
            expected = {
                "and": [p and q for p, q in zip(x, y)], "or": [p or q for p, q in zip(x, y)],
                "xor": [p != q for p, q in zip(x, y)], "not": [not p for p in x],
                "ite": [q if p else r for p, q, r in zip(x, y, z)],
            }  # fmt: skip
            made = {
                "and": edges[i] & edges[j], "or": edges[i] | edges[j], "xor": edges[i] ^ edges[j], "not": ~edges[i],
                "ite": aig.ite(edges[i], edges[j], edges[k]),
            }  # fmt: skip
            operator = random.choice(sorted(made))
            edges.append(made[operator])
            tables.append(expected[operator])
            assert truth(edges[-1], values) == expected[operator]
        with CircuitSolver(aig, Run()) as circuit:
            for edge, table in zip(edges, tables):
                frame = circuit.frame()
                literal = frame.literal(edge.code)
                assert circuit.solve([literal]) == any(table)
                assert circuit.solve([-literal]) == (not all(table))
                given = random.randrange(16)
                bits = [frame.literal(2 * aig.nodes[i]) for i in range(4)]
                fixed = [bit if given >> i & 1 else -bit for i, bit in enumerate(bits)]
                assert circuit.solve([*fixed, literal]) == table[given]
                swapped = aig.substitute(edge, aig.substitution({0: aig.var(1), 1: aig.var(0)}))
                exchanged = [{**value, 0: value[1], 1: value[0]} for value in values]
                assert truth(swapped, values) == truth(edge, exchanged)
                picked = aig.pick(edge)
                assert (picked is not None) == any(table)
                if picked is not None:
                    assert aig.evaluate(edge, {i: picked.get(i, False) for i in range(4)})
