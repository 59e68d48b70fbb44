"""Figures 2.1, 3.4 and 3.6 of Bustan's thesis: what its text says, literally, and that the points would notice anything else."""

from __future__ import annotations

from importlib import import_module

import pytest

from coarsest.experiments.bustan import TABLES
from coarsest.experiments.bustan_models import classes_of, layer_sizes, states_of
from coarsest.experiments.points import Point
from coarsest.run import Run

POINTS = [point for table in TABLES if table.name[:2] not in ("5.", "6.") for point in table.points]
"""Those of chapters 5 and 6 are circuits, and have tests of their own."""


@pytest.mark.parametrize("point", POINTS, ids=lambda point: point.name)
def test_points(point: Point) -> None:
    module, _, name = point.measure.partition(":")
    facts = getattr(import_module(module), name)(**point.plain_arguments, run=Run())
    assert {key: facts[key] for key in point.expected} == point.expected


def test_sizes_of_the_family() -> None:
    assert layer_sizes(5) == [2, 3, 7, 127, 2**127 - 1]
    assert [states_of(n) for n in range(1, 6)] == [3, 6, 13, 140, 2**127 + 139]
    assert [classes_of(n) for n in range(1, 5)] == [3, 5, 11, 137]


def test_the_text_about_figure_3_4() -> None:
    """The pairs that section 3.2.3 lists, trivial ones left out, from the classes and their order."""
    listed = {(2, 3), (3, 2), (11, 2), (11, 3), (4, 5), (6, 5), (7, 8), (8, 7), (9, 10), (10, 9)}
    (expected,) = (point.expected for point in POINTS if point.name == "classes, example")
    classes = [frozenset(map(int, text.strip("{ ").split(","))) for text in str(expected["classes"]).split("}") if text.strip()]
    pairs = {(s, t) for one in classes for s in one for t in one if s != t}
    for text in str(expected["order"]).split("; "):
        below, above = ([int(number) for number in side.strip("{}").split(",")] for side in text.split(" < "))
        pairs |= {(s, t) for s in below for t in above}
    assert pairs == listed
