"""All invariants of a model at once, on one unrolling: each is decided as the definition says, whichever is asked for first."""

from __future__ import annotations

from random import Random
from typing import NoReturn
from unittest.mock import Mock

import pytest

import coarsest
from coarsest.check import strategy
from coarsest.check.composed import beside
from coarsest.check.decide import invariants
from coarsest.check.setting.session import Session
from coarsest.check.strategy import Attempt
from coarsest.errors import InputError, LimitExceeded
from coarsest.evidence.verdict import Fails, Holds, Unknown
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Property
from coarsest.options.engines import INVARIANTS
from coarsest.run import Event, Limits, Run
from oracles.brute_force import BruteForce
from random_expressions import Expressions
from random_machines import random_scheduled_machine, seeded_machine

SHIFTS = "MODULE main VAR a : unsigned word[20]; b : unsigned word[20]; c : boolean; ASSIGN init(a) := 0ud20_1; "
SHIFTS += "init(b) := 0ud20_3; init(c) := FALSE; next(a) := a * b + 0ud20_1; next(b) := b * b * a; next(c) := a = 0ud20_4; "


@pytest.mark.parametrize("engine", ["bmc", "k-induction"])
def test_all_at_once_as_the_definition(engine: str) -> None:
    words = set()
    for seed in range(40):
        machine = seeded_machine(7000 + seed) if seed % 2 else random_scheduled_machine(Random(seed), processes=2)
        oracle = BruteForce(machine)
        expressions = Expressions(Random(seed), {v.name: v.type for v in machine.state_variables})
        goods = [expressions.boolean(3) for _ in range(5)]
        claims = [Property(PropertyKind.INVARIANT, good) for good in (*goods, goods[0])]
        answers = coarsest.Model(machine).check(*claims, engine=engine, run=Run(Limits(steps=60))).answers
        for claim, answer in zip(claims, answers, strict=True):
            length = oracle.shortest_counterexample(claim.formula)
            words.add(answer.verdict.word)
            match answer.verdict:
                case Holds():
                    assert length is None, seed
                    assert answer.confirmed, (seed, answer.doubt)
                case Fails(trace):
                    assert trace is not None
                    assert len(trace) == length, seed
                    assert answer.confirmed
                case Unknown():
                    assert length is None or length > 20, seed
    assert words >= {"fails", "unknown" if engine == "bmc" else "holds"}


def test_one_that_takes_all_the_time_keeps_no_other_back() -> None:
    """The first holds, which bounded search never knows; the others are violated on paths that it has looked at."""
    model = coarsest.loads(SHIFTS + "INVARSPEC c | !c; INVARSPEC a != 0ud20_4; INVARSPEC !c; INVARSPEC next(a) >= 0ud20_0;")

    def late(event: Event) -> None:
        if event.task == "bounded search" and event.step > 5:
            raise LimitExceeded("time", "it is late")

    answers = model.check(engine="bmc", run=Run(listener=late)).answers
    assert [answer.verdict.word for answer in answers] == ["unknown", "fails", "fails", "unknown"]
    assert all(answer.confirmed for answer in answers[1:3])


def tried(monkeypatch: pytest.MonkeyPatch, *rows: Attempt) -> None:
    """Have the strategy for invariants try this."""
    monkeypatch.setattr(strategy, "AUTO", {**strategy.AUTO, INVARIANTS: rows})


def test_a_probe_by_sat_decides_all_properties_that_a_few_steps_show(monkeypatch: pytest.MonkeyPatch) -> None:
    """It needs neither diagrams nor another process."""
    tried(monkeypatch, Attempt("sat-probe", "first", work=1e9), Attempt("forward", "never", beside=("ic3",)))
    monkeypatch.setattr(beside, "with_companion", lambda *_, **__: pytest.fail("nothing is left to look at"))
    answers = coarsest.loads(SHIFTS + "INVARSPEC a != 0ud20_4; INVARSPEC !c; INVARSPEC b = 0ud20_3;").check().answers
    assert [answer.verdict.word for answer in answers] == ["fails"] * 3
    assert all(answer.confirmed and answer.statistics["engine"] == "bmc" for answer in answers)
    assert answers[0].statistics["attempt"] == "1: sat-probe"


@pytest.mark.parametrize("race", [True, False])
def test_an_attempt_that_has_spent_its_work_leaves_its_place_to_the_next(race: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = Attempt("forward", "endless", work=1000.0, beside=("ic3",)), Attempt("sat-probe", "then", work=1e9)
    tried(monkeypatch, *rows)
    calls = []

    def endless(question: object, session: Session) -> NoReturn:
        calls.append(question)
        while True:
            session.run.step("endless")

    monkeypatch.setattr(invariants, "engine_named", lambda *_: Mock(decide=endless))
    bits = "".join(f"b{i} : boolean; " for i in range(8))
    steps = "init(b0) := TRUE; " + "".join(f"init(b{i}) := FALSE; next(b{i}) := b{i - 1}; " for i in range(1, 8))
    model = coarsest.loads(f"MODULE main VAR {bits} ASSIGN {steps} INVARSPEC !b5; INVARSPEC !b3;")
    answers = model.check(race=race).answers
    assert [answer.verdict.word for answer in answers] == ["fails"] * 2
    assert answers[0].statistics["attempt"] == "2: sat-probe"
    assert len(calls) == 1  # the probe has settled the second one, too


def test_what_is_wrong_with_one_concerns_no_other() -> None:
    claims = "INVARSPEC n < 5; INVARSPEC 6 / n > 0; INVARSPEC n < 7;"
    model = coarsest.loads(f"MODULE main VAR n : 0..7; ASSIGN init(n) := 0; next(n) := n < 5 ? n + 1 : n; {claims}")
    for engine in ("bmc", "k-induction"):
        answers: list[coarsest.Answer] = []
        with pytest.raises(InputError, match="zero"):
            model.check(engine=engine, on_answer=answers.append)
        assert [answer.verdict.word for answer in answers] == ["fails"]
