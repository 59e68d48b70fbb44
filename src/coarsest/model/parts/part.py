"""A machine that represents another one, and the way back: each change of a machine comes with a translation of its traces.

`back` turns a trace of the changed machine into one of the machine that the user wrote, after any number of changes. Finite
traces get values for all variables; a lasso need not close on variables that have no influence, and is returned without them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from coarsest.logic.expr import Apply, Constant, Expr, Name, Value
from coarsest.model.machine import Machine
from coarsest.model.parts.cone_of_influence import cone_variables, restrict_to
from coarsest.model.parts.extend import extend_trace
from coarsest.model.parts.promote_inputs import promote
from coarsest.model.parts.watch import with_steps_counted, with_watch
from coarsest.model.trace import Trace


class Part(Struct, frozen=True):
    """A machine, and the translation of its traces to the machine that it was made from."""

    machine: Machine
    back: Callable[[Trace], Trace] = lambda trace: trace
    merged: Mapping[str, Expr] = field(default_factory=dict)
    """Variables that were removed, with what they always equal: a constant, another variable, or the negation of one."""

    def then(self, change: Callable[[Machine], Part]) -> Part:
        """The machine after one more change."""
        changed = change(self.machine)
        return Part(changed.machine, lambda trace: self.back(changed.back(trace)), {**self.merged, **changed.merged})

    @property
    def equations(self) -> tuple[Expr, ...]:
        """The equations between removed variables and their values, which hold in every reachable state."""
        return tuple(Apply("=", (Name(name), value)) for name, value in self.merged.items())


def cone(roots: Collection[Expr]) -> Callable[[Machine], Part]:
    """Leave out the variables that have no influence on the roots."""

    def change(machine: Machine) -> Part:
        variables = cone_variables(machine, roots)
        if len(variables) == len(machine.variables):
            return Part(machine)
        return Part(restrict_to(machine, variables), lambda trace: extend_trace(machine, trace) if trace.loop is None else trace)

    return change


def without(merged: Mapping[str, Expr]) -> Callable[[Machine], Part]:
    """Make definitions of variables that always equal a constant, another variable or the negation of one.

    This must follow from equations, in all reachable states, and not from constraints.
    """

    def change(machine: Machine) -> Part:
        if not merged:
            return Part(machine)
        left = [
            {name: part for name, part in parts.items() if name not in merged}
            for parts in (machine.initial_values, machine.current_values, machine.next_values)
        ]
        smaller = replace(
            machine,
            variables={name: variable for name, variable in machine.variables.items() if name not in merged},
            definitions={**machine.definitions, **merged},
            initial_values=left[0], current_values=left[1], next_values=left[2],
        )  # fmt: skip
        return Part(smaller, back, merged)

    def back(trace: Trace) -> Trace:
        return replace(trace, states=tuple({**state, **dict(_values(merged, state))} for state in trace.states))

    return change


def _values(merged: Mapping[str, Expr], state: Mapping[str, Value]) -> Iterator[tuple[str, Value]]:
    for name, value in merged.items():
        match value:
            case Constant(constant):
                yield name, constant
            case Name(other) if other in state:
                yield name, state[other]
            case Apply("not", (Name(other),)) if other in state:
                yield name, not state[other]


def promoted(inputs: Collection[str]) -> Callable[[Machine], Part]:
    """Make inputs part of the state; in traces they are inputs again, of the step that leaves the state."""

    def change(machine: Machine) -> Part:
        return Part(promote(machine, inputs), back) if inputs else Part(machine)

    def back(trace: Trace) -> Trace:
        states = tuple(_without(state, inputs) for state in trace.states)
        steps = len(trace.arrivals)
        own = trace.inputs or ({},) * steps
        given = tuple(
            {**step, **{name: value for name, value in state.items() if name in inputs}} for state, step in zip(trace.states, own)
        )
        return replace(trace, states=states, inputs=given[:steps])

    return change


def watched(condition: Expr, name: str) -> Callable[[Machine], Part]:
    """Remember, in a variable of that name, whether the last step satisfied a condition."""
    return lambda machine: beside(with_watch(machine, condition, name), machine)


def counted(most: int, name: str) -> Callable[[Machine], Part]:
    """Count steps in a variable of that name, up to one more than the most that matter."""
    return lambda machine: beside(with_steps_counted(machine, most, name), machine)


def beside(product: Machine, machine: Machine) -> Part:
    """A machine with more variables than another, and the same behaviour: its traces without them are traces of the other."""
    added = product.variables.keys() - machine.variables.keys()
    return Part(product, lambda trace: replace(trace, states=tuple(_without(state, added) for state in trace.states)))


def _without(state: Mapping[str, Value], names: Collection[str]) -> dict[str, Value]:
    return {name: value for name, value in state.items() if name not in names}
