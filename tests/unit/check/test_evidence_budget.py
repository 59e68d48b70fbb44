"""How much of the work may go into evidence nobody asked for."""

from __future__ import annotations

import pytest

import coarsest
from coarsest import tuning
from coarsest.check.certify import certify
from coarsest.check.setting.evidence_budget import EvidenceBudget
from coarsest.evidence.confirmation import BySat, Unconfirmed
from coarsest.evidence.enumeration.by_enumeration import ByEnumeration
from coarsest.evidence.enumeration.enumerated_states import EnumerationBounds
from coarsest.evidence.verdict import Holds
from coarsest.logic.expr import Name
from coarsest.model.machine import invariant
from coarsest.run import Run

VACUOUS = "MODULE main VAR x : boolean; y : boolean; ASSIGN init(x) := FALSE; next(x) := FALSE; CTLSPEC AG (x -> AF y)"


@pytest.fixture
def run() -> Run:
    return Run()


def test_a_part_of_the_work_of_deciding(run: Run) -> None:
    budget = EvidenceBudget(run)
    assert budget.left == pytest.approx(tuning.EVIDENCE_WORK)
    run.spend(10_000_000)
    assert budget.left == pytest.approx(10_000_000 * tuning.EVIDENCE_SHARE + tuning.EVIDENCE_WORK)
    with budget.spending(run, unasked=True) as spending:
        run.spend(3_000_000)
        run.step("confirm")
        run.spend(1_000_000)
        run.step("confirm")
    assert spending.spent
    assert budget.left == pytest.approx(tuning.EVIDENCE_WORK - 1_000_000, abs=100)


def test_what_is_asked_for_has_no_share(run: Run) -> None:
    budget = EvidenceBudget(run)
    with budget.spending(run, unasked=False) as spending:
        run.spend(1e9)
        run.step("confirm")
    assert budget.left < 0 and not spending.spent


def test_states_are_enumerated_as_far_as_evidence_may_go(run: Run) -> None:
    budget = EvidenceBudget(run)
    assert budget.for_states == tuning.EVIDENCE_WORK
    run.spend(10 * tuning.EVIDENCE_WORK / tuning.EVIDENCE_SHARE)
    assert budget.for_states == pytest.approx(11 * tuning.EVIDENCE_WORK / 2)


def test_less_and_less_is_spent_on_states_that_are_too_many(run: Run) -> None:
    budget = EvidenceBudget(run)
    machine = coarsest.loads("MODULE main VAR x : 0..3; y : 0..3; ASSIGN init(x) := 0; next(x) := (x + y) mod 4;").machine
    for times in range(3):
        with budget.spending(run, unasked=False):
            run.spend(tuning.EVIDENCE_WORK)
        assert budget.for_states == tuning.EVIDENCE_WORK / 2**times
        judge = ByEnumeration(machine, run, EnumerationBounds(states=2))
        budget.enumerations.append(judge)
        assert judge.confirm(invariant(Name("x")), holds=True) is None
    assert budget.has_many_states(["x", "y", "z"])
    assert not budget.has_many_states(["x"])


def test_no_certificate_is_begun_that_takes_longer_than_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    model = coarsest.loads("MODULE main VAR x : 0..3; ASSIGN init(x) := 0; next(x) := (x + 1) mod 4; LTLSPEC G F x = 1")
    monkeypatch.setattr("coarsest.tuning.JUDGED_STATES", 2)
    (answer,) = model.check().answers
    assert isinstance(answer.verdict, Holds) and isinstance(answer.verdict.confirmation, BySat)
    with monkeypatch.context() as few:
        few.setattr(tuning, "JUDGED_STEPS", 1)
        (answer,) = model.check().answers
        assert isinstance(answer.verdict, Holds) and answer.verdict.confirmation == Unconfirmed(certify.UNASKED)
    monkeypatch.setattr(tuning, "WORK_ALWAYS_WORTH", 1e9)
    (answer,) = model.check().answers
    assert isinstance(answer.verdict, Holds) and answer.verdict.confirmation == Unconfirmed(certify.UNASKED)


def test_vacuity_ends_with_its_share_and_the_verdict_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    model = coarsest.loads(VACUOUS)
    (answer,) = model.check().answers
    assert any("vacuously" in warning for warning in answer.warnings)
    monkeypatch.setattr(tuning, "EVIDENCE_WORK", -1.0)
    monkeypatch.setattr(tuning, "EVIDENCE_SHARE", 0.0)
    (answer,) = model.check().answers
    assert isinstance(answer.verdict, Holds)
    assert not any("does not matter" in warning for warning in answer.warnings)


@pytest.mark.parametrize("confirm", ["auto", "always"])
def test_a_witness_that_nobody_asked_for_does_not_take_long(confirm: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model = coarsest.loads("MODULE main VAR x : 0..500; ASSIGN init(x) := 0; next(x) := x < 500 ? x + 1 : x; CTLSPEC EF x = 500")
    monkeypatch.setattr(tuning, "EVIDENCE_SHARE", 0.0)
    monkeypatch.setattr(tuning, "EVIDENCE_WORK", 0.0)
    monkeypatch.setattr(tuning, "WORK_BEFORE_RINGS", 0.0)
    (answer,) = model.check(confirm=confirm)
    assert isinstance(answer.verdict, Holds)
    assert (answer.verdict.explanation is not None) == (confirm == "always")
    assert answer.confirmed == (confirm == "always")
