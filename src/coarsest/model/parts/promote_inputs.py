"""Inputs as part of the state, so that fairness constraints and formulas can mention them.

A state of the promoted machine is a state of the machine together with the inputs of the step that leaves it. Paths are the
same; but a state of the machine becomes one for each choice of the inputs, so formulas about states must quantify over them.
"""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from coarsest.logic.expr import Expr
from coarsest.model.machine import Kind, Machine


def inputs_mentioned(machine: Machine, exprs: Collection[Expr]) -> frozenset[str]:
    """The inputs that the expressions depend on."""
    mentioned = frozenset[str]().union(*(machine.variables_of(expr) for expr in exprs))
    return frozenset(v.name for v in machine.input_variables if v.name in mentioned)


def promote(machine: Machine, inputs: Collection[str]) -> Machine:
    """The machine with these inputs as state variables that take any value at any time."""
    if not inputs:
        return machine
    variables = {
        name: replace(variable, kind=Kind.STATE) if name in inputs else variable for name, variable in machine.variables.items()
    }
    return replace(machine, variables=variables)
