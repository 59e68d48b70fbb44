"""All invariants of a model at once, on one unrolling: each is decided as the definition says, whichever is asked for first."""

from __future__ import annotations

from random import Random
from typing import NoReturn
from unittest.mock import Mock

import pytest
from msgspec.structs import replace

import coarsest
from coarsest.check.decide import invariants
from coarsest.check.setting.workshop import Workshop
from coarsest.errors import InputError, LimitExceeded
from coarsest.evidence.verdict import Fails, Holds, Unknown
from coarsest.logic.expr import Expr
from coarsest.model.machine import Property, PropertyKind
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


def test_wide_models_are_glanced_at_before_anything_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a few steps show needs neither diagrams nor another process, for any of the properties."""
    monkeypatch.setattr(invariants, "SECONDS_FOR_GLANCE", 20.0)
    monkeypatch.setattr(invariants, "BROAD", 0)
    monkeypatch.setattr(invariants, "with_companion", lambda *_: pytest.fail("nothing is left to look at"))
    answers = coarsest.loads(SHIFTS + "INVARSPEC a != 0ud20_4; INVARSPEC !c; INVARSPEC b = 0ud20_3;").check().answers
    assert [answer.verdict.word for answer in answers] == ["fails"] * 3
    assert all(answer.confirmed and answer.statistics["engine"] == "bmc" for answer in answers)


def test_wide_models_without_words_are_glanced_at_while_diagrams_are_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not before these have had as much time; what is seen then is there for all properties."""
    monkeypatch.setattr(invariants, "SECONDS_FOR_GLANCE", 0.0)
    monkeypatch.setattr(invariants, "NARROW", 0)
    monkeypatch.setattr(invariants, "BROAD", 0)
    glances: list[bool] = []

    def glance(shop: Workshop, stated: Expr, short: Run, *, deepest_induction: int) -> bool:
        glances.append(True)
        return seen(shop, stated, replace(short, limits=Limits()), deepest_induction=deepest_induction)

    def endless(question: object, shop: Workshop) -> NoReturn:
        while True:
            shop.run.step("endless")

    seen = invariants._glance
    monkeypatch.setattr(invariants, "_glance", glance)
    monkeypatch.setattr(invariants, "engine_for", lambda *_: Mock(decide=endless))
    bits = "".join(f"b{i} : boolean; " for i in range(8))
    steps = "init(b0) := TRUE; " + "".join(f"init(b{i}) := FALSE; next(b{i}) := b{i - 1}; " for i in range(1, 8))
    model = coarsest.loads(f"MODULE main VAR {bits} ASSIGN {steps} INVARSPEC !b5; INVARSPEC !b3;")
    answers = model.check().answers
    assert [answer.verdict.word for answer in answers] == ["fails"] * 2
    assert glances == [True]


def test_what_is_wrong_with_one_concerns_no_other() -> None:
    claims = "INVARSPEC n < 5; INVARSPEC 6 / n > 0; INVARSPEC n < 7;"
    model = coarsest.loads(f"MODULE main VAR n : 0..7; ASSIGN init(n) := 0; next(n) := n < 5 ? n + 1 : n; {claims}")
    for engine in ("bmc", "k-induction"):
        answers: list[coarsest.Answer] = []
        with pytest.raises(InputError, match="zero"):
            model.check(engine=engine, on_answer=answers.append)
        assert [answer.verdict.word for answer in answers] == ["fails"]
