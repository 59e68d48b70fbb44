"""Expressions with full names, without indices, ranges and conditionals, and with computed constants."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

from coarsest.errors import ModelProblem, TypeProblem
from coarsest.logic.expr import TRUE, Apply, Constant, Expr, Name, Value, Word
from coarsest.logic.words import WIDEST_WORD
from coarsest.model.checks.static_types import BOOLEAN, INTEGER
from coarsest.model.checks.typecheck import TypeChecker
from coarsest.model.interpret.values import OPERATORS
from coarsest.model.query.meanings import Owner, value_of
from coarsest.model.query.places import CTL, FORMULA_OPERATORS, INSIDE_NEXT, STEP, Place
from coarsest.model.query.resolve import Resolver
from coarsest.model.types import WordType, is_finite
from coarsest.text import MOST_COUNTED

_DEEPEST_DEFINITION: Final = 500
"""Definitions that use others are expanded to this depth."""
_COMPUTED = frozenset(
    ("+", "-", "*", "/", "mod", "min", "max", "neg", "abs", "toint", "<", "<=", ">", ">=", "=", "!=", "not", "and", "or", "count")
)
"""Operators that may make a constant number; operators that widen words are not computed, because widths are not checked yet."""


class ExpressionLowering(Resolver):
    """Turns expressions of a text into expressions of a machine. `place` has the operators that are allowed at the moment."""

    def __init__(self, symbols: Collection[str]) -> None:
        super().__init__(symbols)
        self.place = STEP
        self.shares = False
        """Do repeated comparisons share one expression? Then they are encoded once, and have the position of the first."""
        self._comparisons: dict[Expr, Expr] = {}
        self._checker: TypeChecker | None = None

    def lower_in(self, place: Place, expr: Expr, owner: Owner) -> Expr:
        """Lower an expression in the given place."""
        outside, self.place = self.place, place
        lowered = self.lower(expr, owner)
        self.place = outside
        return lowered

    def lower(self, expr: Expr, owner: Owner) -> Expr:
        """The expression with full names and without syntactic sugar."""
        if isinstance(expr, Constant):
            return expr
        if isinstance(expr, Name):
            meaning = self.resolve(expr, owner)
            if isinstance(meaning, Owner) and (symbol := self.symbol_for(expr, owner)):
                return Constant(symbol, expr.span)
            return value_of(meaning, expr)
        op, place = expr.op, self.place
        if op in place.forbidden:
            raise place.problem(expr)
        if place.operands is not None and op not in FORMULA_OPERATORS:
            return self.lower_in(place.operands, expr, owner)
        special = _SPECIAL.get(op)
        if special is not None:
            return special(self, expr, owner)
        return self._operator(expr, owner)

    def symbol_for(self, name: Name, owner: Owner) -> str:
        """The value of an enumeration that has the name of something with members."""
        return name.name if name.name in self.symbols else ""

    def _operator(self, expr: Apply, owner: Owner) -> Expr:
        args = tuple([self.lower(arg, owner) for arg in expr.args])
        for new, old in zip(args, expr.args):
            if new is not old:
                expr = Apply(expr.op, args, expr.span)
                break
        if self.shares and expr.op in ("=", "!=") and not any(isinstance(arg, Apply) and arg.op != "next" for arg in args):
            return self._comparisons.setdefault(expr, expr)
        return expr

    # -- constants ---------------------------------------------------------------------------------------------------------

    def known_number(self, expr: Expr) -> int | None:
        """The value of a lowered expression if it is a constant number."""
        value = expr.value if isinstance(expr, Constant) else known_value(expr, self._opened)
        return value if value.__class__ is int and isinstance(value, int) else None

    def _opened(self, name: str) -> Expr | None:
        """The lowered body of a definition, or the value of a variable whose type has a single value."""
        variable = self.variables.get(name)
        if variable is not None and is_finite(variable.type) and variable.type.size == 1:
            return Constant(next(iter(variable.type.values())))
        return self.open(name)

    def open(self, name: str) -> Expr | None:
        """The lowered body of a definition."""
        return self.definitions.get(name)

    def _types(self) -> TypeChecker:
        """A type checker for all variables so far."""
        if self._checker is None or self._checker.size != len(self.variables):
            self._checker = TypeChecker(self.variables, self.open)
        return self._checker

    def as_number(self, index: Expr) -> Expr:
        """A lowered index as a number: words and booleans can index too."""
        static = self._types().type_of(index)
        if static is INTEGER:
            return index
        if static is BOOLEAN or isinstance(static, WordType):
            return Apply("toint", (index,), index.span)
        raise TypeProblem(f"an index must be a number, this is a {static}", index.span)

    def constant(self, expr: Expr, owner: Owner, what: str) -> int:
        """The value of an expression that must be a constant number."""
        value = self.known_number(self.lower(expr, owner))
        if value is None:
            hint = "use numbers, and definitions that depend on numbers only"
            raise ModelProblem(f"{what} is not a constant number", expr.span, hint=hint)
        return value

    # -- operators that are replaced ---------------------------------------------------------------------------------------

    def _path(self, expr: Apply, owner: Owner) -> Expr:
        return value_of(self.meaning_of(expr, owner), expr)

    def _conditional(self, expr: Apply, owner: Owner) -> Expr:
        """`a ? b : c` is a case; a chain of them is one case."""
        branches: list[Expr] = []
        rest: Expr = expr
        while isinstance(rest, Apply) and rest.op == "?:":
            branches += (self.lower(rest.args[0], owner), self.lower(rest.args[1], owner))
            rest = rest.args[2]
        return Apply("case", (*branches, TRUE, self.lower(rest, owner)), expr.span)

    def _range(self, expr: Apply, owner: Owner) -> Expr:
        low = self.constant(expr.args[0], owner, "the lower bound")
        high = self.constant(expr.args[1], owner, "the upper bound")
        if low > high:
            raise ModelProblem(f"the range {low}..{high} is empty", expr.span, hint="the lower bound comes first")
        if high - low >= MOST_COUNTED:
            raise ModelProblem(f"a set of {high - low + 1} values", expr.span, hint="compare with <= instead")
        members = tuple([Constant(number, expr.span) for number in range(low, high + 1)])
        return Apply("set", members, expr.span) if len(members) > 1 else members[0]

    def _set(self, expr: Apply, owner: Owner) -> Expr:
        members: list[Expr] = []
        for arg in expr.args:
            member = self.lower(arg, owner)
            members.extend(member.args if isinstance(member, Apply) and member.op == "set" else (member,))
        return Apply("set", tuple(members), expr.span) if len(members) > 1 else members[0]

    def _bits(self, expr: Apply, owner: Owner) -> Expr:
        high = self.constant(expr.args[1], owner, "the upper bound of the bits")
        low = self.constant(expr.args[2], owner, "the lower bound of the bits")
        bounds = (Constant(high, expr.args[1].span), Constant(low, expr.args[2].span))
        return Apply("bits", (self.lower(expr.args[0], owner), *bounds), expr.span)

    def _resize(self, expr: Apply, owner: Owner) -> Expr:
        amount = self.constant(expr.args[1], owner, f"the second argument of {expr.op}")
        return Apply(expr.op, (self.lower(expr.args[0], owner), Constant(amount, expr.args[1].span)), expr.span)

    def _word_constant(self, expr: Apply, owner: Owner) -> Expr:
        value = self.constant(expr.args[0], owner, f"the value of {expr.op}")
        width = self.constant(expr.args[1], owner, f"the width of {expr.op}")
        signed = expr.op == "swconst"
        if not 1 <= width <= WIDEST_WORD:
            raise ModelProblem(f"a word of {width} bits", expr.span, hint=f"the width is from 1 to {WIDEST_WORD}")
        least, most = -(1 << width >> 1), (1 << width - signed) - 1
        if width > 1 or not signed:  # as in NuSMV, which takes the last bit of any number for a signed word of one bit
            if not least <= value <= most:
                raise ModelProblem(f"{value} does not fit into {width} {'signed' if signed else 'unsigned'} bits", expr.span)
        elif not -1 <= value <= 1:
            self.warn(f"{value} does not fit into 1 signed bit: its last bit is taken", expr.span)
        return Constant(Word.of(value, width, signed=signed), expr.span)

    def _sizeof(self, expr: Apply, owner: Owner) -> Expr:
        static = self._types().type_of(self.lower(expr.args[0], owner))
        if not isinstance(static, WordType):
            raise TypeProblem(f"sizeof needs a word, found {static}", expr.span)
        return Constant(static.width, expr.span)

    def _distance(self, expr: Apply, owner: Owner) -> Expr:
        return Apply(expr.op, tuple(self.lower_in(CTL, arg, owner) for arg in expr.args), expr.span)

_SPECIAL: dict[str, Callable[[ExpressionLowering, Apply, Owner], Expr]] = {
    "index": ExpressionLowering._path,
    ".": ExpressionLowering._path,
    "?:": ExpressionLowering._conditional,
    "..": ExpressionLowering._range,
    "set": ExpressionLowering._set,
    "bits": ExpressionLowering._bits,
    "extend": ExpressionLowering._resize,
    "resize": ExpressionLowering._resize,
    "swconst": ExpressionLowering._word_constant,
    "uwconst": ExpressionLowering._word_constant,
    "sizeof": ExpressionLowering._sizeof,
    "next": lambda self, expr, owner: Apply("next", (self.lower_in(INSIDE_NEXT, expr.args[0], owner),), expr.span),
    "MIN": ExpressionLowering._distance,
    "MAX": ExpressionLowering._distance,
}


def known_value(expr: Expr, body_of: Callable[[str], Expr | None], depth: int = 0) -> Value | None:
    """The value of a lowered expression if it does not depend on any variable. `body_of` gives the bodies of definitions.

    >>> from coarsest.logic.parse import parse_expression
    >>> known_value(parse_expression("2 * N - 1"), {"N": Constant(4)}.get)
    7
    """
    if isinstance(expr, Constant):
        return expr.value
    if depth > _DEEPEST_DEFINITION:
        return None
    if isinstance(expr, Name):
        body = body_of(expr.name)
        return None if body is None else known_value(body, body_of, depth + 1)
    if expr.op == "case":
        return _first_branch(expr, body_of, depth)
    if expr.op not in _COMPUTED:
        return None
    values = [known_value(arg, body_of, depth + 1) for arg in expr.args]
    if any(value is None or isinstance(value, str) for value in values):
        return None
    try:
        return OPERATORS[expr.op](*values)
    except (TypeProblem, ModelProblem):
        return None


def _first_branch(expr: Apply, body_of: Callable[[str], Expr | None], depth: int) -> Value | None:
    for condition, value in zip(expr.args[::2], expr.args[1::2]):
        holds = known_value(condition, body_of, depth + 1)
        if holds is True:
            return known_value(value, body_of, depth + 1)
        if holds is not False:
            return None
    return None
