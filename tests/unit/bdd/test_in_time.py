"""Operations in parts give what the packages give at once, and nothing when there is no time."""

from __future__ import annotations

from functools import reduce
from operator import or_
from random import Random
from typing import Any

import pytest

from coarsest.bdd.in_time import Patience, Product, Room, VectorComposition
from coarsest.bdd.packages import PACKAGES, new_manager

VARIABLES = 9


def random_function(manager: Any, random: Random) -> Any:
    """A union of random cubes."""
    cubes = []
    for _ in range(random.randint(1, 12)):
        cube = manager.true
        for number in random.sample(range(VARIABLES), 4):
            literal = manager.var(number)
            cube = cube & (literal if random.random() < 0.5 else ~literal)
        cubes.append(cube)
    return reduce(or_, cubes)


@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.parametrize("seed", range(20))
def test_in_parts_as_at_once(package: str, seed: int) -> None:
    random = Random(seed)
    manager = new_manager(package)
    manager.add_variables([f"x{number}" for number in range(VARIABLES)])
    f, g, *functions = (random_function(manager, random) for _ in range(2 + VARIABLES))
    composition = VectorComposition(manager, dict(enumerate(functions[:-1])))  # the last variable stays
    product = Product(manager, random.sample(range(VARIABLES), random.randint(0, VARIABLES)))
    assert composition.within(f, Patience(1e9)) == composition.of(f)
    assert product.within(f, g, Patience(1e9)) == product.of(f, g)
    assert composition.within(f, Patience(-1.0)) is None
    assert product.within(f, g, Patience(-1.0)) is None


@pytest.mark.parametrize("package", PACKAGES)
def test_no_more_nodes_than_there_is_room_for(package: str) -> None:
    manager = new_manager(package)
    manager.add_variables([f"v{i}" for i in range(40)])
    f = g = manager.true
    for i in range(10):
        f = f & ~(manager.var(i) ^ manager.var(20 + i))
        g = g & ~(manager.var(10 + i) ^ manager.var(30 + i))
    product = Product(manager, [])
    assert product.within(f, g, Room(manager, 1000)) is None
    assert product.within(f, g, Room(manager, 10**9)) == f & g


def test_the_time_of_threads_of_the_package_counts() -> None:
    """With several threads the package works beside ours, whose own time stands still."""
    manager = new_manager("oxidd", threads=2)
    manager.add_variables([f"v{i}" for i in range(48)])
    f, patience = manager.false, Patience(0.002)
    for i in range(18):
        f = f | (manager.var(i) & manager.var(24 + i))
    assert patience.over


def test_a_function_of_many_levels_is_not_split_to_the_last() -> None:
    """Python goes down no more than some hundred levels; the rest is for the package."""
    manager = new_manager()
    variables = manager.add_variables([f"x{number}" for number in range(1500)])
    every = manager.true
    for variable in reversed(variables):
        every = manager.var(variable) & every
    shifted = {variable: manager.var(variables[place - 1]) for place, variable in enumerate(variables)}
    assert VectorComposition(manager, shifted).within(every, Patience(1000.0)) == every
