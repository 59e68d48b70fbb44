"""States from which no infinite path starts, as they come up where systems are composed: they do not count.

A composition has no other steps than those of both systems together, and where there are none, the state is to be dropped, and
then those that lead to such states alone. Here they stay, and from every state a step leads to a place for those that have
`stopped`, which nobody leaves and which is never fair. What is claimed of fair paths is the same: no fair path goes there, and
where no infinite path started, no fair one starts now.
"""

from __future__ import annotations

from msgspec.structs import replace

from coarsest.logic.expr import FALSE, TRUE, Apply, Expr, Name
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.model.types import Boolean

PREFIX = "assumed."
"""The names of variables that compositions and tableaux add begin so; no name of a model looks like that."""

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
    """A composition all of whose infinite paths are fair: a condition is about these, as it is in a machine alone."""
    stopped = (Apply("not", (Name(STOPPED),)),) if STOPPED in machine.variables else ()
    return replace(machine, justice=stopped, compassion=())
