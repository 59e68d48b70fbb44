"""Expressions and equations of a machine as z3 terms.

A boolean variable is a boolean constant of z3, a range, an integer or an enumeration of integers is an integer constant, a real
is a real one. An enumeration with symbols is held in boolean constants, the bits of the index of the member: in a number it would
take part in arithmetic. As for BDDs, an equation that leaves the type of its variable is an error of the model, and the error
names values that lead there.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from coarsest.encode.evaluate import Evaluator
from coarsest.encode.values import Boole, MemberTable, SolverNumber, Symbolic
from coarsest.errors import ModelProblem, TypeProblem, Unsupported
from coarsest.logic.expr import Expr, Value
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.model.types import Boolean, Enumeration, IntegerType, Range, RealType, Type, WordType, show_value
from coarsest.space.smt.smt_operators import Operators, Single
from coarsest.space.smt.smt_solver import Solver
from coarsest.space.smt.smt_values import Formula, Values
from coarsest.z3_calls import constants

if TYPE_CHECKING:
    import z3


Held: TypeAlias = "tuple[z3.ExprRef, ...]"
"""A variable or a value as z3 holds it: one term, or the bits of an index, the lowest first."""


def members_by_index(kind: Type) -> tuple[str | int, ...]:
    """The members of a type whose variables hold the index of their value; of other types, none."""
    if isinstance(kind, Enumeration) and not all(isinstance(member, int) for member in kind.members):
        return kind.members
    return ()


class Terms(Evaluator[Formula]):
    """The terms of one machine; every shared part of an expression is made once."""

    operators: Operators

    def __init__(self, machine: Machine, solver: Solver) -> None:
        self.solver = solver
        self.z3 = solver.z3
        self.context = solver.context
        self.values = Values(self.z3, self.context)
        operators = Operators(self.values, solver)
        super().__init__(machine, operators, *map(operators.formula, (self.values.true, self.values.false)))
        self.now = {v.name: self._constants(v, v.name) for v in machine.variables.values()}
        self.after = {v.name: self._constants(v, f"next({v.name})") for v in machine.of_kind(Kind.STATE)}
        self.after |= {v.name: self.now[v.name] for v in machine.of_kind(Kind.FROZEN)}
        for variable in machine.variables.values():
            solver.add(self.domain(variable))
            if variable.kind is Kind.STATE:
                solver.add(self.domain(variable, after=True))

    def _constants(self, variable: Variable, name: str) -> Held:
        z3, context = self.z3, self.context
        members = members_by_index(variable.type)
        if members:
            return tuple(z3.Bool(f"{name}.{bit}", context) for bit in range((len(members) - 1).bit_length()))
        match variable.type:
            case Boolean():
                return (z3.Bool(name, context),)
            case RealType():
                return (z3.Real(name, context),)
            case WordType():
                hint = "formulas can hold a range such as 0..255; words need BDDs (--carrier bdd)"
                raise Unsupported(f"`{variable.name}` is a word, which formulas cannot hold", variable.span, hint=hint)
        return (z3.Int(name, context),)

    def domain(self, variable: Variable, *, after: bool = False) -> z3.BoolRef:
        """That a variable has one of its values."""
        held, values = (self.after if after else self.now)[variable.name], self.values
        members = members_by_index(variable.type)
        if members:
            unused = range(len(members), 1 << len(held))
            return values.both(*(values.opposite(self._has_index(held, index)) for index in unused))
        match variable.type:
            case Range(low, high):
                return self.z3.And(low <= held[0], held[0] <= high)
            case Enumeration(numbers):
                return values.either(*(held[0] == number for number in numbers))
        return values.true

    def _has_index(self, bits: Held, index: int) -> z3.BoolRef:
        values = self.values
        return values.both(*(bit if index >> place & 1 else values.opposite(bit) for place, bit in enumerate(bits)))

    # Expressions

    def _merged(self, options: Sequence[tuple[Formula, Single]]) -> Symbolic[Formula]:
        return super()._merged(self.operators.alike(options))

    def variable(self, variable: Variable, *, after: bool = False) -> Single:
        """The value of a variable now, or after the step."""
        if after and variable.kind is Kind.INPUT:
            raise ModelProblem(f"'next({variable.name})': an input has no next value", variable.span)
        held = (self.after if after else self.now)[variable.name]
        members = members_by_index(variable.type)
        if members:
            formula = self.operators.formula
            where = {member: formula(self._has_index(held, index)) for index, member in enumerate(members)}
            return MemberTable(where, tuple(map(formula, held)))
        return Boole(self.operators.formula(held[0])) if isinstance(variable.type, Boolean) else SolverNumber(held[0])

    # Equations and constraints

    def condition(self, expr: Expr, *, after: bool = False) -> z3.BoolRef:
        """Where a boolean expression holds, or may hold; it must be defined everywhere."""
        self._require_defined(expr, after=after)
        return self.boolean(expr, after=after).term

    def assigned(self, variable: Variable, expr: Expr, *, after: bool) -> list[tuple[z3.BoolRef, Held]]:
        """What a variable may be given by `x := e`, in the form in which the variable is held, each with its condition."""
        self._require_defined(expr, after=after)
        found, outside = [], []
        for condition, value in self._options(self.value(expr, after=after)):
            held, wrong = self._held(variable, value)
            found.append((condition.term, held))
            outside.append(self.values.both(condition.term, wrong))
        leaves = self.values.either(*outside)
        example = None if self.z3.is_false(leaves) else self._example(self.operators.formula(leaves))
        if example is not None:
            message = f"`{variable.name}` is of type {variable.type} and is given another value when {example}"
            raise ModelProblem(message, expr.span, hint="widen the type, or limit the value with a case")
        return found

    def _held(self, variable: Variable, value: Single) -> tuple[Held, z3.BoolRef]:
        """A value as the variable holds it, and where it is none of the variable's values."""
        z3, values = self.z3, self.values
        members = members_by_index(variable.type)
        if members and not isinstance(value, Boole):
            return self._index(members, value)
        match variable.type, value:
            case Boolean(), Boole(where):
                return (where.term,), values.false
            case IntegerType(), SolverNumber() | MemberTable():
                return (self.operators.number(value),), values.false
            case RealType(), SolverNumber(term):
                return (term if value.is_real else z3.ToReal(term),), values.false
            case Range(low, high), SolverNumber() | MemberTable():
                number = self.operators.number(value)
                return (number,), values.either(number < low, number > high)
            case Enumeration(numbers), SolverNumber() | MemberTable():
                number = self.operators.number(value)
                return (number,), values.both(*(number != member for member in numbers))
        raise TypeProblem(f"'{variable.name}' is of type {variable.type} and cannot have a value of another type")

    def _index(self, members: Sequence[str | int], value: Single) -> tuple[Held, z3.BoolRef]:
        values = self.values
        if isinstance(value, MemberTable) and value.index and list(value.where) == list(members):
            return tuple(bit.term for bit in value.index), values.false
        here = [self.operators.equal(value, self.operators.constant(member)).term for member in members]
        places = range((len(members) - 1).bit_length())
        bits = tuple(values.either(*(h for index, h in enumerate(here) if index >> place & 1)) for place in places)
        return bits, values.opposite(values.either(*here))

    # Values

    def equals(self, held: Held, others: Held) -> z3.BoolRef:
        """That two things are held alike."""
        return self.values.both(*(one == other for one, other in zip(held, others)))

    def constant(self, variable: Variable, value: Value) -> Held:
        """A value as the variable holds it."""
        z3, context = self.z3, self.context
        members = members_by_index(variable.type)
        if members:
            assert isinstance(value, str | int)
            index, bits = members.index(value), len(self.now[variable.name])
            return tuple(z3.BoolVal(bool(index >> place & 1), context) for place in range(bits))
        if isinstance(variable.type, RealType):
            return (z3.RealVal(value, context),)
        return (z3.BoolVal(value, context) if isinstance(value, bool) else z3.IntVal(value, context),)

    def held_value(self, variable: Variable, held: Held) -> Value:
        """The value that constant terms stand for."""
        z3 = self.z3
        members = members_by_index(variable.type)
        if members:
            return members[sum(1 << place for place, bit in enumerate(held) if z3.is_true(bit))]
        (term,) = held
        if z3.is_bool(term):
            return bool(z3.is_true(term))
        if isinstance(variable.type, RealType):
            return Fraction(term.numerator_as_long(), term.denominator_as_long())
        number: int = term.as_long()
        return number

    def _example(self, where: Formula) -> str | None:
        model = self.solver.model(where.term)
        if model is None:
            return None
        read = {part.get_id() for part in constants(self.z3, where.term)}
        shown = []
        for variable in self.machine.variables.values():
            for name, places in ((variable.name, self.now), (f"next({variable.name})", self.after)):
                held = places.get(variable.name, ())
                if any(term.get_id() in read for term in held):
                    value = self.held_value(variable, tuple(model.eval(term, model_completion=True) for term in held))
                    shown.append(f"{name} = {show_value(value)}")
        return ", ".join(dict.fromkeys(shown)) or "the step is taken"
