"""The part of a machine that can influence some expressions.

Reference: Clarke, Grumberg, Peled 1999, section 13.1.
Symbols:   –
Invariant: the cone is closed: it contains the variables that its variables depend on.
Deviates:  every variable in an INIT, INVAR or TRANS constraint is in the cone, because a constraint may forbid a step. The other
           variables have equations only, which never forbid a step: the behaviours of the cone are exactly those of the
           machine, restricted to its variables.
Cost:      linear in the size of the machine.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from coarsest.logic.expr import Expr, names
from coarsest.model.machine import Machine


def cone_variables(machine: Machine, roots: Iterable[Expr]) -> frozenset[str]:
    """The variables that can influence the roots."""
    equations = (machine.initial_values, machine.current_values, machine.next_values)
    waiting = [*roots, *machine.initial_constraints, *machine.invariant_constraints, *machine.transition_constraints]
    cone: set[str] = set()
    opened: set[str] = set()
    while waiting:
        for name in names(waiting.pop()):
            if name in machine.variables:
                if name not in cone:
                    cone.add(name)
                    waiting.extend(values[name] for values in equations if name in values)
            elif name not in opened:
                opened.add(name)
                waiting.append(machine.definitions[name])
    return frozenset(cone)


def _definitions_within(machine: Machine, variables: frozenset[str]) -> dict[str, Expr]:
    """The definitions that depend on these variables only."""
    users: dict[str, list[str]] = {}
    for name, body in machine.definitions.items():
        for used in names(body):
            users.setdefault(used, []).append(name)
    outside = {name for name in machine.variables if name not in variables}
    waiting = list(outside)
    while waiting:
        reached = [user for user in users.get(waiting.pop(), ()) if user not in outside]
        outside.update(reached)
        waiting += reached
    return {name: body for name, body in machine.definitions.items() if name not in outside}


def restrict_to(machine: Machine, variables: frozenset[str]) -> Machine:
    """The machine on a closed set of its variables (see `cone_variables`), with the fairness constraints on these variables."""
    return replace(
        machine,
        variables={name: v for name, v in machine.variables.items() if name in variables},
        definitions=_definitions_within(machine, variables),
        initial_values={name: e for name, e in machine.initial_values.items() if name in variables},
        current_values={name: e for name, e in machine.current_values.items() if name in variables},
        next_values={name: e for name, e in machine.next_values.items() if name in variables},
        justice=tuple(p for p in machine.justice if machine.variables_of(p) <= variables),
        compassion=tuple((p, q) for p, q in machine.compassion if machine.variables_of(p) | machine.variables_of(q) <= variables),
        hints=tuple(hint for hint in machine.hints if machine.variables_of(hint) <= variables),
        properties=(),
    )
