"""The models of the experiments with symmetries: how many states they have, what holds of them, and how many orbits there are."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import combinations, product
from typing import Any

import pytest

import coarsest
from coarsest.experiments.barner.models import FAMILIES
from coarsest.reduce.symmetry.group.declared import declared
from coarsest.reduce.symmetry.orbit_spaces import RepresentativesSoFar
from coarsest.run import Run
from coarsest.space.explicit.enumerate import enumerate_machine
from oracles.symmetries import moved, orbits

VERDICTS = {
    "toggles": {"not_all_on": "fails", "never_more": "holds", "can_be_on": "holds", "off_again": "fails"},
    "mutex": {"exclusive": "holds", "one_and_two": "holds", "one_and_three": "fails", "can_get_in": "holds", "gets_in": "fails"},
    "futurebus": {"one_owner": "holds", "no_stale_copy": "holds", "can_write": "holds", "writes_again": "fails",
                  "writes_for_ever": "fails"},
    "arbiter": {"bounded_use": "holds", "a_pause_after_two": "fails", "one_at_a_time": "holds"},
    "covering": {"not_covered": "fails"},
}  # fmt: skip

SIZES = {"toggles": (5, 32), "mutex": (4, 48), "futurebus": (3, 173), "arbiter": (3, 230), "covering": (3, 1328)}
"""Components and reachable states."""


@pytest.mark.parametrize("family", FAMILIES)
def test_states_and_orbits(family: str) -> None:
    n, states = SIZES[family]
    model = coarsest.loads(FAMILIES[family](n))
    space = enumerate_machine(model.machine)
    assert space.graph.nodes == model.reach().states == states
    generators = [partial(moved, one.moves, one.values) for one in declared(model.machine)]
    listed_states = [frozenset(space.valuation.state(number).items()) for number in range(states)]
    by_definition = orbits(listed_states, generators)
    listed = RepresentativesSoFar(model.machine, declared(model.machine), Run()).space()
    assert listed.representatives.unique and listed.graph.nodes == len(by_definition)


def test_switches_of_which_equally_many_are_on_are_alike() -> None:
    model = coarsest.loads(FAMILIES["toggles"](5))
    assert model.reach().states == 32
    assert RepresentativesSoFar(model.machine, declared(model.machine), Run()).space().graph.nodes == 6


@pytest.mark.parametrize("n", range(2, 7))
def test_states_of_small_models_by_a_formula(n: int) -> None:
    """Everybody is idle or waits, and at most one is inside; or: any switches are on."""
    assert coarsest.loads(FAMILIES["mutex"](n)).reach().states == 2**n + n * 2 ** (n - 1)
    assert coarsest.loads(FAMILIES["toggles"](n)).reach().states == 2**n


@pytest.mark.parametrize("carrier", ["bdd", "explicit"])
@pytest.mark.parametrize("family", FAMILIES)
def test_verdicts(family: str, carrier: str) -> None:
    """By plain engines, and by representatives that are listed."""
    model = coarsest.loads(FAMILIES[family](3))
    reduce = "symmetry" if carrier == "explicit" else "none"
    answers = model.check(carrier=carrier, reduce=reduce)
    assert {answer.name: answer.verdict.word for answer in answers} == VERDICTS[family]
    assert all(answer.verdict.confirmed for answer in answers if answer.verdict.word == "fails")


@pytest.mark.parametrize("k", [2, 3])
def test_shortest_suites_cover_all_pairs(k: int) -> None:
    """Four tests are the fewest, and no three are enough."""
    (answer,) = coarsest.loads(FAMILIES["covering"](k)).check()
    tests = [[state[f"x{i}"] for i in range(1, k + 1)] for state in answer.verdict.trace.states]
    assert len(tests) == 4 and covers(tests, k)
    assert not any(covers(list(suite), k) for suite in product(product((False, True), repeat=k), repeat=3))


def covers(tests: Sequence[Sequence[Any]], k: int) -> bool:
    pairs = set(product((False, True), repeat=2))
    return all({(test[i], test[j]) for test in tests} == pairs for i, j in combinations(range(k), 2))
