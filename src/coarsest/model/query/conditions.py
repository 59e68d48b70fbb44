"""Conditions on single states that are written outside a model, resolved to full names of its machine."""

from __future__ import annotations

from coarsest.errors import ModelProblem, SyntaxProblem
from coarsest.logic.expr import Apply, Expr, Name, subexpressions
from coarsest.logic.temporal_operators import TEMPORAL_OPERATORS
from coarsest.model.checks.typecheck import check_boolean
from coarsest.model.machine import Machine
from coarsest.model.parts.watch import looks_ahead
from coarsest.model.query.machine_names import MachineNames
from coarsest.model.query.places import STATE

_NEXT = "what comes after a step is said at the next vertex"


class Conditions:
    """Resolves the conditions of a text. They may mention inputs, which are those of the step that leaves the state."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._names = MachineNames(machine)

    def resolve(self, condition: Expr, what: str) -> Expr:
        """The condition with full names. It raises where the condition does not fit the machine; `what` names it in messages."""
        refuse_operators_of_paths(condition, what)
        resolved = self._names.full(condition, STATE)
        check_boolean(resolved, self._machine, what)
        self._refuse_next(resolved, what)
        return resolved

    def _refuse_next(self, condition: Expr, what: str) -> None:
        """Raise at a name whose definition has next()."""
        for name in subexpressions(condition):
            if isinstance(name, Name) and looks_ahead(self._machine, name):
                message = f"{what} is about a single state, but the definition of `{name.name}` has next()"
                raise ModelProblem(message, name.span, hint=_NEXT)


def refuse_operators_of_paths(condition: Expr, what: str) -> None:
    """Raise at a temporal operator or next(), which a condition on a single state does not have."""
    for part in subexpressions(condition):
        if isinstance(part, Apply) and part.op in TEMPORAL_OPERATORS:
            message = f"{what} is about a single state, and `{part.op}` about paths"
            raise SyntaxProblem(message, part.span, hint="state what comes later at a later vertex")
        if isinstance(part, Apply) and part.op == "next":
            raise ModelProblem(f"{what} is about a single state, and next() about a step", part.span, hint=_NEXT)
