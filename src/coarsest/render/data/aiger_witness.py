"""Counterexamples of circuits as witnesses of AIGER 1.9, which `aigsim` replays.

The lines are: 1; the property, as `b0` or `j0`; the first values of the latches; the inputs of each step; a full stop. A witness
of a justice property ends where its loop closes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from coarsest.errors import InputError
from coarsest.evidence.verdict import Answer, shown_trace
from coarsest.logic.expr import Value
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Machine, Property, PropertyKind, Variable
from coarsest.model.parts.watch import is_about_steps
from coarsest.model.trace import Trace
from coarsest.model.types import Boolean

State: TypeAlias = dict[str, Value]

MOST_ROUNDS = 10_000
"""No loop is gone round more often than that until all latches repeat."""
_LETTERS = {PropertyKind.INVARIANT: "b", PropertyKind.LTL: "j"}


def insist_on_a_circuit(machine: Machine, claims: Iterable[Property]) -> None:
    """Complain where there is no word for a variable or a property."""
    for variable in machine.variables.values():
        if not isinstance(variable.type, Boolean):
            message = f"a witness of AIGER has a bit for each variable, but `{variable.name}` is of type {variable.type}"
            raise InputError(message, hint="--trace json and --trace vcd are for all models")
    for claim in claims:
        if _number(machine, claim) is None:
            message = f"a witness of AIGER is for a property of the file, and `{claim.text}` is none"
            raise InputError(message, hint="--trace json and --trace vcd are for all formulas")


def answer_to_witness(answer: Answer, machine: Machine, claim: Property) -> str | None:
    """The witness that the evidence of an answer is; None if that is no path."""
    trace = shown_trace(answer)
    return None if trace is None else witness_to_text(trace, machine, claim)


def witness_to_text(trace: Trace, machine: Machine, claim: Property) -> str:
    """The witness that a counterexample is; what nothing depends on in it goes along, and begins with 0 where it may."""
    inputs: State = {variable.name: False for variable in machine.input_variables}
    steps = [{**inputs, **given} for given in trace.inputs or [{}] * len(trace.arrivals)]
    if trace.loop is None and not is_about_steps(machine, claim.formula):
        steps.append(inputs)  # the last state is bad whatever the inputs are
    interpreter = Interpreter(machine)
    first = interpreter.complete_initial(trace.states[0])
    if trace.loop is not None:
        steps = _until_all_repeats(interpreter, first, steps, trace.loop)
    latches = _bits(machine.state_variables, first)
    rows = [_bits(machine.input_variables, given) for given in steps]
    return "\n".join(["1", f"{_LETTERS[claim.kind]}{_number(machine, claim)}", latches, *rows, "."]) + "\n"


def _until_all_repeats(interpreter: Interpreter, first: State, steps: list[State], loop: int) -> list[State]:
    """The steps of a lasso, with as many rounds as it takes until the latches that it says nothing about repeat, too."""
    state = first
    for inputs in steps[:loop]:
        _, state = interpreter.complete_step(state, inputs, {})
    visited: set[tuple[Value, ...]] = set()
    path, rounds = steps[:loop], steps[loop:]
    while tuple(state.values()) not in visited:
        if len(visited) == MOST_ROUNDS:
            message = f"after {MOST_ROUNDS} rounds of the loop not all latches have the values that they had before"
            raise InputError(message, hint="check with --no-cone, or write --trace json")
        visited.add(tuple(state.values()))
        for inputs in rounds:
            _, state = interpreter.complete_step(state, inputs, {})
        path += rounds
    return path


def _bits(variables: Iterable[Variable], values: Mapping[str, Value]) -> str:
    """A digit for each variable; one that nothing depends on is 0."""
    return "".join("1" if values.get(variable.name) else "0" for variable in variables)


def _number(machine: Machine, claim: Property) -> int | None:
    """Which of its kind a property is; None for one that is not the machine's."""
    if claim.kind not in _LETTERS:
        return None
    return next((number for number, other in enumerate(_of_kind(machine, claim.kind)) if other is claim), None)


def _of_kind(machine: Machine, kind: PropertyKind) -> Iterator[Property]:
    return (claim for claim in machine.properties if claim.kind is kind)
