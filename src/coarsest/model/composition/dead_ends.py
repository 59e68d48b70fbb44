"""States of compositions from which no infinite path starts, and which therefore do not count.

A composition has only common steps of both systems. By definition, a state without steps is dropped, and then the states that
lead to dropped states alone. Here they remain, and every state has a step to `stopped` states, which are never left and never
fair. This does not change claims about fair paths: no fair path goes there, and where no infinite path started, no fair path
starts now.
"""

from __future__ import annotations

from msgspec.structs import replace

from coarsest.logic.expr import FALSE, TRUE, Apply, Expr, Name
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.model.types import Boolean

PREFIX = "assumed."
"""Names of variables that compositions and tableaux add begin like this; names of models never do."""

STOPPED = f"{PREFIX}0"
"""The variable that is true in states that have stopped."""


def without_dead_ends(machine: Machine) -> Machine:
    """The machine with the same fair paths, and a step from every state. Equations of the machine hold for all steps."""
    if not machine.may_be_stuck:
        return machine
    stopped = Name(STOPPED)
    choice = Apply("set", (FALSE, TRUE))

    def unless(excused: Expr, condition: Expr) -> Expr:
        return Apply("or", (excused, condition))

    return replace(
        machine,
        variables={**machine.variables, STOPPED: Variable(STOPPED, Boolean(), Kind.STATE, added=True)},
        initial_values={**machine.initial_values, STOPPED: FALSE},
        next_values={**machine.next_values, STOPPED: Apply("case", (stopped, TRUE, TRUE, choice))},
        invariant_constraints=tuple(unless(stopped, e) for e in machine.invariant_constraints),
        transition_constraints=tuple(unless(Apply("next", (stopped,)), e) for e in machine.transition_constraints),
        justice=(*machine.justice, Apply("not", (stopped,))),
    )


def with_all_paths_fair(machine: Machine) -> Machine:
    """A composition whose infinite paths are all fair, because a condition is about all of them, as in a single machine."""
    stopped = (Apply("not", (Name(STOPPED),)),) if STOPPED in machine.variables else ()
    return replace(machine, justice=stopped, compassion=())
