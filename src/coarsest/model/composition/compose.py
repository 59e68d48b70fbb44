"""Synchronous composition of machines: they step together, and share the variables and definitions that both name.

Reference: Grumberg, Long 1994; Bustan 2002, definition 4.4.1.
Symbols:   M1 ‖ M2 is `compose(M1, M2)`.
Invariant: a state of the composition is a pair of states that agree on shared names, its steps are steps of both, and a path is
           fair if it is fair in both.
Deviates:  labels are values of variables. An input of a machine that is in the states of the other, or defined there, is driven
           by the other. States from which no infinite path starts are dropped by making their paths unfair (`without_dead_ends`).
Cost:      linear in the size of the machines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count

from msgspec.structs import replace

from coarsest.errors import ModelProblem
from coarsest.logic.expr import Apply, Expr, Name
from coarsest.model.composition.dead_ends import PREFIX, STOPPED, without_dead_ends
from coarsest.model.composition.rename import renamed
from coarsest.model.machine import Kind, Machine, Variable


def compose(*machines: Machine) -> Machine:
    """The machines side by side."""
    whole, *others = machines
    for machine in others:
        whole = _both(whole, machine)
    return without_dead_ends(whole)


def _both(left: Machine, right: Machine) -> Machine:
    right = _with_own_additions(right, left)
    left, right = _driven(left, right), _driven(right, left)
    constraints = _Constraints(left, right)
    return Machine(
        f"{left.name} || {right.name}",
        {**left.variables, **right.variables, **{name: constraints.shared(name) for name in constraints.names}},
        {**right.definitions, **left.definitions},
        {**constraints.equations(right.initial_values), **left.initial_values},
        {**constraints.equations(right.current_values), **left.current_values},
        {**constraints.equations(right.next_values), **left.next_values},
        (*left.initial_constraints, *right.initial_constraints, *constraints.initial()),
        (*left.invariant_constraints, *right.invariant_constraints, *constraints.invariant()),
        (*left.transition_constraints, *right.transition_constraints, *constraints.transition()),
        (*left.justice, *right.justice),
        (*left.compassion, *right.compassion),
        outputs=tuple(dict.fromkeys((*left.outputs, *right.outputs))),
        warnings=(*left.warnings, *right.warnings),
        assumptions=(*left.assumptions, *right.assumptions),
    )


def _with_own_additions(machine: Machine, other: Machine) -> Machine:
    """The machine with other names for added variables, such as promises of a tableau, that the other machine has, too."""
    added = [name for name, v in machine.variables.items() if v.added and name in other.variables and name != STOPPED]
    taken = {*machine.variables, *other.variables}
    free = (name for number in count(1) if (name := f"{PREFIX}{number}") not in taken)
    names = dict(zip(added, free))
    return renamed(machine, lambda name: names.get(name, name)) if names else machine


def _equations(machine: Machine) -> set[str]:
    return {*machine.initial_values, *machine.current_values, *machine.next_values}


def _driven(machine: Machine, other: Machine) -> Machine:
    """The machine without its free variables that the other machine defines."""
    free = [name for name in machine.variables if name in other.definitions and name not in _equations(machine)]
    return replace(machine, variables={n: v for n, v in machine.variables.items() if n not in free}) if free else machine


class _Constraints:
    """The demands of the right machine on shared variables, as constraints: each variable keeps one equation."""

    def __init__(self, left: Machine, right: Machine) -> None:
        self.left, self.right = left, right
        self.names = [name for name in left.variables if name in right.variables]
        self._second = [name for name in self.names if name in _equations(left)]
        """The variables whose equations in the right machine become constraints."""
        for name in self.names:
            mine, theirs = left.variables[name], right.variables[name]
            if mine.type != theirs.type:
                message = f"'{name}' is of type {mine.type} in {left.name} and of type {theirs.type} in {right.name}"
                raise ModelProblem(message, theirs.span, hint="a name that both machines share must have the same type")

    def shared(self, name: str) -> Variable:
        """A variable of both machines. It is in the states of the composition if it is in the states of either."""
        mine, theirs = self.left.variables[name], self.right.variables[name]
        return mine if mine.kind is theirs.kind else replace(mine, kind=Kind.STATE)

    def equations(self, right: Mapping[str, Expr]) -> dict[str, Expr]:
        return {name: e for name, e in right.items() if name not in self._second}

    def initial(self) -> Iterator[Expr]:
        yield from self._members(self.right.initial_values)

    def invariant(self) -> Iterator[Expr]:
        """Definitions of both machines agree at all times, and so do definitions of one and variables of the other."""
        yield from self._members(self.right.current_values)
        for machine, other in ((self.left, self.right), (self.right, self.left)):
            for name in machine.variables:
                if name in other.definitions:
                    yield Apply("=", (Name(name), other.definitions[name]))
        for name, definition in self.left.definitions.items():
            if name in self.right.definitions and self.right.definitions[name] != definition:
                yield Apply("=", (definition, self.right.definitions[name]))

    def transition(self) -> Iterator[Expr]:
        yield from self._members(self.right.next_values, after=True)
        for name in self.names:
            kinds = {self.left.variables[name].kind, self.right.variables[name].kind}
            if Kind.FROZEN in kinds and len(kinds) > 1:
                yield Apply("=", (Apply("next", (Name(name),)), Name(name)))

    def _members(self, equations: Mapping[str, Expr], *, after: bool = False) -> Iterator[Expr]:
        for name in self._second:
            if name in equations:
                variable = Apply("next", (Name(name),)) if after else Name(name)
                yield Apply("in", (variable, equations[name]))
