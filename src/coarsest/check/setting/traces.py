"""From paths of a space to traces of its machine."""

from __future__ import annotations

from coarsest.model.trace import Trace
from coarsest.search.witness import Path
from coarsest.space.carrier import Carrier
from coarsest.space.space import S


def trace_of(space: Carrier[S], path: Path[S]) -> Trace:
    """A path of a space as a trace of its machine, with all variables."""
    states = [space.describe(state) for state in path.states]
    arrivals = states[1:] if path.loop is None else [*states[1:], states[path.loop]]
    inputs = space.machine.input_variables
    steps = [space.inputs_between(*step) for step in zip(states, arrivals)] if inputs else []
    anything = {v.name: next(iter(v.type.values())) for v in inputs} if None in steps else {}  # where the machine is stuck
    return Trace(tuple(states), tuple({**anything, **(step or {})} for step in steps), path.loop)
