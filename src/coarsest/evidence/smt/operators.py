"""The operators on z3 terms, with the meaning that `model/interpret/values.py` gives them on values.

A truth is a boolean term, a number an integer or real term, and a symbol is itself. A product or quotient of two variables is
written as a case over the values of one of them, if these are few, since z3 decides linear arithmetic only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, TypeAlias

from coarsest import tuning
from coarsest.evidence.effort import NotConfirmed
from coarsest.evidence.smt.questions import Questions

if TYPE_CHECKING:
    import z3

Single: TypeAlias = "z3.BoolRef | z3.ArithRef | str"


class TermOperators:
    """Operators on terms; `questions` assumes the types of the variables."""

    def __init__(self, questions: Questions) -> None:
        self.z3 = questions.z3
        self.context = questions.context
        self._questions = questions
        self._by_name = self._table()

    def apply(self, op: str, operands: Sequence[Single]) -> Single:
        """An operator on operands that fit it."""
        if op not in self._by_name:
            raise NotConfirmed(f"'{op}' occurs in it")
        result: Single = self._by_name[op](*operands)
        return result

    def number(self, value: int) -> z3.ArithRef:
        return self.z3.IntVal(value, self.context)

    def equal(self, a: Single, b: Single) -> z3.BoolRef:
        """Values of different kinds are never equal, but 2 is 2.0."""
        if isinstance(a, str) or isinstance(b, str):
            return self.z3.BoolVal(isinstance(a, str) and isinstance(b, str) and a == b, self.context)
        alike = self.z3.is_bool(a) == self.z3.is_bool(b)
        return a == b if alike else self.z3.BoolVal(False, self.context)

    def lacks_value(self, op: str, operands: Sequence[Single]) -> z3.BoolRef:
        """The condition that an operator has no value although its operands have values."""
        return self._number(operands[1]) == 0 if op in ("/", "mod") else self.z3.BoolVal(False, self.context)

    def _table(self) -> dict[str, Callable[..., Single]]:
        z3, truth, number = self.z3, self._truth, self._number
        return {
            "=": self.equal,
            "!=": lambda a, b: z3.Not(self.equal(a, b)),
            "not": lambda a: z3.Not(truth(a)),
            "and": lambda *operands: z3.And([truth(operand) for operand in operands]),
            "or": lambda *operands: z3.Or([truth(operand) for operand in operands]),
            "implies": lambda a, b: z3.Implies(truth(a), truth(b)),
            "xor": lambda a, b: truth(a) != truth(b),
            "xnor": lambda a, b: truth(a) == truth(b),
            "iff": lambda a, b: truth(a) == truth(b),
            "<": lambda a, b: number(a) < number(b),
            "<=": lambda a, b: number(a) <= number(b),
            ">": lambda a, b: number(a) > number(b),
            ">=": lambda a, b: number(a) >= number(b),
            "neg": lambda a: -number(a),
            "abs": lambda a: self._size(number(a)),
            "+": lambda a, b: number(a) + number(b),
            "-": lambda a, b: number(a) - number(b),
            "*": lambda a, b: self._product(number(a), number(b)),
            "/": lambda a, b: self._quotient(number(a), number(b)),
            "mod": lambda a, b: self._remainder(number(a), number(b)),
            "min": lambda a, b: z3.If(number(a) <= number(b), a, b),
            "max": lambda a, b: z3.If(number(a) >= number(b), a, b),
            "toint": lambda a: self._as_number(a) if z3.is_bool(a) else number(a),
            "bool": lambda a: a if z3.is_bool(a) else number(a) != 0,
            "count": lambda *operands: z3.Sum([self._as_number(truth(operand)) for operand in operands]),
        }

    def _truth(self, value: Single) -> z3.BoolRef:
        if isinstance(value, str) or not self.z3.is_bool(value):
            raise NotConfirmed("a boolean is expected, but this value is not one")
        return value

    def _number(self, value: Single) -> z3.ArithRef:
        if isinstance(value, str) or not self.z3.is_arith(value):
            raise NotConfirmed("a number is expected, but this value is not one")
        return value

    def _as_number(self, truth: z3.BoolRef) -> z3.ArithRef:
        return self.z3.If(truth, self.number(1), self.number(0))

    def _size(self, number: z3.ArithRef) -> z3.ArithRef:
        return self.z3.If(number >= 0, number, -number)

    # Operators that are not linear

    def _product(self, a: z3.ArithRef, b: z3.ArithRef) -> z3.ArithRef:
        a, b = self.z3.simplify(a), self.z3.simplify(b)
        if self._is_constant(a) or self._is_constant(b):
            return a * b
        for factor, other in ((a, b), (b, a)):
            values = self._values(factor)
            if values is not None:
                return self._by_cases(factor, values, lambda value, other=other: value * other)  # type: ignore[misc]
        raise NotConfirmed("a product of two variables occurs in it")

    def _quotient(self, a: z3.ArithRef, b: z3.ArithRef) -> z3.ArithRef:
        """The quotient: of integers towards zero, of reals exactly; any number if there is none."""
        if a.is_int() and b.is_int():
            return self._divided(b, lambda divisor: self._towards_zero(a, divisor.as_long()))
        return self._divided(b, lambda divisor: (self.z3.ToReal(a) if a.is_int() else a) / divisor)

    def _remainder(self, a: z3.ArithRef, b: z3.ArithRef) -> z3.ArithRef:
        if not (a.is_int() and b.is_int()):
            raise NotConfirmed("a remainder of real numbers occurs in it")
        return self._divided(b, lambda divisor: a - divisor * self._towards_zero(a, divisor.as_long()))

    def _towards_zero(self, a: z3.ArithRef, divisor: int) -> z3.ArithRef:
        magnitude = self._size(a) / abs(divisor)
        return self.z3.If((a < 0) == (divisor < 0), magnitude, -magnitude)

    def _divided(self, divisor: z3.ArithRef, by: Callable[[Any], z3.ArithRef]) -> z3.ArithRef:
        divisor = self.z3.simplify(divisor)
        values = [divisor] if self._is_constant(divisor) else self._values(divisor)
        if values is None:
            raise NotConfirmed("a division by a variable occurs in it")
        return self._by_cases(divisor, [value for value in values if self.z3.is_true(self.z3.simplify(value != 0))], by)

    def _by_cases(self, term: z3.ArithRef, values: Sequence[Any], result: Callable[[Any], z3.ArithRef]) -> z3.ArithRef:
        if not values:
            return self.number(0)
        *others, last = values
        return reduce(lambda rest, value: self.z3.If(term == value, result(value), rest), others, result(last))

    def _is_constant(self, term: z3.ArithRef) -> bool:
        return bool(self.z3.is_int_value(term) or self.z3.is_rational_value(term))

    def _values(self, term: z3.ArithRef) -> list[Any] | None:
        """The values that an integer term can have, if they are few."""
        values: list[Any] = []
        while term.is_int() and len(values) <= tuning.FACTOR_VALUES:
            example = self._questions.example(*(term != value for value in values))
            if example is None:
                return values
            values.append(example.eval(term, model_completion=True))
        return None
