"""A machine as conditions over its bits: what a state is, where it begins, and what a step is."""

from __future__ import annotations

from collections.abc import Iterator

from coarsest.bdd.protocol import F
from coarsest.encode.encode import Encoder
from coarsest.logic.expr import Apply, Expr, conjuncts
from coarsest.model.machine import Kind


def legal_conjuncts(encoder: Encoder[F]) -> Iterator[F]:
    """What is true of every state: the domains of variables, equations of current values, invariant constraints."""
    machine = encoder.machine
    for variable in machine.of_kind(Kind.STATE, Kind.FROZEN):
        yield encoder.domain(variable)
    for name, expr in machine.current_values.items():
        yield encoder.equation(machine.variables[name], expr, after=False)
    for constraint in machine.invariant_constraints:
        yield encoder.constraint(constraint)


def initial_conjuncts(encoder: Encoder[F]) -> Iterator[F]:
    """What is true of initial states, beside being states."""
    machine = encoder.machine
    for name, expr in machine.initial_values.items():
        yield encoder.equation(machine.variables[name], expr, after=False)
    for constraint in machine.initial_constraints:
        yield encoder.constraint(constraint)


def step_conjuncts(encoder: Encoder[F]) -> Iterator[tuple[F, str | None]]:
    """What is true of every step from a state: next values, constraints, and that the next state is one.

    Beside each condition stands the variable whose next value it gives, if it is an equation.
    """
    machine = encoder.machine
    for name, expr in machine.next_values.items():
        yield encoder.equation(machine.variables[name], expr, after=False, next_value=True), name
    for name, expr in machine.current_values.items():
        yield encoder.equation(machine.variables[name], expr, after=True), name
    for variable in machine.of_kind(Kind.STATE):
        if variable.name not in machine.next_values and variable.name not in machine.current_values:
            yield encoder.domain(variable, after=True), variable.name
    for constraint in machine.invariant_constraints:
        for part in encoder.conjuncts(tuple(_parts(constraint)), after=True):
            yield part, None
    for constraint in machine.transition_constraints:
        for part in encoder.conjuncts(tuple(_parts(constraint))):
            yield part, None
    for variable in machine.of_kind(Kind.INPUT):
        yield encoder.domain(variable), None


def _parts(constraint: Expr) -> Iterator[Expr]:
    """The conjuncts, each as small as may be: `p -> q & r` is `p -> q` and `p -> r`."""
    for part in conjuncts(constraint):
        if isinstance(part, Apply) and part.op == "implies":
            premise, conclusion = part.args
            for inner in _parts(conclusion):
                yield part if inner is conclusion else Apply("implies", (premise, inner), span=part.span)
        else:
            yield part
