"""Which variables are schedulers, whose choices become events."""

from __future__ import annotations

import pytest

import coarsest
from coarsest.options.methods import BuildOptions
from coarsest.space.bdd.build import build
from coarsest.space.bdd.relation.disjunctive import Disjunctive, find_scheduler

MODEL = """MODULE main
VAR at : 0..3; a : 0..5; b : 0..5; c : 0..5; d : 0..5;
ASSIGN next(at) := {next_at};
  next(a) := at = 0 ? {{0, b}} : a; next(b) := at = 1 ? {{0, c}} : b;
  next(c) := at = 2 ? {{0, d}} : c; next(d) := at = 3 ? {{0, a}} : d;
"""


@pytest.mark.parametrize("next_at", ["{{0, 1, 2, 3}}", "(at + 1) mod 4"])
def test_turns_that_regard_nobody_are_events(next_at: str) -> None:
    space = build(coarsest.loads(MODEL.format(next_at=next_at.format())).machine)
    assert isinstance(space.relation, Disjunctive)
    assert space.relation.scheduler.name == "at"


def test_the_counter_of_a_program_is_no_scheduler_unless_events_are_asked_for() -> None:
    machine = coarsest.loads(MODEL.format(next_at="a = 2 ? 0 : (at + 1) mod 4")).machine
    space = build(machine)
    assert not isinstance(space.relation, Disjunctive)
    assert find_scheduler(space.step) is not None
    assert isinstance(build(machine, options=BuildOptions(relation="disjunctive")).relation, Disjunctive)
