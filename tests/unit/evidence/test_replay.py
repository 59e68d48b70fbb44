"""Traces are confirmed when they are traces, and rejected with the reason when they are not."""

from __future__ import annotations

import pytest

from coarsest.errors import EvidenceRejected
from coarsest.evidence.replay.replay import confirm_trace
from coarsest.logic.expr import Apply, Constant, Name
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.model.trace import Trace
from coarsest.model.types import Boolean, Range

X, GO = Name("x"), Name("go")
ADVANCED = Apply("mod", (Apply("+", (X, Constant(1))), Constant(4)))
MACHINE = Machine(
    "counter",
    {"x": Variable("x", Range(0, 3)), "go": Variable("go", Boolean(), Kind.INPUT)},
    initial_values={"x": Constant(0)},
    next_values={"x": Apply("case", (GO, ADVANCED, Constant(True), X))},
)
BELOW_TWO = Apply("<", (X, Constant(2)))


def trace(*states: int, loop: int | None = None, go: tuple[bool, ...] = (True,) * 9) -> Trace:
    steps = len(states) - 1 + (loop is not None)
    return Trace(tuple({"x": x} for x in states), tuple({"go": one} for one in go[:steps]), loop)


def test_a_counterexample() -> None:
    confirm_trace(MACHINE, trace(0, 1, 2), violates=BELOW_TWO)
    confirm_trace(MACHINE, trace(0, 0, 1, 2, go=(False, True, True)), violates=BELOW_TWO)


def test_a_lasso() -> None:
    confirm_trace(MACHINE, trace(0, 1, 2, 3, loop=0), violates=None)
    confirm_trace(MACHINE, trace(0, 1, loop=1, go=(True, False)), violates=None)


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (Trace(()), "no states"),
        (trace(1, 2), "first state is not initial: init"),
        (trace(0, 2), "step 1 is not a step of the model: next"),
        (trace(0, 1, 2, go=(True, False)), "step 2 is not a step"),
        (Trace(({"x": 0}, {"x": 1})), "go has no value"),
        (trace(0, 1), "does not violate"),
        (Trace(({"x": 0},), ({"go": True},)), "inputs for 1 steps, but only 0"),
        (Trace(({"x": 0}, {"x": 7}), ({"go": True},)), "outside its type"),
    ],
)
def test_wrong_counterexamples(wrong: Trace, reason: str) -> None:
    with pytest.raises(EvidenceRejected, match=reason):
        confirm_trace(MACHINE, wrong, violates=BELOW_TWO)


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (trace(0, 1, 2, loop=0), "the step that closes the loop is not a step"),
        (trace(0, 1, loop=2), "returns to state 2"),
        (trace(0, 1, loop=-1), "returns to state -1"),
    ],
)
def test_wrong_lassos(wrong: Trace, reason: str) -> None:
    with pytest.raises(EvidenceRejected, match=reason):
        confirm_trace(MACHINE, wrong, violates=None)


def test_a_machine_without_inputs_needs_none_in_the_trace() -> None:
    machine = Machine("m", {"x": Variable("x", Range(0, 3))}, initial_values={"x": Constant(0)}, next_values={"x": ADVANCED})
    confirm_trace(machine, Trace(({"x": 0}, {"x": 1})), violates=None)
