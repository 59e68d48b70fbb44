"""Symbolic execution of a block of statements: the value of every variable after it, as an expression over the values before it.

Reference: Bouajjani, Fernandez, Halbwachs, Raymond, Ratel 1994, sections 1 and 4: a state consists of the values of the variables
           at the top of the loop, and pre of a set of states is computed by substitution.
Symbols:   `values` maps a variable to its current value; `path` holds the conditions under which the execution gets here.
Invariant: expressions share their parts, so their graph is no larger than the program.
Deviates:  conditionals; that a value stays in its range becomes a property, and a value outside becomes the lower bound.
Cost:      one step for each statement, and one case for each variable that a conditional changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from msgspec import Struct, field

from coarsest.errors import ModelProblem, TypeProblem
from coarsest.formats.program.names import ProgramNames
from coarsest.formats.program.syntax import Assign, IfStatement, ProgramClaim, Read, Statement, Write
from coarsest.logic.expr import TRUE, Apply, Constant, Expr, Name, conjunction, replace, subexpressions
from coarsest.model.checks.intervals import NOTHING, Interval, Intervals, interval_of_type
from coarsest.model.checks.typecheck import TypeChecker
from coarsest.model.machine import Kind, Property, Variable, invariant
from coarsest.model.types import Range
from coarsest.text import Span


class Output(Struct):
    """One expression of a `write`: its value and the condition under which it is written."""

    value: Expr
    when: Expr
    source: Expr


class Effects(Struct):
    """The results of an execution."""

    values: dict[str, Expr]
    inputs: dict[str, Variable] = field(default_factory=dict)
    outputs: list[Output] = field(default_factory=list)
    assumptions: list[Expr] = field(default_factory=list)
    properties: list[Property] = field(default_factory=list)


class BlockExecution:
    """Executes blocks; `in_loop` says that they are in the body of the loop, whose assertions are properties."""

    def __init__(self, names: ProgramNames, *, in_loop: bool) -> None:
        self.names = names
        self.in_loop = in_loop
        self.effects = Effects({name: Name(name) for name in names.variables})
        self.path: list[Expr] = []
        self._checker = TypeChecker(names.variables, lambda _: None)
        self._bounds = {name: interval_of_type(variable.type) for name, variable in names.variables.items()}

    def run(self, block: Sequence[Statement]) -> Effects:
        """Execute the statements one after another."""
        for statement in block:
            match statement:
                case Assign():
                    self._assign(statement)
                case Read():
                    self._read(statement)
                case Write():
                    self._write(statement)
                case ProgramClaim():
                    self._claim(statement)
                case IfStatement():
                    self._if(statement)
        return self.effects

    def _value(self, source: Expr) -> Expr:
        """The current value of a resolved expression."""
        self._refuse_division_by_zero(source)
        return self._substituted(source)

    def _substituted(self, source: Expr) -> Expr:
        values = self.effects.values
        return replace(source, lambda part: values[part.name] if isinstance(part, Name) else None)

    # -- statements --------------------------------------------------------------------------------------------------------

    def _assign(self, statement: Assign) -> None:
        variable = self.names.variables[statement.target.name]
        source = self.names.resolve(statement.value)
        with self._hints_for_programs(variable):
            self._checker.check_assignment(variable, source, f"the value assigned to `{variable.name}`")
        value = self._value(source)
        if isinstance(variable.type, Range):
            value = self._limited(variable, variable.type, value, source.span)
        self.effects.values[variable.name] = value

    def _limited(self, variable: Variable, kind: Range, value: Expr, span: Span | None) -> Expr:
        if self._interval(value).within(Interval(kind.low, kind.high)):
            return value
        if not self.in_loop:
            message = f"the value assigned to `{variable.name}` may lie outside {kind}"
            raise ModelProblem(message, span, hint="before the loop, it must be certain that every value fits")
        fits = Apply("and", (Apply(">=", (value, Constant(kind.low))), Apply("<=", (value, Constant(kind.high)))))
        shown = f"{variable.name} stays in {kind} at `{_shown(span)}`"
        self._property(fits, shown, span)
        return Apply("case", (fits, value, TRUE, Constant(kind.low)), span)

    def _read(self, statement: Read) -> None:
        for target in statement.targets:
            name, number = f"{target.name}.read", 1
            while name in self.effects.inputs:
                number += 1
                name = f"{target.name}.read{number}"
            kind = self.names.variables[target.name].type
            self.effects.inputs[name] = Variable(name, kind, Kind.INPUT, target.span)
            self._bounds[name] = interval_of_type(kind)
            self.effects.values[target.name] = Name(name, target.span)

    def _write(self, statement: Write) -> None:
        if not self.in_loop:
            hint = "move it into the loop: states are the values of the variables at the top of the loop"
            raise ModelProblem("`write` is before the loop", statement.span, hint=hint)
        for source in statement.values:
            resolved = self.names.resolve(source)
            with self._hints_for_programs():
                self._checker.type_of(resolved)
            self.effects.outputs.append(Output(self._value(resolved), conjunction(self.path), resolved))

    def _claim(self, statement: ProgramClaim) -> None:
        condition = self.names.resolve(statement.condition)
        word = "assume" if statement.assumed else "assert"
        with self._hints_for_programs():
            self._checker.check_boolean(condition, f"the condition of `{word}`")
        value = self._value(condition)
        if statement.assumed:
            self.effects.assumptions.append(self._here_only(value))
        elif self.in_loop:
            self._property(value, " ".join(statement.span.text.split()), statement.span)
        else:
            raise ModelProblem("`assert` is before the loop", statement.span, hint="move it to the top of the loop")

    def _if(self, statement: IfStatement) -> None:
        before, depth = self.effects.values, len(self.path)
        arms: list[tuple[Expr, Mapping[str, Expr]]] = []
        for source, block in statement.branches:
            self.effects.values = before
            resolved = self.names.resolve(source)
            with self._hints_for_programs():
                self._checker.check_boolean(resolved, "the condition of `if`")
            condition = self._value(resolved)
            self.path.append(condition)
            arms.append((condition, self._arm(before, block)))
            self.path[-1] = Apply("not", (condition,))
        arms.append((TRUE, self._arm(before, statement.otherwise)))
        del self.path[depth:]
        self.effects.values = {name: _merged(name, arms, before[name]) for name in before}

    def _arm(self, before: Mapping[str, Expr], block: Sequence[Statement]) -> Mapping[str, Expr]:
        self.effects.values = dict(before)
        self.run(block)
        return self.effects.values

    @contextmanager
    def _hints_for_programs(self, target: Variable | None = None) -> Iterator[None]:
        """Translate type errors into the words of this language."""
        try:
            yield
        except TypeProblem as problem:
            message, span, hint = problem.diagnostic.message, problem.diagnostic.span, ""
            if target is not None and target.name not in self.names.declared:
                message = message.replace(f"`{target.name}` is declared", f"`{target.name}` is not declared, and so")
                hint = f"declare it first, as in `var {target.name} : 0..7;`"
            elif "boolean" in message:
                hint = "the booleans are `true` and `false`, not 0 and 1; a comparison turns a number into a boolean"
            raise TypeProblem(message, span, hint=hint) from None

    # -- conditions --------------------------------------------------------------------------------------------------------

    def _here_only(self, condition: Expr) -> Expr:
        return Apply("implies", (conjunction(self.path), condition)) if self.path else condition

    def _property(self, condition: Expr, text: str, span: Span | None) -> None:
        assumed = conjunction(list(self.effects.assumptions))
        claim = self._here_only(condition)
        formula = Apply("implies", (assumed, claim)) if self.effects.assumptions else claim
        self.effects.properties.append(invariant(formula, text=text, span=span))

    def _interval(self, value: Expr) -> Interval:
        """An interval around a value; it is empty if the execution never gets here."""
        intervals: Intervals | None = Intervals(self._bounds, {})
        for condition in (*self.path, *self.effects.assumptions):
            intervals = None if intervals is None else intervals.under(condition, holds=True)
        return NOTHING if intervals is None else intervals.of(value)

    def _refuse_division_by_zero(self, source: Expr) -> None:
        for part in subexpressions(source):
            if not (isinstance(part, Apply) and part.op in ("/", "mod")):
                continue
            divisor = part.args[1]
            values = self._interval(self._substituted(divisor))
            if values.is_empty or (values.low is not None and values.low > 0) or (values.high is not None and values.high < 0):
                continue
            hint = "put it under an `if` that excludes 0"
            raise ModelProblem(f"the divisor `{_shown(divisor.span)}` may be 0", divisor.span, hint=hint)


def _merged(name: str, arms: Sequence[tuple[Expr, Mapping[str, Expr]]], before: Expr) -> Expr:
    """The value after a conditional, which is the value before it if no arm changes it."""
    if all(values[name] is before for _, values in arms):
        return before
    parts = [part for condition, values in arms for part in (condition, values[name])]
    return Apply("case", tuple(parts))


def _shown(span: Span | None) -> str:
    return "" if span is None else " ".join(span.text.split())
