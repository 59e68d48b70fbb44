"""The control of a program without its data: numbers are not part of the states.

Reference: Halbwachs, Raymond, Ratel 1991, and Bouajjani et al. 1994, section 5: a compiler makes states of the boolean memories
           only; the others become variables of the code, which the automaton tests and assigns.
Symbols:   *data* are memories and inputs of numbers and of types with one value. A *choice* is an expression of data without
           conditions, under the condition on control that selects it. A *test* is a comparison of such expressions.
Invariant: each test has become an input; each data expression that is output or remembered has become the number of one of its
           choices. For the true values of the tests, control is the same as in the program.
Deviates:  tests that exclude one another are independent here, as for a compiler that does not analyse them.
Cost:      the choices of an operation are those of its operands, multiplied; beyond MOST_CHOICES the program is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from coarsest.errors import Unsupported
from coarsest.logic.expr import FALSE, TRUE, Apply, Constant, Expr, Name, conjunction
from coarsest.logic.show import show
from coarsest.model.checks.static_types import BOOLEAN, SYMBOL
from coarsest.model.checks.typecheck import type_of
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.model.types import Boolean, Enumeration

MOST_CHOICES: Final = 256
"""A program with an expression of more choices is refused."""
_COMPARISONS = frozenset({"=", "!=", "<", "<=", ">", ">="})

Choices: TypeAlias = "tuple[tuple[tuple[Expr, ...], Expr], ...]"
"""Lists of conditions, each with an expression without conditions: the first list whose conditions all hold selects its own."""


class Control(Struct, frozen=True):
    """The control of a machine: a machine with outputs, and the tests and choices that connect it with data."""

    machine: Machine
    outputs: Mapping[str, Expr]
    tests: Mapping[str, Expr]
    """The test that each new input is the result of."""
    choices: Mapping[str, tuple[Expr, ...]]
    """For each new output, the expressions that its numbers select."""


def control_of(machine: Machine, outputs: Mapping[str, Expr]) -> Control:
    """The control of a machine with these outputs; the next values of remembered data are outputs, too."""
    return _Split(machine).control(outputs)


def next_of(name: str) -> str:
    """The name of the output that chooses the next value of a memory."""
    return f"next({name})"


class _Split:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.data = {name for name, variable in machine.variables.items() if is_data(variable)}
        self.abstract = {name for name in self.data if isinstance(machine.variables[name].type, Enumeration)}
        self.tests: dict[Expr, str] = {}
        self._booleans: dict[Expr, Expr] = {}
        self._choices: dict[Expr, Choices] = {}
        self._interpreter = Interpreter(machine)

    def control(self, outputs: Mapping[str, Expr]) -> Control:
        machine = self.machine
        shown: dict[str, Expr] = {}
        choices: dict[str, tuple[Expr, ...]] = {}
        flows = {next_of(name): expr for name, expr in machine.next_values.items() if name in self.data}
        for name, expr in {**outputs, **flows}.items():
            if self._is_control(expr):
                shown[name] = self.boolean(expr)
            else:
                cases = self.choices(expr)
                choices[name] = tuple(dict.fromkeys(leaf for _, leaf in cases))
                shown[name] = _selected(cases, choices[name])
        variables = {name: v for name, v in machine.variables.items() if name not in self.data}
        subject = replace(
            machine,
            initial_values={name: self.boolean(e) for name, e in machine.initial_values.items() if name in variables},
            current_values={name: self.boolean(e) for name, e in machine.current_values.items() if name in variables},
            next_values={name: self.boolean(e) for name, e in machine.next_values.items() if name in variables},
            initial_constraints=self._constraints(machine.initial_constraints),
            invariant_constraints=self._constraints(machine.invariant_constraints),
            transition_constraints=self._constraints(machine.transition_constraints),
            properties=(),
            outputs=(),
        )
        tests = {name: Variable(name, Boolean(), Kind.INPUT) for name in self.tests.values()}
        free = {name: e for name, e in machine.definitions.items() if not machine.variables_of(e) & self.data}
        subject = replace(subject, variables={**variables, **tests}, definitions=free)
        return Control(subject, shown, {name: expr for expr, name in self.tests.items()}, choices)

    def _constraints(self, exprs: tuple[Expr, ...]) -> tuple[Expr, ...]:
        """The assertions about control. Those about data are left out, which allows more inputs."""
        return tuple(expr for expr in exprs if not self.machine.variables_of(expr) & self.data)

    def _is_control(self, expr: Expr) -> bool:
        """Is the value of the expression boolean, or a symbol of a type with several?"""
        kind = type_of(expr, self.machine)
        return kind is BOOLEAN or (kind is SYMBOL and not self.machine.variables_of(expr) & self.abstract)

    def boolean(self, expr: Expr) -> Expr:
        """The expression with tests for comparisons of data."""
        if not self.machine.variables_of(expr) & self.data:
            return expr
        condition = self._booleans.get(expr)
        if condition is None:
            condition = self._booleans[expr] = self._boolean(expr)
        return condition

    def _boolean(self, expr: Expr) -> Expr:
        if isinstance(expr, Name):
            return self.boolean(self.machine.definitions[expr.name])
        assert isinstance(expr, Apply)
        if expr.op in _COMPARISONS and not all(map(self._is_control, expr.args)):
            parts: list[Expr] = []
            for conditions, comparison in self._combined(expr):
                parts += [conjunction(list(conditions)), self._test(comparison)]
            return Apply("case", (*parts[:-2], TRUE, parts[-1])) if len(parts) > 2 else parts[-1]
        return Apply(expr.op, tuple(map(self.boolean, expr.args)), expr.span)

    def _test(self, comparison: Expr) -> Expr:
        if not self.machine.variables_of(comparison):
            return TRUE if self._interpreter.value(comparison, {}) else FALSE
        assert isinstance(comparison, Apply)
        if comparison.op in ("=", "!=") and comparison.args[0] == comparison.args[1]:
            return TRUE if comparison.op == "=" else FALSE
        if comparison not in self.tests:
            name = f"test_{len(self.tests) + 1}"
            while name in self.machine.variables or name in self.machine.definitions:
                name += "_"
            self.tests[comparison] = name
        return Name(self.tests[comparison])

    def choices(self, expr: Expr) -> Choices:
        """The expression without conditions, for each condition."""
        cases = self._choices.get(expr)
        if cases is None:
            cases = self._choices[expr] = self._cases(expr)
            if len(cases) > MOST_CHOICES:
                raise Unsupported(f"`{show(expr)}` has more than {MOST_CHOICES} cases", expr.span)
        return cases

    def _cases(self, expr: Expr) -> Choices:
        if isinstance(expr, Name) and expr.name in self.machine.definitions:
            return self.choices(self.machine.definitions[expr.name])
        if not isinstance(expr, Apply):
            return (((), expr),)
        if expr.op != "case":
            return self._combined(expr)
        cases: list[tuple[tuple[Expr, ...], Expr]] = []
        for condition, value in zip(expr.args[::2], expr.args[1::2]):
            guard = self.boolean(condition)
            cases += [((*([] if guard == TRUE else [guard]), *conditions), leaf) for conditions, leaf in self.choices(value)]
        return tuple(cases)

    def _combined(self, expr: Apply) -> Choices:
        cases = []
        for combination in product(*map(self.choices, expr.args)):
            conditions = tuple(dict.fromkeys(condition for conditions, _ in combination for condition in conditions))
            cases.append((conditions, Apply(expr.op, tuple(leaf for _, leaf in combination))))
            if len(cases) > MOST_CHOICES:
                raise Unsupported(f"`{show(expr)}` has more than {MOST_CHOICES} cases", expr.span)
        return tuple(cases)


def is_data(variable: Variable) -> bool:
    """Is the variable a number, or of a type with one value?"""
    return not isinstance(variable.type, Boolean) and not (isinstance(variable.type, Enumeration) and variable.type.size > 1)


def _selected(choices: Choices, leaves: tuple[Expr, ...]) -> Expr:
    """The number of the leaf that is chosen."""
    number = {leaf: index for index, leaf in enumerate(leaves)}
    parts: list[Expr] = []
    for conditions, leaf in choices:
        parts += [conjunction(list(conditions)), Constant(number[leaf])]
    return Apply("case", (*parts[:-2], TRUE, parts[-1])) if len(parts) > 2 else parts[-1]
