"""What expressions denote, over any algebra of conditions: Boolean functions of bits, or formulas of numbers.

An expression may be undefined somewhere: no case applies, a divisor is 0. That is an error of the model when any combination of
values of the variables leads there, and the error names such a combination. An operand of `&`, `|` or `->` matters only where the
others leave the result open. Variables, their types and the operators on single values belong to the subclasses.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import reduce
from itertools import product
from operator import and_, or_
from typing import Generic, Protocol

from coarsest import tuning
from coarsest.bdd.protocol import F
from coarsest.encode.values import Boole, Single, Symbolic, SymbolicChoice, merged
from coarsest.errors import InputError, ModelProblem, TypeProblem
from coarsest.logic.expr import Apply, Constant, Expr, Name, Value
from coarsest.logic.operators import PARAMETRIC, SETTLED_BY
from coarsest.model.machine import Machine, Variable


class ValueOperators(Protocol[F]):
    """The operators on single values."""

    def constant(self, value: Value) -> Single[F]: ...
    def equal(self, a: Single[F], b: Single[F]) -> F: ...

    def choose(self, branches: Sequence[tuple[F, Single[F]]]) -> Single[F]:
        """The value of the branch whose condition holds; the conditions exclude one another."""

    def apply(self, op: str, args: Sequence[Single[F]], parameters: Sequence[int] = ()) -> Single[F]:
        """The value of an operator; `parameters` are the constant bounds of `bits`, `extend`, `resize`."""

    def undefined(self, op: str, args: Sequence[Single[F]]) -> F:
        """Where an operator has no value although its operands have one."""


class Evaluator(ABC, Generic[F]):
    """Evaluates the expressions of one machine; every shared part is evaluated once."""

    def __init__(self, machine: Machine, operators: ValueOperators[F], true: F, false: F) -> None:
        self.machine = machine
        self.operators = operators
        self.true, self.false = true, false
        self._variables: dict[tuple[str, bool], Single[F]] = {}
        # The expression is kept beside its value so that its identity stays its own.
        self._values: dict[tuple[int, bool], tuple[Expr, Symbolic[F]]] = {}
        self._undefined: dict[tuple[int, bool], F] = {}
        self._tables: dict[tuple[object, ...], tuple[Symbolic[F], F]] = {}
        self.between: Callable[[], object] = lambda: None  # called before each operation: a moment to look at the clock
        # A chain of definitions is followed by recursion, a few frames for each level of what a definition says.
        sys.setrecursionlimit(max(sys.getrecursionlimit(), 80 * len(machine.definitions)))

    @abstractmethod
    def variable(self, variable: Variable, *, after: bool = False) -> Single[F]:
        """The value of a variable now, or after the step."""

    @abstractmethod
    def _example(self, where: F) -> str | None:
        """A combination of values in a set of steps, in words; None if no combination of legal values is in it."""

    # Expressions

    def value(self, expr: Expr, *, after: bool = False) -> Symbolic[F]:
        """What the expression denotes now, or in the next state."""
        key = (id(expr), after)
        entry = self._values.get(key)
        if entry is None:
            entry = (expr, self._compute(expr, after=after))
            self._values[key] = entry
        return entry[1]

    def undefined(self, expr: Expr, *, after: bool = False) -> F:
        """Where the expression has no value."""
        self.value(expr, after=after)
        return self._undefined.get((id(expr), after), self.false)

    def _compute(self, expr: Expr, *, after: bool) -> Symbolic[F]:
        try:
            if isinstance(expr, Apply) and expr.op in ("not", "and"):  # nearly all there is in a circuit
                return self._apply(expr, expr.op, expr.args, after=after)
            match expr:
                case Constant(value):
                    return self.operators.constant(value)
                case Name(name):
                    return self._name(expr, name, after=after)
                case Apply("next", (inner,)):
                    return self._passed(expr, inner, after=after, inner_after=True)
                case Apply("case", args):
                    return self._case(expr, args, after=after)
                case Apply(op, args):
                    return self._apply(expr, op, args, after=after)
        except InputError as problem:
            if problem.diagnostic.span is None and expr.span is not None:
                raise problem.__class__(problem.diagnostic.message, expr.span, hint=problem.diagnostic.hint) from None
            raise

    def _name(self, expr: Expr, name: str, *, after: bool) -> Symbolic[F]:
        variable = self.machine.variables.get(name)
        if variable is None:
            return self._passed(expr, self.machine.definitions[name], after=after, inner_after=after)
        if (name, after) not in self._variables:
            self._variables[name, after] = self.variable(variable, after=after)
        return self._variables[name, after]

    def _passed(self, expr: Expr, inner: Expr, *, after: bool, inner_after: bool) -> Symbolic[F]:
        """An expression that stands for another one: it has its value, where there is one."""
        result = self.value(inner, after=inner_after)
        self._note(expr, after=after, undefined=self.undefined(inner, after=inner_after))
        return result

    def _note(self, expr: Expr, *, after: bool, undefined: F) -> None:
        if undefined != self.false:
            key = (id(expr), after)
            self._undefined[key] = self._undefined.get(key, self.false) | undefined

    def _apply(self, expr: Expr, op: str, args: tuple[Expr, ...], *, after: bool) -> Symbolic[F]:
        self.between()
        parameters: list[int] = []
        if op in PARAMETRIC:
            parameters, args = constant_parameters(args[1:]), args[:1]
        values = [self.value(arg, after=after) for arg in args]
        if self._undefined:
            self._note_operands(expr, op, args, after=after)
        if op in ("not", "and"):
            conditions = [value.where for value in values if isinstance(value, Boole)]
            if 0 < len(conditions) == len(values) <= 2:
                return Boole(~conditions[0] if op == "not" else reduce(and_, conditions))
        if op in ("set", "union"):
            return self._merged([option for value in values for option in self._options(value)])
        if op == "in":
            return self._membership(values[0], values[1])
        if not any(isinstance(value, SymbolicChoice) for value in values):
            singles: Sequence[Single[F]] = values  # type: ignore[assignment]
            self._note(expr, after=after, undefined=self.operators.undefined(op, singles))
            return self.operators.apply(op, singles, parameters)
        options = []
        for combination in product(*(self._options(value) for value in values)):
            condition = reduce(and_, (c for c, _ in combination), self.true)
            if condition == self.false:
                continue
            operands_chosen = [value for _, value in combination]
            self._note(expr, after=after, undefined=condition & self.operators.undefined(op, operands_chosen))
            options.append((condition, self.operators.apply(op, operands_chosen, parameters)))
        return self._merged(options)

    def _note_operands(self, expr: Expr, op: str, args: tuple[Expr, ...], *, after: bool) -> None:
        """The expression is undefined where an operand is, unless another one settles a connective."""
        undefined = reduce(or_, (self.undefined(arg, after=after) for arg in args), self.false)
        if undefined != self.false and op in SETTLED_BY:
            for number, arg in enumerate(args):
                open_still = self._can_be(self.value(arg, after=after), truth=not SETTLED_BY[op][number > 0])
                undefined = undefined & (open_still | self.undefined(arg, after=after))
        self._note(expr, after=after, undefined=undefined)

    def _can_be(self, value: Symbolic[F], *, truth: bool) -> F:
        """Where the operand of a connective may be true, or false; a word is neither, and settles nothing."""
        options = [(c, v.where if truth else ~v.where) for c, v in self._options(value) if isinstance(v, Boole)]
        return reduce(or_, (condition & where for condition, where in options), self.false) if options else self.true

    def _merged(self, options: Sequence[tuple[F, Single[F]]]) -> Symbolic[F]:
        return merged(options)

    def _options(self, value: Symbolic[F]) -> Sequence[tuple[F, Single[F]]]:
        return value.options if isinstance(value, SymbolicChoice) else ((self.true, value),)

    def _membership(self, element: Symbolic[F], collection: Symbolic[F]) -> Symbolic[F]:
        """Is the element, or every element of a set, in the collection?"""
        options = self._options(collection)
        included = self.true
        for condition, single in self._options(element):
            inside = reduce(or_, (c & self.operators.equal(single, member) for c, member in options), self.false)
            included = included & (~condition | inside)
        return Boole(included)

    def _case(self, expr: Expr, args: tuple[Expr, ...], *, after: bool) -> Symbolic[F]:
        key = self._rows(args, after=after)
        if key is None or key not in self._tables:
            result = self._first_that_holds(expr, args, after=after)
            if key is not None:
                self._tables[key] = result, self._undefined.get((id(expr), after), self.false)
            return result
        result, undefined = self._tables[key]
        self._note(expr, after=after, undefined=undefined)
        return result

    def _rows(self, args: tuple[Expr, ...], *, after: bool) -> tuple[object, ...] | None:
        """A key for a case with constant values, which often occurs again, for each element of an array, say."""
        values = [(then.value.__class__, then.value) for then in args[1::2] if isinstance(then, Constant)]
        if len(args) < 2 * tuning.CASE_BRANCHES_TO_SHARE or len(values) < len(args) // 2:
            return None
        if any(self.undefined(condition, after=after) != self.false for condition in args[::2]):
            return None
        return (*(self.boolean(condition, after=after) for condition in args[::2]), *values)

    def _first_that_holds(self, expr: Expr, args: tuple[Expr, ...], *, after: bool) -> Symbolic[F]:
        open_still = self.true
        branches: list[tuple[F, Symbolic[F]]] = []
        for condition, then in zip(args[::2], args[1::2]):
            holds = self.boolean(condition, after=after)
            self._note(expr, after=after, undefined=open_still & self.undefined(condition, after=after))
            taken = open_still & holds
            if taken == self.false:
                continue
            branches.append((taken, self.value(then, after=after)))
            self._note(expr, after=after, undefined=taken & self.undefined(then, after=after))
            open_still = open_still & ~holds
            if open_still == self.false:
                break
        self._note(expr, after=after, undefined=open_still)
        if not branches:
            return self._without_branch(expr, args, after=after)
        if any(isinstance(value, SymbolicChoice) for _, value in branches):
            return self._merged([(taken & c, v) for taken, value in branches for c, v in self._options(value)])
        return self.operators.choose(branches)  # type: ignore[arg-type]

    def _without_branch(self, expr: Expr, args: tuple[Expr, ...], *, after: bool) -> Symbolic[F]:
        """A case of which no condition can hold."""
        raise ModelProblem("no condition of this case can hold", expr.span, hint="add a branch 'TRUE : …'")

    def boolean(self, expr: Expr, *, after: bool = False) -> F:
        """The states (or steps) in which a boolean expression holds; of a choice, in which it can hold."""
        value = self.value(expr, after=after)
        match value:
            case Boole(where):
                return where
            case SymbolicChoice(options):
                return reduce(or_, (c & v.where for c, v in options if isinstance(v, Boole)), self.false)
        raise TypeProblem("a boolean expression is expected here", expr.span)

    # Complaints

    def _require_defined(self, expr: Expr, *, after: bool, beside: Sequence[Expr] = ()) -> None:
        undefined = self.undefined(expr, after=after)
        for condition in beside:
            if undefined == self.false:
                return
            undefined = undefined & (self.boolean(condition, after=after) | self.undefined(condition, after=after))
        if undefined == self.false:
            return
        example = self._example(undefined)
        if example is not None:
            culprit = self._culprit(expr, after=after)
            what, hint = "no condition of the case holds", "add a last branch 'TRUE : …'"
            if culprit.span is not None and not culprit.span.text.startswith("case"):
                what, hint = "the index is outside the array", "limit it, or guard the access: `i <= 7 & a[i]`"
            if isinstance(culprit, Apply) and culprit.op in ("/", "mod"):
                what, hint = "division by zero", "guard the division with a case"
            elif isinstance(culprit, Apply) and culprit.op in ("<<", ">>"):
                what = "shift by less than 0 or more than the width of the word"
                hint = "limit the amount, for example with `min`, or guard the shift with a case"
            raise ModelProblem(f"{what} when {example}", culprit.span or expr.span, hint=hint)

    def _culprit(self, expr: Expr, *, after: bool) -> Expr:
        """The innermost part that is undefined, definitions opened."""
        parts: tuple[Expr, ...] = ()
        match expr:
            case Apply("next", args):
                after, parts = True, args
            case Apply(_, args):
                parts = args
            case Name(name) if name in self.machine.definitions:
                parts = (self.machine.definitions[name],)
        for part in parts:
            if (id(part), after) in self._undefined and self._example(self._undefined[id(part), after]):
                return self._culprit(part, after=after)
        return expr


def constant_parameters(args: Sequence[object]) -> list[int]:
    """The numbers among the arguments of `bits`, `extend` and `resize`."""
    return [a.value for a in args if isinstance(a, Constant) and isinstance(a.value, int)]
