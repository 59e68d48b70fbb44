"""Small inputs with huge numbers: an answer or a refusal, soon, and in little memory."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import coarsest
from coarsest.errors import InputError
from coarsest.formats.aut.read import parse
from coarsest.text import source as text_source
from command_lines import Runner, runner

HUGE = 10**12  # of every seven steps of the model below, 10**12 are one more than a multiple

CLOCK = """
MODULE main
VAR x : boolean; n : 0..6;
ASSIGN init(x) := FALSE; next(x) := {TRUE, FALSE}; init(n) := 0; next(n) := (n + 1) mod 7;
"""


@pytest.mark.parametrize(
    ("formula", "holds"),
    [
        (f"ABF 0..{HUGE} x", False),
        (f"EBF 0..{HUGE} x", True),
        (f"EBG {HUGE - 1}..{HUGE} x", True),
        (f"EBG 0..{HUGE} x", False),
        (f"ABG {HUGE}..{HUGE} n = 1", True),
        (f"ABG {HUGE}..{HUGE + 1} n = 1", False),
        (f"ABF {HUGE + 1}..{HUGE + 6} n = 1", False),
        (f"ABF {HUGE + 1}..{HUGE + 7} n = 1", True),
        (f"A [n < 7 BU {HUGE}..{HUGE + 1} n = 1]", True),
        (f"A [n < 6 BU {HUGE}..{HUGE + 1} n = 1]", False),
        (f"E [n < 7 BU {HUGE + 2}..{HUGE + 5} n = 2]", False),
        (f"E [n < 7 BU {HUGE + 2}..{HUGE + 8} n = 2]", True),
    ],
)
def test_bounded_operators_of_ctl(formula: str, holds: bool) -> None:
    report = coarsest.loads(CLOCK).check(formula)
    assert report.holds is holds
    words = str(report)
    assert "on every path" not in words if (formula[0] == "E") == holds else "path" in words


@pytest.mark.parametrize("ltl", ["auto", "tableau"])
def test_bounds_of_ltl_are_refused_by_each_method(ltl: str) -> None:
    with pytest.raises(InputError, match="larger than 1000"):
        coarsest.loads(CLOCK).check(f"F [0, {HUGE}] x", ltl=ltl)


def test_bounds_of_the_past_are_refused_in_traces(run: Runner) -> None:
    Path("m.smv").write_text(f"{CLOCK} LTLSPEC NAME l := G !O [0, {HUGE}] x")
    state = {"x": False, "n": 0}
    trace = {"name": "l", "formula": f"G !O [0, {HUGE}] x", "loop": 0, "states": [state], "inputs": [{}]}
    Path("t.json").write_text(json.dumps(trace))
    assert run("confirm", "m.smv", "t.json").code in (1, 2)


@pytest.mark.parametrize("choice", ["compiled", "pure"])
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("des (0, 1, 1000000000)\n(0, a, 1)\n", "1 transition can reach only 3"),
        (f"des (0, 1, {'9' * 10**6})\n(0, a, 1)\n", "no graph has this many states"),
        (f"des (0, {'9' * 10**6}, 2)\n(0, a, 1)\n", "no graph has this many transitions"),
        (f"des ({'9' * 10**6}, 1, 2)\n(0, a, 1)\n", "the initial state 999"),
        (f"des (0, 1, 2)\n(0, a, {'9' * 10**6})\n", "there is no state 999"),
    ],
)
def test_graphs(text: str, message: str, choice: str) -> None:
    with pytest.raises(InputError, match=message):
        parse(text.encode(), choice=choice)


def test_the_bound_on_idle_states_can_be_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    text = b"des (0, 1, 10000010)\n(0, a, 1)\n"
    with pytest.raises(InputError, match="COARSEST_IDLE_STATES=10000010"):
        parse(text)
    monkeypatch.setenv("COARSEST_IDLE_STATES", "10000010")
    assert parse(text).states == 10_000_010


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Runner:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.smv").write_text(f"{CLOCK} INVARSPEC NAME safe := n != 3")
    return runner(monkeypatch, capsys)


@pytest.mark.parametrize("where", ["states", "schema"])
def test_evidence_with_a_long_number(where: str, run: Runner) -> None:
    thing = {"name": "safe", "formula": "n != 3", "loop": None, "states": '[{"x": false, "n": 0}]', "inputs": []}
    number = "9" * 10**6
    thing[where] = f'[{{"n": {number}}}]' if where == "states" else number
    fields = (f'"{key}": {value if key in ("states", where) else json.dumps(value)}' for key, value in thing.items())
    Path("t.json").write_text(f"{{{', '.join(fields)}}}")
    code, _, err = run("confirm", "m.smv", "t.json")
    assert code == 2 and "t.json:1:" in err and "this number is too large" in err


def test_long_walks(run: Runner) -> None:
    code, _, err = run("simulate", "m.smv", "--steps", str(HUGE))
    assert code == 2 and "at most 1,000,000" in err


THINGS = "MODULE main VAR c1 : boolean; c2 : boolean; big : 0..9999999999; INVARSPEC NAME s := c1 | c2\n"


@pytest.mark.parametrize(
    "line, told",
    [
        ("permute c1..c4294967296", "stands for 4294967296 things"),
        ("rotate big: 0..4294967296", "stands for 4294967297 things"),
        ("permute big: 1..40000 50000..90000", "at most 65536 things in all"),
        ("swap big: 1..40000\nswap big: 40000..80000", "'swap' takes two things"),
        ("rotate big: 1..40000\nrotate big: 40000..80000", "at most 65536 things in all"),
    ],
)
def test_symmetries(line: str, told: str, run: Runner) -> None:
    """In comments of a model, and in a file of generators."""
    Path("g.txt").write_text(line)
    Path("s.smv").write_text(THINGS)
    assert told in run("symmetry", "s.smv", "--generators", "g.txt").err
    comments = "".join(f"-- symmetry: {part}\n" for part in line.splitlines())
    Path("s.smv").write_text(comments + THINGS)
    found = run("symmetry", "s.smv")
    assert found.code == 2 and told in found.err


def test_few_values_of_a_huge_type_are_found(run: Runner) -> None:
    Path("s.smv").write_text(f"-- symmetry: swap big: 3 9999999999\n{THINGS}")
    assert "swap big: 3 9999999999" in run("symmetry", "s.smv").out
    Path("s.smv").write_text(f"-- symmetry: swap big: 3 10000000000\n{THINGS}")
    assert "'10000000000' is not a value of 'big'" in run("symmetry", "s.smv").err


def test_a_text_with_more_characters_may_name_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_source, "MOST_COUNTED", 10)
    arrays = "MODULE main VAR a : array 0..59 of boolean; b : array 0..59 of boolean; INVARSPEC a[0] | b[0]"
    with pytest.raises(InputError, match="an array of 60 elements, and 120 in all arrays so far"):
        coarsest.loads(arrays)
    assert len(coarsest.loads(arrays + " " * 120).machine.variables) == 120
