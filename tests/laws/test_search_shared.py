"""The reachable states of a space are searched once, whichever properties ask for them first."""

from __future__ import annotations

import pytest

import coarsest
from coarsest.run import Run
from coarsest.search.reachability import BreadthFirst

COUNTER = """MODULE main
VAR n : 0..60; late : boolean;
ASSIGN init(n) := 0; next(n) := case n < 60 : n + 1; TRUE : n; esac; init(late) := FALSE; next(late) := late | n > 50;
"""
INVARIANT, BRANCHING = "INVARSPEC n < 55 | late;", "CTLSPEC EF (n = 60 & EG late) & AG (late -> EX late);"


@pytest.mark.parametrize("claims", [(INVARIANT, BRANCHING), (BRANCHING, INVARIANT), (INVARIANT, BRANCHING, INVARIANT)])
def test_rings_are_made_once(claims: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    rings = 0

    def advance(self: BreadthFirst[object], run: Run) -> None:
        nonlocal rings
        rings += not self.backwards
        plainly(self, run)

    plainly = BreadthFirst.advance
    monkeypatch.setattr(BreadthFirst, "advance", advance)
    answers = coarsest.loads(COUNTER + "\n".join(claims)).check().answers
    assert [answer.verdict.word for answer in answers] == ["holds"] * len(claims)
    assert rings == 61
