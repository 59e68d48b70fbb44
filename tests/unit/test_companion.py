"""IC3 beside another engine, in a process of its own."""

from __future__ import annotations

from threading import Event
from time import sleep

import pytest

import coarsest
from coarsest.check import companion
from coarsest.check.companion import with_companion
from coarsest.check.decide.invariants import question_of
from coarsest.check.questions.finding import Finding, Proved, Refuted
from coarsest.check.questions.question import Invariant, Question
from coarsest.check.setting.workshop import CheckOptions, Workshop
from coarsest.errors import InputError, LimitExceeded
from coarsest.options.methods import BuildOptions
from coarsest.run import Limits, Run

MODEL = "MODULE main VAR n : 0..7; ASSIGN init(n) := 0; next(n) := n < 5 ? n + 1 : n; "


def asked(condition: str, run: Run) -> tuple[Workshop, Question[Invariant]]:
    model = coarsest.loads(MODEL)
    shop = Workshop(model.machine, BuildOptions(), CheckOptions(), run)
    return shop, question_of(shop, model.formula(condition).formula)


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(companion, "ALONE", 0.0)
    monkeypatch.setattr(companion, "is_possible", lambda: True)


@pytest.mark.parametrize(("condition", "kind"), [("n < 6", Proved), ("n < 5", Refuted)])
def test_it_answers_where_the_other_engine_does_not(condition: str, kind: type[Finding]) -> None:
    shop, question = asked(condition, Run())
    ended = Event()

    def endless(own: Workshop) -> Finding:
        try:
            while True:
                own.run.step("endless")
                sleep(0.01)
        finally:
            ended.set()

    before = shop.spaces
    finding = with_companion(question, shop, endless)
    assert isinstance(finding, kind)
    assert isinstance(finding, Proved | Refuted)
    assert finding.facts["engine"] == "ic3"
    assert ended.wait(10)
    assert shop.spaces is before


def test_an_operation_that_does_not_end_is_left_alone() -> None:
    shop, question = asked("n < 6", Run())
    goes_on = Event()

    def stuck(own: Workshop) -> Finding:
        goes_on.wait(60)
        own.run.step("stuck")
        raise AssertionError("it is not needed any more")

    before = shop.spaces
    assert isinstance(with_companion(question, shop, stuck), Proved)
    assert shop.spaces is not before
    goes_on.set()


def test_what_the_first_engine_finds_or_raises() -> None:
    shop, question = asked("n < 6", Run())
    assert with_companion(question, shop, lambda _: Proved()) == Proved()

    def wrong(own: Workshop) -> Finding:
        raise InputError("no such thing")

    with pytest.raises(InputError, match="no such thing"):
        with_companion(question, shop, wrong)
    (answer,) = coarsest.loads(MODEL).check("AG n < 6").answers
    assert answer.confirmed


def test_it_is_waited_for_where_the_other_engine_gives_up() -> None:
    shop, question = asked("n < 6", Run())

    def hopeless(own: Workshop) -> Finding:
        raise LimitExceeded("nodes", "there is no room")

    assert isinstance(with_companion(question, shop, hopeless), Proved)


def test_limits_of_time_are_for_both(monkeypatch: pytest.MonkeyPatch) -> None:
    shop, question = asked("n < 6", Run(Limits(seconds=0.0)))

    def late(own: Workshop) -> Finding:
        own.run.step("late")
        raise AssertionError

    with pytest.raises(LimitExceeded, match="time limit"):
        with_companion(question, shop, late)
    monkeypatch.setattr(companion, "GRACE", 0.0)
    monkeypatch.setattr(companion, "is_possible", lambda: False)
    goes_on = Event()

    def stuck(own: Workshop) -> Finding:
        goes_on.wait(60)
        raise AssertionError("it is not needed any more")

    with pytest.raises(LimitExceeded, match="time limit"):
        with_companion(question, shop, stuck)
    goes_on.set()
