"""A model satisfies a formula of ACTL if and only if the tableau of the formula simulates it in the game of fair simulation."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from coarsest.check.answers import Checker
from coarsest.check.engines import fixpoints, game
from coarsest.check.questions.finding import Proved
from coarsest.check.questions.question import Branching, Question
from coarsest.check.setting.session import CheckOptions
from coarsest.logic.expr import Expr
from coarsest.logic.show import show
from coarsest.model.machine import Machine
from coarsest.model.parts.part import Part
from coarsest.run import Run
from coarsest.space.bdd.build import BuildOptions
from oracles.temporal import Temporal, TooManyStates
from random_formulas import actl_formula
from random_machines import seeded_fair_machine
from temporal_laws import conditions


def decided(machine: Machine, formula: Expr) -> tuple[bool, bool]:
    """What fixpoints say, and what the game."""
    session = Checker(machine, BuildOptions(), CheckOptions(), Run()).session
    question = Question(Part(machine), Branching(formula, is_ctl=True))
    assert game.objection(question, session) == ""
    return isinstance(fixpoints.decide(question, session), Proved), isinstance(game.decide(question, session), Proved)


def agree(seed: int, formulas: int) -> list[bool]:
    machine = replace(seeded_fair_machine(seed), compassion=())
    try:
        oracle = Temporal(machine)
    except TooManyStates:
        return []
    rng = Random(seed)
    draw = conditions(rng, machine, inputs=0.0)
    verdicts = []
    for _ in range(formulas):
        formula = actl_formula(rng, rng.randint(1, 4), draw)
        expected = oracle.holds_branching(formula)
        assert decided(machine, formula) == (expected, expected), (seed, show(formula))
        verdicts.append(expected)
    return verdicts


@pytest.mark.parametrize("block", range(4))
def test_the_tableau_is_a_maximal_model(block: int) -> None:
    verdicts = [verdict for seed in range(30 * block, 30 * block + 30) for verdict in agree(seed, 4)]
    assert len(verdicts) >= 75  # 300 in all blocks together
    assert min(verdicts.count(True), verdicts.count(False)) >= 20


@pytest.mark.nightly
@pytest.mark.parametrize("block", range(10))
def test_the_tableau_is_a_maximal_model_of_many(block: int) -> None:
    for seed in range(1000 + 300 * block, 1300 + 300 * block):
        agree(seed, 4)
