"""Automata in the place of properties, from the command line: verdicts, evidence, wrong use; and automata as assertion graphs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import coarsest
from command_lines import Runner

MODEL = """MODULE main
IVAR go : boolean;
VAR n : 0..3;
ASSIGN init(n) := 0; next(n) := go ? (n + 1) mod 4 : n;
"""
GRAPHS = """GRAPH steps
VERTEX zero INITIAL ANT n = 0 & go
VERTEX one          ANT go          CONS n = 1
VERTEX two FINAL                    CONS n = 2
EDGE zero -> one -> two

GRAPH stays
VERTEX zero INITIAL ANT n = 0 & go
VERTEX one          ANT go          CONS n = 1
VERTEX end FINAL    ANT go
EDGE zero -> one -> one -> end
"""
NEVER_TWO = """HOA: v1
Start: 0
AP: 1 "n = 2"
Acceptance: 0 t
--BODY--
State: 0 [!0] 0 [0] 1
State: 1 [t] 1
--END--
"""


@pytest.fixture(autouse=True)
def files(run: Runner) -> None:
    for name, text in (("m.smv", MODEL), ("g.ag", GRAPHS), ("any.hoa", NEVER_TWO)):
        Path(name).write_text(text)
    Path("two.hoa").write_text(NEVER_TWO.replace("0 t", "1 Inf(0)").replace("State: 1", "State: 1 {0}"))


@pytest.mark.parametrize("engine", ["auto", "smc", "partitioned"])
def test_a_counterexample(run: Runner, engine: str) -> None:
    code, out, _ = run("check", "m.smv", "--automaton", "two.hoa", "--engine", engine)
    lines = out.split("\n")
    assert (code, lines[0]) == (1, "fails    no path is accepted by two.hoa")
    assert lines[1].endswith("(confirmed by replay)") and lines[2] == "    because the automaton accepts this path"


def test_json(run: Runner) -> None:
    run("automaton", "--negate", "G (n = 1 -> X (n = 1 | n = 2))", "-o", "n.hoa")
    code, out, _ = run("check", "m.smv", "--automaton", "n.hoa", "n < 4", "--automaton", "two.hoa", "--json")
    first, second, third = json.loads(out)["properties"]
    assert code == 1
    assert [found["kind"] for found in (first, second, third)] == ["invariant", "automaton", "automaton"]
    assert (second["verdict"], second["confirmed"]) == ("holds", True)
    assert "4 reachable states" in second["certificate"]
    assert (third["verdict"], third["truths"][0]["formula"]) == ("fails", "n = 2")


def test_an_automaton_that_accepts_nothing(run: Runner) -> None:
    Path("none.hoa").write_text(NEVER_TWO.replace("0 t", "1 Inf(0)"))
    code, out, _ = run("check", "m.smv", "--automaton", "none.hoa")
    assert code == 0
    assert out.endswith("warning: holds vacuously: the automaton accepts nothing at all\n")


def test_a_trace_is_confirmed(run: Runner) -> None:
    Path("t.json").write_text(run("check", "m.smv", "--automaton", "two.hoa", "--trace", "json")[1])
    code, out, _ = run("confirm", "m.smv", "t.json", "--automaton", "./two.hoa")
    assert (code, out) == (0, "confirmed: no path is accepted by ./two.hoa fails (automaton, lasso of 4 states)\n")
    Path("report.json").write_text(run("check", "m.smv", "--automaton", "two.hoa", "n < 3", "--json")[1])
    assert run("confirm", "m.smv", "report.json", "--automaton", "two.hoa", "--automaton", "any.hoa")[0] == 0


def test_a_trace_of_another_automaton(run: Runner) -> None:
    trace = json.loads(run("check", "m.smv", "--automaton", "two.hoa", "--trace", "json")[1])
    Path("other.hoa").write_text(Path("two.hoa").read_text().replace("n = 2", "n = 3"))
    forgeries = {"formula": "no path is accepted by other.hoa", "name": "two", "loop": None}
    for key, value in forgeries.items():
        Path("t.json").write_text(json.dumps({**trace, key: value}))
        code, out, _ = run("confirm", "m.smv", "t.json", "--automaton", "two.hoa", "--automaton", "other.hoa")
        assert (code, out.startswith("rejected")) == (1, True), key
    Path("t.json").write_text(json.dumps(trace))
    assert run("confirm", "m.smv", "t.json", "--automaton", "other.hoa")[0] == 1
    code, _, complaints = run("confirm", "m.smv", "t.json")
    assert (code, "name its file with --automaton" in complaints) == (2, True)
    Path("t.json").write_text(run("check", "m.smv", "n < 3", "--trace", "json")[1])
    code, _, complaints = run("confirm", "m.smv", "t.json", "--automaton", "two.hoa")
    assert (code, "leave --automaton out" in complaints) == (2, True)


@pytest.mark.parametrize(
    ("atom", "complaint"),
    [
        ("n = 2 &", "expected an expression"),
        ("m = 2", "`m`"),
        ("n + 1", "must be boolean"),
        ("F n = 2", "`F` about paths"),
        ("next(n) = 2", "next()"),
    ],
)
def test_atoms_that_are_no_conditions(run: Runner, atom: str, complaint: str) -> None:
    """Told with the place in the file of the automaton."""
    Path("wrong.hoa").write_text(NEVER_TWO.replace("n = 2", atom))
    code, _, complaints = run("check", "m.smv", "--automaton", "wrong.hoa")
    assert code == 2
    assert complaint in complaints and complaints.startswith("wrong.hoa:3:7: error: ") and "^" in complaints


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--automaton", "two.hoa", "--ltl", "tableau"], "--ltl tableau cannot decide automata"),
        (["--automaton", "no.hoa"], "no.hoa"),
        (["--automaton", "-", "--automaton", "-"], "standard input can be read once"),
    ],
)
def test_wrong_use(run: Runner, arguments: list[str], complaint: str) -> None:
    code, _, complaints = run("check", "m.smv", *arguments)
    assert (code, complaint in complaints) == (2, True)


def test_safety(run: Runner) -> None:
    code, out, _ = run("check", "m.smv", "--automaton", "two.hoa", "--safety", "--engine", "smc", "--quiet")
    assert (code, out) == (1, "fails    no path is accepted by two.hoa\n")
    run("automaton", "--negate", "F n = 2", "-o", "n.hoa")
    code, _, complaints = run("check", "m.smv", "--automaton", "n.hoa", "--safety")
    assert (code, "is not a safety property" in complaints) == (2, True)


@pytest.mark.parametrize(("graph", "word"), [("steps", "holds"), ("stays", "fails")])
def test_there_and_back(run: Runner, graph: str, word: str) -> None:
    assert run("convert", "g.ag", "v.hoa", "--graph", graph)[0] == 0
    assert run("convert", "v.hoa", "back.ag")[0] == 0
    text = run("convert", "v.hoa", "-")[1]
    assert text == Path("back.ag").read_text()
    for arguments in (["check", "m.smv", "--automaton", "v.hoa"], ["gste", "m.smv", "v.hoa"], ["gste", "m.smv", "back.ag"],
                      ["gste", "m.smv", "v.hoa", "--semantics", "finite"]):  # fmt: skip
        out = run(*arguments)[1]
        assert out.startswith(word) and "vacuous" not in out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["g.ag", "v.hoa"], "choose one with --graph: steps, stays"),
        (["g.ag", "v.hoa", "--graph", "step"], "did you mean 'steps'?"),
        (["g.ag", "v.smv"], "cannot translate ag into smv"),
        (["m.smv", "v.hoa"], "cannot translate smv into hoa"),
        (["two.hoa", "v.ag", "--graph", "steps"], "--graph is for files with assertion graphs"),
        (["any.hoa", "v.ag", "--semantics", "finite"], "one acceptance set"),
        (["m.smv", "v.smv", "--graph", "steps"], "leave them out"),
    ],
)
def test_what_is_not_converted(run: Runner, arguments: list[str], complaint: str) -> None:
    code, _, complaints = run("convert", *arguments)
    assert (code, complaint in complaints) == (2, True)


def test_from_python() -> None:
    model = coarsest.load("m.smv")
    (answer,) = model.check(model.never("two.hoa"), reduce="bisimulation")
    assert (answer.verdict.word, answer.kind, answer.confirmed) == ("fails", "automaton", True)
