"""From paths of a space to traces of the machine that the user wrote."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Generic

from coarsest.logic.expr import Value
from coarsest.model.machine import Machine
from coarsest.model.parts.cone_of_influence import restrict_to
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


class TraceMaker(Generic[S]):
    """Turns paths of the space into traces of the part of the machine that the space is about.

    Variables that a product has added are left out; inputs that were made part of the state are inputs again.
    """

    def __init__(self, machine: Machine, space: Carrier[S], inputs: Collection[str] = ()) -> None:
        self.space = space
        self.inputs = inputs
        own = frozenset(name for name in space.machine.variables if name in machine.variables)
        self.machine = machine if len(own) == len(machine.variables) else restrict_to(machine, own)
        """The part of the machine that traces are about."""

    def __call__(self, path: Path[S]) -> Trace:
        states = [self.space.describe(state) for state in path.states]
        arrivals = states[1:] if path.loop is None else [*states[1:], states[path.loop]]
        steps = [self._inputs(before, after) for before, after in zip(states, arrivals)]
        if not self.machine.input_variables:
            steps = []
        names = [v.name for v in self.machine.state_variables]
        return Trace(tuple({name: state[name] for name in names} for state in states), tuple(steps), path.loop)

    def _inputs(self, before: Mapping[str, Value], after: Mapping[str, Value]) -> dict[str, Value]:
        promoted = {name: before[name] for name in self.inputs if name in before}
        others = self.space.inputs_between(before, after)
        # In a state without successor no input leads on; any will do.
        found = {v.name: next(v.type.values()) for v in self.machine.input_variables} | (others or {}) | promoted
        return {v.name: found[v.name] for v in self.machine.input_variables}
