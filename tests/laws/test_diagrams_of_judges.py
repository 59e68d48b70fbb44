"""The judge's decision diagrams say of gates what its solver says, and reject what is no invariant."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

import coarsest
from coarsest.errors import EvidenceRejected
from coarsest.evidence.effort import NotConfirmed
from coarsest.evidence.sat.certificate_check import confirm_certificate
from coarsest.evidence.sat.clauses import Clauses
from coarsest.evidence.sat.diagrams import DiagramQuestion, JudgeDiagrams
from coarsest.evidence.verdict import Holds
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Property
from coarsest.run import Run
from oracles.brute_force import BruteForce
from random_expressions import Expressions
from random_machines import random_relational_machine, seeded_machine


def random_literal(random: Random, literals: list[int]) -> int:
    return random.choice(literals) * random.choice((1, -1))


def test_gates_are_refuted_where_the_solver_refutes_them() -> None:
    answers = {True: 0, False: 0}
    for seed in range(400):
        random, clauses = Random(seed), Clauses(Run())
        literals = [1, *clauses.vector(5)]
        later = list(clauses.vector(3))
        for _ in range(14):
            a, b, c, d = (random_literal(random, literals) for _ in range(4))
            kinds = (clauses.both(a, b), clauses.choose(a, b, c), clauses.every([a, b, c, d]), clauses.differ(a, b))
            literals.append(random.choice(kinds))
        equations = [clauses.same(bit, random_literal(random, literals)) for bit in later]
        beyond = clauses.choose(later[0], random_literal(random, later), random_literal(random, later))
        question = [clauses.every(equations), beyond, *(random_literal(random, literals) for _ in range(2))]
        refuted = clauses.is_refuted_by_diagrams(random.sample(range(2, 7), 5), *question)
        assert refuted == (clauses.example(*question) is None), seed
        answers[refuted] += 1
        clauses.close()
    assert min(answers.values()) > 50


def test_too_many_nodes_are_no_answer() -> None:
    diagrams = JudgeDiagrams(Run(), 4)
    with pytest.raises(NotConfirmed, match="4 nodes"):
        for place in range(9):
            diagrams.node(place, 1, 0)
    assert not DiagramQuestion({}, (), Run(), 10).is_refuted([2, -3])


def test_sets_are_judged_by_diagrams(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the solver took too long: honest ones are believed, and others only where they are inductive."""
    monkeypatch.setattr(Clauses, "is_refuted_soon", lambda *_: False)
    outcomes = {"honest": 0, "rejected": 0, "accepted": 0}
    for seed in range(60):
        machine = random_relational_machine(Random(seed)) if seed % 3 == 0 else seeded_machine(seed)
        oracle = BruteForce(machine)
        good = Expressions(Random(seed), {v.name: v.type for v in machine.state_variables}).boolean(3)
        claim = Property(PropertyKind.INVARIANT, good)
        (answer,) = coarsest.Model(machine).check(claim, engine="forward", certificates=True).answers
        if not isinstance(answer.verdict, Holds) or answer.verdict.certificate is None:
            continue
        honest = answer.verdict.certificate
        assert confirm_certificate(machine, claim, honest, run=Run()).conditions
        outcomes["honest"] += 1
        for root in range(len(honest.graphs.nodes) + 2):
            try:
                confirm_certificate(machine, claim, replace(honest, invariant=root), run=Run())
            except EvidenceRejected:
                outcomes["rejected"] += 1
            else:
                outcomes["accepted"] += 1
                assert oracle.shortest_counterexample(good) is None
    assert min(outcomes.values()) > 10, outcomes
