"""Minimisers and invariant checkers on formulas and on BDDs, on the same finite machines."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from coarsest.api.model import Model
from coarsest.errors import Unsupported
from coarsest.logic.expr import Constant, Expr, Word, subexpressions
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Machine, Property
from random_expressions import Expressions
from random_machines import random_graph_machine, random_machine, random_scheduled_machine

GENERATORS = {
    "general": lambda random: random_machine(random, state_bits=4),
    "graph": lambda random: random_graph_machine(random, nodes=5),
    "scheduled": lambda random: random_scheduled_machine(random, processes=2),
}


def labels(machine: Machine, seed: int) -> list[Expr]:
    expressions = Expressions(Random(seed), {v.name: v.type for v in machine.state_variables})
    return [expressions.boolean(2) for _ in range(2)]


def _has_words(label: Expr) -> bool:
    return any(isinstance(part, Constant) and isinstance(part.value, Word) for part in subexpressions(label))


def compare(machine: Machine, seed: int) -> bool:
    """Both carriers find quotients of one size, and the same verdicts; False if the machine is not for formulas."""
    model, seen = Model(machine), [label for label in labels(machine, seed) if not _has_words(label)]
    claims = [Property(PropertyKind.INVARIANT, label) for label in seen]
    if not seen:
        return False
    for algorithm in ("bfh", "lee-yannakakis"):
        sizes = set()
        for carrier in ("smt", "bdd"):
            try:
                found = model.reduce(observe=seen, algorithm=algorithm, carrier=carrier, count=False)
            except Unsupported:
                return False
            assert found.confirmed or carrier == "smt"  # its second method of elimination does not know every division
            sizes.add((found.states, found.transitions, len(found.reduction.partition.initial)))
        assert len(sizes) == 1
    for engine in ("auto", "bfh", "lee-yannakakis", "paige-tarjan"):
        verdicts = [
            [(a.verdict.word, a.confirmed) for a in model.check(*claims, engine=engine, carrier=carrier).answers]
            for carrier in ("smt", "bdd")
        ]
        assert verdicts[0] == verdicts[1]
    return True


@pytest.mark.parametrize("generator", GENERATORS)
def test_carriers_agree(generator: str) -> None:
    compared = (compare(GENERATORS[generator](Random(seed)), seed) for seed in range(6))
    assert sum(islice(filter(None, compared), 2)) >= 2


@pytest.mark.nightly
@pytest.mark.parametrize("generator", GENERATORS)
def test_carriers_agree_at_length(generator: str) -> None:
    assert sum(compare(GENERATORS[generator](Random(seed)), seed) for seed in range(50, 100)) >= 10
