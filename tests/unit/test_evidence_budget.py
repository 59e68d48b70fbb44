"""What evidence may take of the CPU time, unasked."""

from __future__ import annotations

import pytest
from coarsest.check.setting.share import SPENT, Share

import coarsest
from coarsest import phases
from coarsest.check.certify import certify, enumerated
from coarsest.check.engines import fixpoints
from coarsest.check.setting import share
from coarsest.errors import LimitExceeded
from coarsest.evidence.confirmation import BySat, Unconfirmed
from coarsest.evidence.enumeration.by_enumeration import ByEnumeration
from coarsest.evidence.enumeration.enumerated_states import Bounds
from coarsest.evidence.verdict import Holds
from coarsest.logic.expr import Name
from coarsest.model.machine import PropertyKind
from coarsest.run import Run

VACUOUS = "MODULE main VAR x : boolean; y : boolean; ASSIGN init(x) := FALSE; next(x) := FALSE; CTLSPEC AG (x -> AF y)"


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(share, "process_time", clock)
    monkeypatch.setattr(phases, "process_time", clock)
    return clock


def test_a_part_of_the_time_that_deciding_took(clock: Clock) -> None:
    spending = Share()
    assert spending.left == pytest.approx(share.ALWAYS)
    clock.now += 10
    assert spending.left == pytest.approx(3 + share.ALWAYS)
    run = Run()
    with pytest.raises(LimitExceeded) as limit, spending.spending(run, unasked=True):
        clock.now += 3
        run.step("confirm")
        clock.now += 1
        run.step("confirm")
    assert limit.value.limit == SPENT
    assert run.listener is None
    assert spending.left == pytest.approx(share.ALWAYS - 1)


def test_what_is_asked_for_has_no_share(clock: Clock) -> None:
    spending, run = Share(), Run()
    with spending.spending(run, unasked=False):
        clock.now += 1000
        run.step("confirm")
    assert spending.left < 0


def test_states_are_enumerated_as_far_as_there_is_time(clock: Clock) -> None:
    spending = Share()
    assert spending.seconds_for_states == share.ALWAYS
    clock.now += 1
    assert spending.seconds_for_states == (share.ALWAYS + share.SHARE) / 2


def test_less_and_less_is_spent_on_states_that_are_too_many(clock: Clock) -> None:
    spending, run = Share(), Run()
    machine = coarsest.loads("MODULE main VAR x : 0..3; y : 0..3; ASSIGN init(x) := 0; next(x) := (x + y) mod 4;").machine
    for times in range(3):
        clock.now += 1
        with spending.spending(run, unasked=False):
            clock.now += 1
        assert spending.seconds_for_states == share.ALWAYS / 2**times
        judge = ByEnumeration(machine, run, Bounds(states=2))
        spending.enumerations.append(judge)
        assert judge.confirm(PropertyKind.INVARIANT, Name("x"), holds=True) is None
    assert spending.has_many_states(["x", "y", "z"])
    assert not spending.has_many_states(["x"])


def test_no_certificate_is_begun_that_takes_longer_than_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    model = coarsest.loads("MODULE main VAR x : 0..3; ASSIGN init(x) := 0; next(x) := (x + 1) mod 4; LTLSPEC G F x = 1")
    monkeypatch.setattr(enumerated, "DEFAULT_BOUNDS", Bounds(states=2))
    (answer,) = model.check().answers
    assert isinstance(answer.verdict, Holds) and isinstance(answer.verdict.confirmation, BySat)
    with monkeypatch.context() as few:
        few.setattr(certify, "MOST_NODES", 1)
        (answer,) = model.check().answers
        assert isinstance(answer.verdict, Holds) and answer.verdict.confirmation == Unconfirmed(certify.UNASKED)
    monkeypatch.setattr(certify, "SHORTEST", 1000.0)
    (answer,) = model.check().answers
    assert isinstance(answer.verdict, Holds) and answer.verdict.confirmation == Unconfirmed(certify.UNASKED)


def test_vacuity_ends_with_its_share_and_the_verdict_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    model = coarsest.loads(VACUOUS)
    (answer,) = model.check().answers
    assert any("vacuously" in warning for warning in answer.warnings)
    monkeypatch.setattr(share, "ALWAYS", -1.0)
    monkeypatch.setattr(share, "SHARE", 0.0)
    (answer,) = model.check().answers
    assert isinstance(answer.verdict, Holds)
    assert not any("does not matter" in warning for warning in answer.warnings)


@pytest.mark.parametrize("confirm", ["auto", "always"])
def test_a_witness_that_nobody_asked_for_does_not_take_long(confirm: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model = coarsest.loads("MODULE main VAR x : 0..500; ASSIGN init(x) := 0; next(x) := x < 500 ? x + 1 : x; CTLSPEC EF x = 500")
    monkeypatch.setattr(share, "SHARE", 0.0)
    monkeypatch.setattr(share, "ALWAYS", 0.0)
    monkeypatch.setattr(fixpoints, "ALWAYS", 0.0)
    (answer,) = model.check(confirm=confirm)
    assert isinstance(answer.verdict, Holds)
    assert (answer.verdict.explanation is not None) == (confirm == "always")
    assert answer.confirmed == (confirm == "always")
