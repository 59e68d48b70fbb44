"""What to observe, from the command line: an expression, or a formula whose boolean parts are observed."""

from __future__ import annotations

from coarsest.errors import SyntaxProblem
from coarsest.formats.smv.expression import parse_value
from coarsest.formats.smv.formula import parse_formula
from coarsest.logic.expr import Expr
from coarsest.logic.maximal_parts import boolean_parts
from coarsest.model.machine import Machine


def parse_observed(text: str, machine: Machine) -> list[Expr]:
    """One expression of any type, or the maximal boolean parts of a formula of CTL, LTL, CTL* or PSL.

    >>> from coarsest.formats.smv.read import read
    >>> from coarsest.text import Source
    >>> machine = read(Source("m.smv", "MODULE main VAR x : 0..3; p : boolean; q : boolean;"))
    >>> parse_observed("x", machine), parse_observed("G (p -> F q)", machine)
    ([Name(name='x')], [Name(name='p'), Name(name='q')])
    """
    try:
        return [parse_value(text, machine)]
    except SyntaxProblem as problem:
        try:
            formula = parse_formula(text, machine).formula
        except SyntaxProblem:
            raise problem from None
    return boolean_parts(formula)
