"""The three ways from a program to its automaton agree."""

from pathlib import Path

import pytest

from coarsest.experiments.bouajjani import main, markdown, measure

EXAMPLES = Path(__file__).parents[2] / "examples"
PROGRAMS = [
    ("minimal.prog", (), (10, 20), (5, 7)),
    ("stopwatch.lus", ("running", "frozen"), (5, 17), (4, 14)),
    ("watch.lus", ("m", "p"), (11, 31), (10, 28)),
    ("watch.lus", ("m", "p", "running", "frozen"), (41, 129), (40, 126)),
    ("vending.prog", (), (26, 78), (12, 30)),
]


@pytest.mark.parametrize(("name", "observed", "enumerated", "minimal"), PROGRAMS)
def test_three_ways(name: str, observed: tuple[str, ...], enumerated: tuple[int, int], minimal: tuple[int, int]) -> None:
    row = measure(str(EXAMPLES / name), observed, part="" if observed else "whole")
    assert row.enumerated[:2] == enumerated
    assert row.minimised[:2] == minimal
    assert row.direct[:2] == minimal
    assert row.program in markdown([row])


def test_control_by_three_ways() -> None:
    row = measure(str(EXAMPLES / "stopwatch.lus"), part="control")
    assert row.enumerated[:2] == row.minimised[:2] == row.direct[:2] and row.direct[0] == 5
    assert row.program == "stopwatch.lus, control"


def test_the_table_is_written(tmp_path: Path) -> None:
    target = tmp_path / "table.md"
    assert main([f"{EXAMPLES / 'minimal.prog'}::whole", "-o", str(target)]) == 0
    assert "| 10 | 20 |" in target.read_text(encoding="utf-8")
