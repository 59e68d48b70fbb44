"""Every carrier of a state space, against the definitions, on the same random machines."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from campaigns import blocks
from coarsest.errors import InputError
from coarsest.logic.expr import Expr
from coarsest.model.machine import Machine
from coarsest.options.methods import IMAGE_METHODS, BuildOptions
from coarsest.run import Run
from coarsest.space.bdd.build import build
from coarsest.space.explicit.enumerate import enumerate_machine
from oracles.brute_force import BruteForce
from random_expressions import Expressions
from random_machines import machines, scheduled_machines, seeded_machine
from space_laws import check_space_laws

MACHINES = 500
BLOCKS = 10
ENGINES = ("oxidd", "cudd")
METHODS = tuple(relation for relation in IMAGE_METHODS if relation != "auto")  # which takes one of the others


def labels(machine: Machine, seed: int) -> list[Expr]:
    expressions = Expressions(Random(seed), {v.name: v.type for v in machine.state_variables})
    return [expressions.boolean(3) for _ in range(2)]


def symbolic(machine: Machine, engine: str, relation: str) -> Any | None:
    """None if the machine has no scheduler, but the method needs one."""
    try:
        return build(machine, Run(), BuildOptions(bdd=engine, relation=relation))
    except InputError as problem:
        if relation == "disjunctive" and type(problem) is InputError:
            return None
        raise


def check_machine(machine: Machine, seed: int, methods: list[tuple[str, str]]) -> set[str]:
    """All carriers of one machine; gives the relation methods that applied."""
    oracle = BruteForce(machine)
    claims = labels(machine, seed)
    check_space_laws(enumerate_machine(machine, reachable_only=False), oracle, claims)
    applied = set()
    for engine, relation in methods:
        space = symbolic(machine, engine, relation)
        if space is not None:
            applied.add(relation)
            check_space_laws(space, oracle, claims)
    return applied


def methods_for(seed: int) -> list[tuple[str, str]]:
    """Every relation method on every machine; the engines take turns."""
    return [(ENGINES[(seed + i) % len(ENGINES)], relation) for i, relation in enumerate(METHODS)]


@pytest.mark.parametrize("block", blocks(BLOCKS, by_day=4))
def test_all_carriers_agree_on_random_machines(block: int) -> None:
    applied: set[str] = set()
    for seed in range(block * MACHINES // BLOCKS, (block + 1) * MACHINES // BLOCKS):
        applied |= check_machine(seeded_machine(seed), seed, methods_for(seed))
    assert applied == set(METHODS)


@given(machines | scheduled_machines)
@settings(max_examples=15, deadline=None)
def test_all_carriers_agree_on_machines_that_shrink(machine: Machine) -> None:
    check_machine(machine, 0, [(ENGINES[0], relation) for relation in IMAGE_METHODS])
