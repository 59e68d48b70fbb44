"""The states and steps of a machine as clauses: bit by bit, without the encoding that the engines use.

Three vectors of literals represent one step: the state *now*, the *inputs*, the state *after*. As in certificates, a value of a
range is represented by its distance from the lowest value, a member of an enumeration by its index.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import product
from math import prod

from coarsest import tuning
from coarsest.evidence.effort import NotConfirmed
from coarsest.evidence.sat.clauses import FALSE, TRUE, Clauses
from coarsest.evidence.sat.cnf_numbers import Vector, constant, trim
from coarsest.evidence.sat.cnf_values import (
    LiteralOperators,
    Number,
    Single,
    Symbols,
    Truth,
    Value,
    WordLiterals,
    can_be,
    can_be_true,
    constant_numbers,
    intervals,
    of_constant,
    width_of,
)
from coarsest.logic.expr import Apply, Constant, Expr, Name
from coarsest.logic.operators import PARAMETRIC, SETTLED_BY
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.model.types import Boolean, Enumeration, Range, WordType


class MachineClauses:
    """One step of a machine; its first state may be the last state of another step (`behind`)."""

    def __init__(self, clauses: Clauses, machine: Machine, *, behind: MachineClauses | None = None) -> None:
        self.clauses = clauses
        self.machine = machine
        self.operators = LiteralOperators(clauses)
        self.now: dict[str, Vector] = {}
        self.after: dict[str, Vector] = {}
        for name, variable in machine.variables.items():
            held = None if behind is None else behind.after.get(name)
            self.now[name] = clauses.vector(width_of(variable.type)) if held is None else held
            if variable.kind is Kind.STATE:
                self.after[name] = clauses.vector(len(self.now[name]))
            elif variable.kind is Kind.FROZEN:
                self.after[name] = self.now[name]
        self._values: dict[tuple[int, bool], tuple[Expr, Value]] = {}
        self._undefined: dict[tuple[int, bool], int] = {}
        self._variables: dict[tuple[str, bool], Single] = {}
        self.problems: list[int] = []
        """Conditions under which an expression has no value, or a variable is given a value outside its type."""

    # Expressions

    def value(self, expr: Expr, *, after: bool = False) -> Value:
        """The value of an expression now, or after the step. There is no recursion, since expressions may be deep."""
        waiting = [(expr, after)]
        opening: set[tuple[int, bool]] = set()
        while waiting:
            part, later = waiting[-1]
            key = id(part), later
            if key in self._values:
                waiting.pop()
                continue
            missing = [(arg, when) for arg, when in self._parts(part, after=later) if (id(arg), when) not in self._values]
            if not missing:
                waiting.pop()
                self._values[key] = part, self._compute(part, after=later)
            elif key in opening:
                raise NotConfirmed("a definition refers to itself")
            else:
                opening.add(key)
                waiting.extend(missing)
        return self._values[id(expr), after][1]

    def _parts(self, expr: Expr, *, after: bool) -> list[tuple[Expr, bool]]:
        match expr:
            case Apply("next", args):
                return [(arg, True) for arg in args]
            case Apply(op, args):
                return [(arg, after) for arg in (args[:1] if op in PARAMETRIC else args)]
            case Name(name) if name not in self.machine.variables:
                if name not in self.machine.definitions:
                    raise NotConfirmed(f"the name '{name}' has no meaning in the model")
                return [(self.machine.definitions[name], after)]
        return []

    def _computed(self, expr: Expr, *, after: bool) -> Value:
        return self._values[id(expr), after][1]

    def _compute(self, expr: Expr, *, after: bool) -> Value:
        match expr:
            case Constant(value):
                return Value([(TRUE, of_constant(value))])
            case Name(name):
                if name in self.machine.variables:
                    return Value([(TRUE, self.variable(self.machine.variables[name], after=after))])
                (part,) = self._parts(expr, after=after)
            case Apply("next", _):
                (part,) = self._parts(expr, after=after)
            case Apply("case", args):
                return self._case(expr, args, after=after)
            case Apply(op, args):
                return self._apply(expr, op, args, after=after)
        self._note(expr, self._undefined.get((id(part[0]), part[1]), FALSE), after=after)
        return self._computed(part[0], after=part[1])

    def _note(self, expr: Expr, undefined: int, *, after: bool) -> None:
        if undefined != FALSE:
            key = id(expr), after
            self._undefined[key] = self.clauses.either(self._undefined.get(key, FALSE), undefined)

    def _apply(self, expr: Expr, op: str, args: tuple[Expr, ...], *, after: bool) -> Value:
        parameters: list[int] = []
        if op in PARAMETRIC:
            parameters = [arg.value for arg in args[1:] if isinstance(arg, Constant) and isinstance(arg.value, int)]
            args = args[:1]
        values = [self._computed(arg, after=after) for arg in args]
        self._note_operands(expr, op, args, after=after)
        match op:
            case "set" | "union":
                options = [option for value in values for option in value.options]
                return Value(options, single=len(values) == 1 and values[0].single)
            case "in":
                return Value([(TRUE, Truth(self._included(values[0], values[1])))])
        options = []
        if prod(len(value.options) for value in values) > tuning.JUDGED_COMBINATIONS and len(values) > 1:
            raise NotConfirmed(f"choices meet in more than {tuning.JUDGED_COMBINATIONS} combinations")
        for combination in product(*(value.options for value in values)):
            condition = self.clauses.every(when for when, _ in combination)
            if condition == FALSE:
                continue
            singles = [single for _, single in combination]
            undefined = self.clauses.both(condition, self.operators.undefined(op, singles))
            self._note(expr, undefined, after=after)
            options.append((condition, self.operators.apply(op, singles, parameters)))
        return Value(options, single=all(value.single for value in values))

    def _note_operands(self, expr: Expr, op: str, args: Sequence[Expr], *, after: bool) -> None:
        """There is no value if an operand has none, unless another operand settles `&`, `|` or `->`."""
        clauses = self.clauses
        lacking = [self._undefined.get((id(arg), after), FALSE) for arg in args]
        undefined = clauses.some(lacking)
        if undefined != FALSE and op in SETTLED_BY:
            for number, arg in enumerate(args):
                unsettled = can_be(clauses, self._computed(arg, after=after), truth=not SETTLED_BY[op][number > 0])
                undefined = clauses.both(undefined, clauses.either(unsettled, lacking[number]))
        self._note(expr, undefined, after=after)

    def _included(self, element: Value, collection: Value) -> int:
        """Is every option of the element an option of the collection?"""
        clauses, equal = self.clauses, self.operators.equal
        inside = []
        for condition, single in element.options:
            is_member = clauses.some(clauses.both(when, equal(single, member)) for when, member in collection.options)
            inside.append(clauses.implies(condition, is_member))
        return clauses.every(inside)

    def _case(self, expr: Expr, args: tuple[Expr, ...], *, after: bool) -> Value:
        clauses = self.clauses
        still_open = TRUE
        branches: list[tuple[int, Value]] = []
        for condition, then in zip(args[::2], args[1::2]):
            holds = can_be_true(clauses, self._computed(condition, after=after))
            taken = clauses.both(still_open, holds)
            undefined = self._undefined.get((id(condition), after), FALSE)
            self._note(expr, clauses.both(still_open, undefined), after=after)
            self._note(expr, clauses.both(taken, self._undefined.get((id(then), after), FALSE)), after=after)
            branches.append((taken, self._computed(then, after=after)))
            still_open = clauses.both(still_open, -holds)
        self._note(expr, still_open, after=after)
        return self._joined(branches)

    def _joined(self, branches: Sequence[tuple[int, Value]]) -> Value:
        """The value of the branch that is taken."""
        result: Single | None = None
        if all(len(value.options) == 1 for _, value in branches):
            result = branches[-1][1].options[0][1]
            for taken, value in reversed(branches[:-1]):
                result = self.operators.choose(taken, value.options[0][1], result) if result is not None else None
        if result is not None:
            return Value([(TRUE, result)])
        options = [(self.clauses.both(taken, when), single) for taken, value in branches for when, single in value.options]
        return Value([option for option in options if option[0] != FALSE], single=all(value.single for _, value in branches))

    def condition(self, expr: Expr, *, after: bool = False) -> int:
        """The condition that a boolean expression can be true; that it may have no value is added to the problems."""
        value = self.value(expr, after=after)
        self._examine(expr, after=after)
        return can_be_true(self.clauses, value)

    def _examine(self, expr: Expr, *, after: bool) -> None:
        undefined = self._undefined.get((id(expr), after), FALSE)
        if undefined != FALSE:
            self.problems.append(undefined)

    # Variables

    def variable(self, variable: Variable, *, after: bool) -> Single:
        key = variable.name, after
        if key not in self._variables:
            self._variables[key] = self._variable(variable, after=after)
        return self._variables[key]

    def _variable(self, variable: Variable, *, after: bool) -> Single:
        if after and variable.name not in self.after:
            raise NotConfirmed(f"next({variable.name}) of an input occurs in it")
        vector = (self.after if after else self.now)[variable.name]
        match variable.type:
            case Boolean():
                return Truth(vector[0])
            case WordType(_, signed):
                return WordLiterals(vector, signed)
            case Range(low, _):
                return Number(self.operators.numbers.add((*vector, FALSE), constant(low)))
            case Enumeration(members):
                where = {member: self._has_code(vector, code) for code, member in enumerate(members)}
                if not all(isinstance(member, int) for member in members):
                    return Symbols(where)
                number = constant(int(members[-1]))
                for member in reversed(members[:-1]):
                    number = self.operators.numbers.choose(where[member], constant(int(member)), number)
                return Number(number)
        raise NotConfirmed(f"the type {variable.type} occurs in it")

    def _has_code(self, vector: Vector, code: int) -> int:
        return self.clauses.every(bit if code >> place & 1 else -bit for place, bit in enumerate(vector))

    def domain(self, variable: Variable, *, after: bool = False) -> int:
        """Do the bits of the variable represent one of its values?"""
        return self.is_code(variable, (self.after if after else self.now)[variable.name])

    def is_code(self, variable: Variable, vector: Vector) -> int:
        """Do these bits represent a value of the variable?"""
        size = variable.type.size
        return TRUE if size == 1 << len(vector) else self.operators.numbers.less((*vector, FALSE), constant(size))

    def is_single(self, expr: Expr) -> bool:
        """Does the expression have exactly one value in every state, for all inputs?"""
        return self.value(expr).single

    def equation(self, variable: Variable, expr: Expr, *, after: bool, of_next: bool = False) -> int:
        """`variable = expr`, now or after the step; with `of_next`, next(variable) = expr."""
        value = self.value(expr, after=after)
        self._examine(expr, after=after)
        held = self.variable(variable, after=after or of_next)
        numbers = constant_numbers(value)
        if numbers is not None and isinstance(held, Number):
            self._require_in_type(variable, numbers)
            return self._between(held.vector, intervals(numbers))
        clauses = self.clauses
        cases = []
        for condition, single in value.options:
            self._note_outside(variable, condition, single)
            cases.append(clauses.both(condition, self.operators.equal(held, single)))
        return clauses.some(cases)

    def _between(self, vector: Vector, ranges: Iterable[tuple[int, int]]) -> int:
        clauses, less = self.clauses, self.operators.numbers.less
        return clauses.some(clauses.both(-less(vector, constant(low)), -less(constant(high), vector)) for low, high in ranges)

    def _require_in_type(self, variable: Variable, numbers: Iterable[int]) -> None:
        held = set(variable.type.values()) if isinstance(variable.type, Enumeration) else None
        for number in numbers:
            inside = number in held if held is not None else variable.type.low <= number <= variable.type.high  # type: ignore[union-attr]
            if not inside:
                self.problems.append(TRUE)

    def _note_outside(self, variable: Variable, condition: int, single: Single) -> None:
        """Add a value outside the type of the variable to the problems."""
        clauses = self.clauses
        match variable.type, single:
            case (Boolean(), Truth()):
                return
            case (WordType(width, signed), WordLiterals(vector, sign)) if len(vector) == width and signed == sign:
                return
            case (Range(low, high), Number(vector)):
                outside = -self._between(trim(vector), [(low, high)])
            case (Enumeration(members), Number(vector)):
                inside = [self.operators.numbers.equal(vector, constant(m)) for m in members if isinstance(m, int)]
                outside = -clauses.some(inside)
            case (Enumeration(members), Symbols(where)):
                outside = clauses.some(here for member, here in where.items() if member not in members)
            case (Range(low, high), Symbols(where)):
                held = range(low, high + 1)
                outside = clauses.some(here for member, here in where.items() if member not in held)
            case _:
                outside = TRUE
        problem = clauses.both(condition, outside)
        if problem != FALSE:
            self.problems.append(problem)

    # States and steps

    @cached_property
    def domains(self) -> int:
        """All bits that a condition may depend on represent values: those of both states, and of the inputs."""
        now = [self.domain(variable) for variable in self.machine.variables.values()]
        return self.clauses.every([*now, self.domains_after])

    @cached_property
    def domains_after(self) -> int:
        return self.clauses.every(self.domain(v, after=True) for v in self.machine.of_kind(Kind.STATE))

    @cached_property
    def legal(self) -> int:
        """The current state has values of its types and satisfies all constraints on states."""
        return self.legal_without(())

    def legal_without(self, names: Collection[str], *, after: bool = False) -> int:
        """`legal`, except that the bits of some variables need not represent values."""
        machine = self.machine
        parts = [self.domain(v, after=after) for v in machine.of_kind(Kind.STATE, Kind.FROZEN) if v.name not in names]
        parts += [self.equation(machine.variables[name], expr, after=after) for name, expr in machine.current_values.items()]
        parts += [self.condition(expr, after=after) for expr in machine.invariant_constraints]
        return self.clauses.every(parts)

    @cached_property
    def initial(self) -> int:
        machine = self.machine
        parts = [self.equation(machine.variables[name], expr, after=False) for name, expr in machine.initial_values.items()]
        parts += [self.condition(expr) for expr in machine.initial_constraints]
        return self.clauses.every([self.legal, *parts])

    @cached_property
    def next_equations(self) -> Mapping[str, int]:
        machine = self.machine
        equations = machine.next_values.items()
        return {name: self.equation(machine.variables[name], e, after=False, of_next=True) for name, e in equations}

    @cached_property
    def step(self) -> int:
        """The inputs lead from the current state to the next state."""
        inputs = [self.domain(variable) for variable in self.machine.input_variables]
        constraints = [self.condition(expr) for expr in self.machine.transition_constraints]
        return self.clauses.every([*inputs, *constraints, *self.next_equations.values(), self.legal_without((), after=True)])
