"""What is shown along a trace: what was asked for, the words of a program, definitions, the inputs that close a loop."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import coarsest
from command_lines import Runner

COUNTER = """MODULE main
VAR n : 0..7; other : boolean; IVAR go : boolean;
ASSIGN init(n) := 0; next(n) := go ? (n + 1) mod 8 : n; init(other) := FALSE; next(other) := {TRUE, FALSE};
DEFINE high := n > 2; twice := n * 2;
INVARSPEC NAME low := n < 2
LTLSPEC NAME ends := F n = 7
"""
NODE = """node main(a: bool) returns (y: bool);
var n: int;
let
  n = 0 -> if pre n < 5 then pre n + 1 else 0;
  y = n < 2 or a;
  --%PROPERTY y;
tel
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.smv").write_text(COUNTER)
    Path("n.lus").write_text(NODE)


def test_expressions_of_your_own(run: Runner) -> None:
    found = run("check", "m.smv", "--property", "low", "--show", "n + 1", "go", "high")
    assert found.out.splitlines()[2:] == [
        "    0 | n + 1 = 1   high = FALSE",
        "    1 | [go = TRUE]   n + 1 = 2",
        "    2 | n + 1 = 3",
    ]
    table = run("check", "m.smv", "--property", "low", "--show", "other", "--trace", "table").out.splitlines()
    assert [line.split()[0] for line in table[2:]] == ["state", "other"]  # also what the property does not depend on
    page = run("check", "m.smv", "--property", "low", "--show", "n + 1", "-o", "r.html")
    assert page.code == 1 and "n + 1" in Path("r.html").read_text() and "high" not in Path("r.html").read_text()


def test_expressions_that_are_none(run: Runner) -> None:
    found = run("check", "m.smv", "--show", "m")
    assert found.code == 2 and "`m` is not declared" in found.err
    assert "next() cannot stand in" in run("check", "m.smv", "--show", "next(n)").err
    Path("g.aut").write_text("des (0, 1, 1)\n(0, a, 0)\n")
    assert "--show is for models, not for explicit graphs" in run("check", "g.aut", "<a>true", "--show", "x").err
    assert "--show is for models, not for explicit graphs" in run("simulate", "g.aut", "--show", "x").err


def test_a_walk(run: Runner) -> None:
    assert run("simulate", "m.smv", "--steps", "2", "--show", "twice").out.splitlines()[0] == "0 | twice = 0"
    trace = coarsest.load("m.smv").simulate(steps=3, show=["twice", "go"])
    assert [list(state) for state in trace.states] == [["twice"]] * 4 and [list(step) for step in trace.inputs] == [["go"]] * 3


def test_the_step_that_closes_a_loop(run: Runner) -> None:
    table = run("check", "m.smv", "--property", "ends", "--show", "n", "go", "--trace", "table").out.splitlines()
    rows = {line.split()[0]: line.split()[1:] for line in table if line.strip().startswith(("state", "n ", "[go]"))}
    lasso = coarsest.load("m.smv").check(show=["n", "go"])["ends"].verdict.trace
    assert lasso is not None and lasso.loop is not None
    count = len(lasso)
    assert len(rows["state"]) >= count and rows["[go]"] and table[-1]
    html = coarsest.Trace(({"x": 0}, {"x": 1}), ({"i": True}, {"i": False}), loop=0)._repr_html_()
    cells = html.partition("[i]")[2].split("<td")[1:]
    assert [cell.partition(">")[2].partition("<")[0] for cell in cells] == ["", "TRUE", "FALSE"]


def test_definitions_for_wave_viewers(run: Runner) -> None:
    run("check", "m.smv", "--property", "low", "-o", "t.vcd")
    names = [line.split()[4] for line in Path("t.vcd").read_text().splitlines() if line.startswith("$var")]
    assert names == ["n", "other", "high", "twice", "go"]
    run("check", "m.smv", "--property", "low", "--show", "twice", "-o", "t.itf.json")
    assert json.loads(Path("t.itf.json").read_text())["vars"] == ["twice"]
    run("simulate", "m.smv", "-o", "t.vcd")
    assert "twice" in Path("t.vcd").read_text()


def test_instants_of_a_program(run: Runner) -> None:
    found = run("check", "n.lus")
    assert found.out.splitlines() == [
        "fails    y",
        "    counterexample of 3 instants (confirmed by replay)",
        "    because it is false at instant 2",
        "    instant  0      1  2",
        "    a        FALSE  .  .",
        "    y        TRUE   .  FALSE",
        "    n        0      1  2",
    ]
    for words in (["check", "n.lus", "G F y", "--show", "n", "y"], ["simulate", "n.lus"], ["check", "n.lus", "-o", "t.vcd"]):
        told = run(*words).out + (Path("t.vcd").read_text() if "t.vcd" in words else "")
        assert "first_instant" not in told and ".pre" not in told
    assert run("simulate", "n.lus", "--steps", "2", "--show", "n").out.splitlines() == ["instant  0  1", "n        0  1"]
    Path("t.json").write_text(run("check", "n.lus", "--trace", "json").out)
    assert run("confirm", "n.lus", "t.json").code == 0  # for programs, the states are as they were


def test_several_counterexamples(run: Runner) -> None:
    found = run("check", "m.smv", "--property", "low", "--traces", "3", "--show", "n", "-o", "t.vcd")
    assert found.code == 1
    assert sorted(path.name for path in Path().glob("*.vcd")) == ["t-2.vcd", "t-3.vcd", "t.vcd"]
    answer = coarsest.load("m.smv").check("n < 5", traces=9, show=["n"])[0]
    ends = [one.verdict.trace.states[-1]["n"] for one in (answer, *answer.more)]
    assert ends == [5, 6, 7] and all(one.confirmed for one in answer.more)
    told = json.loads(run("check", "m.smv", "n < 5", "--traces", "2", "--json").out)["properties"][0]
    assert len(told["more_traces"]) == 1 and told["more_traces"][0] != told["trace"]
    text = run("check", "m.smv", "n < 5", "--traces", "2").out
    assert text.count("another counterexample of") == 1
    assert "--traces is for invariants, not for" in run("check", "m.smv", "--property", "ends", "--traces", "2").err
    steps = coarsest.load("m.smv").check("next(n) <= n", traces=3)[0]
    assert len(steps.more) == 2 and len({str(one.verdict.trace.states) for one in (steps, *steps.more)}) == 3


def test_other_paths_to_the_same_end() -> None:
    moves = "init(x) := 0; init(y) := 0; next(x) := {x, min(x + 1, 2)}; next(y) := {y, min(y + 1, 2)};"
    model = coarsest.loads(f"MODULE main VAR x : 0..2; y : 0..2; ASSIGN {moves}")
    (answer,) = model.check("!(x = 2 & y = 2)", traces=3)
    paths = [one.verdict.trace.states for one in (answer, *answer.more)]
    assert len(paths) == 3 == len(set(map(str, paths))) and all(one.confirmed for one in answer.more)
    assert all(path[-1] == {"x": 2, "y": 2} for path in paths) and len(paths[0]) == 3
    (only,) = coarsest.loads("MODULE main VAR n : 0..3; ASSIGN init(n) := 0; next(n) := min(n + 1, 3);").check("n < 3", traces=5)
    assert only.more == ()
