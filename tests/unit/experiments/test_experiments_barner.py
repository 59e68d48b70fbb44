"""Small points of the figures of Barner and Grumberg, and that the numbers of the paper fit what is known."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from coarsest.experiments.barner import searches as barner_searches
from coarsest.experiments.barner.figures import COVERING_NUMBERS, NODES, TABLES
from coarsest.experiments.points import Point, PointOutcome
from coarsest.run import Run

SMALL = {"11": 4, "12": 4, "13": 4, "14": 4}
"""Sizes that take no time."""


def points(name: str) -> list[Point]:
    (table,) = [table for table in TABLES if table.name == name]
    smallest = table.points[0].row
    return [point for point in table.points if point.row == smallest]


@pytest.mark.parametrize("table", SMALL)
def test_smallest_points(table: str) -> None:
    """All columns of a row find what is expected, at a size that is smaller than that of the figure."""
    for point in points(table):
        arguments = {**point.arguments, "k" if table == "14" else "n": SMALL[table]}
        facts = getattr(barner_searches, point.measure.partition(":")[2])(**arguments, run=Run())
        exact = {"14": {"tests": COVERING_NUMBERS[SMALL[table]]}, "13": {"nodes": NODES[SMALL[table] - 1]}}
        expected = {**point.expected, **exact.get(table, {})}
        assert {key: facts[key] for key in expected} == expected, point.name


@pytest.mark.parametrize("k", COVERING_NUMBERS)
def test_suites_are_as_short_as_can_be(k: int) -> None:
    """Bounded search finds the shortest; the suite is looked at here, and fewer tests are not enough by the theorem of Katona,
    and of Kleitman and Spencer: n tests cover C(n - 1, ⌈n / 2⌉) inputs."""
    facts = barner_searches.covering(k, "SAT", run=Run())
    tests = str(facts["suite"]).split()
    assert len(tests) == facts["tests"] == COVERING_NUMBERS[k]
    for i, j in combinations(range(k), 2):
        assert {test[i] + test[j] for test in tests} == {"".join(pair) for pair in product("01", repeat=2)}
    most = {n: len(list(combinations(range(n - 1), (n + 1) // 2))) for n in (3, 4, 5, 6)}
    assert most[len(tests)] >= k > most.get(len(tests) - 1, 0)


def test_claims_are_told_by_what_was_measured() -> None:
    (table,) = [table for table in TABLES if table.name == "13"]
    outcomes = {}
    for point in table.points:
        nodes = 10 if point.column == "Create_ξ" else 20
        facts: dict[str, bool | int | float | str] = {"seconds": 1.0, "nodes": 5, "peak_nodes": nodes}
        outcomes[point.name] = PointOutcome(
            paper="barner", point=point.name, measure=point.measure, arguments=point.plain_arguments, facts=facts, seconds=1,
            mebibytes=1,
        )  # fmt: skip
    assert [claim.judge(outcomes)[0] for claim in table.claims] == ["holds", "holds"]
    assert [claim.judge({})[0] for claim in table.claims] == ["unknown", "unknown"]
