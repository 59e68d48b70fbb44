"""Small invariants are confirmed on the reachable states, which are listed once for all properties of one machine."""

from __future__ import annotations

import pytest

import coarsest
from coarsest.errors import EvidenceRejected
from coarsest.evidence.decision_diagrams import DecisionDiagrams
from coarsest.evidence.effort import NotConfirmed
from coarsest.evidence.proof import InductiveInvariant
from coarsest.evidence.replay.invariants import ReachableStates, confirm_invariant
from coarsest.logic.parse import parse_expression
from coarsest.model.interpret.interpret import Interpreter
from coarsest.run import Run

MODEL = """MODULE main
VAR n : 0..7; IVAR go : boolean;
ASSIGN init(n) := 0; next(n) := go & n < 5 ? n + 1 : n;
INVARSPEC n < 6
INVARSPEC n != 7
INVARSPEC n < 4
"""
EVERYTHING, NOTHING = 1, 0


def invariant(root: int) -> InductiveInvariant:
    return InductiveInvariant(DecisionDiagrams((), ()), root)


def test_states_are_listed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    successors = Interpreter.successors
    monkeypatch.setattr(Interpreter, "successors", lambda self, state: (asked.append(state["n"]), successors(self, state))[1])
    report = coarsest.loads(MODEL).check()
    assert [answer.verdict.word for answer in report] == ["holds", "holds", "fails"]
    assert all(answer.confirmed for answer in report)
    assert sorted(asked)[:6] == [0, 1, 2, 3, 4, 5]
    assert len(asked) < 12  # once for two properties, and what replaying a counterexample asks for


def test_what_is_wrong_is_rejected() -> None:
    reachable = ReachableStates(coarsest.loads(MODEL).machine)
    confirm_invariant(reachable, invariant(EVERYTHING), parse_expression("n < 6"), Run())
    with pytest.raises(EvidenceRejected, match="violates"):
        confirm_invariant(reachable, invariant(EVERYTHING), parse_expression("n < 5"), Run())
    with pytest.raises(EvidenceRejected, match="does not contain"):
        confirm_invariant(reachable, invariant(NOTHING), parse_expression("n < 6"), Run())


def test_a_list_that_was_given_up_is_not_taken_for_whole() -> None:
    reachable = ReachableStates(coarsest.loads(MODEL).machine)
    with pytest.raises(NotConfirmed):
        confirm_invariant(reachable, invariant(EVERYTHING), parse_expression("n < 5"), Run(), most_steps=3)
    with pytest.raises(EvidenceRejected, match="violates"):
        confirm_invariant(reachable, invariant(EVERYTHING), parse_expression("n < 5"), Run())
