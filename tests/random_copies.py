"""Random machines in which some variables are constant, or always equal to another, or to its negation."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from coarsest.evidence.decision_diagrams import has_one_value
from coarsest.logic.expr import Apply, Expr, Name
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.model.types import Boolean
from random_expressions import apply, const


def with_copies(random: Random, machine: Machine) -> Machine:
    """The machine beside variables that are of no use; its own equations may read these for others.

    A copy `x.same` begins as x does, and has its equation, in which each may stand for the other; `x.not` is the negation, and
    `x.still` is constant, because it was.
    """
    following = {name: value for name, value in machine.next_values.items() if has_one_value(machine, value)}
    for name in random.sample(sorted(following), min(len(following), random.randint(1, 2))):
        kind = machine.variables[name].type
        word = random.choice(("not", "not", "not", "same") if isinstance(kind, Boolean) else ("same", "still"))
        copy, value = f"{name}.{word}", machine.next_values[name]
        first: Expr = Name(name)
        if name in machine.initial_values and has_one_value(machine, machine.initial_values[name]):
            first = machine.initial_values[name]
        if word == "still":
            first = const(random.choice(list(kind.values())))
            value = apply("case", apply("=", Name(copy), first), first, apply("=", first, first), value)
        elif word == "not":
            first, value = apply("not", first), apply("not", value)
        stands = apply("not", Name(copy)) if word == "not" else Name(copy)
        variables = {**machine.variables, copy: Variable(copy, kind, Kind.STATE)}
        equations = {**machine.next_values, copy: value}
        if word != "still":
            equations = {target: _mixed(random, expr, name, stands) for target, expr in equations.items()}
        machine = replace(
            machine, variables=variables, next_values=equations, initial_values={**machine.initial_values, copy: first}
        )
    return machine


def _mixed(random: Random, expr: Expr, name: str, other: Expr) -> Expr:
    """The expression, in which another stands for a variable here and there."""
    if isinstance(expr, Name):
        return other if expr.name == name and random.random() < 0.5 else expr
    if isinstance(expr, Apply) and expr.op != "next":
        return replace(expr, args=tuple(_mixed(random, arg, name, other) for arg in expr.args))
    return expr
