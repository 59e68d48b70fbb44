"""Formulas about a machine of any input language, and expressions to observe, resolved to its full names."""

from __future__ import annotations

from coarsest.errors import InputError, ModelProblem, NameProblem, SyntaxProblem, TypeProblem
from coarsest.logic.branching.ctl_star import is_ctl_star
from coarsest.logic.expr import Apply, Expr, subexpressions
from coarsest.logic.linear.parse_spin_spot import Ambiguous, parse_spin_spot, with_words_of_others
from coarsest.logic.parse import parse_expression
from coarsest.logic.show import show
from coarsest.logic.temporal_operators import COMPUTE_OPERATORS, CTL_OPERATORS, LTL_OPERATORS, boolean_parts
from coarsest.model.checks.static_types import is_set
from coarsest.model.checks.typecheck import check_formula, type_of
from coarsest.model.kinds import PropertyKind, kind_stated
from coarsest.model.machine import Machine, Property
from coarsest.model.parts.promote_inputs import inputs_mentioned, promote
from coarsest.model.parts.watch import is_about_steps
from coarsest.model.query.machine_names import MachineNames
from coarsest.model.query.numbers_as_words import in_our_words
from coarsest.model.query.places import STATE
from coarsest.text import Source, Span


def parse_formula(text: str, machine: Machine, *, kind: PropertyKind | None = None, name: str = "") -> Property:
    """A property of a machine. Its kind follows from its operators if it is not given.

    A text that is no expression of SMV may be a formula in the syntax of Spin and Spot, or of PSL. If all parsers refuse a text,
    the error comes from the one that understood more of it.

    >>> from coarsest.model.machine import Kind, Variable
    >>> from coarsest.model.types import Range
    >>> machine = Machine("m", {"x": Variable("x", Range(0, 3), Kind.STATE)})
    >>> parse_formula("AG (x<2)", machine).kind.value, parse_formula("x<2", machine).kind.value
    ('ctl', 'invariant')
    """
    source = in_our_words(Source("<formula>", text.rstrip().removesuffix(";")), machine)  # as in a file
    try:
        formula = parse_expression(source)
    except SyntaxProblem as complaint:
        try:
            formula = parse_spin_spot(source)
        except Ambiguous:
            raise
        except SyntaxProblem as error:
            return _of_psl(source, machine, name, max(complaint, error, key=_position))
    try:
        return _property(formula, source, machine, kind=kind, name=name)
    except (NameProblem, TypeProblem):
        plain = with_words_of_others(formula, {*machine.variables, *machine.definitions})
        if plain is formula:
            raise
        return _property(plain, source, machine, kind=kind, name=name)


def _of_psl(source: Source, machine: Machine, name: str, complaint: SyntaxProblem) -> Property:
    from coarsest.logic.psl.parse_psl import parse_psl_expression
    from coarsest.logic.psl.sere_from_expr import is_boolean

    try:
        formula = parse_psl_expression(source)
    except SyntaxProblem as error:
        raise (error if _position(error) > _position(complaint) else complaint) from None
    if is_boolean(formula):  # in PSL it would be about the initial states, but the user means an invariant
        raise complaint from None
    kind, shown = kind_stated(PropertyKind.PSL, formula), " ".join(source.text.split())
    return _property(formula, source, machine, kind=kind, name=name, shown=shown)


def _property(
    formula: Expr, source: Source, machine: Machine, *, kind: PropertyKind | None, name: str, shown: str = ""
) -> Property:
    kind = kind or kind_of(formula)
    assert kind.place is not None
    lowered = MachineNames(machine).full(formula, kind.place)
    claim = Property(kind, lowered, name, shown or show(formula), "", Span(source, 0, len(source.text)))
    check_formula(claim, machine)
    return claim


def _position(error: InputError) -> int:
    return -1 if error.diagnostic.span is None else error.diagnostic.span.start


def kind_of(formula: Expr) -> PropertyKind:
    """The kind of property that a formula states, by its operators."""
    operators = {part.op: part for part in subexpressions(formula) if isinstance(part, Apply)}
    branching = operators.keys() & CTL_OPERATORS
    linear = operators.keys() & LTL_OPERATORS
    if operators.keys() & COMPUTE_OPERATORS:
        return PropertyKind.COMPUTE
    if is_ctl_star(formula):
        return PropertyKind.CTL_STAR
    if branching and linear:
        first, second = operators[min(branching)], operators[min(linear)]
        hint = _one_logic(first.op, second.op)
        raise ModelProblem("CTL and LTL operators in one formula", second.span, hint=hint)
    return PropertyKind.CTL if branching else PropertyKind.LTL if linear else PropertyKind.INVARIANT


def _one_logic(branching: str, linear: str) -> str:
    """A hint for a mixture of CTL and LTL."""
    ways = [f"in CTL* `A ({linear} …)`"]
    if f"A{linear}" in CTL_OPERATORS:
        ways.insert(0, f"in CTL write `A{linear}` for `{linear}`")
    if branching[0] == "A" and branching[1:] in LTL_OPERATORS:
        ways.insert(0, f"in LTL write `{branching[1:]}` for `{branching}`")
    return f"{branching} is an operator of CTL and {linear} of LTL: {', '.join(ways)}"


def parse_value(text: str, machine: Machine) -> Expr:
    """An expression over the variables and definitions of a machine that has one value in every state.

    >>> from coarsest.model.machine import Kind, Variable
    >>> from coarsest.model.types import Range
    >>> machine = Machine("m", {"x": Variable("x", Range(0, 3), Kind.STATE)})
    >>> parse_value("x", machine)
    Name(name='x')
    """
    expr = MachineNames(machine).full(parse_expression(in_our_words(Source("<expression>", text), machine)), STATE)
    if is_about_steps(promote(machine, inputs_mentioned(machine, [expr])), expr):
        raise ModelProblem("this is about a step, but what is observed is a state", expr.span)
    static = type_of(expr, machine)
    if is_set(static):
        raise ModelProblem(f"this is a {static}, but what is observed has one value in every state", expr.span)
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
