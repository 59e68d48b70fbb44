"""The strategy decides how long it takes and who answers, and never what: rows and budgets drawn at random change no verdict."""

from __future__ import annotations

from importlib import import_module
from random import Random

import pytest

import coarsest
from campaigns import blocks
from coarsest import tuning
from coarsest.check import strategy
from coarsest.check.strategy import AUTO, CTL_TWIN, LARGE, UNBUILT, WAYS, Attempt
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Property
from coarsest.options.engines import BRANCHING, INVARIANTS, LINEAR, engine_named
from coarsest.run import Run
from random_machines import seeded_fair_machine
from temporal_laws import conditions, ctl_formulas, ltl_formulas


def rows(rng: Random, ways: list[str], *last: Attempt) -> tuple[Attempt, ...]:
    """Attempts in any order, with any budget, before one that comes to an end."""
    budgets = [rng.choice([0.0, 100.0, 1000.0, 30_000.0]) for _ in range(rng.randint(0, 4))]
    return *(Attempt(rng.choice(ways), "drawn", work=work, beside=rng.choice([False, True])) for work in budgets), *last


@pytest.mark.parametrize("block", blocks(6, by_day=1))
def test_no_table_changes_a_verdict(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    words = set()
    for seed in range(40 * block, 40 * block + 40):
        rng, machine = Random(seed), seeded_fair_machine(seed)
        atom = conditions(rng, machine, inputs=0.0)
        claims = [
            Property(PropertyKind.INVARIANT, atom()),
            Property(PropertyKind.CTL, ctl_formulas(rng, machine, 1)[0]),
            Property(PropertyKind.LTL, ltl_formulas(rng, machine, 1, past=False)[0]),
        ]
        expected = [answer.verdict.word for answer in coarsest.Model(machine).check(*claims)]
        with monkeypatch.context() as drawn:
            invariants = rows(rng, ["forward", "sat-probe"], Attempt("forward", "last", beside=rng.choice([False, True])))
            branching = rows(rng, ["all-states", "reachable-states"], Attempt("reachable-states", "last"))
            drawn.setattr(strategy, "AUTO", {**AUTO, INVARIANTS: invariants, BRANCHING: branching})
            drawn.setattr(strategy, "BESIDE_PATHS", Attempt("diagrams", "drawn", over_bits=rng.choice([-1, 1000])))
            drawn.setattr("coarsest.tuning.WORK_BEFORE_COMPANION", rng.choice([10.0, 1000.0, 1e6]))
            drawn.setattr(tuning, "EVIDENCE_WORK", rng.choice([0.0, 1000.0, 1e6]))
            answers = coarsest.Model(machine).check(*claims, race=False)
        assert [answer.verdict.word for answer in answers] == expected, seed
        words |= set(expected)
    assert words == {"holds", "fails"}


def test_the_table_names_what_there_is() -> None:
    for kind, attempts in AUTO.items():
        assert attempts[-1].work == float("inf"), kind
        for attempt in attempts:
            assert attempt.way in WAYS or engine_named(attempt.way).decides == kind
            assert attempt.why and not attempt.why.endswith(".")


COUNTER = "MODULE main VAR x : 0..7; y : boolean; ASSIGN init(x) := 0; next(x) := x < 7 ? x + 1 : {0, 3};"


@pytest.mark.parametrize("way", ["forward", "backward", "ic3", "sat-probe"])
def test_a_row_about_invariants_says_what_is_printed_and_who_answers(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    row = Attempt(way, "a reason") if way != "sat-probe" else Attempt(way, "a reason", work=1e6)
    monkeypatch.setattr(strategy, "AUTO", {**AUTO, INVARIANTS: (row, Attempt("forward", "last"))})
    model = coarsest.loads(COUNTER)
    assert f"    1. {way}" in "\n".join(model.plan("x != 7").lines())
    assert model.check("x != 7").answers[0].statistics["attempt"] == f"1: {way}"


def test_a_budget_in_a_row_about_invariants_ends_the_attempt(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = (Attempt("forward", "too short", work=1), Attempt("backward", "last"))
    monkeypatch.setattr(strategy, "AUTO", {**AUTO, INVARIANTS: rows})
    assert coarsest.loads(COUNTER).check("x != 7").answers[0].statistics["attempt"] == "2: backward"


@pytest.mark.parametrize("feature", ["", LARGE, UNBUILT, CTL_TWIN])
def test_a_row_about_paths_says_what_is_printed_and_who_answers(feature: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of the rows sends its formulas to another engine when it is changed."""
    if feature == LARGE:
        monkeypatch.setattr(tuning, "STATES_OF_A_SMALL_AUTOMATON", -1)
    if feature == UNBUILT:
        monkeypatch.setattr(tuning, "WORK_ON_A_SMALL_AUTOMATON", 0.0)
    formula = {CTL_TWIN: "LTLSPEC G F x = 7", LARGE: "PSLSPEC always {y; x = 7} |=> x = 3"}.get(feature, "LTLSPEC F G y")
    model = coarsest.loads(f"{COUNTER} {formula};")
    for way in ("smc", "partitioned"):
        rows = tuple(row if row.only != feature else Attempt(way, "a reason", only=row.only) for row in AUTO[LINEAR])
        if feature == CTL_TWIN:  # which no engine of formulas about paths decides
            rows = (Attempt(way, "a reason"), *rows)
        asked = []
        module = import_module(engine_named(way).module)
        with monkeypatch.context() as changed:
            changed.setattr(strategy, "AUTO", {**AUTO, LINEAR: rows})
            decide = module.decide
            changed.setattr(module, "decide", lambda question, session: asked.append(way) or decide(question, session))
            model.check(vacuity=False)
            printed = "\n".join(model.plan().lines())
        assert asked
        assert f". {way}" in printed and "a reason" in printed


@pytest.mark.parametrize("way", ["all-states", "reachable-states"])
def test_a_row_about_trees_says_what_is_printed_and_where_it_is_decided(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strategy, "AUTO", {**AUTO, BRANCHING: (Attempt(way, "a reason"),)})
    model, run = coarsest.loads(COUNTER), Run()
    assert f"    1. {way}: a reason" in list(model.plan("AG (x = 3 -> EF x = 7)").lines())
    model.check("AG (x = 3 -> EF x = 7)", run=run)
    assert ("forward reachability" in run.steps) == (way == "reachable-states")


def test_the_plan_prints_the_numbers_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuning, "STATES_OF_A_SMALL_AUTOMATON", 17)
    assert "more than 17 states" in "\n".join(coarsest.loads(COUNTER).plan("F G y").lines())
