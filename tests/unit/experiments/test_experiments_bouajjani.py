"""The three ways from a program to its automaton agree; the paper's own points are in `experiments/bouajjani.py`."""

import pytest

from coarsest.experiments.bouajjani import PROGRAMS
from coarsest.experiments.bouajjani_ways import measure
from coarsest.run import Run

CASES = [(one.path, one.observed, one.part, one.enumerated, one.minimal) for one in PROGRAMS if one.quick]
CASES += [
    ("examples/watch.lus", ("m", "p", "running", "frozen"), "", (41, 129), (40, 126)),
    ("examples/vending.prog", (), "whole", (26, 78), (12, 30)),
    ("examples/stopwatch.lus", (), "control", (5, 43), (5, 43)),
]


@pytest.mark.parametrize(("path", "observed", "part", "enumerated", "minimal"), CASES)
def test_three_ways(
    path: str, observed: tuple[str, ...], part: str, enumerated: tuple[int, int], minimal: tuple[int, int]
) -> None:
    for way, size in (("enumerated", enumerated), ("minimised", minimal), ("directly", minimal)):
        facts = measure(way, path, observed, part=part, run=Run())
        assert (facts["states"], facts["transitions"]) == size, way
    assert measure("reached", path, observed, part=part, run=Run())["states"] == enumerated[0]
