"""Disagreements that random machines once brought to light, each at its smallest."""

from __future__ import annotations

import pytest

from coarsest.check.answers import Checker, CheckOptions
from coarsest.evidence.verdict import Fails
from coarsest.logic.expr import Name
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Kind, Machine, Property, Variable
from coarsest.model.types import Boolean, Enumeration, Range
from coarsest.run import Run
from coarsest.space.bdd.build import BuildOptions, build
from oracles.brute_force import BruteForce
from random_expressions import apply, const
from space_laws import check_space_laws


def test_a_set_is_in_another_when_all_its_members_are() -> None:
    """As in NuSMV, where `{0, 1} in {0}` is FALSE."""
    machine = Machine("m", {"x": Variable("x", Range(0, 2))})
    label = apply("in", apply("set", Name("x"), const(1)), apply("set", const(0), const(1)))
    space = build(machine)
    assert space.count(space.where(label)) == 2  # x = 0 and x = 1


@pytest.mark.parametrize("relation", ["monolithic", "clustered", "functions"])
def test_next_values_that_depend_on_next_values(relation: str) -> None:
    kinds = {"x": Variable("x", Enumeration(("idle", 0, 1, "busy"))), "y": Variable("y", Boolean())}
    differs = apply("!=", const("busy"), apply("next", Name("x")))
    machine = Machine("m", kinds, next_values={"x": Name("x"), "y": differs})
    check_space_laws(build(machine, Run(), BuildOptions(relation=relation)), BruteForce(machine))


def test_a_trace_of_a_cone_without_the_inputs_gets_inputs() -> None:
    kinds = {"x": Variable("x", Range(0, 3)), "i": Variable("i", Boolean(), Kind.INPUT)}
    machine = Machine("m", kinds, initial_values={"x": const(0)})
    claim = Property(PropertyKind.INVARIANT, apply("!=", Name("x"), const(3)))
    (answer,) = Checker(machine, BuildOptions(), CheckOptions(), Run()).answers([claim])
    assert isinstance(answer.verdict, Fails)
    assert answer.confirmed
