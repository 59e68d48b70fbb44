"""First values, which `initial` assigns. A free choice at the beginning may have any of its values.

Inputs belong to steps and cannot occur in initial values, so initial values are written out for every combination of the inputs
that they depend on. If there are too many combinations, a frozen variable remembers the choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import product
from math import prod

from msgspec.structs import replace as changed

from coarsest import tuning
from coarsest.formats.vis.bits import equal
from coarsest.logic.expr import Apply, Constant, Expr, Name, conjunction
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.model.types import WordType


def initial_equations(machine: Machine, first_values: Mapping[str, Expr]) -> Machine:
    """The machine with its initial values."""
    inputs = {variable.name for variable in machine.input_variables}
    inputs_of = {name: machine.variables_of(value) & inputs for name, value in first_values.items()}
    fixed = {name: value for name, value in first_values.items() if not inputs_of[name]}
    values = {name: value for name, value in fixed.items() if not machine.variables_of(value)}
    constraints = [equal(Name(name), value) for name, value in fixed.items() if name not in values]
    variables = dict(machine.variables)
    for group in _groups({name: of for name, of in inputs_of.items() if of}):
        free = sorted(set().union(*(inputs_of[name] for name in group)))
        opened = {name: _opened(machine, first_values[name], inputs) for name in group}
        if prod(machine.variables[name].type.size for name in free) > tuning.FIRST_VALUES_TRIED:
            firsts: dict[str, Expr] = {}
            for name in free:
                first = f"{name}.first"
                variables[first] = Variable(first, machine.variables[name].type, Kind.FROZEN, added=True)
                firsts[name] = Name(first)
            for name, value in opened.items():
                if machine.variables_of(value) - inputs:
                    constraints.append(equal(Name(name), _substituted(value, firsts)))
                else:
                    values[name] = _substituted(value, firsts)
            continue
        rows: list[dict[str, Expr]] = []
        for combination in product(*(machine.variables[name].type.values() for name in free)):
            constants: dict[str, Expr] = {name: Constant(value) for name, value in zip(free, combination)}
            rows.append({name: _substituted(value, constants) for name, value in opened.items()})
        if len(group) == 1 and not isinstance(machine.variables[group[0]].type, WordType):
            members = tuple(dict.fromkeys(row[group[0]] for row in rows))
            values[group[0]] = members[0] if len(members) == 1 else Apply("set", members)
        else:
            cases = tuple(conjunction([equal(Name(name), value) for name, value in row.items()]) for row in rows)
            constraints.append(Apply("or", cases) if len(cases) > 1 else cases[0])
    return changed(machine, variables=variables, initial_values=values, initial_constraints=tuple(constraints))


def _groups(inputs_of: Mapping[str, set[str]]) -> Iterable[list[str]]:
    """Groups of names whose values depend on common inputs."""
    groups: list[tuple[list[str], set[str]]] = []
    for name, inputs in inputs_of.items():
        members, common = [name], set(inputs)
        disjoint = []
        for group in groups:
            if group[1] & common:
                members, common = group[0] + members, group[1] | common
            else:
                disjoint.append(group)
        groups = [*disjoint, (members, common)]
    return [members for members, _ in groups]


def _opened(machine: Machine, expr: Expr, inputs: set[str]) -> Expr:
    """An expression in which definitions that depend on inputs are written out."""
    dependent: dict[str, Expr] = {}

    def change(part: Name) -> Expr:
        if part.name not in machine.definitions:
            return part
        if part.name not in dependent:
            body = machine.definitions[part.name]
            dependent[part.name] = _renamed(body, change) if machine.variables_of(part) & inputs else part
        return dependent[part.name]

    return _renamed(expr, change)


def _substituted(expr: Expr, values: Mapping[str, Expr]) -> Expr:
    return _renamed(expr, lambda name: values.get(name.name, name))


def _renamed(expr: Expr, change: Callable[[Name], Expr]) -> Expr:
    """An expression with other names. Shared parts stay shared."""
    done: dict[int, Expr] = {}

    def of(part: Expr) -> Expr:
        if not isinstance(part, Apply):
            return change(part) if isinstance(part, Name) else part
        if id(part) not in done:
            args = tuple(of(arg) for arg in part.args)
            done[id(part)] = part if all(new is old for new, old in zip(args, part.args)) else Apply(part.op, args, part.span)
        return done[id(part)]

    return of(expr)
