"""An expression from the command line, of any type: read against a flat machine, with its full names."""

from __future__ import annotations

from coarsest.errors import ModelProblem
from coarsest.formats.smv import places
from coarsest.formats.smv.formula import FlatNames
from coarsest.logic.expr import Expr
from coarsest.logic.parse import parse_expression
from coarsest.model.checks.static_types import is_set
from coarsest.model.checks.typecheck import type_of
from coarsest.model.machine import Machine
from coarsest.model.parts.promote_inputs import inputs_mentioned, promote
from coarsest.model.parts.watch import is_about_steps
from coarsest.text import Source


def parse_value(text: str, machine: Machine) -> Expr:
    """An expression over the variables and definitions of a machine that has one value in every state.

    >>> from coarsest.formats.smv.read import read
    >>> machine = read(Source("m.smv", "MODULE main VAR x : 0..3;"))
    >>> parse_value("x", machine)
    Name(name='x')
    """
    source = Source("<expression>", text)
    lowering = FlatNames(machine, source)
    expr = lowering.lower_in(places.STATE, parse_expression(source), lowering.scope)
    if is_about_steps(promote(machine, inputs_mentioned(machine, [expr])), expr):
        raise ModelProblem("this is about a step, but what is observed is a state", expr.span)
    found = type_of(expr, machine)
    if is_set(found):
        raise ModelProblem(f"this is a {found}, but what is observed has one value in every state", expr.span)
    return expr
