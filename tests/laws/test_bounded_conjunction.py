"""Relational products with a limit on nodes: the same function as without, or none."""

from __future__ import annotations

from random import Random

import pytest

from coarsest.bdd.bounded import product_within
from coarsest.bdd.packages import PACKAGES, new_manager


@pytest.mark.parametrize("package", sorted(PACKAGES))
@pytest.mark.parametrize("few", [0, 20, 1000])
def test_pieces_make_the_whole(package: str, few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coarsest.tuning.PAIRS_IN_A_PIECE", few)
    manager, random = new_manager(package), Random(few)
    variables = [manager.var(number) for number in manager.add_variables([f"x{k}" for k in range(12)])]
    for _ in range(60):
        functions = []
        for _ in range(2):
            function = random.choice(variables)
            for _ in range(random.randrange(14)):
                other = random.choice(variables) if random.random() < 0.5 else ~random.choice(variables)
                function = random.choice((function & other, function | other, function ^ other))
            functions.append(function)
        f, g = functions
        cube = manager.cube(random.sample(range(12), random.randrange(5)))
        assert product_within(manager, f, g, cube, manager.live_nodes + 10_000) == manager.and_exists(f, g, cube)


def test_what_becomes_too_large_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two functions of n nodes, whose conjunction has about 2^n: pairs of bits far apart in the order are equal."""
    monkeypatch.setattr("coarsest.tuning.PAIRS_IN_A_PIECE", 100)
    manager = new_manager()
    variables = [manager.var(number) for number in manager.add_variables([f"x{k}" for k in range(28)])]
    equal = [~(variables[k] ^ variables[k + 14]) for k in range(14)]
    f = g = manager.true
    for k in range(0, 14, 2):
        f, g = f & equal[k], g & equal[k + 1]
    before = manager.live_nodes
    assert product_within(manager, f, g, manager.true, before + 1_000) is None
    assert manager.live_nodes < before + 10_000, "most of the work was not done"
    assert product_within(manager, f, g, manager.true, 50_000_000) == f & g
