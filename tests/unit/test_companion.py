"""IC3 beside another engine, in a process of its own."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from time import sleep

import pytest

import coarsest
from coarsest.check import companion
from coarsest.check.companion import Task, with_companion
from coarsest.check.decide.invariants import question_of
from coarsest.check.questions.finding import Finding, Proved, Refuted
from coarsest.check.questions.question import Invariant, Question
from coarsest.check.setting.workshop import CheckOptions, Workshop
from coarsest.errors import LimitExceeded
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
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1}, raising=False)


@pytest.mark.parametrize(("condition", "kind"), [("n < 6", Proved), ("n < 5", Refuted)])
def test_it_answers_where_the_other_engine_does_not(condition: str, kind: type[Finding]) -> None:
    shop, question = asked(condition, Run())

    def endless() -> Finding:
        while True:
            shop.run.step("endless")
            sleep(0.01)

    finding = with_companion(question, shop, endless)
    assert isinstance(finding, kind)
    assert isinstance(finding, Proved | Refuted)
    assert finding.facts["engine"] == "ic3"
    assert shop.run.listener is None


def test_it_is_waited_for_where_the_other_engine_gives_up() -> None:
    shop, question = asked("n < 6", Run())

    def hopeless() -> Finding:
        for _ in range(2):
            shop.run.step("hopeless")
            sleep(0.1)
        raise LimitExceeded("nodes", "there is no room")

    assert isinstance(with_companion(question, shop, hopeless), Proved)


def test_limits_of_time_are_for_both() -> None:
    shop, question = asked("n < 6", Run(Limits(seconds=0.0)))

    def late() -> Finding:
        shop.run.step("late")
        raise AssertionError

    with pytest.raises(LimitExceeded, match="time limit"):
        with_companion(question, shop, late)


def test_it_ends_with_its_parent() -> None:
    shop, question = asked("n < 6", Run())
    task = Task(question.part.machine, question.claim.good, Limits(), parent=-1)
    command = [sys.executable, "-m", "coarsest.check.companion"]
    done = subprocess.run(command, input=pickle.dumps(task), capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (1, b"")
    assert shop.run.steps == {}
