"""Wrong verdicts and evidence that the oracles of temporal logic once brought to light, each at its smallest."""

from __future__ import annotations

import pytest

from coarsest.check.context import LTL_METHODS, CheckOptions
from coarsest.check.properties import PropertyChecker
from coarsest.evidence.verdict import Answer
from coarsest.formats import read
from coarsest.run import Run
from coarsest.system.build import BuildOptions
from coarsest.text import Source


def answers(text: str, **options: str) -> list[Answer]:
    machine = read(Source("small.smv", f"MODULE main {text}"))
    return list(PropertyChecker(machine, BuildOptions(), CheckOptions(**options), Run()).answers(machine.properties))


def words(text: str, **options: str) -> list[str]:
    return [answer.verdict.word for answer in answers(text, **options)]


@pytest.mark.parametrize("method", LTL_METHODS)
def test_an_automaton_of_one_state_beside_a_system_that_is_stuck(method: str) -> None:
    assert words("VAR p : boolean; INIT p TRANS FALSE LTLSPEC F p LTLSPEC F !p", ltl=method) == ["holds", "fails"]


@pytest.mark.parametrize("method", LTL_METHODS)
def test_linear_formulas_where_no_fair_path_starts(method: str) -> None:
    assert words("VAR p : boolean; INIT !p JUSTICE FALSE LTLSPEC p LTLSPEC p & X p", ltl=method) == ["holds", "holds"]


@pytest.mark.parametrize("method", LTL_METHODS)
def test_linear_formulas_that_shrink_to_a_condition(method: str) -> None:
    text = "VAR p : boolean; INIT p ASSIGN next(p) := !p; LTLSPEC X (p U p) LTLSPEC X X (p V p) LTLSPEC (F [0, 0] p) | Y p"
    assert words(text, ltl=method) == ["fails", "holds", "holds"]
