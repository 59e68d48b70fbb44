"""Static types of expressions, by the rules of NuSMV 2.6.

Every rule computes the type of a result from the types of the operands, or raises a problem. Shared parts of an expression are
checked once; definitions get their types when they are first met.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain
from typing import Final

from coarsest.errors import ModelProblem, TypeProblem
from coarsest.logic.expr import Apply, Constant, Expr, Name, Word
from coarsest.logic.show import show
from coarsest.model.checks.dependencies import EquationDependencies, ordered_definitions
from coarsest.model.checks.static_types import BOOLEAN, INTEGER, StaticType, element_of, fits, static_type, type_of_value
from coarsest.model.checks.type_rules import RULES, Operation
from coarsest.model.checks.wellformed import check_places
from coarsest.model.machine import Machine, Property, Variable
from coarsest.model.types import WordType, contains, show_value

LONGEST_SHOWN: Final = 60
"""Messages show this many characters of an expression."""


class TypeChecker:
    """Types of expressions over given variables and definitions."""

    def __init__(self, variables: Mapping[str, Variable], body_of: Callable[[str], Expr | None]) -> None:
        self._names: dict[str, StaticType] = {name: static_type(v.type) for name, v in variables.items()}
        self._body_of = body_of
        self.size = len(variables)
        self._types: dict[int, StaticType] = {}
        self._alive: list[Expr] = []  # the expressions whose identities are in `_types`

    def type_of(self, expr: Expr) -> StaticType:
        """The type of an expression; TypeProblem if it has none."""
        if isinstance(expr, Name):
            declared = self._names.get(expr.name)
            return declared if declared is not None else self._definition(expr)
        if isinstance(expr, Constant):
            return type_of_value(expr.value)
        computed = self._types.get(id(expr))
        if computed is not None:
            return computed
        types = [self.type_of(arg) for arg in expr.args]
        result = RULES[expr.op](Operation(expr, types))
        self._types[id(expr)] = result
        self._alive.append(expr)
        return result

    def _definition(self, name: Name) -> StaticType:
        body = self._body_of(name.name)
        if body is None:
            raise ModelProblem(f"`{name.name}` is not defined", name.span)
        self._names[name.name] = body_type = self.type_of(body)
        return body_type

    def check_boolean(self, expr: Expr, what: str) -> None:
        """Raise TypeProblem unless the expression is boolean."""
        actual = self.type_of(expr)
        if actual is not BOOLEAN:
            hint = _hint_for_boolean(expr, actual)
            raise TypeProblem(f"{what} must be boolean, `{_short(expr)}` is {_article(actual)}", expr.span, hint=hint)

    def check_assignment(self, variable: Variable, value: Expr, when: str) -> None:
        """Raise TypeProblem unless the variable can take the values of the expression."""
        if isinstance(value, Apply) and value.op == "case":  # say which branch does not fit
            for branch in value.args[1::2]:
                self._check_value(variable, branch, when)
            self.type_of(value)
            return
        self._check_value(variable, value, when)
        members = value.args if isinstance(value, Apply) and value.op == "set" else (value,)
        for member in members:
            if isinstance(member, Constant) and not contains(variable.type, member.value):
                shown = show_value(member.value)
                raise ModelProblem(f"{shown} is not a value of `{variable.name}`", member.span, hint=_values(variable))

    def _check_value(self, variable: Variable, value: Expr, when: str) -> None:
        actual, declared = element_of(self.type_of(value)), self._names[variable.name]
        if not fits(declared, actual):
            hint = _hint_for_boolean(value, actual) if declared is BOOLEAN else _hint_for_words(declared, actual)
            message = f"{when} is {_article(actual)}, but `{variable.name}` is declared {variable.type}"
            raise TypeProblem(message, value.span or variable.span, hint=hint)


def check_machine(machine: Machine) -> None:
    """Raise TypeProblem or ModelProblem at the first expression of a machine that is ill-typed or out of place."""
    checker = TypeChecker(machine.variables, machine.definitions.get)
    dependencies = EquationDependencies(machine)
    for name in ordered_definitions(machine.definitions, dependencies.definitions):
        checker.type_of(Name(name))
    check_places(machine, dependencies)
    equations = ((machine.initial_values, "init({})"), (machine.current_values, "{}"), (machine.next_values, "next({})"))
    for values, title in equations:
        for name, value in values.items():
            checker.check_assignment(machine.variables[name], value, f"the value of {title.format(name)}")
    constraints = (
        (machine.initial_constraints, "INIT"),
        (machine.invariant_constraints, "INVAR"),
        (machine.transition_constraints, "TRANS"),
        (machine.justice, "a fairness condition"),
        (chain.from_iterable(machine.compassion), "a fairness condition"),
    )
    for exprs, title in constraints:
        for expr in exprs:
            checker.check_boolean(expr, title)
    for prop in machine.properties:
        checker.check_boolean(prop.formula, "a property")


def type_of(expr: Expr, machine: Machine) -> StaticType:
    """The static type of an expression over a machine.

    >>> from coarsest.logic.parse import parse_expression
    >>> from coarsest.model.types import Range
    >>> str(type_of(parse_expression("x + 1"), Machine("m", {"x": Variable("x", Range(0, 3))})))
    'integer'
    """
    return TypeChecker(machine.variables, machine.definitions.get).type_of(expr)


def check_boolean(expr: Expr, machine: Machine, what: str = "a condition") -> None:
    """Raise TypeProblem unless an expression over a machine is boolean."""
    TypeChecker(machine.variables, machine.definitions.get).check_boolean(expr, what)


def check_formula(claim: Property, machine: Machine) -> None:
    """Raise TypeProblem or ModelProblem unless the formula of a property fits the machine."""
    check_boolean(claim.formula, machine, "a property")
    without_equations = Machine(machine.name, machine.variables, machine.definitions)
    check_places(without_equations, EquationDependencies(without_equations), (claim,))


def _short(expr: Expr) -> str:
    text = " ".join(expr.span.text.split()) if expr.span else show(expr)  # showing an expression with shared parts may take long
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 1] + "…"


def _article(static: StaticType) -> str:
    name = str(static)
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def _hint_for_boolean(expr: Expr, actual: StaticType) -> str:
    if actual is INTEGER and isinstance(expr, Constant) and expr.value in (0, 1):
        return "0 and 1 are not booleans: write FALSE and TRUE"
    if isinstance(actual, WordType) and actual.width == 1:
        return "bool(…) makes a boolean of a word of one bit"
    if actual is INTEGER:
        return "0 and 1 are not booleans: write FALSE and TRUE, or compare with !="
    return ""


def _hint_for_words(declared: StaticType, actual: StaticType) -> str:
    if isinstance(declared, WordType) and isinstance(actual, WordType):
        return "resize(…) changes the width" if declared.width != actual.width else "signed(…) and unsigned(…) change the sign"
    if isinstance(declared, WordType) and actual is INTEGER:
        return f"write a word constant such as {Word(1 % (1 << declared.width), declared.width, declared.signed)}"
    if declared is INTEGER and actual is BOOLEAN:
        return "toint(…) makes a number of a boolean"
    return ""


def _values(variable: Variable) -> str:
    kind = str(variable.type)
    return f"`{variable.name}` is declared {kind if len(kind) < 200 else kind[:199] + '…'}"
