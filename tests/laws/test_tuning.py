"""Numbers that were chosen by measuring decide how long something takes, and never what is true."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from coarsest import tuning
from coarsest.cli.app import main
from coarsest.tuning import TABLE, Threshold

EXAMPLES = Path(__file__).parents[2] / "examples"


def drawn(row: Threshold, chance: random.Random) -> float:
    """A value in the range: one of its ends, or one that is a few powers of two away from the usual value."""
    ends = [row.low, min(row.high, max(1, 64 * row.value))]
    value = chance.choice([*ends, row.value * 2 ** chance.randint(-6, 6)])
    return type(row.value)(min(max(value, row.low), row.high))


def verdicts(words: list[str], capsys: pytest.CaptureFixture[str]) -> Any:
    """What a command says, as far as no number may change it."""
    code = main([*words, "--json"])
    document = msgspec.json.decode(capsys.readouterr().out)
    parts = document.get("properties") or [document]
    keys = ("name", "verdict", "states", "classes", "transitions", "related", "quotient")
    return code, [{key: part[key] for key in keys if key in part} for part in parts]


COMMANDS = [
    ["check", "mutex.smv"],
    ["check", "mutex.smv", "--engine", "ic3", "-F", "!(a = critical & b = critical)"],
    ["check", "peterson.smv"],
    ["check", "counter.aag"],
    ["reduce", "mutex.smv"],
    ["reduce", "two_cells.aut", "--by", "weak-bisimulation"],
    ["compare", "coffee_by_luck.aut", "coffee_or_tea.aut", "--by", "simulation"],
    ["compare", "two_cells.aut", "two_cells_lossy.aut", "--by", "weak-bisimulation"],
]


@pytest.mark.parametrize("seed", range(6))
def test_numbers_drawn_at_random_change_no_verdict(
    seed: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    chance = random.Random(seed)
    monkeypatch.chdir(EXAMPLES)
    commands = [words for words in COMMANDS if Path(words[1]).exists()]
    assert len(commands) >= 2
    usual = [verdicts(words, capsys) for words in commands]
    for row in TABLE.values():
        monkeypatch.setattr(tuning, row.name, drawn(row, chance))
    assert [verdicts(words, capsys) for words in commands] == usual


def test_rows_are_whole() -> None:
    for row in TABLE.values():
        assert row.low <= row.value <= row.high, row.name
        assert row.why.endswith(".") and row.unit, row.name
        assert getattr(tuning, row.name) == row.value, "the name in the row is that of the number"


def test_a_number_is_changed_for_an_experiment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(tuning.HANDED_DOWN, raising=False)
    monkeypatch.setattr(tuning, "KERNEL_TRANSITIONS", 1_000)
    monkeypatch.setenv(tuning.HANDED_DOWN, "")
    assert main(["algorithms", "--tune", "KERNEL_TRANSITIONS=5"]) == 0
    assert tuning.KERNEL_TRANSITIONS == 5


@pytest.mark.parametrize("setting", ["KERNEL_TRANSITIONS", "KERNEL_TRANSITIONS=x", "KERNEL_TRANSITIONS=-1", "NOBODY=1"])
def test_what_is_no_number_is_refused(setting: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["algorithms", "--tune", setting]) == 2
    assert "coarsest algorithms --tuning" in capsys.readouterr().err


def test_the_table_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["algorithms", "--tuning"]) == 0
    text = capsys.readouterr().out
    assert all(row.why in text for row in TABLE.values())
