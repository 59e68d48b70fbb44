"""Expressions and equations of a machine as Boolean functions over its layout.

An expression may be undefined somewhere (no case applies, a divisor is 0) and an equation may assign a value that its
variable cannot hold. Both are errors of the model when any combination of values of the variables leads there, and the
error names such a combination. An operand of `&`, `|` or `->` matters only where the others leave the result open.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import reduce
from itertools import chain, product
from operator import and_, or_
from typing import Generic

from coarsest.bdd.protocol import F
from coarsest.encode.algebra import Algebra
from coarsest.encode.layout import Layout, code_of
from coarsest.encode.operators import Operators, constant_parameters
from coarsest.encode.values import Bits, Boole, Choice, Integer, Single, Symbolic, Table, functions_in, merged
from coarsest.errors import ModelProblem, TypeProblem
from coarsest.logic.expr import Apply, Constant, Expr, Name
from coarsest.logic.operators import SETTLED_BY
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.model.types import Boolean, Enumeration, IntegerType, Range, RealType, WordType, contains, show_value
from coarsest.model.unbounded import no_bits
from coarsest.text import Span

SHORTEST_TABLE = 16  # conditions and constants of a case that is looked up: was there the same before?
PARAMETRIC = frozenset({"bits", "extend", "resize"})


class Encoder(Generic[F]):
    """Encodes the expressions of one machine; every shared part is encoded once."""

    def __init__(self, manager: Algebra[F], layout: Layout) -> None:
        self.manager = manager
        self.layout = layout
        self.machine: Machine = layout.machine
        self.operators = Operators(manager)
        self.true, self.false = manager.true, manager.false
        self._variables: dict[tuple[str, bool], Single[F]] = {}
        # The expression is kept beside its value so that its identity stays its own.
        self._values: dict[tuple[int, bool], tuple[Expr, Symbolic[F]]] = {}
        self._undefined: dict[tuple[int, bool], F] = {}
        self._tables: dict[tuple[object, ...], tuple[Symbolic[F], F]] = {}
        self.between: Callable[[], object] = lambda: None  # called before each operation: a moment to look at the clock
        self.labels: dict[str, F] = {}
        """Definitions whose meaning is not their body but a set of states."""
        # A chain of definitions is followed by recursion, a few frames for each level of what a definition says.
        sys.setrecursionlimit(max(sys.getrecursionlimit(), 80 * len(self.machine.definitions)))

    # Expressions

    def value(self, expr: Expr, *, after: bool = False) -> Symbolic[F]:
        """What the expression denotes now, or in the next state."""
        key = (id(expr), after)
        entry = self._values.get(key)
        if entry is None:
            entry = (expr, self._compute(expr, after=after))
            self._values[key] = entry
        return entry[1]

    def functions(self) -> Iterator[F]:
        """Those of all values so far, and of the one that is at work."""
        return chain(*(functions_in(value) for _, value in self._values.values()), (self.operators.unfinished,))

    def undefined(self, expr: Expr, *, after: bool = False) -> F:
        """Where the expression has no value."""
        self.value(expr, after=after)
        return self._undefined.get((id(expr), after), self.false)

    def _compute(self, expr: Expr, *, after: bool) -> Symbolic[F]:
        try:
            if isinstance(expr, Apply) and expr.op in ("not", "and"):  # nearly all there is in a circuit
                return self._apply(expr, expr.op, expr.args, after=after)
            match expr:
                case Constant(Fraction()):
                    raise no_bits(RealType(), expr.span)
                case Constant(value):
                    return self.operators.constant(value)
                case Name(name):
                    return self._name(expr, name, after=after)
                case Apply("next", (inner,)):
                    result = self.value(inner, after=True)
                    self._note(expr, after=after, undefined=self.undefined(inner, after=True))
                    return result
                case Apply("case", args):
                    return self._case(expr, args, after=after)
                case Apply(op, args):
                    return self._apply(expr, op, args, after=after)
        except TypeProblem as problem:
            if problem.diagnostic.span is None:
                raise TypeProblem(problem.diagnostic.message, expr.span, hint=problem.diagnostic.hint) from None
            raise

    def _name(self, expr: Expr, name: str, *, after: bool) -> Symbolic[F]:
        variable = self.machine.variables.get(name)
        if variable is not None:
            if (name, after) not in self._variables:
                self._variables[name, after] = self.variable(variable, after=after)
            return self._variables[name, after]
        if name in self.labels:
            return Boole(self._label(name, after=after))
        body = self.machine.definitions[name]
        result = self.value(body, after=after)
        self._note(expr, after=after, undefined=self.undefined(body, after=after))
        return result

    def _label(self, name: str, *, after: bool) -> F:
        if not after:
            return self.labels[name]
        places = self.layout.after_of_now.items()
        return self.manager.substitute(self.labels[name], self.manager.substitution({n: self.manager.var(a) for n, a in places}))

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
            return merged([option for value in values for option in self._options(value)])
        if op == "in":
            return self._membership(values[0], values[1])
        if not any(isinstance(value, Choice) for value in values):
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
        return merged(options)

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

    def _options(self, value: Symbolic[F]) -> Sequence[tuple[F, Single[F]]]:
        return value.options if isinstance(value, Choice) else ((self.true, value),)

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
        """What a table of constants says, by which it is recognised where it occurs again: as an element of an array, perhaps."""
        values = [(then.value.__class__, then.value) for then in args[1::2] if isinstance(then, Constant)]
        if len(args) < SHORTEST_TABLE or len(values) < len(args) // 2:
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
            raise ModelProblem("no condition of this case can hold", expr.span, hint="add a branch 'TRUE : …'")
        if any(isinstance(value, Choice) for _, value in branches):
            return merged([(taken & c, v) for taken, value in branches for c, v in self._options(value)])
        return self.operators.choose(branches)  # type: ignore[arg-type]

    def boolean(self, expr: Expr, *, after: bool = False) -> F:
        """The states (or steps) in which a boolean expression holds; of a choice, in which it can hold."""
        value = self.value(expr, after=after)
        match value:
            case Boole(where):
                return where
            case Choice(options):
                return reduce(or_, (c & v.where for c, v in options if isinstance(v, Boole)), self.false)
        raise TypeProblem("a boolean expression is expected here", expr.span)

    # Variables

    def variable(self, variable: Variable, *, after: bool = False) -> Single[F]:
        """The value of a variable now, or after the step."""
        slots = self.layout.slots[variable.name]
        if after and variable.kind is Kind.INPUT:
            raise ModelProblem(f"'next({variable.name})': an input has no next value", variable.span)
        places = slots.after if after and slots.after else slots.now
        bits = tuple(self.manager.var(place) for place in places)
        match variable.type:
            case Boolean():
                return Boole(bits[0])
            case WordType(_, signed):
                return Bits(bits, signed)
            case Range(low, _):
                code = Integer((*bits, self.false))
                return code if low == 0 else self.operators.arithmetic("+", code, self.operators.constant(low))
            case Enumeration(members):
                table: Table[F] = Table({member: self._code(bits, i) for i, member in enumerate(members)})
                if all(isinstance(member, int) for member in members):
                    return Integer(self.operators.vectors.shorten(self.operators.integer(table)))
                return table
            case IntegerType() | RealType():
                raise no_bits(variable.type)

    def _code(self, bits: Sequence[F], code: int) -> F:
        result = self.true
        for i, bit in enumerate(bits):
            result = result & (bit if code >> i & 1 else ~bit)
        return result

    def domain(self, variable: Variable, *, after: bool = False) -> F:
        """The combinations of bits that stand for a value of the variable."""
        slots = self.layout.slots[variable.name]
        places = slots.after if after and slots.after else slots.now
        size = variable.type.size
        if size == 1 << len(places):
            return self.true
        bits = tuple(self.manager.var(place) for place in places)
        vectors = self.operators.vectors
        return vectors.less(bits, vectors.constant(size, len(bits)), signed=False) if bits else self.true

    # Equations and constraints

    def equation(self, variable: Variable, expr: Expr, *, after: bool, next_value: bool = False) -> F:
        """`variable = expr` (or an element of it). With `after`, of the next state; with `next_value`, next(variable) = expr."""
        self._insist_defined(expr, after=after)
        slots = self.layout.slots[variable.name]
        places = (slots.after or slots.now) if after or next_value else slots.now
        bits = tuple(self.manager.var(place) for place in places)
        relation, outside = self.false, self.false
        for condition, value in self._options(self.value(expr, after=after)):
            equal, wrong = self._holds_value(variable, bits, value, expr.span)
            relation = relation | (condition & equal)
            outside = outside | (condition & wrong)
        if outside != self.false:
            self._insist_in_range(variable, expr, outside, after=after)
        return relation

    def _holds_value(self, variable: Variable, bits: tuple[F, ...], value: Single[F], span: Span | None) -> tuple[F, F]:
        """Where the bits of the variable hold the value; where the value is none of the variable's."""
        vectors = self.operators.vectors
        match variable.type, value:
            case Boolean(), Boole(where):
                return ~(bits[0] ^ where), self.false
            case WordType(), Bits(vector, _):
                return vectors.equal(bits, vector), self.false
            case Range(low, high), Integer(vector):
                outside = self.operators.less(value, self.operators.constant(low))
                outside = outside | self.operators.less(self.operators.constant(high), value)
                if low != 0:
                    vector = self.operators.integer(self.operators.arithmetic("-", value, self.operators.constant(low)))
                width = max(len(bits) + 1, len(vector))
                code = vectors.widen((*bits, self.false), width, signed=True)
                return vectors.equal(code, vectors.widen(vector, width, signed=True)) & ~outside, outside
            case (Range() | Enumeration()) as kind, Integer() | Table():
                relation, outside = self.false, self.false
                for member, here in self.operators.table(value).items():
                    if contains(kind, member):
                        relation = relation | (here & self._code(bits, code_of(kind, member)))
                    else:
                        outside = outside | here
                return relation, outside
        raise TypeProblem(f"'{variable.name}' is of type {variable.type} and cannot have a value of another type", span)

    def code(self, variable: Variable, value: Single[F]) -> tuple[F, ...]:
        """The bits of the variable when it holds a value (which must be one of its values)."""
        match variable.type, value:
            case Boolean(), Boole(where):
                return (where,)
            case WordType(), Bits(vector, _):
                return vector
            case Range(low, _), Integer():
                if low != 0:
                    value = self.operators.arithmetic("-", value, self.operators.constant(low))
                vector = self.operators.integer(value)
                width = len(self.layout.slots[variable.name].now)
                return self.operators.vectors.widen(vector, max(width, len(vector)), signed=True)[:width]
        bits = [self.false] * len(self.layout.slots[variable.name].now)
        for member, here in self.operators.table(value).items():
            if contains(variable.type, member):
                code = code_of(variable.type, member)
                bits = [bit | here if code >> i & 1 else bit for i, bit in enumerate(bits)]
        return tuple(bits)

    def constraint(self, expr: Expr, *, after: bool = False) -> F:
        """Where a boolean expression holds; it must be defined everywhere."""
        self._insist_defined(expr, after=after)
        return self.boolean(expr, after=after)

    def conjuncts(self, parts: Sequence[Expr], *, after: bool = False) -> Iterator[F]:
        """Where each part of a conjunction holds; it must be defined where none of the others is false."""
        for number, part in enumerate(parts):
            if self.undefined(part, after=after) != self.false:
                self._insist_defined(part, after=after, beside=(*parts[:number], *parts[number + 1 :]))
            yield self.boolean(part, after=after)

    # Complaints

    def _insist_defined(self, expr: Expr, *, after: bool, beside: Sequence[Expr] = ()) -> None:
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

    def _insist_in_range(self, variable: Variable, expr: Expr, outside: F, *, after: bool) -> None:
        bits = self._example_bits(outside)
        if bits is None:
            return
        wrong = ""
        for condition, value in self._options(self.value(expr, after=after)):
            for member, here in (self.operators.table(value) if isinstance(value, Integer | Table) else {}).items():
                if not contains(variable.type, member) and self.manager.evaluate(condition & here & outside, bits):
                    wrong = f" {member}"
        shown = self._show_bits(bits, self.manager.support(outside))
        when = f" when {shown}" if shown else ""
        message = f"'{variable.name}' is of type {variable.type} and cannot be given the value{wrong}{when}"
        raise ModelProblem(message, expr.span, hint="widen the type, or limit the value with a case")

    def _example(self, where: F) -> str | None:
        """A combination of values in a set of steps, in words; None if no combination of legal values is in it."""
        bits = self._example_bits(where)
        return None if bits is None else self._show_bits(bits, self.manager.support(where)) or "the step is taken"

    def _example_bits(self, where: F) -> dict[int, bool] | None:
        for variable in self.machine.variables.values():
            where = where & self.domain(variable) & self.domain(variable, after=True)
        bits = self.manager.pick(where)
        return None if bits is None else {place: bits.get(place, False) for place in range(len(self.manager.names))}

    def _show_bits(self, bits: dict[int, bool], relevant: set[int]) -> str:
        shown = []
        for variable in self.machine.variables.values():
            slots = self.layout.slots[variable.name]
            if relevant & set(slots.now):
                shown.append(f"{variable.name} = {show_value(self.layout.decode(variable, bits))}")
            if slots.after and relevant & set(slots.after):
                value = self.layout.decode(variable, bits, after=True)
                shown.append(f"next({variable.name}) = {show_value(value)}")
        return ", ".join(shown)
