"""What to observe of a machine: an expression of any type, or a formula whose boolean parts are observed."""

from __future__ import annotations

from coarsest.errors import ModelProblem, SyntaxProblem
from coarsest.logic.expr import Expr
from coarsest.logic.maximal_parts import boolean_parts
from coarsest.logic.parse import parse_expression
from coarsest.model.checks.static_types import is_set
from coarsest.model.checks.typecheck import type_of
from coarsest.model.machine import Machine
from coarsest.model.parts.promote_inputs import inputs_mentioned, promote
from coarsest.model.parts.watch import is_about_steps
from coarsest.model.query.formula import parse_formula
from coarsest.model.query.machine_names import MachineNames
from coarsest.model.query.places import STATE
from coarsest.text import Source


def parse_value(text: str, machine: Machine) -> Expr:
    """An expression over the variables and definitions of a machine that has one value in every state.

    >>> from coarsest.model.machine import Kind, Variable
    >>> from coarsest.model.types import Range
    >>> machine = Machine("m", {"x": Variable("x", Range(0, 3), Kind.STATE)})
    >>> parse_value("x", machine)
    Name(name='x')
    """
    expr = MachineNames(machine).full(parse_expression(Source("<expression>", text)), STATE)
    if is_about_steps(promote(machine, inputs_mentioned(machine, [expr])), expr):
        raise ModelProblem("this is about a step, but what is observed is a state", expr.span)
    found = type_of(expr, machine)
    if is_set(found):
        raise ModelProblem(f"this is a {found}, but what is observed has one value in every state", expr.span)
    return expr


def parse_observed(text: str, machine: Machine) -> list[Expr]:
    """One expression of any type, or the maximal boolean parts of a formula of CTL, LTL, CTL* or PSL.

    >>> from coarsest.model.machine import Kind, Variable
    >>> from coarsest.model.types import Boolean
    >>> machine = Machine("m", {name: Variable(name, Boolean(), Kind.STATE) for name in "pq"})
    >>> parse_observed("p", machine), parse_observed("G (p -> F q)", machine)
    ([Name(name='p')], [Name(name='p'), Name(name='q')])
    """
    try:
        return [parse_value(text, machine)]
    except SyntaxProblem as problem:
        try:
            formula = parse_formula(text, machine).formula
        except SyntaxProblem:
            raise problem from None
    return boolean_parts(formula)
