"""From paths of a space to traces of its machine."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from coarsest.logic.expr import Value
from coarsest.model.machine import Machine
from coarsest.model.trace import Trace
from coarsest.search.witness import Path
from coarsest.space.carrier import Carrier
from coarsest.space.space import S, State


def trace_of(space: Carrier[S], path: Path[S]) -> Trace:
    """A path of a space as a trace of its machine, with all variables."""
    return trace_through(space.machine, [space.describe(state) for state in path.states], space.inputs_between, path.loop)


def trace_through(
    machine: Machine,
    states: Sequence[State],
    inputs_between: Callable[[State, State], dict[str, Value] | None],
    loop: int | None = None,
) -> Trace:
    """The trace of a machine through some states."""
    arrivals = states[1:] if loop is None else [*states[1:], states[loop]]
    inputs = machine.input_variables
    steps = [inputs_between(*step) for step in zip(states, arrivals)] if inputs else []
    anything = {v.name: next(iter(v.type.values())) for v in inputs} if None in steps else {}  # where the machine is stuck
    return Trace(tuple(states), tuple({**anything, **(step or {})} for step in steps), loop)
