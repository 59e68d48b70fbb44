"""The part of a machine that can influence some expressions.

Reference: Clarke, Grumberg, Peled 1999, section 13.1.
Symbols:   –
Invariant: the cone is closed: what a kept variable depends on is kept.
Deviates:  every variable that occurs in an INIT, INVAR or TRANS constraint is kept, because a constraint may forbid a step.
           What is dropped is governed by equations alone, and equations never forbid a step: the behaviours of the cone are
           exactly those of the machine, seen on fewer variables.
Cost:      linear in the size of the machine.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from coarsest.logic.expr import Expr
from coarsest.model.machine import Machine


def cone_variables(machine: Machine, roots: Iterable[Expr]) -> frozenset[str]:
    """The variables that can influence the roots."""
    waiting: set[str] = set()
    for expr in (*roots, *machine.initial_constraints, *machine.invariant_constraints, *machine.transition_constraints):
        waiting |= machine.variables_of(expr)
    cone: set[str] = set()
    while waiting:
        name = waiting.pop()
        cone.add(name)
        for equations in (machine.initial_values, machine.current_values, machine.next_values):
            if name in equations:
                waiting |= machine.variables_of(equations[name]) - cone
    return frozenset(cone)


def restrict_to(machine: Machine, variables: frozenset[str]) -> Machine:
    """The machine on a closed set of its variables (see `cone_variables`), with the fairness that is about them alone."""
    return replace(
        machine,
        variables={name: v for name, v in machine.variables.items() if name in variables},
        definitions={name: e for name, e in machine.definitions.items() if machine.variables_of(e) <= variables},
        initial_values={name: e for name, e in machine.initial_values.items() if name in variables},
        current_values={name: e for name, e in machine.current_values.items() if name in variables},
        next_values={name: e for name, e in machine.next_values.items() if name in variables},
        justice=tuple(p for p in machine.justice if machine.variables_of(p) <= variables),
        compassion=tuple((p, q) for p, q in machine.compassion if machine.variables_of(p) | machine.variables_of(q) <= variables),
        properties=(),
    )
