"""The operators of expressions, as z3 terms of linear arithmetic.

A product of two variables is not linear. Where one of the factors has few values (a range, say) the product is written as a
case over them; otherwise it is refused, because quantifiers could not be eliminated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING, Any, TypeAlias

from coarsest import tuning
from coarsest.encode.values import Boole, MemberTable, SolverNumber
from coarsest.encode.values import Single as SingleOver
from coarsest.errors import TypeProblem, Unsupported
from coarsest.logic.expr import Value, Word
from coarsest.space.smt.smt_solver import Solver
from coarsest.space.smt.smt_values import Formula, Values

if TYPE_CHECKING:
    import z3

Single: TypeAlias = "SingleOver[Formula]"


class Operators:
    """Operators over one z3 context; the solver knows the types of the variables."""

    def __init__(self, values: Values, solver: Solver) -> None:
        self.values = values
        self.solver = solver
        self.z3 = values.z3

    def formula(self, term: z3.BoolRef) -> Formula:
        """A condition that is a term of z3."""
        return Formula(term, self.values)

    def constant(self, value: Value) -> Single:
        z3, context = self.z3, self.values.context
        match value:
            case bool():
                return Boole(self.formula(z3.BoolVal(value, context)))
            case int():
                return SolverNumber(z3.IntVal(value, context))
            case Fraction():
                return SolverNumber(z3.RealVal(value, context))
            case str():
                return MemberTable({value: self.formula(self.values.true)})
            case Word():
                raise Unsupported("formulas cannot hold words", hint="they are for the carrier of BDDs")

    def number(self, value: Single) -> z3.ArithRef:
        """The value as a number."""
        match value:
            case SolverNumber(term):
                return term
            case MemberTable(where) if all(isinstance(member, int) for member in where):
                members = [(here.term, self.z3.IntVal(member, self.values.context)) for member, here in where.items()]
                return self._by_conditions(members)
        raise TypeProblem("a number is expected here")

    def _by_conditions(self, branches: Sequence[tuple[Any, Any]]) -> Any:
        """The term of the one branch whose condition holds; the last branch takes the rest."""
        return reduce(lambda rest, pair: self.z3.If(pair[0], pair[1], rest), reversed(branches[:-1]), branches[-1][1])

    def _truth(self, value: Single) -> z3.BoolRef:
        if isinstance(value, Boole):
            return value.where.term
        raise TypeProblem("a boolean is expected here")

    def equal(self, a: Single, b: Single) -> Formula:
        values = self.values
        match a, b:
            case Boole(left), Boole(right):
                same = left.term == right.term
            case SolverNumber(left), SolverNumber(right):
                same = left == right
            case MemberTable(left, this), MemberTable(right, that):
                if this and that and list(left) == list(right):
                    same = values.both(*(one.term == other.term for one, other in zip(this, that)))
                else:
                    shared = ((here, right[member]) for member, here in left.items() if member in right)
                    same = values.either(*(values.both(here.term, there.term) for here, there in shared))
            case (MemberTable(where), SolverNumber(term)) | (SolverNumber(term), MemberTable(where)):
                numbers = ((member, here.term) for member, here in where.items() if isinstance(member, int))
                same = values.either(*(values.both(here, term == member) for member, here in numbers))
            case _:
                same = values.false
        return self.formula(same)

    def choose(self, branches: Sequence[tuple[Formula, Single]]) -> Single:
        """The value of the one branch whose condition holds; the last branch takes the rest."""
        values = [value for _, value in branches]
        if all(isinstance(value, Boole) for value in values):
            return Boole(self.formula(self.values.either(*(self.values.both(c.term, self._truth(x)) for c, x in branches))))
        if all(isinstance(value, SolverNumber) for value in values):
            return SolverNumber(self._by_conditions([(c.term, self.number(value)) for c, value in self.alike(branches)]))
        where: dict[str | int, Formula] = {}
        for condition, value in branches:
            for member, here in self._members(value).items():
                where[member] = where[member] | (condition & here) if member in where else condition & here
        return MemberTable(where)

    def _members(self, value: Single) -> dict[str | int, Formula]:
        match value:
            case MemberTable(where):
                return where
            case SolverNumber(term) if self.z3.is_int_value(term):
                return {term.as_long(): self.formula(self.values.true)}
        raise TypeProblem("symbols and numbers that are computed cannot be alternatives of one value")

    def alike(self, options: Sequence[tuple[Formula, Single]]) -> Sequence[tuple[Formula, Single]]:
        """The options; if some are real numbers, all numbers are."""
        if not any(isinstance(value, SolverNumber) and value.is_real for _, value in options):
            return options
        return [(condition, self._real(value)) for condition, value in options]

    def _real(self, value: Single) -> Single:
        return SolverNumber(self.z3.ToReal(value.term)) if isinstance(value, SolverNumber) and not value.is_real else value

    def undefined(self, op: str, args: Sequence[Single]) -> Formula:
        """Where an operator has no value although its operands have one."""
        return self.formula(self.number(args[1]) == 0 if op in ("/", "mod") else self.values.false)

    def apply(self, op: str, args: Sequence[Single], parameters: Sequence[int] = ()) -> Single:
        """An operator on single values."""
        z3 = self.z3
        if op in ("=", "!="):
            same = self.equal(args[0], args[1])
            return Boole(same if op == "=" else ~same)
        if op in _LOGICAL:
            return Boole(self.formula(_LOGICAL[op](self.values, [self._truth(arg) for arg in args])))
        if op == "toint":
            (arg,) = args
            return SolverNumber(z3.If(arg.where.term, *self._numbers(1, 0)) if isinstance(arg, Boole) else self.number(arg))
        if op == "bool":
            (arg,) = args
            return arg if isinstance(arg, Boole) else Boole(self.formula(self.number(arg) != 0))
        if op == "count":
            return SolverNumber(z3.Sum([z3.If(self._truth(arg), *self._numbers(1, 0)) for arg in args]))
        if op not in _COMPARISON and op not in _ARITHMETIC and op not in ("*", "/", "mod"):
            raise Unsupported(f"`{op}` is not an operator on truths, numbers and symbols", hint="formulas cannot hold words")
        terms = [self.number(arg) for arg in args]
        if op in _COMPARISON:
            return Boole(self.formula(_COMPARISON[op](*terms)))
        if op in _ARITHMETIC:
            return SolverNumber(_ARITHMETIC[op](z3, *terms))
        return SolverNumber(self._product(*terms) if op == "*" else self._quotient(op, *terms))

    def _numbers(self, *numbers: int) -> list[z3.ArithRef]:
        return [self.z3.IntVal(number, self.values.context) for number in numbers]

    def _product(self, a: z3.ArithRef, b: z3.ArithRef) -> z3.ArithRef:
        z3 = self.z3
        a, b = z3.simplify(a), z3.simplify(b)
        if _is_value(z3, a) or _is_value(z3, b):
            return a * b
        few, other = (a, b) if a.is_int() else (b, a)
        members = self._few_values(few)
        if members is None and other.is_int():
            few, other = other, few
            members = self._few_values(few)
        if members is None:
            raise _nonlinear("product of two variables")
        return self._by_cases(few, members, lambda member: member * other)

    def _quotient(self, op: str, a: z3.ArithRef, b: z3.ArithRef) -> z3.ArithRef:
        z3 = self.z3
        a, b = z3.simplify(a), z3.simplify(b)
        if _is_value(z3, b):
            return _divided(z3, op, a, b)
        members = self._few_values(b) if b.is_int() else None
        if members is None:
            raise _nonlinear("division by a variable")
        nonzero = [member for member in members if member.as_long() != 0]
        return self._by_cases(b, nonzero, lambda member: _divided(z3, op, a, member))

    def _by_cases(self, term: z3.ArithRef, members: Sequence[Any], value: Callable[[Any], z3.ArithRef]) -> z3.ArithRef:
        if not members:
            return self._numbers(0)[0]
        *others, last = members
        return reduce(lambda rest, member: self.z3.If(term == member, value(member), rest), reversed(others), value(last))

    def _few_values(self, term: z3.ArithRef) -> list[z3.ArithRef] | None:
        """The values a term can have, from the least, if they are few."""
        found: list[Any] = []
        while len(found) <= tuning.FACTOR_VALUES:
            model = self.solver.model(*(term != member for member in found))
            if model is None:
                return sorted(found, key=lambda member: member.as_long())
            found.append(model.eval(term, model_completion=True))
        return None


def _is_value(z3: Any, term: z3.ArithRef) -> bool:
    return bool(z3.is_int_value(term) or z3.is_rational_value(term))


def _nonlinear(what: str) -> Unsupported:
    hint = f"one of the two must be a constant, or have at most {tuning.FACTOR_VALUES} values"
    return Unsupported(f"a {what} is not linear arithmetic", hint=hint)


def _divided(z3: Any, op: str, a: z3.ArithRef, b: z3.ArithRef) -> z3.ArithRef:
    """By a constant: exactly for reals, towards zero for integers (where z3 rounds down)."""
    if not a.is_int() or not b.is_int():
        if op == "mod":
            raise TypeProblem("real numbers have no remainder")
        return z3.ToReal(a) / b if a.is_int() else a / b
    divisor = b.as_long()
    if divisor == 0:
        return a  # it has no value there, which was noted
    size = abs(divisor)
    if op == "mod":
        return z3.If(a >= 0, a % size, -((-a) % size))
    quotient = z3.If(a >= 0, a / size, -((-a) / size))
    return quotient if divisor > 0 else -quotient


_LOGICAL: Mapping[str, Callable[[Values, list[Any]], Any]] = {
    "not": lambda values, args: values.opposite(args[0]),
    "and": lambda values, args: values.both(*args),
    "or": lambda values, args: values.either(*args),
    "implies": lambda values, args: values.either(values.opposite(args[0]), args[1]),
    "xor": lambda values, args: args[0] != args[1],
    "xnor": lambda values, args: args[0] == args[1],
    "iff": lambda values, args: args[0] == args[1],
}
_COMPARISON: Mapping[str, Callable[[Any, Any], Any]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
_ARITHMETIC: Mapping[str, Callable[..., Any]] = {
    "+": lambda z3, a, b: a + b,
    "-": lambda z3, a, b: a - b,
    "neg": lambda z3, a: -a,
    "abs": lambda z3, a: z3.If(a >= 0, a, -a),
    "min": lambda z3, a, b: z3.If(a <= b, a, b),
    "max": lambda z3, a, b: z3.If(a >= b, a, b),
}
