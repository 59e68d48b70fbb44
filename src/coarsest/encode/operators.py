"""The operators of expressions, on all states at once.

The meaning of each operator is fixed in `logic.expr`; `model.interpret` gives it for one state, this file symbolically,
and a law test compares the two. Operands here are single values; choices are spread over before (`encode`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import reduce
from operator import and_, or_
from typing import Generic

from coarsest import tuning
from coarsest.bdd.protocol import F
from coarsest.encode.algebra import Algebra
from coarsest.encode.bitvectors import BitVectors, Vector
from coarsest.encode.values import Boole, Integer, MemberTable, Single, WordBits
from coarsest.errors import TypeProblem
from coarsest.logic.expr import Value, Word
from coarsest.model.types import RealType
from coarsest.model.unbounded import no_bits


class VectorOperators(Generic[F]):
    """Operators over one manager."""

    def __init__(self, manager: Algebra[F]) -> None:
        self.manager = manager
        self.vectors = BitVectors(manager)
        self.true = manager.true
        self.false = manager.false
        self.unfinished: F = manager.false  # what some of many operands have been joined to, so far
        self.between: Callable[[], object] = manager.tidy  # called while they are joined, which may take long

    def constant(self, value: Value) -> Single[F]:
        match value:
            case bool():
                return Boole(self.true if value else self.false)
            case int():
                return Integer(self.vectors.integer(value))
            case str():
                return MemberTable({value: self.true})
            case Word(bits, width, signed):
                return WordBits(self.vectors.constant(bits, width), signed)
            case Fraction():
                raise no_bits(RealType())

    # Conversions

    def integer(self, a: Single[F]) -> Vector[F]:
        """The operand as an integer."""
        match a:
            case Integer(bits):
                return bits
            case MemberTable(where) if all(isinstance(value, int) for value in where):
                return self._table_to_vector({int(value): w for value, w in where.items()})
        raise TypeProblem("an integer is expected here", None)

    def _table_to_vector(self, where: dict[int, F]) -> Vector[F]:
        width = max((v if v >= 0 else ~v).bit_length() for v in where) + 1
        bits = [self.false] * width
        for value, here in where.items():
            for i in range(width):
                if value >> i & 1:
                    bits[i] = bits[i] | here
        return tuple(bits)

    def table(self, a: Single[F]) -> dict[str | int, F]:
        """The operand as a table of values; an integer is listed value by value."""
        match a:
            case MemberTable(where):
                return where
            case Integer(bits):
                half = 1 << (len(bits) - 1)
                listed = ((v, self.vectors.equal(bits, self.vectors.constant(v, len(bits)))) for v in range(-half, half))
                return {value: here for value, here in listed if here != self.false}
        raise TypeProblem("a member of an enumeration is expected here", None)

    # Equality, order

    def equal(self, a: Single[F], b: Single[F]) -> F:
        v = self.vectors
        match a, b:
            case Boole(x), Boole(y):
                return ~(x ^ y)
            case Integer(x), Integer(y):
                width = max(len(x), len(y))
                return v.equal(v.widen(x, width, signed=True), v.widen(y, width, signed=True))
            case WordBits(x, _), WordBits(y, _):
                return v.equal(x, y)
            case (MemberTable(), MemberTable() | Integer()) | (Integer(), MemberTable()):
                left, right = self._tables(a, b)
                return reduce(or_, (here & right[value] for value, here in left.items() if value in right), self.false)
            case (Boole(), Integer() | MemberTable()) | (Integer() | MemberTable(), Boole()):  # they meet in sets: `x in {1, b}`
                return self.false
        raise TypeProblem("values of these types cannot be compared", None)

    def _tables(self, a: Single[F], b: Single[F]) -> tuple[dict[str | int, F], dict[str | int, F]]:
        """Both as tables, listing of an integer only the values that the other one can have."""
        if isinstance(a, Integer):
            right, left = self._tables(b, a)
            return left, right
        left = self.table(a)
        if isinstance(b, Integer):
            integers = [value for value in left if isinstance(value, int)]
            return left, {value: self.equal(b, self.constant(value)) for value in integers}
        return left, self.table(b)

    def less(self, a: Single[F], b: Single[F]) -> F:
        if isinstance(a, WordBits) and isinstance(b, WordBits):
            return self.vectors.less(a.bits, b.bits, signed=a.signed)
        x, y, _ = self._same_width(a, b)
        return self.vectors.less(x, y, signed=True)

    def _same_width(self, a: Single[F], b: Single[F], extra: int = 0) -> tuple[Vector[F], Vector[F], int]:
        x, y = self.integer(a), self.integer(b)
        width = max(len(x), len(y)) + extra
        return self.vectors.widen(x, width, signed=True), self.vectors.widen(y, width, signed=True), width

    # Arithmetic

    def arithmetic(self, op: str, a: Single[F], b: Single[F]) -> Single[F]:
        v = self.vectors
        if isinstance(a, WordBits) and isinstance(b, WordBits):
            return WordBits(self._word_arithmetic(op, a.bits, b.bits, signed=a.signed), a.signed)
        if op == "*":
            x, y = self.integer(a), self.integer(b)
            width = len(x) + len(y)
            product = v.multiply(v.widen(x, width, signed=True), v.widen(y, width, signed=True))
            return Integer(v.shorten(product))
        x, y, _ = self._same_width(a, b, extra=1)
        return Integer(v.shorten(self._word_arithmetic(op, x, y, signed=True)))

    def _word_arithmetic(self, op: str, x: Vector[F], y: Vector[F], *, signed: bool) -> Vector[F]:
        v = self.vectors
        match op:
            case "+":
                return v.add(x, y)
            case "-":
                return v.subtract(x, y)
            case "*":
                return v.multiply(x, y)
            case "/" | "mod":
                quotient, remainder = v.divide_signed(x, y) if signed else v.divide_unsigned(x, y)
                return quotient if op == "/" else remainder
        raise AssertionError(op)

    def negative(self, a: Single[F]) -> Single[F]:
        v = self.vectors
        if isinstance(a, WordBits):
            return WordBits(v.negate(a.bits), a.signed)
        bits = self.integer(a)
        return Integer(v.shorten(v.negate(v.widen(bits, len(bits) + 1, signed=True))))

    def extreme(self, op: str, a: Single[F], b: Single[F]) -> Single[F]:
        """The smaller or the larger of two."""
        first = self.less(a, b) if op == "min" else self.less(b, a)
        return self.choose([(first, a), (~first, b)])

    def absolute(self, a: Single[F]) -> Single[F]:
        negative = self.negative(a)
        zero = WordBits(self.vectors.constant(0, len(a.bits)), a.signed) if isinstance(a, WordBits) else self.constant(0)
        below = self.less(a, zero)
        return self.choose([(below, negative), (~below, a)])

    def count(self, args: Sequence[Single[F]]) -> Single[F]:
        """How many of the arguments are true, by adding pairs."""
        v = self.vectors
        sums: list[Vector[F]] = [(self._boole(a), self.false) for a in args] or [(self.false,)]
        while len(sums) > 1:
            sums.append(self.integer(self.arithmetic("+", Integer(sums.pop(0)), Integer(sums.pop(0)))))
        return Integer(v.shorten(sums[0]))

    # Booleans, and words bit by bit

    def _boole(self, a: Single[F]) -> F:
        if isinstance(a, Boole):
            return a.where
        raise TypeProblem("a boolean is expected here", None)

    def logical(self, op: str, args: Sequence[Single[F]]) -> Single[F]:
        act = self._act(op)
        if args and isinstance(args[0], WordBits):
            columns = zip(*(a.bits for a in args if isinstance(a, WordBits)), strict=True)
            return WordBits(tuple(act(column) for column in columns), args[0].signed)
        return Boole(act([self._boole(a) for a in args]))

    def _joined(self, join: Callable[[F, F], F], operands: Sequence[F], none: F) -> F:
        """All operands; if they are many, what is joined so far may need another order of variables before the next one."""
        few = tuning.OPERANDS_JOINED_AT_ONCE
        result = reduce(join, operands[:few], none)
        for operand in operands[few:]:
            self.unfinished = result
            self.between()
            result = join(result, operand)
        self.unfinished = self.false
        return result

    def _act(self, op: str) -> Callable[[Sequence[F]], F]:
        match op:
            case "not":
                return lambda x: ~x[0]
            case "and":
                return lambda x: self._joined(and_, x, self.true)
            case "or":
                return lambda x: self._joined(or_, x, self.false)
            case "xor":
                return lambda x: x[0] ^ x[1]
            case "xnor" | "iff":
                return lambda x: ~(x[0] ^ x[1])
            case "implies":
                return lambda x: ~x[0] | x[1]
        raise AssertionError(op)

    # Words

    def shift(self, op: str, a: Single[F], amount: Single[F]) -> Single[F]:
        assert isinstance(a, WordBits)
        # The amount is not negative (that is undefined): the sign bit of an integer is left away.
        by = amount.bits if isinstance(amount, WordBits) else self.integer(amount)[:-1]
        if op == "<<":
            return WordBits(self.vectors.shift_left(a.bits, by), a.signed)
        fill = a.bits[-1] if a.signed else self.false
        return WordBits(self.vectors.shift_right(a.bits, by, fill=fill), a.signed)

    def resize(self, a: Single[F], width: int) -> Single[F]:
        """To another width: a longer word keeps its value; a shorter signed word keeps its sign bit."""
        assert isinstance(a, WordBits)
        if width >= len(a.bits):
            return WordBits(self.vectors.widen(a.bits, width, signed=a.signed), a.signed)
        if a.signed:
            return WordBits((*a.bits[: width - 1], a.bits[-1]), signed=True)
        return WordBits(a.bits[:width], signed=False)

    def to_boolean(self, a: Single[F]) -> Single[F]:
        if isinstance(a, Boole):
            return a
        bits = a.bits if isinstance(a, WordBits) else self.integer(a)
        return Boole(~self.vectors.is_zero(bits))

    def to_integer(self, a: Single[F]) -> Single[F]:
        match a:
            case Boole(where):
                return Integer((where, self.false))
            case WordBits(bits, signed):
                return Integer(self.vectors.shorten(bits if signed else (*bits, self.false)))
        return Integer(self.integer(a))

    # Choosing between values of one kind

    def choose(self, branches: Sequence[tuple[F, Single[F]]]) -> Single[F]:
        """The value of the branch whose condition holds; the conditions exclude one another."""
        values = [value for _, value in branches]
        first = values[0]
        if len(branches) == 1:
            return first
        if isinstance(first, Boole):
            return Boole(reduce(or_, (c & self._boole(x) for c, x in branches), self.false))
        if isinstance(first, WordBits):
            return WordBits(self._mix([(c, x.bits) for c, x in branches if isinstance(x, WordBits)]), first.signed)
        if all(isinstance(x, Integer) for x in values):
            vectors = [(c, self.integer(x)) for c, x in branches]
            width = max(len(x) for _, x in vectors)
            wide = [(c, self.vectors.widen(x, width, signed=True)) for c, x in vectors]
            return Integer(self.vectors.shorten(self._mix(wide)))
        where: dict[str | int, F] = {}
        for condition, value in branches:
            for member, here in self.table(value).items():
                where[member] = where.get(member, self.false) | (condition & here)
        return MemberTable(where)

    def _mix(self, branches: Sequence[tuple[F, Vector[F]]]) -> Vector[F]:
        columns = zip(*([c & bit for bit in bits] for c, bits in branches), strict=True)
        return tuple(reduce(or_, column) for column in columns)

    # All of them

    def apply(self, op: str, args: Sequence[Single[F]], parameters: Sequence[int] = ()) -> Single[F]:
        """The value of an operator; `parameters` are the constant bounds of `bits`, `extend`, `resize`."""
        match op:
            case "not" | "and" | "or" | "xor" | "xnor" | "iff" | "implies":
                return self.logical(op, args)
            case "=" | "!=":
                same = self.equal(args[0], args[1])
                return Boole(same if op == "=" else ~same)
            case "<":
                return Boole(self.less(args[0], args[1]))
            case ">":
                return Boole(self.less(args[1], args[0]))
            case "<=":
                return Boole(~self.less(args[1], args[0]))
            case ">=":
                return Boole(~self.less(args[0], args[1]))
            case "+" | "-" | "*" | "/" | "mod":
                return self.arithmetic(op, args[0], args[1])
            case "neg":
                return self.negative(args[0])
            case "min" | "max":
                return self.extreme(op, args[0], args[1])
            case "abs":
                return self.absolute(args[0])
            case "count":
                return self.count(args)
            case "<<" | ">>":
                return self.shift(op, args[0], args[1])
        return self._convert(op, args, parameters)

    def _convert(self, op: str, args: Sequence[Single[F]], parameters: Sequence[int]) -> Single[F]:
        a = args[0]
        match op:
            case "bool":
                return self.to_boolean(a)
            case "toint":
                return self.to_integer(a)
            case "word1":
                return WordBits((self._boole(a),), signed=False)
        if not isinstance(a, WordBits):
            raise TypeProblem(f"'{op}' is for words", None)
        match op, parameters, args:
            case "::", _, [_, WordBits(low)]:
                return WordBits(low + a.bits, signed=False)
            case "bits", [high, low], _:
                return WordBits(a.bits[low : high + 1], signed=False)
            case "signed" | "unsigned", _, _:
                return WordBits(a.bits, signed=op == "signed")
            case "extend", [more], _:
                return self.resize(a, len(a.bits) + more)
            case "resize", [width], _:
                return self.resize(a, width)
        raise TypeProblem(f"operator '{op}' cannot stand here", None)

    def undefined(self, op: str, args: Sequence[Single[F]]) -> F:
        """Where an operator has no value although its operands have one."""
        match op:
            case "/" | "mod":
                divisor = args[1]
                return self.vectors.is_zero(divisor.bits if isinstance(divisor, WordBits) else self.integer(divisor))
            case "<<" | ">>":
                word, amount = args
                assert isinstance(word, WordBits)
                by = self.to_integer(amount)
                return self.less(by, self.constant(0)) | self.less(self.constant(len(word.bits)), by)
        return self.false
