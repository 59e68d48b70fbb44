"""Several properties within a time limit: the first that takes long does not keep the others from being decided."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

import coarsest
from coarsest import tuning
from coarsest.check.composed.first_shares import FirstShares
from coarsest.check.setting.session import CheckOptions, Session
from coarsest.errors import LimitExceeded
from coarsest.evidence.verdict import Answer, Holds, Unknown
from coarsest.model.machine import Property
from coarsest.options.methods import BuildOptions
from coarsest.run import Limits, Run

LIMIT = 100.0
STEPS_A_SECOND = 20
LONG, QUICK = "x != 60000", "z < 9"
MODEL = """MODULE main VAR x : 0..65535; z : 0..15; ASSIGN
init(x) := 0; next(x) := x = 65535 ? 0 : x + 1; init(z) := 0; next(z) := z >= 8 ? 0 : z + 1;
"""


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """It shows how many steps were taken."""
    monkeypatch.setattr(Run, "seconds", property(lambda run: sum(run.steps.values()) / STEPS_A_SECOND))


def check(formulas: Sequence[str]) -> tuple[coarsest.Report, list[str], int]:
    """The report, what was heard, and the steps that were taken."""
    heard: list[str] = []
    run = Run(Limits(seconds=LIMIT))
    report = coarsest.loads(MODEL).check(*formulas, run=run, on_answer=lambda answer: heard.append(answer.formula))
    return report, heard, sum(run.steps.values())


@pytest.mark.parametrize("formulas", [[LONG, QUICK], [QUICK, LONG], [QUICK, LONG, "AG z < 9", LONG, "G F z = 8"]])
def test_what_is_quick_is_decided(formulas: Sequence[str]) -> None:
    report, heard, steps = check(formulas)
    assert heard == [answer.formula for answer in report.answers]
    for formula, answer in zip(formulas, report.answers, strict=True):
        if formula == LONG:
            assert isinstance(answer.verdict, Unknown) and f"the time limit of {LIMIT:g} s was reached" in answer.verdict.because
        else:
            assert answer.verdict.word == "holds" and answer.confirmed
    assert steps > 0.9 * LIMIT * STEPS_A_SECOND  # what takes long had the time that was left


def test_one_that_needs_more_than_its_share_has_the_rest() -> None:
    rings = int(0.6 * LIMIT * STEPS_A_SECOND)
    report, _, _ = check([f"x != {rings}", QUICK])
    assert [answer.verdict.word for answer in report.answers] == ["fails", "holds"]
    assert rings > tuning.PART_OF_TIME_FOR_FIRST_SHARES * LIMIT * STEPS_A_SECOND


def test_what_an_attempt_in_vain_has_told_is_taken_back() -> None:
    """And an answer that nobody has confirmed for want of time is kept for the case that there is no other."""
    model = coarsest.loads(MODEL)
    claims = [model.formula(text) for text in (LONG, QUICK, "z != 12")]
    session = Session(model.machine, BuildOptions(), CheckOptions(), Run(Limits(seconds=LIMIT)))
    (unconfirmed,) = model.check(QUICK, confirm="never").answers

    def decide(claim: Property) -> Answer:
        session.warn(f"about {claim.text}")
        quarter = int(LIMIT * STEPS_A_SECOND * tuning.PART_OF_TIME_FOR_FIRST_SHARES / 4)
        session.run.steps["work"] = session.run.steps.get("work", 0) + quarter
        if claim is claims[0]:
            raise LimitExceeded("time", "the share was spent")
        return unconfirmed

    shares = FirstShares(session, claims, decide)
    assert [shares.answer(number) for number in range(3)] == [None] * 3
    assert session.warnings == () and session.run.limits.seconds == LIMIT
    unknown = replace(unconfirmed, verdict=Unknown("no time"))
    assert shares.instead_of(unknown, 0) is unknown
    assert isinstance(shares.instead_of(unknown, 1).verdict, Holds)


def test_a_quotient_that_needs_more_than_a_share_is_built_with_the_rest() -> None:
    """A share that was too small for it is no reason to give up, nor a limit that the user knows of."""
    run = Run(Limits(seconds=3 * LIMIT))
    formulas = ["AG x != 90", "AG z < 9", "EF x = 90", "AG z != 8"]
    report = coarsest.loads(MODEL.replace("65535", "100")).check(*formulas, reduce="bisimulation", run=run)
    assert [answer.verdict.word for answer in report.answers] == ["fails", "holds", "holds", "fails"]
    assert run.steps["reachable states"] > tuning.PART_OF_TIME_FOR_FIRST_SHARES * 3 * LIMIT * STEPS_A_SECOND / len(formulas)
