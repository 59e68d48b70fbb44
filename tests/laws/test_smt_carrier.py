"""The SMT carrier against the definitions, on finite machines; words are not for it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from random import Random

import pytest

from coarsest.errors import Unsupported
from coarsest.logic.expr import Expr
from coarsest.model.machine import Machine
from coarsest.system.smt import SmtSpace
from oracles.brute_force import BruteForce
from random_expressions import Expressions
from random_machines import (
    random_deterministic_machine,
    random_machine,
    random_relational_machine,
    random_scheduled_machine,
)
from space_laws import check_space_laws

GENERATORS: dict[str, Callable[[Random], Machine]] = {
    "general": lambda random: random_machine(random, state_bits=4),
    "relational": lambda random: random_relational_machine(random, variables=2),
    "deterministic": lambda random: random_deterministic_machine(random, state_bits=4),
    "scheduled": lambda random: random_scheduled_machine(random, processes=2),
}


def labels(machine: Machine, seed: int) -> list[Expr]:
    expressions = Expressions(Random(seed), {v.name: v.type for v in machine.state_variables})
    return [expressions.boolean(2) for _ in range(3)]


def check(generator: str, seed: int) -> bool:
    """Compare the carriers on a machine; False if it is not for formulas."""
    machine = GENERATORS[generator](Random(seed))
    try:
        space = SmtSpace(machine)
    except Unsupported:
        return False
    claims = []
    for label in labels(machine, seed):
        try:
            space.where(label)
        except Unsupported:
            continue
        claims.append(label)
    check_space_laws(space, BruteForce(machine), claims, seed)
    return True


@pytest.mark.parametrize(("generator", "machines"), [("general", 3), ("relational", 3), ("deterministic", 3), ("scheduled", 2)])
def test_laws(generator: str, machines: int) -> None:
    applied = (check(generator, seed) for seed in range(20))
    assert sum(islice(filter(None, applied), machines)) == machines


@pytest.mark.nightly
@pytest.mark.parametrize("generator", GENERATORS)
@pytest.mark.parametrize("start", range(100, 200, 20))
def test_laws_at_length(generator: str, start: int) -> None:
    assert sum(check(generator, seed) for seed in range(start, start + 20)) >= 3
