"""Reports for build servers and code hosts, and what programs hear on the way: JUnit, SARIF, Markdown, ITF, JSON lines."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

import coarsest
from coarsest.render.data.itf import trace_to_itf
from coarsest.render.data.junit import junit
from coarsest.render.data.model_report import ModelReport
from command_lines import Runner

MODEL = """MODULE main
VAR x : 0..3; w : unsigned word[60]; IVAR go : boolean;
ASSIGN init(x) := 0; next(x) := go & x < 3 ? x + 1 : x; init(w) := 0ud60_1152921504606846975; next(w) := w;
INVARSPEC NAME low := x < 2 | w = 0ud60_0
INVARSPEC NAME any := x <= 3
LTLSPEC NAME stays := G (x = 1 -> F x = 2)
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.smv").write_text(MODEL)
    Path("stuck.smv").write_text("MODULE main VAR x : 0..2; INIT x = 0 TRANS next(x) = x + 1 INVARSPEC x < 3")


@pytest.mark.parametrize("quiet", [[], ["-q"]])
def test_junit(run: Runner, quiet: list[str]) -> None:
    found = run("check", "m.smv", "-o", "r.xml", *quiet)
    assert found.code == 1 and found.out.startswith("fails    low")
    root = ElementTree.parse("r.xml").getroot()
    assert root.tag == "testsuites" and {**root.attrib, "time": ""} == {
        "name": "coarsest", "tests": "3", "failures": "2", "errors": "0", "time": "",
    }  # fmt: skip
    cases = root.findall("testsuite/testcase")
    assert [(case.get("file"), case.get("line")) for case in cases] == [("m.smv", str(line)) for line in (4, 5, 6)]
    assert [len(case) for case in cases] == [1, 0, 1]
    failure = cases[0][0]
    assert failure.get("type") == "fails" and "counterexample of 3 states" in (failure.text or "")


def test_junit_says_what_was_not_decided_and_what_is_doubtful(run: Runner) -> None:
    assert run("check", "stuck.smv", "-o", "r.xml").code == 0
    suite = ElementTree.parse("r.xml").getroot()[0]
    assert "no successor" in (suite.findtext("system-err") or "")
    unknown = {"name": "", "formula": "a\0 & <b>", "kind": "ltl", "verdict": "unknown", "reason": "time\x1b", "seconds": 1.0}
    text = junit([ModelReport(model="m", properties=[unknown], texts=["unknown  a\0 & <b>"])])
    (case,) = ElementTree.fromstring(text).iter("testcase")
    assert (case.get("name"), case[0].tag, case[0].get("message")) == ("a\ufffd & <b>", "error", "undecided: time\ufffd")


def test_sarif(run: Runner) -> None:
    assert run("check", "m.smv", "-o", "r.sarif").code == 1
    log = json.loads(Path("r.sarif").read_text())
    assert log["version"] == "2.1.0"
    (one,) = log["runs"]
    assert [rule["id"] for rule in one["tool"]["driver"]["rules"]] == ["m.smv/low", "m.smv/any", "m.smv/stays"]
    assert [result["ruleId"] for result in one["results"]] == ["m.smv/low", "m.smv/stays"]
    assert {result["level"] for result in one["results"]} == {"error"}
    place = one["results"][0]["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "m.smv"}, "region": {"startLine": 4, "startColumn": 23}}
    assert run("check", "stuck.smv", "-o", "r.sarif").code == 0
    (told,) = json.loads(Path("r.sarif").read_text())["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert told["level"] == "warning" and "no successor" in told["message"]["text"]


def test_sarif_of_an_undecided_formula(run: Runner) -> None:
    assert run("check", "m.smv", "G F x = 3", "--nodes", "1", "-o", "r.sarif").code == 3
    (result,) = json.loads(Path("r.sarif").read_text())["runs"][0]["results"]
    assert (result["kind"], result["level"], result["ruleId"]) == ("open", "none", "m.smv/1")
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": 1}


def test_a_page_with_cards(run: Runner) -> None:
    run("check", "m.smv", "-q", "-o", "r.html")
    page = Path("r.html").read_text()
    assert page.count('<details class="card"') == 3 and page.count('<details class="card" open') == 2  # what holds is folded
    assert "again: <code>coarsest check m.smv -q -o r.html</code>" in page and f"coarsest {coarsest.__version__}" in page
    assert "http:" not in page and "https:" not in page and "default-src 'none'" in page  # nothing is asked of anybody


def test_markdown(run: Runner) -> None:
    run("check", "m.smv", "-o", "r.md")
    text = Path("r.md").read_text()
    assert text.startswith("# m.smv\n\n3 properties: 1 holds, 2 fail (")
    assert "| fails | `low: x < 2 \\| w = 0ud60_0` |" in text
    assert "## fails: low\n\n```text\ncounterexample of 3 states" in text


def test_the_place_of_a_property_is_in_json(run: Runner) -> None:
    report = json.loads(run("check", "m.smv", "--json").out)
    assert report["properties"][0]["place"] == {"file": "m.smv", "line": 4, "column": 23}
    assert json.loads(run("check", "m.smv", "x < 3", "--json").out)["properties"][0]["place"] is None
    assert coarsest.load("m.smv").check().to_object()["properties"][0]["place"] == report["properties"][0]["place"]


def test_traces_for_apalache(run: Runner) -> None:
    assert run("check", "m.smv", "-o", "t.itf.json").code == 1
    first, second = (json.loads(Path(name).read_text()) for name in ("t.itf.json", "t-2.itf.json"))
    assert first["vars"] == ["x", "w", "go"] and "loop" not in first
    assert [state["x"] for state in first["states"]] == [0, 1, 2]
    assert [state["go"] for state in first["states"]] == [True, True, {"#unserializable": "no step"}]
    assert first["states"][0]["w"] == {"#bigint": "1152921504606846975"}
    assert second["states"][second["loop"]]["x"] == 1 and second["states"][-1]["go"] is False


def test_every_kind_of_value_for_apalache() -> None:
    from fractions import Fraction

    trace = coarsest.Trace(({"b": True, "n": -3, "s": "idle", "r": Fraction(1, 2)},))
    (state,) = json.loads(trace_to_itf(trace))["states"]
    assert state == {"#meta": {"index": 0}, "b": True, "n": -3, "s": "idle", "r": {"#unserializable": "1/2"}}


@pytest.mark.parametrize("limits", [[], ["--timeout", "600"]])
def test_json_lines(run: Runner, limits: list[str]) -> None:
    found = run("check", "stuck.smv", "x < 3", "x < 2", "--progress", "jsonl", *limits)
    events = [event for event in map(json.loads, found.err.splitlines()) if event["event"] != "progress"]  # of a slow machine
    assert [event["event"] for event in events] == ["warning", "verdict", "verdict", "message"]
    assert [event.get("verdict") for event in events[1:3]] == ["holds", "fails"]
    assert events[-1]["text"].startswith("2 properties: 1 holds, 1 fails")
    found = run("check", "stuck.smv", "y < 3", "--progress", "jsonl", *limits)
    (event,) = (event for event in map(json.loads, found.err.splitlines()) if event["event"] != "progress")
    assert found.code == 2 and "`y` is not declared" in event["text"]
    assert run("check", "stuck.smv", "y < 3").err.startswith("<formula>:1:1: error")  # the stream is back
