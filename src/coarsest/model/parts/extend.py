"""From a trace of a cone of influence to a trace of the whole machine.

The variables outside the cone have equations only (see `cone_of_influence.py`), so that every trace of the cone can be extended.
A lasso need not close on the variables that were left out; it is not extended.
"""

from __future__ import annotations

from collections.abc import Mapping

from coarsest.logic.expr import Value
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Machine
from coarsest.model.trace import Trace


def extend_trace(machine: Machine, trace: Trace) -> Trace:
    """The same finite trace with values for all variables of the machine."""
    present = {*trace.states[0], *(trace.inputs[0] if trace.inputs else ())}
    needed = machine.state_variables if len(trace) == 1 else machine.variables.values()
    if all(v.name in present for v in needed):
        return trace
    interpreter = Interpreter.of(machine)
    states: list[Mapping[str, Value]] = [interpreter.complete_initial(trace.states[0])]
    inputs: list[Mapping[str, Value]] = []
    for i, state in enumerate(trace.states[1:]):
        given = trace.inputs[i] if trace.inputs else {}
        chosen_inputs, after = interpreter.complete_step(states[-1], given, state)
        inputs.append(chosen_inputs)
        states.append(after)
    return Trace(tuple(states), tuple(inputs) if machine.input_variables else ())
