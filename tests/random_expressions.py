"""Random typed expressions over given variables, covering every operator.

The generator draws from a `random.Random`. Seeded, it gives the same expression every time; handed one of hypothesis's, it
shrinks: wherever there is a choice, the simplest option comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from random import Random

from coarsest.logic.expr import Apply, Constant, Expr, Name, Value, Word
from coarsest.model.types import Boolean, Enumeration, Range, Type, WordType

OPERATORS = (
    *("not", "and", "or", "xor", "xnor", "implies", "iff", "=", "!=", "<", "<=", ">", ">="),
    *("neg", "+", "-", "*", "/", "mod", "abs", "min", "max", "<<", ">>", "::", "bits"),
    *("signed", "unsigned", "extend", "resize", "word1", "toint", "bool", "count", "set", "union", "in", "case", "next"),
)
WIDTHS = (1, 2, 3)
ALL_TYPES: Mapping[str, Type] = {
    "b0": Boolean(),
    "b1": Boolean(),
    "n0": Range(0, 5),
    "n1": Range(-3, 2),
    "e0": Enumeration(("red", "green", "blue")),
    "e1": Enumeration(("red", 0, 1, 5)),
    "e2": Enumeration((1, 3, -2)),
    **{f"{'s' if signed else 'u'}{width}": WordType(width, signed) for width in WIDTHS for signed in (False, True)},
}
"""Variables of every type, several where their values overlap."""


def apply(op: str, *args: Expr) -> Expr:
    return Apply(op, args)


def const(value: Value) -> Expr:
    return Constant(value)


class Expressions:
    """Expressions that have a value in every state: no shift out of range, every case exhaustive, divisions by zero guarded."""

    def __init__(
        self,
        random: Random,
        variables: Mapping[str, Type],
        *,
        after: Iterable[str] = (),
        definitions: Mapping[str, Type] | None = None,
        choices: Mapping[str, Type] | None = None,
    ) -> None:
        self.random = random
        self.names: dict[str, Type] = {**variables, **(definitions or {})}
        self.choices = dict(choices or {})
        """Definitions that may offer several values: they stand only where a choice may."""
        self.after = frozenset(after)
        """The variables that may stand inside next()."""

    # Drawing

    def pick(self, *options: Callable[[], Expr]) -> Expr:
        return self.random.choice(options)()

    def below(self, depth: int) -> int:
        return self.random.randint(0, depth - 1) if depth > 1 else 0

    def leaf(self, fits: Callable[[Type], bool], otherwise: Callable[[], Expr]) -> Expr:
        """A variable of a fitting type, perhaps after the step; a constant where there is none."""
        fitting = [name for name, kind in self.names.items() if fits(kind)]
        if not fitting or self.random.random() < 0.2:
            return otherwise()
        name = self.random.choice(fitting)
        if name in self.after and self.random.random() < 0.4:
            return apply("next", Name(name))
        return Name(name)

    # By type

    def of(self, kind: Type, depth: int) -> Expr:
        """An expression whose value is always one of the type's."""
        match kind:
            case Boolean():
                return self.boolean(depth)
            case Range(low, high):
                return self._within(low, high, depth)
            case Enumeration():
                return self.member(kind, depth)
            case WordType(width, signed):
                return self.word(width, signed, depth)

    def choice(self, kind: Type, depth: int) -> Expr:
        """An expression that may offer several values of the type."""

        def plain() -> Expr:
            return self.of(kind, depth)

        def some() -> Expr:
            return apply("set", *(self.of(kind, self.below(depth)) for _ in range(self.random.randint(1, 3))))

        def either() -> Expr:
            return apply("union", self.choice(kind, self.below(depth)), some())

        def by_case() -> Expr:
            parts = [self.boolean(self.below(depth)), self.choice(kind, self.below(depth)), const(True), some()]
            return apply("case", *parts)

        def named() -> Expr:
            return Name(self.random.choice([name for name, other in self.choices.items() if other == kind] or [""]))

        more = [either, by_case, lambda: self._lifted(kind, some(), depth)] if depth > 0 else []
        return self.pick(plain, some, *([named] if kind in self.choices.values() else []), *more)

    def _lifted(self, kind: Type, some: Expr, depth: int) -> Expr:
        """An operator applied to a choice: it offers a result for each."""
        match kind:
            case Boolean():
                op = self.random.choice(["and", "or", "xor", "implies", "iff"])
                return apply(op, *self.random.sample([some, self.boolean(self.below(depth))], 2))
            case Range(low, high):
                op = self.random.choice(["+", "-", "*"])
                return apply("max", const(low), apply("min", const(high), apply(op, self.integer(self.below(depth)), some)))
            case WordType(width, signed):
                return apply(self.random.choice(["+", "xor"]), some, self.word(width, signed, self.below(depth)))
        return some

    def _within(self, low: int, high: int, depth: int) -> Expr:
        def constant() -> Expr:
            return const(self.random.randint(low, high))

        def variable() -> Expr:
            return self.leaf(lambda kind: isinstance(kind, Range) and low <= kind.low and kind.high <= high, constant)

        def clamped() -> Expr:
            number = self.integer(depth)
            return apply("max", const(low), apply("min", const(high), number))

        def cut() -> Expr:
            number = self.integer(depth)
            inside = apply("and", apply("<=", const(low), number), apply("<=", number, const(high)))
            return apply("case", inside, number, const(True), constant())

        def wrapped() -> Expr:
            remainder = apply("mod", apply("abs", self.integer(depth)), const(high - low + 1))
            return apply("+", const(low), remainder)

        return self.pick(constant, variable, *([clamped, cut, wrapped] if depth > 0 else []))

    # Booleans

    def boolean(self, depth: int) -> Expr:
        def leaf() -> Expr:
            return self.leaf(lambda kind: isinstance(kind, Boolean), lambda: const(self.random.random() < 0.5))

        if depth <= 0:
            return leaf()
        comparison = self._comparison(depth)
        return self.pick(leaf, self._connective(depth), comparison, comparison, self._other_boolean(depth))

    def _connective(self, depth: int) -> Callable[[], Expr]:
        def build() -> Expr:
            op = self.random.choice(["not", "and", "or", "xor", "xnor", "implies", "iff", "=", "!="])
            number = 1 if op == "not" else self.random.randint(2, 3) if op in {"and", "or"} else 2
            return apply(op, *(self.boolean(self.below(depth)) for _ in range(number)))

        return build

    def _comparison(self, depth: int) -> Callable[[], Expr]:
        def integers() -> Expr:
            op = self.random.choice(["=", "!=", "<", "<=", ">", ">="])
            return apply(op, self.integer(self.below(depth)), self.integer(self.below(depth)))

        def words() -> Expr:
            op = self.random.choice(["=", "!=", "<", "<=", ">", ">="])
            width, signed = self.random.choice(WIDTHS), self.random.random() < 0.5
            return apply(op, self.word(width, signed, self.below(depth)), self.word(width, signed, self.below(depth)))

        def members() -> Expr:
            kind = self._some_enumeration()
            left, right = self.member(kind, self.below(depth)), self.member(kind, self.below(depth))
            return apply(self.random.choice(["=", "!="]), left, right)

        return lambda: self.pick(integers, words, members)

    def _other_boolean(self, depth: int) -> Callable[[], Expr]:
        def membership() -> Expr:
            kind = self._some_type()
            return apply("in", self.of(kind, self.below(depth)), self.choice(kind, self.below(depth)))

        def included() -> Expr:
            kind = self._some_type()
            return apply("in", self.choice(kind, self.below(depth)), self.choice(kind, self.below(depth)))

        def mixed() -> Expr:
            kind, other = self._some_type(), self._some_type()
            if isinstance(kind, WordType) or isinstance(other, WordType):  # words share sets only with their like
                other = kind
            collection = apply("union", self.choice(kind, self.below(depth)), self.choice(other, self.below(depth)))
            return apply("in", self.of(kind, self.below(depth)), collection)

        def converted() -> Expr:
            number, bit = (lambda: self.integer(self.below(depth))), (lambda: self.word(1, False, self.below(depth)))
            return apply("bool", self.pick(number, bit))

        def by_case() -> Expr:
            return self._case(lambda: self.boolean(self.below(depth)), depth)

        def shifted() -> Expr:
            return self._after(lambda inner: inner.boolean(self.below(depth)))

        return lambda: self.pick(membership, converted, by_case, included, shifted, mixed, lambda: self._guarded(depth))

    def _guarded(self, depth: int) -> Expr:
        """A division by what may be zero, beside a condition that looks."""
        divisor = self.integer(self.below(depth))
        quotient = apply(self.random.choice(["/", "mod"]), self.integer(self.below(depth)), divisor)
        partial = apply(self.random.choice(["=", "<"]), quotient, self.integer(0))
        op = self.random.choice(["or", "and", "implies"])
        if self.random.random() < 0.5:
            return apply(op, apply("=" if op == "or" else "!=", divisor, const(0)), partial)
        return apply(op, partial, apply("!=" if op == "and" else "=", divisor, const(0)))

    def _after(self, build: Callable[[Expressions], Expr]) -> Expr:
        """An expression wholly after the step; without such variables, one of constants."""
        inner = Expressions(self.random, {name: kind for name, kind in self.names.items() if name in self.after})
        expr = build(inner)
        return apply("next", expr) if self.after else expr

    def _case(self, value: Callable[[], Expr], depth: int) -> Expr:
        branches = [part for _ in range(self.random.randint(0, 2)) for part in (self.boolean(self.below(depth)), value())]
        return apply("case", *branches, const(True), value())

    # Integers

    def integer(self, depth: int) -> Expr:
        def constant() -> Expr:
            return const(self.random.randint(-3, 5))

        def leaf() -> Expr:
            return self.leaf(_is_integral, constant)

        if depth <= 0:
            return leaf()

        def one() -> Expr:
            return apply(self.random.choice(["neg", "abs"]), self.integer(self.below(depth)))

        def two() -> Expr:
            op = self.random.choice(["+", "-", "min", "max"])
            return apply(op, self.integer(self.below(depth)), self.integer(self.below(depth)))

        def product() -> Expr:
            return apply("*", self.integer(0), self.integer(self.below(min(depth, 2))))

        def quotient() -> Expr:
            divisor = self._not_zero(self.integer(self.below(depth)))
            if self.random.random() < 0.5:
                divisor = const(self.random.choice([1, 2, 3, -2]))
            return apply(self.random.choice(["/", "mod"]), self.integer(self.below(depth)), divisor)

        def counted() -> Expr:
            return apply("count", *(self.boolean(self.below(depth)) for _ in range(self.random.randint(1, 4))))

        def converted() -> Expr:
            return apply("toint", self.pick(lambda: self._any_word(self.below(depth)), lambda: self.boolean(self.below(depth))))

        def by_case() -> Expr:
            return self._case(lambda: self.integer(self.below(depth)), depth)

        return self.pick(leaf, one, two, two, product, quotient, counted, converted, by_case)

    def _not_zero(self, number: Expr) -> Expr:
        return apply("case", apply("=", number, const(0)), const(1), const(True), number)

    # Enumerations

    def _some_type(self) -> Type:
        return self.random.choice(list(self.names.values()) or [Boolean()])

    def _some_enumeration(self) -> Enumeration:
        kinds = [kind for kind in self.names.values() if isinstance(kind, Enumeration)]
        return self.random.choice(kinds or [Enumeration(("a", "b", 1))])

    def member(self, kind: Enumeration, depth: int) -> Expr:
        def constant() -> Expr:
            return const(self.random.choice(kind.members))

        def variable() -> Expr:
            return self.leaf(lambda other: isinstance(other, Enumeration) and set(other.members) <= set(kind.members), constant)

        def by_case() -> Expr:
            return self._case(lambda: self.member(kind, self.below(depth)), depth)

        return self.pick(constant, variable, *([by_case] if depth > 0 else []))

    # Words

    def _any_word(self, depth: int) -> Expr:
        return self.word(self.random.choice(WIDTHS), self.random.random() < 0.5, depth)

    def word(self, width: int, signed: bool, depth: int) -> Expr:
        def constant() -> Expr:
            return const(Word(self.random.randrange(1 << width), width, signed))

        def leaf() -> Expr:
            return self.leaf(lambda kind: kind == WordType(width, signed), constant)

        if depth <= 0:
            return leaf()

        def inner(other: int = width, sign: bool = signed) -> Expr:
            return self.word(other, sign, self.below(depth))

        def one() -> Expr:
            return apply(self.random.choice(["not", "neg", "abs"]), inner())

        def two() -> Expr:
            op = self.random.choice(["and", "or", "xor", "xnor", "implies", "iff", "+", "-", "*", "min", "max"])
            return apply(op, inner(), inner())

        def quotient() -> Expr:
            divisor = apply("or", inner(), const(Word(1, width, signed)))
            return apply(self.random.choice(["/", "mod"]), inner(), divisor)

        def shifted() -> Expr:
            return apply(self.random.choice(["<<", ">>"]), inner(), self._distance(width, depth))

        def by_case() -> Expr:
            return self._case(inner, depth)

        def reshaped() -> Expr:
            return self.random.choice(self._reshapings(width, signed, inner))()

        return self.pick(leaf, one, two, two, quotient, shifted, by_case, reshaped, reshaped)

    def _distance(self, width: int, depth: int) -> Expr:
        """An integer from 0 to the width, or an unsigned word that cannot be larger."""

        def limited() -> Expr:
            return apply("min", const(width), apply("abs", self.integer(self.below(depth))))

        bits = (width + 1).bit_length() - 1
        return self.pick(
            lambda: const(self.random.randint(0, width)), limited, lambda: self.word(bits, False, self.below(depth))
        )

    def _reshapings(self, width: int, signed: bool, inner: Callable[..., Expr]) -> list[Callable[[], Expr]]:
        """Ways to get a word of this type from one of another."""
        ways: list[Callable[[], Expr]] = [
            lambda: apply("resize", inner(self.random.choice(WIDTHS)), const(width)),
            lambda: apply("extend", inner(), const(0)),
        ]
        if width > 1:
            ways.append(lambda: apply("extend", inner(width - 1), const(1)))
        if signed:
            ways.append(lambda: apply("signed", inner(width, False)))
            return ways
        ways.append(lambda: apply("unsigned", inner(width, True)))
        ways.append(lambda: self._bits(width, inner))
        if width == 1:
            ways.append(lambda: apply("word1", self.boolean(1)))
        else:
            low = self.random.randint(1, width - 1)
            signs = self.random.random() < 0.5, self.random.random() < 0.5
            ways.append(lambda: apply("::", inner(width - low, signs[0]), inner(low, signs[1])))
        return ways

    def _bits(self, width: int, inner: Callable[..., Expr]) -> Expr:
        whole = self.random.randint(width, 4)
        low = self.random.randint(0, whole - width)
        return apply("bits", inner(whole, self.random.random() < 0.5), const(low + width - 1), const(low))


def _is_integral(kind: Type) -> bool:
    return isinstance(kind, Range) or (isinstance(kind, Enumeration) and all(isinstance(m, int) for m in kind.members))
