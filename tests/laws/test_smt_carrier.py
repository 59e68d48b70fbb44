"""The SMT carrier against the definitions, on finite machines; words are not for it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from random import Random

import pytest

from coarsest.errors import Unsupported
from coarsest.logic.expr import Expr
from coarsest.model.machine import Machine
from coarsest.space.smt.smt import SmtSpace
from oracles.brute_force import BruteForce
from random_expressions import Expressions
from random_machines import (
    random_arithmetic_machine,
    random_deterministic_machine,
    random_machine,
    random_relational_machine,
    random_remainder,
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


def check_divisions(seed: int) -> None:
    """Images and preimages of conditions on remainders, state by state, on a machine that divides."""
    random = Random(seed)
    machine = random_arithmetic_machine(random)
    space, oracle = SmtSpace(machine), BruteForce(machine)
    alone = {state: space.state(oracle.environment(state)) for state in oracle.states}
    for _ in range(2):
        label = random_remainder(random, [v.name for v in machine.state_variables])
        chosen, states = set(oracle.where(label)), space.where(label)
        for found, expected in (
            (states, chosen),
            (space.post(states), {after for before, after in oracle.steps if before in chosen}),
            (space.pre(states), {before for before, after in oracle.steps if after in chosen}),
        ):
            assert {state for state, single in alone.items() if single <= found} == expected


@pytest.mark.parametrize("seed", range(1, 11))
def test_divisions(seed: int) -> None:
    check_divisions(seed)


@pytest.mark.nightly
@pytest.mark.parametrize("start", range(1000, 1200, 20))
def test_divisions_at_length(start: int) -> None:
    for seed in range(start, start + 20):
        check_divisions(seed)
