"""Closures that apply operators to operands.

Boolean connectives evaluate their operands from left to right and stop as soon as the result is certain; an operand without a
value is an error only if no other operand decides the result. `case` evaluates only the conditions up to the first that holds,
and its value. Operands may be choices: the operator is then applied to all combinations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple, TypeAlias

from coarsest.errors import InputError, ModelProblem, TypeProblem, Unsupported
from coarsest.logic.expr import Apply, Constant, Value
from coarsest.logic.operators import SETTLED_BY
from coarsest.model.interpret.values import NUMBERS, OPERATORS, distinct, misfit, same
from coarsest.text import Span

Frame: TypeAlias = list[Any]
Evaluation: TypeAlias = Callable[[Frame], Any]


class Compiled(NamedTuple):
    """An expression as a closure, which returns a value or, if it `chooses`, a tuple of values.

    Bit i of `reads` is set if it depends on the variable at index i of the frame; bit k of `ahead` is set if the k-th deep slot
    has to be computed before. If it is `real`, all values are instances of Fraction, so that division knows its kind.
    """

    value: Evaluation
    reads: int = 0
    ahead: int = 0
    depth: int = 1
    chooses: bool = False
    real: bool = False

    def as_real(self) -> Compiled:
        """The same with integers converted to reals."""
        if self.real:
            return self
        value = self.value
        if self.chooses:
            return self._replace(value=lambda frame: distinct(map(_to_real, value(frame))), real=True)
        return self._replace(value=lambda frame: _to_real(value(frame)), real=True)

    def choices(self) -> Evaluation:
        """A closure that always returns a tuple of values."""
        value = self.value
        return value if self.chooses else lambda frame: (value(frame),)


def _to_real(value: Value) -> Value:
    return Fraction(value) if value.__class__ is int else value


_GIVES_OPERAND = frozenset({"neg", "+", "-", "*", "/", "abs", "min", "max", "set", "union", "case"})
"""Operators whose result is real if an operand is; all operands are then converted to reals."""


def application(expr: Apply, args: list[Compiled]) -> Compiled:
    """An operator applied to compiled operands."""
    if expr.op in _GIVES_OPERAND and any(arg.real for arg in args):
        args = [arg if expr.op == "case" and number % 2 == 0 else arg.as_real() for number, arg in enumerate(args)]
        return _application(expr, args)._replace(real=True)
    return _application(expr, args)


def _application(expr: Apply, args: list[Compiled]) -> Compiled:
    reads = ahead = depth = 0
    for arg in args:
        reads |= arg.reads
        ahead |= arg.ahead
        depth = max(depth, arg.depth)
    chooses = any(arg.chooses for arg in args)
    match expr.op:
        case "next":
            return args[0]
        case "in":
            return Compiled(_inclusion(*(arg.choices() for arg in args)), reads, ahead, depth + 2)
        case "set" | "union":
            return Compiled(_union([arg.choices() for arg in args]), reads, ahead, depth + 2, True)
    if expr.op not in OPERATORS and expr.op != "case":
        hint = "temporal operators belong to properties"
        raise Unsupported(f"'{expr.op}' has no value in a single state", expr.span, hint=hint)
    if chooses:
        return Compiled(_lifted(expr, [arg.choices() for arg in args]), reads, ahead, depth + 2, True)
    return Compiled(_single(expr, args), reads, ahead, depth + 1)


# Operands with one value


def _single(expr: Apply, args: list[Compiled]) -> Evaluation:
    values = [arg.value for arg in args]
    match expr.op:
        case "case":
            return _case(expr, values)
        case "and" | "or":
            return _connective(expr, values)
        case "implies":
            return _implication(expr, values[0], values[1])
        case "=" if isinstance(expr.args[1], Constant):
            return _equals_constant(values[0], expr.args[1].value)
    operator, span = OPERATORS[expr.op], expr.span
    if len(values) == 1:
        return _unary(operator, values[0], span)
    if len(values) == 2:
        return _binary(operator, values[0], values[1], span)
    return _any_number(operator, values, span)


def _equals_constant(operand: Evaluation, constant: Value) -> Evaluation:
    kind = constant.__class__
    if kind in NUMBERS:
        return lambda frame: same(operand(frame), constant)

    def value(frame: Frame) -> Any:
        result = operand(frame)
        return result.__class__ is kind and result == constant

    return value


def _at(problem: InputError, span: Span | None) -> InputError:
    """The same problem, with a position in the text."""
    diagnostic = problem.diagnostic
    return problem.__class__(diagnostic.message, diagnostic.span or span, hint=diagnostic.hint)


def _unary(operator: Callable[..., Value], operand: Evaluation, span: Span | None) -> Evaluation:
    def value(frame: Frame) -> Any:
        a = operand(frame)
        try:
            return operator(a)
        except InputError as problem:
            raise _at(problem, span) from None

    return value


def _binary(operator: Callable[..., Value], left: Evaluation, right: Evaluation, span: Span | None) -> Evaluation:
    def value(frame: Frame) -> Any:
        a = left(frame)
        b = right(frame)
        try:
            return operator(a, b)
        except InputError as problem:
            raise _at(problem, span) from None

    return value


def _any_number(operator: Callable[..., Value], operands: list[Evaluation], span: Span | None) -> Evaluation:
    def value(frame: Frame) -> Any:
        values = [operand(frame) for operand in operands]
        try:
            return operator(*values)
        except InputError as problem:
            raise _at(problem, span) from None

    return value


def _connective(expr: Apply, operands: list[Evaluation]) -> Evaluation:
    """A conjunction stops at the first FALSE, a disjunction at the first TRUE; words are combined bit by bit."""
    if not operands:
        raise TypeProblem(f"'{expr.op}' needs an operand", expr.span)
    combine, span, until = OPERATORS[expr.op], expr.span, SETTLED_BY[expr.op][0]

    def value(frame: Frame) -> Any:
        result: Any = not until
        lacking: InputError | None = None
        for number, operand in enumerate(operands):
            try:
                truth = operand(frame)
            except InputError as problem:
                lacking = lacking or problem
                continue
            if truth is until and result.__class__ is bool:
                return until
            if truth.__class__ is not bool or result.__class__ is not bool:
                try:
                    result = combine(result, truth) if number else truth
                except InputError as problem:
                    raise lacking or _at(problem, span) from None
        if lacking is not None:
            raise lacking
        return result

    return value


def _implication(expr: Apply, left: Evaluation, right: Evaluation) -> Evaluation:
    combine = _binary(OPERATORS["implies"], lambda pair: pair[0], lambda pair: pair[1], expr.span)

    def value(frame: Frame) -> Any:
        try:
            premise = left(frame)
        except InputError:
            if right(frame) is True:
                return True
            raise
        if premise is False:
            return True
        return combine([premise, right(frame)])

    return value


def _condition(value: Value, span: Span | None) -> bool:
    if value.__class__ is not bool:
        try:
            misfit("case", value)
        except TypeProblem as problem:
            raise _at(problem, span) from None
    return value is True


def _not_exhaustive(expr: Apply) -> ModelProblem:
    return ModelProblem("case conditions are not exhaustive", expr.span, hint="end the case with 'TRUE : …;'")


def _case(expr: Apply, operands: list[Evaluation]) -> Evaluation:
    branches = list(zip(operands[::2], operands[1::2]))

    def value(frame: Frame) -> Any:
        for condition, result in branches:
            holds = condition(frame)
            if holds is True or (holds is not False and _condition(holds, expr.span)):
                return result(frame)
        raise _not_exhaustive(expr)

    return value


# Operands that may be choices: every closure here gives a tuple of values


def _inclusion(left: Evaluation, right: Evaluation) -> Evaluation:
    def value(frame: Frame) -> Any:
        inside = right(frame)
        return all(any(same(a, b) for b in inside) for a in left(frame))

    return value


def _union(operands: list[Evaluation]) -> Evaluation:
    def value(frame: Frame) -> Any:
        return distinct([member for operand in operands for member in operand(frame)])

    return value


def _lifted(expr: Apply, operands: list[Evaluation]) -> Evaluation:
    match expr.op:
        case "case":
            return _lifted_case(expr, operands)
        case "and" | "or" | "implies":
            return _lifted_connective(expr, operands)
    operator, span = OPERATORS[expr.op], expr.span

    def value(frame: Frame) -> Any:
        return _combinations(operator, [operand(frame) for operand in operands], span)

    return value


def _combinations(operator: Callable[..., Value], operands: Iterable[tuple[Value, ...]], span: Span | None) -> tuple[Value, ...]:
    try:
        return distinct([operator(*values) for values in product(*operands)])
    except InputError as problem:
        raise _at(problem, span) from None


def _lifted_connective(expr: Apply, operands: list[Evaluation]) -> Evaluation:
    """Combine from left to right, until an operand has a single value that decides the result."""
    operator, span, settling = OPERATORS[expr.op], expr.span, SETTLED_BY[expr.op]

    def value(frame: Frame) -> Any:
        result: tuple[Value, ...] = ()
        lacking: InputError | None = None
        for number, operand in enumerate(operands):
            try:
                truths = operand(frame)
            except InputError as problem:
                lacking = lacking or problem
                continue
            if len(truths) == 1 and truths[0] is settling[number > 0]:
                return (settling[1],)
            if lacking is None:
                result = _combinations(operator, [result, truths], span) if number else truths
        if lacking is not None:
            raise lacking
        return result

    return value


def _lifted_case(expr: Apply, operands: list[Evaluation]) -> Evaluation:
    """If a condition may hold and may fail, its value is a result, and the next conditions are evaluated, too."""
    branches = list(zip(operands[::2], operands[1::2]))

    def value(frame: Frame) -> Any:
        results: list[Value] = []
        for condition, result in branches:
            holds = [_condition(truth, expr.span) for truth in condition(frame)]
            if True in holds:
                results.extend(result(frame))
            if False not in holds:
                return distinct(results)
        raise _not_exhaustive(expr)

    return value
