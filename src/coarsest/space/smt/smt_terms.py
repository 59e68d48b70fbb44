"""Expressions and equations of a machine as z3 terms.

A boolean variable is a boolean constant of z3, a range, an integer or an enumeration of integers is an integer constant, a real
is a real one. An enumeration with symbols is held in boolean constants, the bits of the index of the member: in a number it would
take part in arithmetic. As for BDDs, an expression that is undefined somewhere (no case applies, a divisor is 0) or an equation
that leaves the type of its variable is an error of the model, and the error names values that lead there.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, TypeAlias

from coarsest.errors import InputError, ModelProblem, TypeProblem, Unsupported
from coarsest.logic.expr import Apply, Constant, Expr, Name, Value
from coarsest.logic.operators import SETTLED_BY
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.model.types import Boolean, Enumeration, IntegerType, Range, RealType, Type, WordType, show_value
from coarsest.space.smt.smt_operators import Operators
from coarsest.space.smt.smt_solver import Solver
from coarsest.space.smt.smt_values import Number, Option, Single, Symbol, Truth, Values
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


class Terms:
    """The terms of one machine; every shared part of an expression is made once."""

    def __init__(self, machine: Machine, solver: Solver) -> None:
        self.machine = machine
        self.solver = solver
        self.z3 = solver.z3
        self.context = solver.context
        self.values = Values(self.z3, self.context)
        self.operators = Operators(self.values, solver)
        self.now = {v.name: self._constants(v, v.name) for v in machine.variables.values()}
        self.after = {v.name: self._constants(v, f"next({v.name})") for v in machine.of_kind(Kind.STATE)}
        self.after |= {v.name: self.now[v.name] for v in machine.of_kind(Kind.FROZEN)}
        for variable in machine.variables.values():
            solver.add(self.domain(variable))
            if variable.kind is Kind.STATE:
                solver.add(self.domain(variable, after=True))
        # The expression is kept beside its options so that its identity stays its own.
        self._known: dict[tuple[int, bool], tuple[Expr, list[Option]]] = {}
        self._undefined: dict[tuple[int, bool], z3.BoolRef] = {}
        sys.setrecursionlimit(max(sys.getrecursionlimit(), 80 * len(machine.definitions)))

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

    def options(self, expr: Expr, *, after: bool = False) -> list[Option]:
        """What the expression may be now, or in the next state."""
        key = (id(expr), after)
        known = self._known.get(key)
        if known is None:
            try:
                known = self._known[key] = expr, self.values.alike(self._compute(expr, after=after))
            except InputError as problem:
                if problem.diagnostic.span is None and expr.span is not None:
                    raise problem.__class__(problem.diagnostic.message, expr.span, hint=problem.diagnostic.hint) from None
                raise
        return known[1]

    def _compute(self, expr: Expr, *, after: bool) -> list[Option]:
        match expr:
            case Constant(value):
                return [(self.values.true, self.operators.constant(value))]
            case Name(name) if name in self.machine.variables:
                return [(self.values.true, self._variable(self.machine.variables[name], after=after))]
            case Name(name):
                return self._passed(expr, self.machine.definitions[name], after=after, inner_after=after)
            case Apply("next", (inner,)):
                return self._passed(expr, inner, after=after, inner_after=True)
            case Apply("case", args):
                return self._case(expr, args, after=after)
        return self._apply(expr, after=after)

    def _passed(self, expr: Expr, inner: Expr, *, after: bool, inner_after: bool) -> list[Option]:
        found = self.options(inner, after=inner_after)
        self._note(expr, self.undefined(inner, after=inner_after), after=after)
        return found

    def _variable(self, variable: Variable, *, after: bool) -> Single:
        if after and variable.kind is Kind.INPUT:
            raise ModelProblem(f"'next({variable.name})': an input has no next value", variable.span)
        held = (self.after if after else self.now)[variable.name]
        members = members_by_index(variable.type)
        if members:
            return Symbol({member: self._has_index(held, index) for index, member in enumerate(members)}, held)
        return Truth(held[0]) if isinstance(variable.type, Boolean) else Number(held[0])

    def _apply(self, expr: Apply, *, after: bool) -> list[Option]:
        args = [self.options(arg, after=after) for arg in expr.args]
        self._note_operands(expr, args, after=after)
        if expr.op in ("set", "union"):
            return [option for options in args for option in options]
        if expr.op == "in":
            return [(self.values.true, Truth(self._membership(args[0], args[1])))]
        result: list[Option] = []
        for combination in product(*args):
            condition = self.values.both(*(c for c, _ in combination))
            if self.z3.is_false(condition):
                continue
            chosen = [value for _, value in combination]
            self._note(expr, self.values.both(condition, self.operators.undefined(expr.op, chosen)), after=after)
            result.append((condition, self.operators.apply(expr.op, chosen)))
        return result

    def _note_operands(self, expr: Apply, args: Sequence[Sequence[Option]], *, after: bool) -> None:
        """The expression is undefined where an operand is, unless another one settles a connective."""
        values = self.values
        lacking = [self.undefined(arg, after=after) for arg in expr.args]
        undefined = values.either(*lacking)
        if not self.z3.is_false(undefined) and expr.op in SETTLED_BY:
            for number, options in enumerate(args):
                truths = [(condition, values.truth(value)) for condition, value in options]
                settling = SETTLED_BY[expr.op][number > 0]
                wanted = [values.both(c, values.opposite(truth) if settling else truth) for c, truth in truths]
                undefined = values.both(undefined, values.either(*wanted, lacking[number]))
        self._note(expr, undefined, after=after)

    def _membership(self, element: Sequence[Option], collection: Sequence[Option]) -> z3.BoolRef:
        """Is the element, or every element of a set, in the collection?"""
        values = self.values
        included = []
        for condition, single in element:
            inside = values.either(*(values.both(c, values.equal(single, member)) for c, member in collection))
            included.append(values.either(values.opposite(condition), inside))
        return values.both(*included)

    def _case(self, expr: Apply, args: tuple[Expr, ...], *, after: bool) -> list[Option]:
        values = self.values
        open_still = values.true
        branches: list[tuple[z3.BoolRef, list[Option]]] = []
        for condition, then in zip(args[::2], args[1::2]):
            holds = self.condition(condition, after=after, insist=False)
            self._note(expr, values.both(open_still, self.undefined(condition, after=after)), after=after)
            taken = values.both(open_still, holds)
            if self.z3.is_false(taken):
                continue
            branches.append((taken, self.options(then, after=after)))
            self._note(expr, values.both(taken, self.undefined(then, after=after)), after=after)
            open_still = values.both(open_still, values.opposite(holds))
            if self.z3.is_false(open_still):
                break
        self._note(expr, open_still, after=after)
        if not branches:
            raise ModelProblem("no condition of this case can hold", expr.span, hint="add a branch 'TRUE : …'")
        if all(len(options) == 1 for _, options in branches):
            return [(values.true, values.choose(values.alike([(taken, options[0][1]) for taken, options in branches])))]
        return [(values.both(taken, c), value) for taken, options in branches for c, value in options]

    # Where an expression has no value

    def undefined(self, expr: Expr, *, after: bool = False) -> z3.BoolRef:
        self.options(expr, after=after)
        return self._undefined.get((id(expr), after), self.values.false)

    def _note(self, expr: Expr, where: z3.BoolRef, *, after: bool) -> None:
        if not self.z3.is_false(where):
            key = (id(expr), after)
            self._undefined[key] = self.values.either(self._undefined.get(key, self.values.false), where)

    def _insist_defined(self, expr: Expr, *, after: bool) -> None:
        undefined = self.undefined(expr, after=after)
        if self.z3.is_false(undefined):
            return
        example = self._example(undefined)
        if example is not None:
            hint = "guard the division with a case, or add a last branch 'TRUE : …'"
            raise ModelProblem(f"an expression has no value when {example}", self._culprit(expr, after=after).span, hint=hint)

    def _culprit(self, expr: Expr, *, after: bool) -> Expr:
        """The innermost part that is undefined somewhere, definitions opened."""
        parts: Sequence[Expr] = ()
        match expr:
            case Apply("next", args):
                after, parts = True, args
            case Apply(_, args):
                parts = args
            case Name(name) if name in self.machine.definitions:
                parts = (self.machine.definitions[name],)
        for part in parts:
            if (id(part), after) in self._undefined and self.solver.satisfiable(self._undefined[id(part), after]):
                return self._culprit(part, after=after)
        return expr

    # Equations and constraints

    def condition(self, expr: Expr, *, after: bool = False, insist: bool = True) -> z3.BoolRef:
        """Where a boolean expression holds, or may hold; unless told otherwise, it must be defined everywhere."""
        if insist:
            self._insist_defined(expr, after=after)
        values = self.values
        return values.either(*(values.both(c, values.truth(value)) for c, value in self.options(expr, after=after)))

    def assigned(self, variable: Variable, expr: Expr, *, after: bool) -> list[tuple[z3.BoolRef, Held]]:
        """What a variable may be given by `x := e`, in the form in which the variable is held, each with its condition."""
        self._insist_defined(expr, after=after)
        found, outside = [], []
        for condition, value in self.options(expr, after=after):
            held, wrong = self._held(variable, value)
            found.append((condition, held))
            outside.append(self.values.both(condition, wrong))
        leaves = self.values.either(*outside)
        example = None if self.z3.is_false(leaves) else self._example(leaves)
        if example is not None:
            message = f"`{variable.name}` is of type {variable.type} and is given another value when {example}"
            raise ModelProblem(message, expr.span, hint="widen the type, or limit the value with a case")
        return found

    def _held(self, variable: Variable, value: Single) -> tuple[Held, z3.BoolRef]:
        """A value as the variable holds it, and where it is none of the variable's values."""
        z3, values = self.z3, self.values
        members = members_by_index(variable.type)
        if members and not isinstance(value, Truth):
            return self._index(members, value)
        match variable.type, value:
            case Boolean(), Truth(term):
                return (term,), values.false
            case IntegerType(), Number() | Symbol():
                return (values.number(value),), values.false
            case RealType(), Number(term):
                return (term if value.real else z3.ToReal(term),), values.false
            case Range(low, high), Number() | Symbol():
                number = values.number(value)
                return (number,), values.either(number < low, number > high)
            case Enumeration(numbers), Number() | Symbol():
                number = values.number(value)
                return (number,), values.both(*(number != member for member in numbers))
        raise TypeProblem(f"'{variable.name}' is of type {variable.type} and cannot have a value of another type")

    def _index(self, members: Sequence[str | int], value: Single) -> tuple[Held, z3.BoolRef]:
        values = self.values
        if isinstance(value, Symbol) and value.bits and list(value.where) == list(members):
            return value.bits, values.false
        constants = [self.operators.constant(member) for member in members]
        here = [values.equal(value, constant) for constant in constants]
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

    def value(self, variable: Variable, held: Held) -> Value:
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

    def _example(self, where: z3.BoolRef) -> str | None:
        """Values in a set of steps, in words; None if there are none."""
        model = self.solver.model(where)
        if model is None:
            return None
        read = {part.get_id() for part in constants(self.z3, where)}
        shown = []
        for variable in self.machine.variables.values():
            for name, places in ((variable.name, self.now), (f"next({variable.name})", self.after)):
                held = places.get(variable.name, ())
                if any(term.get_id() in read for term in held):
                    value = self.value(variable, tuple(model.eval(term, model_completion=True) for term in held))
                    shown.append(f"{name} = {show_value(value)}")
        return ", ".join(dict.fromkeys(shown)) or "the step is taken"
