"""A condition on steps as a condition on states: a variable remembers whether the last step satisfied it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from msgspec.structs import replace

from coarsest.logic.branching.ctl import is_temporal
from coarsest.logic.expr import TRUE, Apply, Constant, Expr, Name, subexpressions
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.model.parts.promote_inputs import inputs_mentioned
from coarsest.model.types import Boolean, Range

WATCH = "watch."
"""Names of variables that remember begin like this; names of models never do."""
OURS = (WATCH, "next(")
"""Names that we give begin like this, here and for the bits of next states; no variable may have such a name."""


def watch_names() -> Iterator[str]:
    """New names, without end."""
    return (f"{WATCH}{number}" for number in count(1))


def is_about_steps(machine: Machine, condition: Expr) -> bool:
    """Does the condition mention inputs or next values?"""
    return looks_ahead(machine, condition) or bool(inputs_mentioned(machine, [condition]))


def looks_ahead(machine: Machine, condition: Expr) -> bool:
    """Does next() occur in the condition, or in a definition that it uses?"""
    waiting, opened = [condition], set[str]()
    while waiting:
        for part in subexpressions(waiting.pop()):
            if isinstance(part, Apply) and part.op == "next":
                return True
            if isinstance(part, Name) and part.name in machine.definitions and part.name not in opened:
                opened.add(part.name)
                waiting.append(machine.definitions[part.name])
    return False


def with_watch(machine: Machine, condition: Expr, name: str) -> Machine:
    """The machine with a variable that is true as long as the last step satisfied the condition."""
    return replace(
        machine,
        variables={**machine.variables, name: Variable(name, Boolean(), Kind.STATE, added=True)},
        initial_values={**machine.initial_values, name: TRUE},
        next_values={**machine.next_values, name: condition},
    )


def with_steps_counted(machine: Machine, most: int, name: str) -> Machine:
    """The machine with a variable that counts steps, up to `most` + 1."""
    return replace(
        machine,
        variables={**machine.variables, name: Variable(name, Range(0, most + 1), Kind.STATE, added=True)},
        initial_values={**machine.initial_values, name: Constant(0)},
        next_values={**machine.next_values, name: Apply("min", (Apply("+", (Name(name), Constant(1))), Constant(most + 1)))},
    )


def with_steps_remembered(machine: Machine, formula: Expr, names: Iterator[str]) -> tuple[Machine, Expr]:
    """A machine and an LTL formula without next(), equivalent to the given ones.

    A variable remembers, after each step, whether the step satisfied a condition; so the condition is `X` of the variable. Every
    path must be infinite: otherwise there is a state without a step to remember. The variables get the given names.
    """
    remembered: dict[Expr, Expr] = {}

    def rewrite(part: Expr) -> Expr:
        nonlocal machine
        if isinstance(part, Apply) and is_temporal(part):
            return replace(part, args=tuple(map(rewrite, part.args)))
        if not looks_ahead(machine, part):
            return part
        if part not in remembered:
            name = next(names)
            machine = with_watch(machine, part, name)
            remembered[part] = Apply("X", (Name(name),))
        return remembered[part]

    formula = rewrite(formula)
    return machine, formula
