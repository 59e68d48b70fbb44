"""Table 4.1 of Bustan 2002: the figures say what the thesis says of them, and the operations do what they are called."""

from __future__ import annotations

from importlib import import_module
from random import Random

import numpy as np
import pytest

from coarsest.experiments.bustan_fair_structures import (
    FIGURES,
    by_all,
    doubled,
    isomorphic,
    random_structure,
    relation_of,
    structure,
)
from coarsest.experiments.bustan_quotients import NOTIONS, TABLE
from coarsest.experiments.points import Point
from coarsest.lts.compare.compare_graphs import compare_graphs
from coarsest.lts.simulation.fair_quotients_bustan import disconnected, quotient, smaller
from coarsest.run import Run


@pytest.mark.parametrize("point", TABLE.points, ids=lambda point: point.name)
def test_what_the_thesis_says(point: Point) -> None:
    module, _, name = point.measure.partition(":")
    arguments = {**point.arguments, **({"structures": 8} if "structures" in point.arguments else {})}
    facts = getattr(import_module(module), name)(run=Run(), **arguments)
    assert {key: facts[key] for key in point.expected} == point.expected


def test_figure_41() -> None:
    """Section 4.2.1: states 0 and 2 are game equivalent; the quotient has a fair path on which there is no b."""
    fair = FIGURES["4.1"]
    below = relation_of("game", fair, Run())
    assert below[0, 2] and below[2, 0] and not below[0, 1]
    small = quotient(fair, below).fair
    only_a = structure("a", "00", "0")
    assert compare_graphs(only_a, small, by="exists", preorder=True).related
    assert not compare_graphs(only_a, fair, by="exists", preorder=True).related
    assert not (relation_of("delay", fair, Run())[2, 0]), "or the quotient would be safe"


def test_figure_42() -> None:
    """Sections 4.2.2 and 4.2.3: 2 is a little brother of 1, and must not be disconnected; two structures are equivalent."""
    first, second = FIGURES["4.2, 1"], FIGURES["4.2, 2"]
    for by in NOTIONS[1:]:
        below = relation_of(by, first, Run())
        assert below[2, 1] and not below[1, 2]
        assert disconnected(first, below).graph.transitions == first.graph.transitions - 1
        assert compare_graphs(first, second, by=by).related
    assert not compare_graphs(first, second, by="direct").related
    assert not isomorphic(first, second)
    whole = structure("abbca", "01 02 10 13 14 30 24 42", "4")
    assert all(compare_graphs(whole, one, by="delay").related for one in (first, second))


def test_quotients_by_all_are_not_safe() -> None:
    """By delay simulation, too, although its ordinary quotient is: this structure loses the step to its only fair state."""
    fair = FIGURES["by all"]
    small = quotient(fair, relation_of("delay", fair, Run()))
    assert small.state_of.tolist() == [0, 1, 2, 1]
    assert compare_graphs(fair, small.fair, by="delay").related
    assert not compare_graphs(fair, by_all(fair, small), by="delay").related
    points = {point.name: point for point in TABLE.points}
    assert not points["delay, quotient by all"].expected["safe"]


def test_figure_44() -> None:
    first, second = FIGURES["4.4, 1"], FIGURES["4.4, 2"]
    assert compare_graphs(first, second, by="game").related
    assert not compare_graphs(first, second, by="delay", preorder=True).related
    assert compare_graphs(second, first, by="direct", preorder=True).related


def test_quotients() -> None:
    fair = structure("aab", "02 12 22 10", "1")
    every = np.ones((3, 3), dtype=np.bool_)
    every[2, :2] = every[:2, 2] = False
    small = quotient(fair, every)
    assert small.fair.graph.transitions == 3
    assert by_all(fair, small).graph.transitions == 2
    assert small.fair.fairness[0].tolist() == [True, False]


def test_the_smallest_structure_is_direct_equivalent() -> None:
    random = Random(1)
    for _ in range(20):
        fair = random_structure(random)
        twice = doubled(fair, random)
        assert compare_graphs(fair, twice, by="direct").related
        small = smaller(twice, Run(), by="direct").fair
        assert compare_graphs(fair, small, by="direct").related
        assert small.graph.states <= fair.graph.states
    assert not isomorphic(structure("ab", "01 10", "1"), structure("ab", "01 10", "0"))
