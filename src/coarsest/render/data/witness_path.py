"""A counterexample as the complete path that a witness describes: the values of all variables at each moment.

Variables outside the cone are simulated and begin with 0 where they may. A lasso is unrolled until all variables repeat.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, TypeAlias

from coarsest.errors import InputError
from coarsest.logic.expr import Value, Word
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Machine, Property
from coarsest.model.parts.watch import is_about_steps
from coarsest.model.trace import Trace
from coarsest.model.types import Type, WordType

State: TypeAlias = dict[str, Value]
MOST_ROUNDS: Final = 10_000
"""The loop is unrolled at most this often."""


class Moment(NamedTuple):
    state: State
    inputs: State


def property_number(machine: Machine, claim: Property) -> int | None:
    """The number of a property among those of its kind; None if it is not in the machine."""
    alike = [other for other in machine.properties if other.kind == claim.kind] if claim.kind.letter else []
    return next((number for number, other in enumerate(alike) if other is claim), None)


def require_own_properties(machine: Machine, claims: Iterable[Property], format: str) -> None:
    """Raise InputError for a property that a witness cannot express."""
    for claim in claims:
        if property_number(machine, claim) is None:
            message = f"a witness of {format} is for a property of the file, and `{claim.text}` is none"
            raise InputError(message, hint="--trace json and --trace vcd are for all formulas")


def path_of(trace: Trace, machine: Machine, claim: Property) -> tuple[list[Moment], int | None]:
    """All moments up to the violation, or of a lasso, and the moment to which the lasso returns."""
    inputs: State = {variable.name: _zero(variable.type) for variable in machine.input_variables}
    steps = [{**inputs, **given} for given in trace.inputs or [{}] * len(trace.arrivals)]
    interpreter = Interpreter(machine)
    state = interpreter.complete_initial(trace.states[0])
    moments: list[Moment] = []
    for given, after in zip(steps[: trace.loop], trace.arrivals):
        moments.append(Moment(state, given))
        _, state = interpreter.complete_step(state, given, after)
    if trace.loop is not None:
        return _until_all_repeats(interpreter, moments, state, list(zip(steps, trace.arrivals))[trace.loop :])
    if not is_about_steps(machine, claim.formula):
        moments.append(Moment(state, inputs))  # the last state is bad whatever the inputs are
    return moments, None


def _until_all_repeats(
    interpreter: Interpreter, moments: list[Moment], state: State, steps: list[tuple[State, Mapping[str, Value]]]
) -> tuple[list[Moment], int]:
    """Unroll the loop until the variables that are not in the lasso repeat, too."""
    visited: dict[tuple[Value, ...], int] = {}
    while tuple(state.values()) not in visited:
        if len(visited) == MOST_ROUNDS:
            message = f"after {MOST_ROUNDS} rounds of the loop not all variables have the values that they had before"
            raise InputError(message, hint="check with --no-cone, or write --trace json")
        visited[tuple(state.values())] = len(moments)
        for given, after in steps:
            moments.append(Moment(state, given))
            _, state = interpreter.complete_step(state, given, after)
    return moments, visited[tuple(state.values())]


def _zero(kind: Type) -> Value:
    return Word(0, kind.width, kind.signed) if isinstance(kind, WordType) else next(iter(kind.values()))
