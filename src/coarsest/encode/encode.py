"""Expressions and equations of a machine as Boolean functions over its layout.

An equation may assign a value that its variable cannot hold. That is an error of the model when any combination of values of the
variables leads there, and the error names such a combination.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from coarsest.bdd.protocol import F
from coarsest.encode.algebra import Algebra
from coarsest.encode.evaluate import Evaluator
from coarsest.encode.layout import Layout, code_of
from coarsest.encode.operators import VectorOperators
from coarsest.encode.values import Boole, Integer, MemberTable, Single, Symbolic, WordBits, functions_in
from coarsest.errors import ModelProblem, TypeProblem
from coarsest.logic.expr import Apply, Expr, conjuncts
from coarsest.model.machine import Kind, Variable
from coarsest.model.types import Boolean, Enumeration, IntegerType, Range, RealType, WordType, contains, show_value
from coarsest.model.unbounded import no_bits
from coarsest.text import Span


class Encoder(Evaluator[F]):
    """Encodes the expressions of one machine; every shared part is encoded once."""

    operators: VectorOperators[F]

    def __init__(self, manager: Algebra[F], layout: Layout) -> None:
        super().__init__(layout.machine, VectorOperators(manager), manager.true, manager.false)
        self.manager = manager
        self.layout = layout
        self.labels: dict[str, F] = {}
        """Definitions whose meaning is not their body but a set of states."""

    # Expressions

    def functions(self) -> Iterator[F]:
        """Those of all values so far, and of the one that is at work."""
        return chain(*(functions_in(value) for _, value in self._values.values()), (self.operators.unfinished,))

    def _name(self, expr: Expr, name: str, *, after: bool) -> Symbolic[F]:
        if name in self.labels:
            return Boole(self._label(name, after=after))
        return super()._name(expr, name, after=after)

    def _label(self, name: str, *, after: bool) -> F:
        if not after:
            return self.labels[name]
        places = self.layout.after_of_now.items()
        return self.manager.substitute(self.labels[name], self.manager.substitution({n: self.manager.var(a) for n, a in places}))

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
                return WordBits(bits, signed)
            case Range(low, _):
                code = Integer((*bits, self.false))
                return code if low == 0 else self.operators.arithmetic("+", code, self.operators.constant(low))
            case Enumeration(members):
                table: MemberTable[F] = MemberTable({member: self._code(bits, i) for i, member in enumerate(members)})
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
        self._require_defined(expr, after=after)
        slots = self.layout.slots[variable.name]
        places = (slots.after or slots.now) if after or next_value else slots.now
        bits = tuple(self.manager.var(place) for place in places)
        relation, outside = self.false, self.false
        for condition, value in self._options(self.value(expr, after=after)):
            equal, wrong = self._holds_value(variable, bits, value, expr.span)
            relation = relation | (condition & equal)
            outside = outside | (condition & wrong)
        if outside != self.false:
            self._require_in_range(variable, expr, outside, after=after)
        return relation

    def _holds_value(self, variable: Variable, bits: tuple[F, ...], value: Single[F], span: Span | None) -> tuple[F, F]:
        """Where the bits of the variable hold the value; where the value does not belong to its type."""
        vectors = self.operators.vectors
        match variable.type, value:
            case Boolean(), Boole(where):
                return ~(bits[0] ^ where), self.false
            case WordType(), WordBits(vector, _):
                return vectors.equal(bits, vector), self.false
            case Range(low, high), Integer(vector):
                outside = self.operators.less(value, self.operators.constant(low))
                outside = outside | self.operators.less(self.operators.constant(high), value)
                if low != 0:
                    vector = self.operators.integer(self.operators.arithmetic("-", value, self.operators.constant(low)))
                width = max(len(bits) + 1, len(vector))
                code = vectors.widen((*bits, self.false), width, signed=True)
                return vectors.equal(code, vectors.widen(vector, width, signed=True)) & ~outside, outside
            case (Range() | Enumeration()) as kind, Integer() | MemberTable():
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
            case WordType(), WordBits(vector, _):
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
        self._require_defined(expr, after=after)
        return self.boolean(expr, after=after)

    def conjuncts(self, parts: Sequence[Expr], *, after: bool = False) -> Iterator[F]:
        """Where each part of a conjunction holds; it must be defined where none of the others is false."""
        for number, part in enumerate(parts):
            if self.undefined(part, after=after) != self.false:
                self._require_defined(part, after=after, beside=(*parts[:number], *parts[number + 1 :]))
            yield self.boolean(part, after=after)

    # Complaints

    def _require_in_range(self, variable: Variable, expr: Expr, outside: F, *, after: bool) -> None:
        bits = self._example_bits(outside)
        if bits is None:
            return
        wrong = ""
        for condition, value in self._options(self.value(expr, after=after)):
            for member, here in (self.operators.table(value) if isinstance(value, Integer | MemberTable) else {}).items():
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


# A machine as conditions over its bits


def legal_conjuncts(encoder: Encoder[F]) -> Iterator[F]:
    """What is true of every state: the domains of variables, equations of current values, invariant constraints."""
    machine = encoder.machine
    for variable in machine.of_kind(Kind.STATE, Kind.FROZEN):
        yield encoder.domain(variable)
    for name, expr in machine.current_values.items():
        yield encoder.equation(machine.variables[name], expr, after=False)
    for constraint in machine.invariant_constraints:
        yield encoder.constraint(constraint)


def initial_conjuncts(encoder: Encoder[F]) -> Iterator[F]:
    """What is true of initial states, beside being states."""
    machine = encoder.machine
    for name, expr in machine.initial_values.items():
        yield encoder.equation(machine.variables[name], expr, after=False)
    for constraint in machine.initial_constraints:
        yield encoder.constraint(constraint)


def step_conjuncts(encoder: Encoder[F]) -> Iterator[tuple[F, str | None]]:
    """What is true of every step from a state: next values, constraints, and that the next state is one.

    Beside each condition stands the variable whose next value it gives, if it is an equation.
    """
    machine = encoder.machine
    for name, expr in machine.next_values.items():
        yield encoder.equation(machine.variables[name], expr, after=False, next_value=True), name
    for name, expr in machine.current_values.items():
        yield encoder.equation(machine.variables[name], expr, after=True), name
    for variable in machine.of_kind(Kind.STATE):
        if variable.name not in machine.next_values and variable.name not in machine.current_values:
            yield encoder.domain(variable, after=True), variable.name
    for constraint in machine.invariant_constraints:
        for part in encoder.conjuncts(tuple(_parts(constraint)), after=True):
            yield part, None
    for constraint in machine.transition_constraints:
        for part in encoder.conjuncts(tuple(_parts(constraint))):
            yield part, None
    for variable in machine.of_kind(Kind.INPUT):
        yield encoder.domain(variable), None


def _parts(constraint: Expr) -> Iterator[Expr]:
    """The conjuncts, each as small as may be: `p -> q & r` is `p -> q` and `p -> r`."""
    for part in conjuncts(constraint):
        if isinstance(part, Apply) and part.op == "implies":
            premise, conclusion = part.args
            for inner in _parts(conclusion):
                yield part if inner is conclusion else Apply("implies", (premise, inner), span=part.span)
        else:
            yield part
