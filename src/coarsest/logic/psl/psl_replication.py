"""`forall i in {0:3}: f` of PSL: one formula for each value of the parameter, joined."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from coarsest.logic.expr import Apply, Constant, Expr, Name, replace
from coarsest.text import Span

MOST_INSTANCES: Final = 1000
"""A formula with more instances is refused, but only when it is checked."""

JOINED_BY = {"forall": "and", "forany": "or"}


def replicated(word: str, parameter: str, values: Sequence[Expr], formula: Expr, span: Span | None) -> Expr:
    """The formula for each of the values.

    >>> from coarsest.logic.show import show
    >>> whole = Apply("=", (Name("x"), Name("i")))
    >>> show(replicated("forall", "i", [Constant(0), Constant(1)], whole, None))
    'x = 0 & x = 1'
    """
    instances = tuple(instance(formula, parameter, value) for value in values)
    return instances[0] if len(instances) == 1 else Apply(JOINED_BY[word], instances, span)


def instance(formula: Expr, parameter: str, value: Expr) -> Expr:
    """The formula with a value in place of the parameter."""

    def change(part: Expr) -> Expr | None:
        if isinstance(part, Name):
            return _placed(value, part.span) if part.name == parameter else None
        if isinstance(part, Apply) and part.op == ".":  # the name of a member is no parameter
            return Apply(".", (replace(part.args[0], change), part.args[1]), part.span)
        return None

    return replace(formula, change)


def _placed(value: Expr, span: Span | None) -> Expr:
    return Constant(value.value, span) if isinstance(value, Constant) else value
