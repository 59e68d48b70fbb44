"""Wrong verdicts and evidence that the oracles of temporal logic once brought to light, each at its smallest."""

from __future__ import annotations

from typing import Any

import pytest

from coarsest.check.answers import Checker
from coarsest.evidence.verdict import Answer
from coarsest.formats.smv.read import read
from coarsest.options.engines import LTL_METHODS
from coarsest.options.methods import check_options
from coarsest.run import Run
from coarsest.space.bdd.build import BuildOptions
from coarsest.text import Source


def answers(text: str, **options: Any) -> list[Answer]:
    machine = read(Source("small.smv", f"MODULE main {text}"))
    return list(Checker(machine, BuildOptions(), check_options(**options), Run()).answers(machine.properties))


def words(text: str, **options: Any) -> list[str]:
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


def test_bounded_operators_do_not_depend_on_the_choice_of_inputs() -> None:
    text = """
    VAR p : boolean; IVAR i : boolean; INIT !p ASSIGN next(p) := p | i;
    CTLSPEC EBF 0..0 (i & !p)
    CTLSPEC EBF 1..2 (i & p)
    CTLSPEC E [!i & !p BU 1..2 i & !p]
    CTLSPEC !(ABG 0..1 i)
    CTLSPEC A [!i BU 0..1 i]
    """
    assert words(text, confirm="never") == ["holds", "holds", "holds", "holds", "fails"]


def test_inputs_may_change_where_the_machine_is_stuck() -> None:
    text = "VAR p : boolean; IVAR i : boolean; TRANS FALSE JUSTICE i JUSTICE !i CTLSPEC EF TRUE CTLSPEC E [i BU 1..1 !i]"
    assert words(text, confirm="never") == ["holds", "holds"]


def test_a_space_with_inputs_as_part_of_the_state_is_another_space() -> None:
    text = "VAR p : boolean; IVAR i : boolean; ASSIGN next(p) := i; CTLSPEC EX p CTLSPEC EX i INVARSPEC p | !p INVARSPEC i"
    assert words(text, confirm="never", cone=False) == ["holds", "holds", "holds", "fails"]


def test_inputs_with_which_no_step_can_be_taken() -> None:
    text = """
    VAR p : boolean; IVAR i : boolean; INIT !p TRANS i
    CTLSPEC i
    CTLSPEC AX i
    CTLSPEC AG i
    CTLSPEC AG EX i
    LTLSPEC i
    LTLSPEC G i
    LTLSPEC G (i & X i)
    """
    assert words(text) == ["holds"] * 7


def test_evidence_for_formulas_about_inputs() -> None:
    """A path does not tell the inputs in its last state."""
    assert words("VAR p : boolean; IVAR i : boolean; CTLSPEC EF i CTLSPEC AG E [p U i] CTLSPEC i") == ["holds", "holds", "fails"]
