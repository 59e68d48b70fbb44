"""Permutations of states, the groups that they generate, and what properties leave of these."""

from __future__ import annotations

from math import factorial
from random import Random

import pytest

import coarsest
from coarsest.reduce.symmetry.group.declared import declared
from coarsest.reduce.symmetry.group.group import Group
from coarsest.reduce.symmetry.group.invariance import invariance_generators, keeps, kept_generators
from coarsest.reduce.symmetry.group.permutation import IDENTITY, Permutation, permutation
from coarsest.run import Run
from coarsest.space.bdd.build import build
from oracles.symmetries import closure
from random_machines import seeded_machine
from random_symmetries import random_permutation

CRITICAL = """
MODULE process_at(free)
VAR at : {out, waiting, critical};
ASSIGN init(at) := out;
  next(at) := case at = out : {out, waiting}; at = waiting & free : {waiting, critical}; at = critical : {critical, out};
                   TRUE : at; esac;
MODULE main
VAR p1 : process_at(free); p2 : process_at(free); p3 : process_at(free);
DEFINE free := p1.at != critical & p2.at != critical & p3.at != critical;
-- symmetry: swap p1 p2
-- symmetry: swap p2 p3
"""


def of_points(one: Permutation, points: list[object]) -> dict[object, object]:
    return {point: one.of_point(point) for point in points}  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(60))
def test_orders_and_members_are_those_of_all_products(seed: int) -> None:
    random = Random(seed)
    machine = seeded_machine(seed)
    generators = [random_permutation(random, machine) for _ in range(random.randint(1, 3))]
    while Group(generators).order > 300:  # too many to list; one permutation alone has few powers
        generators = generators[:-1] if len(generators) > 1 else [random_permutation(random, machine)]
    values = {name: list(v.type.values()) for name, v in machine.variables.items()}
    points = [(name, value) for name in values for value in values[name]]
    group = Group(generators)
    every = closure([of_points(one, points) for one in generators])  # type: ignore[arg-type]
    assert group.order == len(every)
    listed = {tuple(of_points(one, points).items()) for one in group.elements()}  # type: ignore[arg-type]
    assert listed == {tuple(one.items()) for one in every}
    other = random_permutation(random, machine)
    group = Group(generators, within=Group([*generators, other]))
    assert (other in group) == (tuple(of_points(other, points).items()) in listed)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(20))
def test_products_and_inverses_move_states_as_they_should(seed: int) -> None:
    random = Random(seed)
    machine = seeded_machine(seed)
    one, other = (random_permutation(random, machine) for _ in range(2))
    for _ in range(10):
        state = {name: random.choice(list(v.type.values())) for name, v in machine.variables.items()}
        assert one.then(other)(state) == other(one(state))
        assert one.inverse(one(state)) == state
    assert one.then(one.inverse) == IDENTITY


def test_a_rotation_and_a_swap_generate_everything() -> None:
    turn = permutation({f"p{i}.x": f"p{(i + 1) % 9}.x" for i in range(9)} | {f"p{i}.y": f"p{(i + 1) % 9}.y" for i in range(9)})
    swap = permutation({"p0.x": "p1.x", "p1.x": "p0.x", "p0.y": "p1.y", "p1.y": "p0.y"})
    assert Group([turn]).order == 9
    assert Group([turn, swap]).order == factorial(9)
    assert str(swap) == "(p0 p1)"


# Section 3 of Barner and Grumberg


def invariance(text: str) -> tuple[set[str], set[str]]:
    """Which of the given generators are kept, and all elements of the group that ours finds, but for the identity."""
    machine = coarsest.loads(CRITICAL).machine
    space = build(machine)
    generators = declared(machine)
    is_kept = keeps(space, [coarsest.loads(CRITICAL).formula(text).formula])
    largest = Group(invariance_generators(generators, is_kept, Run()))
    moving = {_exchange(one) for one in largest.elements() if not one.is_identity}
    return set(map(str, kept_generators(generators, is_kept))), moving


def _exchange(one: Permutation) -> str:
    return f"({' '.join(sorted(name.removesuffix('.at') for name in one.moves))})"


def test_the_group_of_three_processes() -> None:
    assert Group(declared(coarsest.loads(CRITICAL).machine)).order == 6


def test_a_formula_about_two_processes_keeps_their_exchange() -> None:
    assert invariance("!(p1.at = critical & p2.at = critical)") == ({"swap p1 p2"}, {"(p1 p2)"})


def test_a_formula_about_one_process_breaks_its_exchange() -> None:
    assert invariance("p1.at = critical") == ({"swap p2 p3"}, {"(p2 p3)"})


def test_the_largest_invariance_group_has_an_exchange_that_nobody_gave() -> None:
    """The given generators alone leave nothing; the largest group is {(p1, p3), e}."""
    given, largest = invariance("!(p1.at = critical & p3.at = critical)")
    assert given == set()
    assert largest == {"(p1 p3)"}


def test_a_symmetric_formula_keeps_everything() -> None:
    given, largest = invariance("!(p1.at = critical & p2.at = critical & p3.at = critical)")
    assert given == {"swap p1 p2", "swap p2 p3"}
    assert largest == {"(p1 p2)", "(p1 p3)", "(p2 p3)", "(p1 p2 p3)"}
