"""Conditions on single states that stand outside a model: read against a flat machine, with its full names."""

from __future__ import annotations

from coarsest.errors import ModelProblem, SyntaxProblem
from coarsest.formats.smv import places
from coarsest.formats.smv.formula import FlatNames
from coarsest.logic.expr import Apply, Expr, Name, subexpressions
from coarsest.logic.temporal_operators import TEMPORAL_OPERATORS
from coarsest.model.checks.typecheck import check_boolean
from coarsest.model.machine import Machine
from coarsest.text import Source

_NEXT = "what comes after a step is said at the next vertex"


class Conditions:
    """Resolves conditions of one text. They may speak of inputs: those of the step that leaves the state."""

    def __init__(self, machine: Machine, source: Source) -> None:
        self._machine = machine
        self._names = FlatNames(machine, source)

    def resolve(self, condition: Expr, what: str) -> Expr:
        """The condition with names in full; raises where it does not fit the machine. `what` is what to call it."""
        refuse_operators_of_paths(condition, what)
        resolved = self._names.lower_in(places.STATE, condition, self._names.scope)
        check_boolean(resolved, self._machine, what)
        self._refuse_next(resolved, what)
        return resolved

    def _refuse_next(self, condition: Expr, what: str) -> None:
        """next() may also hide in definitions."""
        for name in subexpressions(condition):
            if isinstance(name, Name) and _has_next(name, self._machine):
                message = f"{what} is about a single state, but the definition of `{name.name}` has next()"
                raise ModelProblem(message, name.span, hint=_NEXT)


def refuse_operators_of_paths(condition: Expr, what: str) -> None:
    """Raise at a temporal operator or next(): a condition on a single state has none."""
    for part in subexpressions(condition):
        if isinstance(part, Apply) and part.op in TEMPORAL_OPERATORS:
            message = f"{what} is about a single state, and `{part.op}` about paths"
            raise SyntaxProblem(message, part.span, hint="what comes later is said at a later vertex")
        if isinstance(part, Apply) and part.op == "next":
            raise ModelProblem(f"{what} is about a single state, and next() about a step", part.span, hint=_NEXT)


def _has_next(name: Name, machine: Machine) -> bool:
    waiting, opened = [name.name], set[str]()
    while waiting:
        body = machine.definitions.get(waiting.pop())
        for part in () if body is None else subexpressions(body):
            if isinstance(part, Apply) and part.op == "next":
                return True
            if isinstance(part, Name) and part.name not in opened:
                opened.add(part.name)
                waiting.append(part.name)
    return False
