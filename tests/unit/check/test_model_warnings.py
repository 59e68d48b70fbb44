"""What makes a verdict hollow is said before it, once, by every engine, and also with `-q`; and COMPUTE gives a number."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import coarsest
from coarsest import tuning
from coarsest.errors import EvidenceRejected
from coarsest.experiments.barner.models import FAMILIES
from coarsest.search.ctl_fixpoints import CtlFixpoints
from coarsest.space.bdd.symbolic import SymbolicSpace
from command_lines import Runner

STUCK = "MODULE main VAR x : 0..2; free : boolean; INIT x = 0 TRANS next(x) = x + 1\n"
UNFAIR = "MODULE main VAR x : 0..2; free : boolean; ASSIGN init(x) := 0; next(x) := x; FAIRNESS FALSE\n"
PARTLY = "MODULE main VAR x : 0..2; free : boolean; ASSIGN init(x) := {0, 1}; next(x) := x; FAIRNESS x = 1\n"
ENGINES = ["forward", "backward", "lee-yannakakis", "bfh", "paige-tarjan", "paige-tarjan-splitting-marked"]
ABOUT_PATHS = ["AG EX TRUE", "G F TRUE", "A (F G TRUE)", "never {FALSE}", "MIN [x = 0, x = 1]"]
GRAPH = "GRAPH g VERTEX a INITIAL ANT TRUE CONS TRUE EDGE a -> a FAIR {a}"


def said(text: str, *formulas: str, **options: object) -> list[str]:
    """The warnings and the verdicts in the order in which they are heard."""
    heard: list[str] = []
    model = coarsest.loads(text)
    report = model.check(
        *formulas, on_answer=lambda answer: heard.append(answer.verdict.word), on_warning=heard.append, **options
    )  # type: ignore[arg-type]
    assert list(report.warnings) == [one for one in heard if one not in ("holds", "fails", "unknown")]
    return heard


@pytest.mark.parametrize("engine, search", [*((engine, "auto") for engine in ENGINES), *((e, "chaining") for e in ENGINES[:2])])
def test_every_engine_of_invariants_tells_dead_ends(engine: str, search: str) -> None:
    warning, verdict = said(STUCK, "x < 3", engine=engine, search=search)
    assert verdict == "holds" and "no successor, for example x = 2; each is given a step to itself" in warning


@pytest.mark.parametrize("formula", ABOUT_PATHS)
@pytest.mark.parametrize("options", [{}, {"reduce": "bisimulation"}, {"carrier": "smt"}])
def test_dead_ends_come_before_the_verdict(formula: str, options: dict[str, str]) -> None:
    warning, *more, verdict = said(STUCK, formula, **options)
    assert verdict == "holds" and "no successor" in warning and warning.endswith("each is given a step to itself")
    assert [one.startswith(f"{formula} holds only because of the step to itself") for one in more] == [True] * ("EX" in formula)


@pytest.mark.parametrize("ltl", ["partitioned", "automaton", "tableau"])
def test_every_engine_of_ltl_tells_that_there_is_no_fair_path(ltl: str) -> None:
    warning, verdict = said(UNFAIR, "G F x = 1", ltl=ltl)
    assert verdict == "holds" and warning.startswith("no fair path starts in any initial state")
    assert [one[:40] for one in said(STUCK, "G F x = 2", ltl=ltl)] == ["1 reachable state has no successor, for ", "holds"]


def test_a_warning_costs_no_more_than_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted in nodes and steps; that something was not looked for is said."""
    monkeypatch.setattr(tuning, "STEPS_OF_A_SHORT_SEARCH", -1000)
    warning, verdict = said(UNFAIR, "G F x = 1", ltl="automaton")
    assert verdict == "holds" and "it is not known whether a fair path starts in the initial states" in warning
    assert said(UNFAIR, "A (F G TRUE)")[0].startswith("no fair path")  # the formula itself needs the fair states
    monkeypatch.setattr(SymbolicSpace, "pre_if_cheap", lambda space, states: None)
    spread = "MODULE main VAR x : 0..200; y : 0..200; INIT x = 0 & y = 0 TRANS next(x) = x + y + 1 & next(y) = x"
    assert said(spread, "x >= 0")[0].startswith("states without successor were not looked for")


def test_dead_ends_of_a_model_with_large_preimages() -> None:
    """All states that have a successor have small diagrams here; those that lead to reachable states do not."""
    model = coarsest.loads(FAMILIES["futurebus"](6))
    (answer,) = model.check(model.property_named("one_owner"), vacuity=False).answers
    assert answer.verdict.word == "holds"
    assert answer.statistics["peak_nodes"] < 1_000_000  # there were 15 million, most of them for the warning


@pytest.mark.parametrize("formula", ABOUT_PATHS)
def test_which_initial_states_have_no_fair_path(formula: str) -> None:
    (warning, *_) = said(PARTLY, formula)
    assert warning.startswith("no fair path starts in some initial states, for example with x = 0")


def test_each_is_told_once() -> None:
    """Whatever the cone of influence of the properties."""
    heard = said(STUCK, "x < 3", "AG EX TRUE", "G F (free | !free)", "x + 0 < 3", "AG EX TRUE")
    assert [one in ("holds", "fails") for one in heard] == [False, True, False, True, True, True, True]


def test_invariants_do_not_care_for_fairness() -> None:
    assert said(UNFAIR, "x < 3") == ["holds"]


def test_no_initial_state() -> None:
    warning, *verdicts = said("MODULE main VAR x : boolean; INIT FALSE", "x", "AG x", "G F x")
    assert warning == "there is no initial state: every property holds" and verdicts == ["holds"] * 3


@pytest.mark.parametrize("formula, word", [
    ("AG EX TRUE", "holds"), ("EF AX FALSE", "fails"), ("AG (x = 2 -> EX x = 2)", "holds"), ("AG (x = 1 -> EX x = 2)", ""),
    ("EF EG x = 2", ""), ("AF x = 2", ""), ("!EF !EX TRUE", "holds"),
])  # fmt: skip
def test_what_rests_on_the_added_step(formula: str, word: str) -> None:
    *warnings, _ = said(STUCK, formula)
    assert [text.partition(" only because")[0].split()[-1] for text in warnings[1:]] == [word] * bool(word)


def test_deadlocks_that_fail() -> None:
    heard = said(STUCK, "AG EX TRUE", "x < 3", deadlock="fail")
    assert heard[0] == "fails" and heard[-2:] == ["holds", "holds"]  # first of all, and instead of a warning
    (answer, _) = coarsest.loads(STUCK).check("x < 3", deadlock="fail")
    assert (answer.kind, answer.name) == ("deadlock", "deadlock")
    assert answer.confirmed and answer.verdict.trace is not None
    assert [state["x"] for state in answer.verdict.trace.states] == [0, 1, 2]
    for options in ({"reduce": "bisimulation"}, {"carrier": "explicit"}, {"carrier": "smt"}, {"confirm": "never"}):
        report = coarsest.loads(STUCK).check("AG x < 3", deadlock="fail", **options)
        assert [one.verdict.word for one in report] == ["fails", "holds"]
    (first, _) = coarsest.loads(UNFAIR).check("x < 3", deadlock="fail")
    assert first.confirmed and first.verdict.word == "holds"


def test_deadlocks_that_are_meant() -> None:
    assert said(STUCK, "AG EX TRUE", "x < 3", "G F x = 2", deadlock="ignore") == ["holds"] * 3


def test_a_deadlock_is_confirmed_later(run: Runner) -> None:
    Path("m.smv").write_text(STUCK)
    assert run("check", "m.smv", "x < 3", "--deadlock", "fail", "-o", "t.json", "--trace", "json").code == 1
    found = run("confirm", "m.smv", "t.json")
    assert found.code == 0 and "every reachable state has a successor fails" in found.out
    trace = json.loads(Path("t.json").read_text())
    Path("t.json").write_text(json.dumps({**trace, "states": trace["states"][:2]}))
    assert "a step leads on from the last state" in run("confirm", "m.smv", "t.json").out


def test_graphs() -> None:
    for text in (STUCK, UNFAIR):
        heard: list[str] = []
        coarsest.loads(text).gste(GRAPH, on_answer=lambda answer: heard.append(answer.verdict.word), on_warning=heard.append)
        assert len(heard) == 2 and heard[1] == "holds" and ("no successor" in heard[0] or "no fair path" in heard[0])


@pytest.mark.parametrize("limits", [[], ["--timeout", "600"]])
def test_on_a_terminal(limits: list[str], tmp_path: Path) -> None:
    """Both streams as one, as on a screen; also where the work is done by a process of its own."""
    model = tmp_path / "m.smv"
    model.write_text(STUCK)
    command = [sys.executable, "-m", "coarsest", "check", str(model), "AG EX TRUE", "x < 3", "-q", *limits]
    found = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    lines = found.stdout.splitlines()
    assert found.returncode == 0
    assert lines[0].startswith("warning: 1 reachable state has no successor")
    assert lines[1].startswith("warning: AG EX TRUE holds only because of the step to itself")
    assert lines[2:] == ["holds    AG EX TRUE", "holds    x < 3"]


def test_a_number_is_no_verdict(run: Runner) -> None:
    Path("m.smv").write_text("MODULE main VAR x : 0..3; ASSIGN init(x) := 0; next(x) := {x, (x + 1) mod 3};")
    found = run("check", "m.smv", "MIN [x = 0, x = 2]", "MAX [x = 0, x = 2]", "MIN [x = 3, x = 2]", "AG x < 3")
    lines = found.out.splitlines()
    assert found.code == 0
    assert [line.split()[0] for line in lines if not line.startswith(" ")] == ["2", "infinity", "undefined", "holds"]
    assert "    no reachable state has x = 3 (not confirmed)" in lines and "1 holds, 3 computed" in found.err
    thing = json.loads(run("check", "m.smv", "MIN [x = 0, x = 2]", "MIN [x = 3, x = 2]", "AG x < 3", "--json").out)
    assert [one["value"] for one in thing["properties"]] == [2, "undefined", None]
    assert [one["verdict"] for one in thing["properties"]] == ["holds"] * 3


def test_where_no_fair_path_starts_a_number_is_not_defined(run: Runner) -> None:
    Path("m.smv").write_text(UNFAIR)
    found = run("check", "m.smv", "MIN [x = 0, x = 2]")
    reason = "no fair path starts in a reachable state with x = 0 (not confirmed)"
    assert found.out.splitlines() == ["undefined  MIN [x = 0, x = 2]", f"    {reason}"]


def test_a_wrong_set_of_fair_states_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """That a path which ends is replayed does not show that a fair one goes on from there."""
    model = "MODULE main VAR x : boolean; ASSIGN init(x) := FALSE; next(x) := x ? TRUE : {FALSE, TRUE}; JUSTICE !x"
    assert coarsest.loads(model).check("AG !x").holds
    monkeypatch.setattr(CtlFixpoints, "fair", property(lambda self: self.space.states))
    with pytest.raises(EvidenceRejected):
        coarsest.loads(model).check("AG !x")


def test_what_was_replayed_but_not_followed_says_so() -> None:
    model = "MODULE main VAR x : 0..2999; y : boolean; ASSIGN init(x) := 0; next(x) := (x + 1) mod 3000; JUSTICE y"
    (answer,) = coarsest.loads(model).check("AG x < 5")
    assert not answer.confirmed and answer.doubt == "it was replayed, but not whether a fair path goes on from its end"
