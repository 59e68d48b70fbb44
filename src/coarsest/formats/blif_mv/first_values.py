"""First values that depend on inputs. Since an input belongs to a step, they are computed for every value of the inputs."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from math import prod
from typing import Final, cast

from msgspec.structs import replace

from coarsest.errors import ModelProblem, Unsupported
from coarsest.logic.expr import Apply, Constant, Expr, Name, Value, conjunction
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Kind, Machine, Variable

MOST: Final = 65536
"""The most combinations of values of the inputs on which the first values of a group of latches depend."""


def with_first_values(machine: Machine, first: Mapping[str, Expr], choices: Mapping[str, Variable]) -> Machine:
    """A machine with the first values of its latches, which may depend on inputs and on choices that are made once."""
    larger = replace(machine, variables={**machine.variables, **choices})
    initial: dict[str, Expr] = {}
    groups: list[tuple[set[str], dict[str, Expr]]] = []
    """Groups of latches that are connected by the inputs they share, with all these inputs."""
    for latch, value in first.items():
        inputs = _inputs(larger, latch, value)
        if not inputs:
            initial[latch] = value
            continue
        members = {latch: value}
        for group in [group for group in groups if group[0] & inputs]:
            groups.remove(group)
            inputs, members = group[0] | inputs, {**group[1], **members}
        groups.append((inputs, members))
    constraints = list(machine.initial_constraints)
    for inputs, members in groups:
        tuples = _possible(larger, inputs, members)
        if len(members) == 1:
            initial[next(iter(members))] = Apply("set", tuple(Constant(values[0]) for values in tuples))
        else:
            rows = [conjunction([Apply("=", (Name(latch), Constant(value))) for latch, value in zip(members, values)])
                    for values in tuples]  # fmt: skip
            constraints.append(rows[0] if len(rows) == 1 else Apply("or", tuple(rows)))
    return replace(machine, initial_values=initial, initial_constraints=tuple(constraints))


def _inputs(machine: Machine, latch: str, value: Expr) -> set[str]:
    used = machine.variables_of(value)
    inputs = {name for name in used if machine.variables[name].kind is Kind.INPUT}
    if used - inputs:
        message = f"the first value of the latch `{latch}` depends on the latch `{sorted(used - inputs)[0]}`"
        raise ModelProblem(message, machine.variables[latch].span)
    return inputs


def _possible(machine: Machine, inputs: set[str], members: Mapping[str, Expr]) -> list[tuple[Value, ...]]:
    """The first values that some latches may have together."""
    types = {name: machine.variables[name].type for name in sorted(inputs)}
    if prod(type.size for type in types.values()) > MOST:
        latch = next(iter(members))
        message = f"the first value of the latch `{latch}` depends on inputs with more than {MOST} values in all"
        raise Unsupported(message, machine.variables[latch].span)
    interpreter = Interpreter(machine)
    tuples: dict[tuple[Value, ...], None] = {}
    for values in product(*(type.values() for type in types.values())):
        given = dict(zip(types, values))
        row = tuple(interpreter.value(expr, {}, inputs=given) for expr in members.values())
        tuples[cast("tuple[Value, ...]", row)] = None  # tables are functions of inputs and choices: each gives one value
    return list(tuples)
