"""Engines side by side: two at a time, diagrams within a limit, time shared among properties."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection
from typing import Any

import pytest

import coarsest
from coarsest.check import first_of
from coarsest.check.answers import Checker
from coarsest.check.first_of import AT_ONCE, FOR_INVARIANTS, MOST_NODES, Contest
from coarsest.check.setting.workshop import CheckOptions, Workshop
from coarsest.check.side_by_side import SideBySide
from coarsest.errors import FaultElsewhere, LimitExceeded
from coarsest.evidence.verdict import Answer, Unknown
from coarsest.model.machine import Property
from coarsest.options.methods import BuildOptions
from coarsest.run import Limits, Run

MODEL = "MODULE main VAR n : 0..7; ASSIGN init(n) := 0; next(n) := n < 5 ? n + 1 : n; "
PROPERTIES = "INVARSPEC n < 6; INVARSPEC n < 7; INVARSPEC n < 5; "


def contest(number: int, limits: Limits, checker: type[Checker] = Checker) -> Contest:
    model = coarsest.loads(MODEL + PROPERTIES)
    shop = Workshop(model.machine, BuildOptions(), CheckOptions(engine="first-of"), Run(limits))
    shop.claims = model.properties
    return Contest(shop, model.properties[number], checker)


class Raising(Checker):
    """All engines but one have a bug."""

    def answers(self, claims: Sequence[Property]) -> Iterator[Answer]:
        if self.shop.options.engine != "ic3":
            raise ZeroDivisionError("a bug")
        return super().answers(claims)


class Vanishing(Checker):
    """Their processes end without a word."""

    def answers(self, claims: Sequence[Property]) -> Iterator[Answer]:
        if self.shop.options.engine != "ic3":
            os._exit(1)
        return super().answers(claims)


@pytest.mark.parametrize("number", range(3))
def test_time_that_is_left_is_shared_among_properties_that_are_left(number: int) -> None:
    limits = contest(number, Limits(seconds=600))._limits()
    assert limits.seconds == pytest.approx(600 / (3 - number), rel=0.1)
    assert limits.nodes == MOST_NODES
    assert contest(number, Limits(nodes=7))._limits() == Limits(nodes=7)


def test_diagrams_with_too_many_nodes_leave_their_place_to_another_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_of, "MOST_NODES", 1)
    monkeypatch.setattr(first_of, "AT_ONCE", 1)
    started: list[str] = []
    start = Contest._start

    def noted(self: Contest, engine: str, limits: Limits) -> tuple[Connection, Any]:
        started.append(engine)
        return start(self, engine, limits)

    monkeypatch.setattr(Contest, "_start", noted)
    (answer,) = coarsest.loads(MODEL).check("n < 6", engine="first-of").answers
    assert started == ["bmc", "forward", "ic3"]
    assert (answer.verdict.word, answer.confirmed, answer.statistics["engine"]) == ("holds", True, "ic3")


def test_no_more_engines_are_at_work_than_there_are_places(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers: list[int] = []
    step = Run.step

    def noted(self: Run, task: str, **facts: Any) -> None:
        numbers.extend([facts["engines"]] if task == "first of" else [])
        step(self, task, **facts)

    monkeypatch.setattr(Run, "step", noted)
    coarsest.loads(MODEL).check("n < 6", engine="first-of")
    assert len(FOR_INVARIANTS) > AT_ONCE == max(numbers)


def test_an_engine_that_does_not_notice_the_end_of_its_time_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """The properties after it have their own share."""
    monkeypatch.setattr(first_of, "GRACE", -10_000.0)
    answers = coarsest.loads(MODEL + PROPERTIES).check(engine="first-of", run=Run(Limits(seconds=1000))).answers
    assert all(isinstance(answer.verdict, Unknown) for answer in answers)
    assert all("its share of the time was used up" in answer.verdict.because for answer in answers)


@pytest.mark.parametrize(
    ("checker", "what"), [(Raising, "by a bug of ours: ZeroDivisionError: a bug"), (Vanishing, "from outside")]
)
def test_an_engine_that_dies_is_told_of_in_one_warning(
    checker: type[Checker], what: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(first_of, "AT_ONCE", 1)  # nobody wins before it has died
    contested = contest(0, Limits(), checker)
    answer = contested.winner(["bmc", "ic3"])
    assert (answer.verdict.word, answer.statistics["engine"]) == ("holds", "ic3")
    (warning,) = contested.shop.warnings
    assert warning.startswith("the engine 'bmc'") and what in warning
    assert capfd.readouterr().err == ""


def test_a_bug_of_all_engines_is_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_of, "AT_ONCE", 1)
    with pytest.raises(FaultElsewhere, match="ZeroDivisionError: a bug"):
        contest(0, Limits(), Raising).winner(["bmc", "forward"])
    with pytest.raises(LimitExceeded, match=r"bmc: it was ended from outside, .*; forward: it was ended from outside"):
        contest(0, Limits(), Vanishing).winner(["bmc", "forward"])


def test_a_bug_of_a_process_beside_others_is_no_verdict(capfd: pytest.CaptureFixture[str]) -> None:
    model = coarsest.loads(MODEL + PROPERTIES)
    shop = Workshop(model.machine, BuildOptions(), CheckOptions(jobs=2), Run())
    with pytest.raises(FaultElsewhere, match="ZeroDivisionError: a bug"):
        list(SideBySide(shop, model.properties, Raising).answers())
    assert capfd.readouterr().err == ""
