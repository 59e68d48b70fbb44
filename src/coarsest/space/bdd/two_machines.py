"""Two machines in one BDD manager: relations between their states are functions of the bits of both.

The step of one machine does not touch the bits of the other, so that a preimage by either applies to relations as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from coarsest.encode.encode import Encoder
from coarsest.encode.layout import Layout
from coarsest.errors import Unsupported
from coarsest.logic.expr import Apply, Constant, Expr, Name, Value
from coarsest.logic.show import show
from coarsest.model.checks.static_types import Basic
from coarsest.model.checks.typecheck import type_of
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.model.unbounded import require_finite
from coarsest.options.methods import BuildOptions
from coarsest.run import Run
from coarsest.space.bdd.build import choose_image_method
from coarsest.space.bdd.order import choose_order
from coarsest.space.bdd.relation.step import step_of
from coarsest.space.bdd.symbolic import SymbolicSet, SymbolicSpace
from coarsest.space.carrier import MOST_OBSERVED_VALUES

Set: TypeAlias = SymbolicSet[Any]
Labels: TypeAlias = Sequence[tuple[Expr, Expr]]
"""Expressions of one machine beside those of another."""


class TwoMachines(Struct, frozen=True):
    """The spaces of two machines, and the pairs of states that agree on what is seen: on all variables and definitions that both
    have, unless something else is said."""

    left: SymbolicSpace[Any]
    right: SymbolicSpace[Any]
    agreeing: Set

    def left_of(self, pairs: Set) -> Set:
        """The left states of the pairs."""
        return self.left.set(self.left.manager.exists(pairs.function, self.left.manager.cube(self.right.bits)))


def beside(
    left: SymbolicSpace[Any], machine: Machine, run: Run, options: BuildOptions, *, labels: Labels | None = None
) -> TwoMachines:
    """The space of another machine in the manager of a space; `labels` are expressions of both that have the same
    value in states that agree."""
    require_finite(machine, "its states cannot be held in BDDs")
    manager = left.manager
    layout = Layout.allocate(machine, manager, choose_order(machine, options.order), whose=f"{len(manager.names)}: ")
    own = left.machine.variables
    shared = [v for v in machine.state_variables if v.name in own and not (v.added or own[v.name].added)]
    _interleave(left.layout, layout, shared, manager)
    encoder = Encoder(manager, layout)
    right = SymbolicSpace(encoder, step := step_of(encoder, manager, run), choose_image_method(step, options.relation, run))
    if labels is not None:
        return TwoMachines(left, right, _agreeing_on(labels, left, right, run))
    agreeing = left.states.function & right.states.function
    for variable in shared:
        for one, other in zip(left.layout.slots[variable.name].now, layout.slots[variable.name].now, strict=True):
            agreeing = agreeing & manager.iff(manager.var(one), manager.var(other))
    for name in _defined(left.machine, machine):
        agreeing = agreeing & manager.iff(left.encoder.constraint(Name(name)), encoder.constraint(Name(name)))
    return TwoMachines(left, right, left.set(agreeing))


def _agreeing_on(labels: Labels, left: SymbolicSpace[Any], right: SymbolicSpace[Any], run: Run) -> Set:
    agreeing = left.states & right.states
    interpreter = Interpreter(left.machine)
    for label, other in labels:
        if (bits := _bits_of(label, left, other, right)) is not None:
            for one, twin in bits:
                agreeing = left.set(agreeing.function & left.manager.iff(left.manager.var(one), left.manager.var(twin)))
            continue
        rest, alike, values = left.states, left.empty, 0
        while rest:
            values += 1
            run.step("observe", values=values)
            if values > MOST_OBSERVED_VALUES:
                message = f"`{show(label)}` has more than {MOST_OBSERVED_VALUES} values"
                raise Unsupported(message, label.span, hint="observe less of it, or variables of one type in both models")
            value = interpreter.value(label, left.describe(left.pick(rest)))
            assert isinstance(value, Value)
            having = left.where(Apply("=", (label, Constant(value))))
            alike = alike | (having & right.where(Apply("=", (other, Constant(value)))))
            rest = rest - having
        agreeing = agreeing & alike
    return agreeing


def _bits_of(one: Expr, left: SymbolicSpace[Any], other: Expr, right: SymbolicSpace[Any]) -> list[tuple[int, int]] | None:
    """The bits of two variables of one type, side by side; None if something else is seen."""
    if not (isinstance(one, Name) and isinstance(other, Name)):
        return None
    first, second = left.machine.variables.get(one.name), right.machine.variables.get(other.name)
    if first is None or second is None or first.type != second.type or Kind.INPUT in (first.kind, second.kind):
        return None
    return list(zip(left.layout.slots[one.name].now, right.layout.slots[other.name].now, strict=True))


def _defined(left: Machine, right: Machine) -> list[str]:
    """The names that both machines have, and one of them defines."""
    shared = [name for name in (*left.definitions, *left.variables) if name in right.definitions]
    shared += [name for name in left.definitions if name in right.variables]
    shared = [name for name in shared if not _is_same(name, left, right)]
    for name in shared:
        for machine in (left, right):
            if type_of(Name(name), machine) is not Basic.BOOLEAN:
                message = f"'{name}' is defined by one machine, named by the other, and not boolean"
                raise Unsupported(message, hint="call it otherwise in one of them, or make it a variable of both")
    return shared


def _is_same(name: str, left: Machine, right: Machine) -> bool:
    """Is it one definition over variables of both machines?"""
    one, other = left.definitions.get(name), right.definitions.get(name)
    return one is not None and one == other and right.variables_of(one) <= left.variables.keys() & right.variables.keys()


def _interleave(left: Layout, right: Layout, shared: list[Variable], manager: Any) -> None:
    """The bits of a variable that both machines have go under their twins: relations between alike states are small then."""
    group_of = {group[0]: group for group in right.groups}
    below = {}
    for variable in shared:
        for one, other in zip(left.slots[variable.name].now, right.slots[variable.name].now):
            last = left.after_of_now.get(one, one)
            below[last] = group_of[other]
    moved = {place for group in below.values() for place in group}
    order: list[int] = []
    for place in manager.order:
        if place not in moved:
            order += [place, *below.get(place, ())]
    manager.set_order(order)
    if manager.reorder is not None:
        manager.reorder.groups = [*left.groups, *right.groups]
