"""A witness of AIGER as a trace of a machine: the interpreter computes the states from the inputs.

Where a witness has x, the value does not matter, and is 0 here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from coarsest.errors import EvidenceRejected
from coarsest.logic.expr import Value
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Machine, Property, Variable
from coarsest.model.parts.watch import is_about_steps
from coarsest.model.trace import Trace
from coarsest.model.types import Boolean


def property_of(machine: Machine, letter: str, number: int) -> Property:
    """The n-th invariant (b) or justice property (j) of a circuit."""
    claims = [claim for claim in machine.properties if claim.kind.letter == letter]
    if number >= len(claims):
        raise EvidenceRejected(f"there is no property {letter}{number}")
    return claims[number]


def trace_of_witness(machine: Machine, claim: Property, latches: str, inputs: Sequence[str]) -> Trace:
    """The path with these inputs: up to the first bad moment, or until it returns to a state that it has visited."""
    interpreter = Interpreter(machine)
    states: list[Mapping[str, Value]] = [interpreter.complete_initial(_values(machine.state_variables, latches, "latches"))]
    steps = [_values(machine.input_variables, row, "inputs") for row in inputs]
    if claim.kind.is_invariant:
        return _to_the_first_bad(interpreter, claim, states[0], steps)
    for number, step in enumerate(steps, 1):
        states.append(_next(interpreter, states[-1], step, number))
    if len(states) == 1 or states[-1] not in states[:-1]:
        raise EvidenceRejected("the path does not return to a state that it has visited")
    return Trace(tuple(states[:-1]), tuple(steps), states.index(states[-1]))


def _to_the_first_bad(
    interpreter: Interpreter, claim: Property, first: Mapping[str, Value], steps: Sequence[Mapping[str, Value]]
) -> Trace:
    about_steps = is_about_steps(interpreter.machine, claim.formula)
    states = [first]
    for number, step in enumerate(steps, 1):
        here = states[-1]
        if not about_steps and not interpreter.satisfies(claim.formula, here):
            return Trace(tuple(states), tuple(steps[: number - 1]))
        states.append(_next(interpreter, here, step, number))
        if about_steps and not interpreter.satisfies(claim.formula, here, step, states[-1]):
            return Trace(tuple(states), tuple(steps[:number]))
    raise EvidenceRejected("nothing bad happens on this path")


def _next(interpreter: Interpreter, state: Mapping[str, Value], step: Mapping[str, Value], number: int) -> Mapping[str, Value]:
    try:
        return interpreter.complete_step(state, step, {})[1]
    except EvidenceRejected:
        raise EvidenceRejected(f"step {number}: the constraints do not hold") from None


def _values(variables: Sequence[Variable], digits: str, title: str) -> dict[str, Value]:
    if len(digits) != len(variables):
        raise EvidenceRejected(f"there are {len(digits)} digits for {len(variables)} {title}")
    for variable in variables:
        if not isinstance(variable.type, Boolean):
            raise EvidenceRejected(f"a witness has a bit for each variable, but {variable.name} is of type {variable.type}")
    return {variable.name: digit == "1" for variable, digit in zip(variables, digits)}
