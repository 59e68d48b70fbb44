"""`coarsest reduce` on automata: acceptance is kept, in both formats, and what makes no sense is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import coarsest
from coarsest.automata.judge.same_words import accept_same_words
from coarsest.cli.app import main
from coarsest.run import Run

SETTLES = "examples/settles.hoa"


@pytest.mark.parametrize("by, states", [("direct", 3), ("delay", 2), ("words", 2)])
def test_sizes_by_each_relation(by: str, states: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reduce", SETTLES, "--by", by, "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["states"], facts["relation"]) == ({"before": 4, "after": states}, by)
    assert facts["confirmed"] is True
    assert facts["preserves"] == "the accepted words"


def test_from_one_format_to_the_other_and_back(tmp_path: Path) -> None:
    letters, atoms, back = (str(tmp_path / name) for name in ("one.ba", "two.hoa", "three.ba"))
    assert main(["reduce", SETTLES, "--by", "words", "-o", letters]) == 0
    assert main(["reduce", letters, "--by", "delay", "-o", atoms]) == 0
    assert main(["reduce", atoms, "--by", "delay", "-o", back]) == 0
    assert [coarsest.read_automaton(path).states for path in (letters, atoms, back)] == [2, 2, 2]
    first = coarsest.read_automaton(letters)
    assert set(first.alphabet.names) == {"quiet", "!quiet"}
    assert accept_same_words(first, first.reduce(by="words", lookahead=3).automaton, Run())


def test_an_automaton_that_accepts_nothing(tmp_path: Path) -> None:
    """In the format of RABIT, a file without accepting states would accept all that can be read."""
    path, small = tmp_path / "nothing.ba", tmp_path / "small.ba"
    path.write_text("[0]\na,[0]->[0]\na,[0]->[1]\n[1]\n")
    assert main(["reduce", str(path), "--by", "words", "-o", str(small)]) == 0
    assert coarsest.read_automaton(small).edge_count == 0


@pytest.mark.parametrize("arguments, complaint", [
    (["examples/buffer.aut", "--by", "words"], "other graphs have no acceptance"),
    (["examples/mutex.smv", "--by", "words"], "only Büchi automata"),
    (["examples/mutex.smv", "--lookahead", "2"], "--lookahead is for automata"),
    (["examples/buffer.aut", "--lookahead", "2"], "--lookahead is for automata on infinite words, not for explicit graphs"),
    ([SETTLES, "-o", "small.hoa"], "is a graph, not an automaton with acceptance"),
    ([SETTLES, "--by", "delay", "-o", "small.aut"], "automata are written as .hoa, .ba"),
    ([SETTLES, "--by", "delay", "--observe", "x"], "not for automata on infinite words"),
])  # fmt: skip
def test_wrong_usage_of_automata(arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reduce", *arguments]) == 2
    assert complaint in capsys.readouterr().err
