"""Properties that a module has in each of its instances: text and JSON say which instance a verdict is about."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from coarsest.api import model as api
from coarsest.render.page.html import answers_to_html
from command_lines import Runner

MODEL = """MODULE cell(limit) VAR x : 0..3; ASSIGN init(x) := 0; next(x) := x < limit ? x + 1 : x;
INVARSPEC x < 3
LTLSPEC NAME grows := F x = 2
MODULE main VAR a : cell(2); b : cell(3);
INVARSPEC a.x < 3
CTLSPEC AG x < 3 IN b
"""
TITLES = ["x < 3 IN a", "x < 3 IN b", "a.grows: F x = 2", "b.grows: F x = 2", "a.x < 3", "AG x < 3 IN b"]
WORDS = ["holds", "fails", "holds", "holds", "holds", "fails"]


@pytest.fixture
def run(run: Runner) -> Runner:
    Path("m.smv").write_text(MODEL)
    return run


@pytest.mark.parametrize("options", [[], ["--reduce", "bisimulation"], ["--timeout", "100"]], ids=str)
def test_text(run: Runner, options: list[str]) -> None:
    code, out, _ = run("check", "m.smv", "--quiet", *options)
    assert code == 1
    assert out.splitlines() == [f"{word}    {title}" for word, title in zip(WORDS, TITLES, strict=True)]


def test_json_and_its_traces(run: Runner) -> None:
    _, out, _ = run("check", "m.smv", "--json")
    found = json.loads(out)["properties"]
    assert [one["instance"] for one in found] == ["a", "b", "a", "b", None, "b"]
    Path("report.json").write_text(out)
    code, out, _ = run("confirm", "m.smv", "report.json")
    assert code == 0, "the trace is about b, and a has a property of the same text"
    assert "b.x < 3 fails (invariant, path of 4 states)" in out


def test_a_trace_by_itself(run: Runner) -> None:
    run("check", "m.smv", "--property", "2", "--trace", "json", "-o", "trace.json")
    assert json.loads(Path("trace.json").read_text())["instance"] == "b"
    assert run("confirm", "m.smv", "trace.json")[0] == 0


def test_python_and_pages() -> None:
    report = api.loads(MODEL).check()
    assert "x < 3 IN b fails" in repr(report)
    assert "x &lt; 3 IN b" in answers_to_html(report)
