"""Verdicts on invariants are right, counterexamples are shortest and confirmed, for every way of checking."""

from __future__ import annotations

from random import Random

import pytest

from coarsest.check.answers import Checker
from coarsest.evidence.verdict import Fails, Holds
from coarsest.logic.expr import Expr
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Machine, Property
from coarsest.options.methods import check_options
from coarsest.run import Run
from coarsest.space.bdd.build import BuildOptions
from oracles.brute_force import BruteForce
from random_expressions import Expressions
from random_machines import seeded_machine

WAYS = [
    check_options(engine=engine, search=search, cone=cone)
    for engine in ("forward", "backward")
    for search in ("breadth-first", "chaining")
    for cone in (False, True)
]


def claims(machine: Machine, seed: int) -> list[Expr]:
    expressions = Expressions(Random(seed), {v.name: v.type for v in machine.state_variables})
    return [expressions.boolean(3) for _ in range(3)]


@pytest.mark.parametrize("block", range(5))
def test_random_machines(block: int) -> None:
    verdicts = set()
    for seed in range(block * 20, (block + 1) * 20):
        machine = seeded_machine(2000 + seed)
        oracle = BruteForce(machine)
        invariants = claims(machine, seed)
        lengths = [oracle.shortest_counterexample(invariant) for invariant in invariants]
        options = WAYS[seed % len(WAYS)]
        checker = Checker(machine, BuildOptions(), options, Run())
        answers = checker.answers([Property(PropertyKind.INVARIANT, invariant) for invariant in invariants])
        for answer, length in zip(answers, lengths, strict=True):
            verdicts.add(answer.verdict.word)
            if length is None:
                assert isinstance(answer.verdict, Holds)
            else:
                assert isinstance(answer.verdict, Fails)
                assert answer.verdict.trace is not None
                assert len(answer.verdict.trace) == length
            assert answer.confirmed
    assert verdicts == {"holds", "fails"}
