"""Engines side by side: two at a time, diagrams within a limit, time shared among properties."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

import coarsest
from coarsest import tuning
from coarsest.check.composed.first_of import Contest
from coarsest.check.composed.side_by_side import SideBySide
from coarsest.check.setting.session import CheckOptions, Session
from coarsest.check.strategy import FIRST_OF_INVARIANTS
from coarsest.errors import FaultElsewhere, LimitExceeded
from coarsest.evidence.verdict import Unknown
from coarsest.options.methods import BuildOptions
from coarsest.processes import Process
from coarsest.run import Limits, Run

MODEL = "MODULE main VAR n : 0..7; ASSIGN init(n) := 0; next(n) := n < 5 ? n + 1 : n; "
PROPERTIES = "INVARSPEC n < 6; INVARSPEC n < 7; INVARSPEC n < 5; "


def contest(number: int, limits: Limits) -> Contest:
    model = coarsest.loads(MODEL + PROPERTIES)
    session = Session(model.machine, BuildOptions(), CheckOptions(engine="first-of"), Run(limits))
    session.claims = model.properties
    return Contest(session, model.properties[number])


@pytest.mark.parametrize("number", range(3))
def test_time_that_is_left_is_shared_among_properties_that_are_left(number: int) -> None:
    limits = contest(number, Limits(seconds=600))._limits()
    assert limits.seconds == pytest.approx(600 / (3 - number), rel=0.1)
    assert limits.nodes == tuning.NODES_OF_A_CONTENDER
    assert contest(number, Limits(nodes=7))._limits().nodes == 7


def test_diagrams_with_too_many_nodes_leave_their_place_to_another_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coarsest.tuning.NODES_OF_A_CONTENDER", 1)
    monkeypatch.setattr("coarsest.tuning.CONTENDERS_AT_ONCE", 1)
    started: list[str] = []
    start = Contest._start

    def noted(self: Contest, engine: str, limits: Limits) -> Process:
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
    assert len(FIRST_OF_INVARIANTS) > tuning.CONTENDERS_AT_ONCE == max(numbers)


def test_an_engine_that_does_not_notice_the_end_of_its_time_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """The properties after it have their own share."""
    monkeypatch.setattr("coarsest.tuning.SECONDS_OF_GRACE", -10_000.0)
    answers = coarsest.loads(MODEL + PROPERTIES).check(engine="first-of", run=Run(Limits(seconds=1000))).answers
    assert all(isinstance(answer.verdict, Unknown) for answer in answers)
    assert all("its share of the time was used up" in answer.verdict.because for answer in answers)


def raising(task: tuple[Any, ...], run: Run, told: set[Any]) -> Iterator[Any]:
    """Instead of an engine: a bug."""
    raise ZeroDivisionError("a bug")
    yield


def vanishing(task: tuple[Any, ...], run: Run, told: set[Any]) -> Iterator[Any]:
    """Instead of an engine: a process that ends without a word."""
    os._exit(1)
    yield


def replaced(monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    """All engines but IC3 are replaced."""
    start = Contest._start

    def started(self: Contest, engine: str, limits: Limits) -> Process:
        return start(self, engine, limits) if engine == "ic3" else Process(f"{__name__}:{call}", None, limits, self._inbox)

    monkeypatch.setattr(Contest, "_start", started)


@pytest.mark.parametrize(
    ("call", "what"), [("raising", "by a bug in coarsest: ZeroDivisionError: a bug"), ("vanishing", "from outside")]
)
def test_an_engine_that_dies_is_reported_in_one_warning(
    call: str, what: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    replaced(monkeypatch, call)
    monkeypatch.setattr("coarsest.tuning.CONTENDERS_AT_ONCE", 1)  # or the other engine may be first
    contested = contest(0, Limits())
    answer = contested.winner(["bmc", "ic3"])
    assert (answer.verdict.word, answer.statistics["engine"]) == ("holds", "ic3")
    (warning,) = contested.session.warnings
    assert warning.startswith("the engine 'bmc'") and what in warning
    assert capfd.readouterr().err == ""


def test_a_bug_of_all_engines_is_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    replaced(monkeypatch, "raising")
    with pytest.raises(FaultElsewhere, match="ZeroDivisionError: a bug"):
        contest(0, Limits()).winner(["bmc", "forward"])
    replaced(monkeypatch, "vanishing")
    with pytest.raises(LimitExceeded, match=r"bmc: it was ended from outside, .*; forward: it was ended from outside"):
        contest(0, Limits()).winner(["bmc", "forward"])


def test_a_bug_of_a_process_beside_others_is_no_verdict(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    model = coarsest.loads(MODEL + PROPERTIES)
    session = Session(model.machine, BuildOptions(), CheckOptions(jobs=2), Run())

    def started(self: SideBySide, places: object) -> Process:
        return Process(f"{__name__}:raising", None, Limits(), self._inbox)

    monkeypatch.setattr(SideBySide, "_start", started)
    with pytest.raises(FaultElsewhere, match="ZeroDivisionError: a bug"):
        list(SideBySide(session, model.properties).answers())
    assert capfd.readouterr().err == ""
