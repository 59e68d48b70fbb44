"""All ways of computing preimages give the same sets, on every BDD package."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import pytest

from coarsest.bdd.packages import PACKAGES, new_manager
from coarsest.check.setting.explore import explore
from coarsest.errors import InputError
from coarsest.options.methods import IMAGE_METHODS, BuildOptions
from coarsest.run import Run
from coarsest.space.bdd.build import build
from coarsest.space.bdd.relation.expound_coudert_madre import Expound
from coarsest.space.bdd.relation.functions import VectorComposition
from coarsest.space.bdd.relation.inverse_bustan import Inverse
from oracles.brute_force import BruteForce
from random_expressions import Expressions
from random_machines import seeded_machine
from space_laws import to_set

WAYS = (VectorComposition, Inverse, Expound)


def random_function(manager: Any, rng: Random, variables: range) -> Any:
    result = manager.false
    for _ in range(rng.randint(0, 6)):
        term = manager.true
        for number in variables:
            if rng.random() < 0.6:
                term = term & (manager.var(number) if rng.random() < 0.5 else ~manager.var(number))
        result = result ^ term
    return result


@pytest.mark.parametrize("package", PACKAGES)
def test_preimages_through_random_functions_are_what_the_definition_says(package: str) -> None:
    """f⁻¹(Q') = {γ | f(γ) ∈ Q'}, by evaluating functions one argument after another; some variables have no function."""
    for seed in range(40):
        rng = Random(seed)
        latches, inputs = rng.randint(1, 4), rng.randint(0, 2)
        manager = new_manager(package)
        variables = manager.add_variables([f"v{n}" for n in range(latches + inputs)])
        order = list(variables)
        rng.shuffle(order)
        manager.set_order(order)
        functions = {n: random_function(manager, rng, variables) for n in range(latches) if rng.random() < 0.9}
        targets = [manager.true, manager.false, *(random_function(manager, rng, variables) for _ in range(4))]
        for way in WAYS:
            preimage = way(manager, functions)
            for target in targets:
                result = preimage.of(target)
                for values in product((False, True), repeat=len(variables)):
                    arguments = dict(enumerate(values))
                    image = arguments | {n: manager.evaluate(f, arguments) for n, f in functions.items()}
                    assert manager.evaluate(result, arguments) == manager.evaluate(target, image), (seed, way)


@pytest.mark.parametrize("package", PACKAGES)
def test_all_relation_methods_give_the_preimages_of_brute_force(package: str) -> None:
    """On random machines with inputs, domains and constraints, some of whose variables have no function for their next value."""
    for seed in range(30):
        machine = seeded_machine(seed)
        oracle = BruteForce(machine)
        rng = Random(seed)
        everything = list(oracle.states)
        for relation in IMAGE_METHODS:
            try:
                space = build(machine, Run(), BuildOptions(bdd=package, relation=relation))
            except InputError:
                assert relation == "disjunctive"
                continue
            states = set(rng.sample(everything, rng.randint(0, len(everything))))
            before = {a for a, b in oracle.steps if b in states}
            after = {b for a, b in oracle.steps if a in states}
            assert space.pre(to_set(space, oracle, states)) == to_set(space, oracle, before)
            assert space.post(to_set(space, oracle, states)) == to_set(space, oracle, after)


@pytest.mark.parametrize("relation", [relation for relation in IMAGE_METHODS if relation != "disjunctive"])
def test_transitive_preimages_are_those_of_brute_force(relation: str) -> None:
    for seed in range(30):
        machine = seeded_machine(seed)
        oracle = BruteForce(machine)
        expressions = Expressions(Random(seed), {v.name: v.type for v in machine.state_variables})
        goal = expressions.boolean(3)
        reaching = set(oracle.where(goal))
        while True:
            grown = reaching | {a for a, b in oracle.steps if b in reaching}
            if grown == reaching:
                break
            reaching = grown
        facts, _ = explore(machine, BuildOptions(relation=relation), Run(), towards=goal)
        assert facts["states"] == len(reaching), seed
