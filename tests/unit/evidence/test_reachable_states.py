"""Small invariants are confirmed on the reachable states, which are listed once for all properties of one machine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import coarsest
from coarsest.errors import EvidenceRejected
from coarsest.evidence.confirmation import Enumerated
from coarsest.evidence.decision_diagrams import DecisionDiagrams
from coarsest.evidence.enumeration.by_enumeration import ByEnumeration
from coarsest.evidence.enumeration.enumerated_states import EnumerationBounds
from coarsest.evidence.proof import InductiveInvariant
from coarsest.logic.parse import parse_expression
from coarsest.model.interpret.interpret import Interpreter, Values
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Property
from coarsest.run import Run

MODEL = """MODULE main
VAR n : 0..7; IVAR go : boolean;
ASSIGN init(n) := 0; next(n) := go & n < 5 ? n + 1 : n;
INVARSPEC n < 6
INVARSPEC n != 7
INVARSPEC next(n) >= n
INVARSPEC next(n) = n | go
INVARSPEC n >= 0
"""
EVERYTHING, NOTHING = 1, 0


def invariant(root: int) -> InductiveInvariant:
    return InductiveInvariant(DecisionDiagrams((), ()), root)


def judge(bounds: EnumerationBounds | None = None) -> ByEnumeration:
    return ByEnumeration(coarsest.loads(MODEL).machine, Run(), bounds)


def test_states_are_listed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    successors = Interpreter.successor_values

    def counted(self: Interpreter, values: Values, **options: Any) -> Iterator[tuple[Values, Values]]:
        asked.append(values)
        return successors(self, values, **options)

    monkeypatch.setattr(Interpreter, "successor_values", counted)
    report = coarsest.loads(MODEL).check()
    assert [answer.verdict.word for answer in report] == ["holds", "holds", "holds", "holds", "holds"]
    assert all(answer.confirmed for answer in report)
    assert sorted(asked) == [(0,), (1,), (2,), (3,), (4,), (5,)]  # once for five properties, two of which are about steps


def test_what_is_wrong_is_rejected() -> None:
    assert judge().confirm_invariant(invariant(EVERYTHING), parse_expression("n < 6")) == Enumerated(6)
    with pytest.raises(EvidenceRejected, match="fails on the 6 reachable states"):
        judge().confirm_invariant(invariant(EVERYTHING), parse_expression("n < 5"))
    with pytest.raises(EvidenceRejected, match="does not contain"):
        judge().confirm_invariant(invariant(NOTHING), parse_expression("n < 6"))


@pytest.mark.parametrize("bounds", [EnumerationBounds(steps=3), EnumerationBounds(states=3), EnumerationBounds(values=0)])
def test_a_list_that_was_given_up_is_not_taken_for_whole(bounds: EnumerationBounds) -> None:
    hasty = judge(bounds)
    for _ in range(2):
        assert hasty.confirm_invariant(invariant(NOTHING), parse_expression("n < 3")) is None


def test_a_state_with_many_steps_does_not_take_long_unasked() -> None:
    """One state, and inputs of which a million combinations lead nowhere: values are counted on the way through these."""
    machine = coarsest.loads("MODULE main VAR n : 0..1; IVAR i : 0..999; j : 0..999; TRANS i + j = 1998 & next(n) = n").machine
    run = Run()
    hasty = ByEnumeration(machine, run, EnumerationBounds(steps=10**9, values=1000))
    assert hasty.confirm(Property(PropertyKind.INVARIANT, parse_expression("n < 2")), holds=True) is None
    assert run.steps["confirm by enumeration"] == 1
