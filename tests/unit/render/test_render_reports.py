"""Verdicts as text, JSON and HTML."""

from __future__ import annotations

import json

import pytest

import coarsest
from coarsest.api.model import Report
from coarsest.evidence.confirmation import Replayed
from coarsest.evidence.proof import Stated
from coarsest.evidence.verdict import Answer, Fails, Holds, Unknown
from coarsest.logic.expr import Word
from coarsest.model.trace import Trace
from coarsest.render.data.json import answer_to_object, check_to_object, object_to_text
from coarsest.render.page.html import answers_to_html, trace_to_html
from coarsest.render.text.text import DetailLevel, answer_to_text, summary_line

PROVED = Holds(Stated("inductive invariant of 12 nodes"), confirmation=Replayed())
HOLDS = Answer("safe", "invariant", "x < 3", PROVED, seconds=0.5, statistics={"nodes": 12})
STEP = Trace(({"x": 0, "w": Word(1, 4)}, {"x": 1, "w": Word(1, 4)}), ({"go": True},))
FAILS = Answer("", "invariant", "x <\n   1", Fails(STEP, confirmation=Replayed()))
UNKNOWN = Answer("big", "ctl", "AG x", Unknown("the time limit of 5 s was reached"), warnings=("the model has deadlocks",))


def test_text_of_each_verdict() -> None:
    assert answer_to_text(HOLDS).split("\n") == ["holds    safe: x < 3", "    inductive invariant of 12 nodes (confirmed)"]
    assert answer_to_text(FAILS).split("\n") == [
        "fails    x < 1",
        "    counterexample of 2 states (confirmed by replay)",
        "    0 | x = 0   w = 0ud4_1",
        "    1 | [go = TRUE]   x = 1",
    ]
    assert answer_to_text(UNKNOWN).split("\n") == [
        "unknown  big: AG x",
        "    because the time limit of 5 s was reached",
        "    warning: the model has deadlocks",
    ]


def test_quiet_and_verbose() -> None:
    assert answer_to_text(FAILS, DetailLevel(quiet=True)) == "fails    x < 1"
    verbose = answer_to_text(HOLDS, DetailLevel(verbose=True))
    assert "nodes = 12" in verbose
    assert "0.50 s" in verbose


def test_colour_only_when_asked() -> None:
    assert "\x1b[" not in answer_to_text(HOLDS)
    assert answer_to_text(HOLDS, DetailLevel(colour=True)).startswith("\x1b[32mholds\x1b[0m    safe")


def test_a_long_formula_is_shortened_to_one_line_unless_verbose() -> None:
    long = Answer("n", "invariant", " & ".join(f"x{n}" for n in range(500)), Unknown("it is long"))
    assert len(answer_to_text(long, DetailLevel(width=80)).split("\n")[0]) <= 80
    assert "x250" in answer_to_text(long, DetailLevel(verbose=True))


def test_summary() -> None:
    assert summary_line(["holds"], 0.0) == "1 property: 1 holds (0.00 s)"
    assert summary_line(["fails", "fails", "unknown"], 1.0) == "3 properties: 2 fail, 1 unknown (1.00 s)"


def test_json_has_exactly_the_promised_words() -> None:
    answers = [answer_to_object(answer) for answer in (HOLDS, FAILS, UNKNOWN)]
    report = json.loads(object_to_text(check_to_object("m.smv", answers, warnings=["careful"], seconds=1.5)))
    assert report["schema"] == 1
    assert list(report) == ["schema", "model", "properties", "warnings", "seconds", "statistics", "phases"]
    assert report["properties"][1] == {
        "name": "",
        "kind": "invariant",
        "formula": "x <\n   1",
        "verdict": "fails",
        "confirmed": True,
        "reason": None,
        "advice": None,
        "seconds": 0.0,
        "statistics": {},
        "warnings": [],
        "certificate": None,
        "trace": {
            "loop": None,
            "states": [{"x": 0, "w": "0ud4_1"}, {"x": 1, "w": "0ud4_1"}],
            "inputs": [{"go": True}],
        },
        "explanation": None,
        "truths": [],
        "doubt": None,
        "value": None,
        "instance": None,
        "place": None,
        "expected": None,
        "bound": None,
        "more_traces": [],
    }
    assert report["properties"][0]["certificate"] == "inductive invariant of 12 nodes"
    assert report["properties"][2]["reason"] == "the time limit of 5 s was reached"
    assert [p["verdict"] for p in report["properties"]] == ["holds", "fails", "unknown"]


def test_html_escapes_and_marks_changes() -> None:
    table = trace_to_html(Trace(({"a<b": "x&y"}, {"a<b": "z"}), loop=0))
    assert "a&lt;b" in table
    assert "x&amp;y" in table
    assert table.count("background") == 1
    assert "comes state 0 again" in table
    report = answers_to_html([HOLDS, FAILS, UNKNOWN])
    assert report.count("<table") == 2
    assert "x &lt; 3" in report


def test_notebooks_show_tables() -> None:
    assert STEP._repr_html_() == trace_to_html(STEP)
    assert Report((HOLDS, FAILS))._repr_html_() == answers_to_html([HOLDS, FAILS])


DEFINED = """
MODULE main
VAR n : 0..3; idle : boolean;
ASSIGN init(n) := 0; next(n) := n < 3 ? n + 1 : 3; init(idle) := TRUE; next(idle) := idle;
DEFINE double := 2 * n; quarter := 12 / n; any := {n, 3}; ahead := next(n) > 2;
"""


@pytest.mark.parametrize(
    ("formula", "last"),
    [
        ("double < 4", "2 | n = 2   double = 4"),
        ("case n > 0 : double < quarter; TRUE : TRUE; esac", "3 | n = 3   double = 6"),  # there is no quarter where n is 0
        ("!(2 in any)", "2 | n = 2"),
        ("!ahead", "3 | [ahead = TRUE]   n = 3"),
    ],
)
def test_definitions_in_traces(formula: str, last: str) -> None:
    report = coarsest.loads(DEFINED).check(formula)
    lines = str(report).split("\n")
    assert [line.strip() for line in lines if line.startswith("    ") and "--" not in line][-1] == last
    assert set(report[0].verdict.trace.states[0]) == {"n", "idle"}  # for programs, traces have variables only


def test_the_step_that_violates_an_invariant() -> None:
    model = coarsest.loads("MODULE main IVAR i : boolean; VAR x : 0..3; ASSIGN init(x) := 0; next(x) := i ? (x + 1) mod 4 : x;")
    report = model.check("!(i & x = 2)", "next(x) < 2", "x < 2")
    lines = [line.strip() for line in str(report).split("\n") if "because" in line]
    assert lines == [f"because it is false of the step from state {at} to state {at + 1}" for at in (2, 1)]
