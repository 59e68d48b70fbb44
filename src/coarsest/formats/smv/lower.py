"""Expressions in full: names resolved, indices, ranges and conditionals replaced, constants worked out.

An actual parameter is lowered once and shared by all its uses, so expressions are graphs without copies.
"""

from __future__ import annotations

from collections.abc import Callable

from coarsest.errors import ModelProblem, TypeProblem
from coarsest.formats.smv.constants import known_value
from coarsest.formats.smv.elaborate import Tree
from coarsest.formats.smv.places import CTL, DEFINITION, FORMULA_OPERATORS, INSIDE_NEXT, STEP, Place
from coarsest.formats.smv.resolve import Resolver
from coarsest.formats.smv.scope import Actual, Array, Entity, Scalar, Scope, Thing
from coarsest.formats.smv.syntax import ArrayLiteral, Definition
from coarsest.logic.expr import TRUE, Apply, Constant, Expr, Name, Word
from coarsest.logic.words import WIDEST_WORD
from coarsest.model.checks.static_types import BOOLEAN, INTEGER
from coarsest.model.checks.typecheck import TypeChecker
from coarsest.model.types import WordType

LARGEST_RANGE = 1 << 16


class Lowering(Resolver):
    """Expressions of a scope to expressions of the machine. `place` says which operators are allowed where we are."""

    def __init__(self, tree: Tree) -> None:
        super().__init__(tree)
        self.place = STEP
        self._opening: set[str] = set()
        self._checker: TypeChecker | None = None
        self._defined = {
            entity.full: entity
            for scope in tree.scopes
            for entity in scope.entities.values()
            if isinstance(entity.what, Definition)
        }

    def lower_in(self, place: Place, expr: Expr, scope: Scope) -> Expr:
        """Lower an expression that stands in the given place."""
        outside = self.place
        self.place = place
        lowered = self.lower(expr, scope)
        self.place = outside
        return lowered

    def lower(self, expr: Expr, scope: Scope) -> Expr:
        """An expression with all names in full and all sugar gone."""
        if isinstance(expr, Constant):
            return expr
        if isinstance(expr, Name):
            thing = self.resolve(expr, scope)
            if isinstance(thing, Scope) and (symbol := self._symbol(expr, scope)):
                return Constant(symbol, expr.span)
            return value_of(thing, expr)
        op, place = expr.op, self.place
        if op in place.forbidden:
            raise place.problem(expr)
        if place.operands is not None and op not in FORMULA_OPERATORS:
            return self.lower_in(place.operands, expr, scope)
        special = _SPECIAL.get(op)
        if special is not None:
            return special(self, expr, scope)
        return self._operator(expr, scope)

    def _symbol(self, name: Name, scope: Scope) -> str:
        """The value of an enumeration that has the name of an instance, also where the instance was passed for a parameter."""
        entity = scope.entities.get(name.name)
        if entity is not None and isinstance(entity.what, Actual) and isinstance(entity.what.expr, Name):
            return self._symbol(entity.what.expr, entity.what.caller)
        return name.name if name.name in self.tree.symbols else ""

    def _operator(self, expr: Apply, scope: Scope) -> Expr:
        args = tuple([self.lower(arg, scope) for arg in expr.args])
        for new, old in zip(args, expr.args):
            if new is not old:
                return Apply(expr.op, args, expr.span)
        return expr

    def thing(self, entity: Entity) -> Thing:
        """What a declared name stands for, worked out once; where it happens to be used first does not matter."""
        if entity.thing is not None:
            return entity.thing
        outside = self.place
        self.place = DEFINITION
        found = super().thing(entity)
        self.place = outside
        return found

    # -- definitions -------------------------------------------------------------------------------------------------------

    def define_all(self) -> None:
        """Lower every definition. Those that stand for arrays or instances vanish: their uses are resolved."""
        for entity in self._defined.values():
            self._define(entity)

    def _define(self, entity: Entity) -> None:
        definition = entity.what
        assert isinstance(definition, Definition)
        if entity.full in self.definitions or isinstance(definition.body, ArrayLiteral):
            if isinstance(definition.body, ArrayLiteral):
                self.thing(entity)  # its names must be known, used or not
            return
        if isinstance(self.thing(entity), Scalar):
            self.definitions[entity.full] = self.lower_in(DEFINITION, definition.body, entity.scope)

    # -- constants ---------------------------------------------------------------------------------------------------------

    def known_number(self, expr: Expr) -> int | None:
        """The value of a lowered expression if it is a constant number."""
        value = expr.value if isinstance(expr, Constant) else known_value(expr, self._open)
        return value if value.__class__ is int and isinstance(value, int) else None

    def _open(self, name: str) -> Expr | None:
        """The lowered body of a definition, even if its turn has not come yet."""
        if name not in self.definitions and name in self._defined and name not in self._opening:
            self._opening.add(name)
            self._define(self._defined[name])
            self._opening.discard(name)
        return self.definitions.get(name)

    def _types(self) -> TypeChecker:
        """A type checker that knows all variables met so far."""
        if self._checker is None or self._checker.size != len(self.variables):
            self._checker = TypeChecker(self.variables, self._open)
        return self._checker

    def as_number(self, index: Expr) -> Expr:
        """A lowered index as a number: words and booleans can index too."""
        found = self._types().type_of(index)
        if found is INTEGER:
            return index
        if found is BOOLEAN or isinstance(found, WordType):
            return Apply("toint", (index,), index.span)
        raise TypeProblem(f"an index must be a number, this is a {found}", index.span)

    def constant(self, expr: Expr, scope: Scope, what: str) -> int:
        """The value of an expression that must be a constant number."""
        value = self.known_number(self.lower(expr, scope))
        if value is None:
            hint = "use numbers, and definitions that depend on numbers only"
            raise ModelProblem(f"{what} is not a constant number", expr.span, hint=hint)
        return value

    # -- operators that are replaced ---------------------------------------------------------------------------------------

    def _path(self, expr: Apply, scope: Scope) -> Expr:
        return value_of(self.thing_of(expr, scope), expr)

    def _conditional(self, expr: Apply, scope: Scope) -> Expr:
        """`a ? b : c` is a case; a chain of them is one case."""
        branches: list[Expr] = []
        rest: Expr = expr
        while isinstance(rest, Apply) and rest.op == "?:":
            branches += (self.lower(rest.args[0], scope), self.lower(rest.args[1], scope))
            rest = rest.args[2]
        return Apply("case", (*branches, TRUE, self.lower(rest, scope)), expr.span)

    def _range(self, expr: Apply, scope: Scope) -> Expr:
        low = self.constant(expr.args[0], scope, "the lower bound")
        high = self.constant(expr.args[1], scope, "the upper bound")
        if low > high:
            raise ModelProblem(f"the range {low}..{high} is empty", expr.span, hint="the lower bound comes first")
        if high - low >= LARGEST_RANGE:
            raise ModelProblem(f"a set of {high - low + 1} values", expr.span, hint="compare with <= instead")
        members = tuple([Constant(number, expr.span) for number in range(low, high + 1)])
        return Apply("set", members, expr.span) if len(members) > 1 else members[0]

    def _set(self, expr: Apply, scope: Scope) -> Expr:
        members: list[Expr] = []
        for arg in expr.args:
            member = self.lower(arg, scope)
            members.extend(member.args if isinstance(member, Apply) and member.op == "set" else (member,))
        return Apply("set", tuple(members), expr.span) if len(members) > 1 else members[0]

    def _bits(self, expr: Apply, scope: Scope) -> Expr:
        high = self.constant(expr.args[1], scope, "the upper bound of the bits")
        low = self.constant(expr.args[2], scope, "the lower bound of the bits")
        bounds = (Constant(high, expr.args[1].span), Constant(low, expr.args[2].span))
        return Apply("bits", (self.lower(expr.args[0], scope), *bounds), expr.span)

    def _resize(self, expr: Apply, scope: Scope) -> Expr:
        amount = self.constant(expr.args[1], scope, f"the second argument of {expr.op}")
        return Apply(expr.op, (self.lower(expr.args[0], scope), Constant(amount, expr.args[1].span)), expr.span)

    def _word_constant(self, expr: Apply, scope: Scope) -> Expr:
        value = self.constant(expr.args[0], scope, f"the value of {expr.op}")
        width = self.constant(expr.args[1], scope, f"the width of {expr.op}")
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

    def _sizeof(self, expr: Apply, scope: Scope) -> Expr:
        found = self._types().type_of(self.lower(expr.args[0], scope))
        if not isinstance(found, WordType):
            raise TypeProblem(f"sizeof needs a word, found {found}", expr.span)
        return Constant(found.width, expr.span)

    def _distance(self, expr: Apply, scope: Scope) -> Expr:
        return Apply(expr.op, tuple(self.lower_in(CTL, arg, scope) for arg in expr.args), expr.span)

    def _next(self, expr: Apply, scope: Scope) -> Expr:
        return Apply("next", (self.lower_in(INSIDE_NEXT, expr.args[0], scope),), expr.span)


_SPECIAL: dict[str, Callable[[Lowering, Apply, Scope], Expr]] = {
    "index": Lowering._path,
    ".": Lowering._path,
    "?:": Lowering._conditional,
    "..": Lowering._range,
    "set": Lowering._set,
    "bits": Lowering._bits,
    "extend": Lowering._resize,
    "resize": Lowering._resize,
    "swconst": Lowering._word_constant,
    "uwconst": Lowering._word_constant,
    "sizeof": Lowering._sizeof,
    "next": Lowering._next,
    "MIN": Lowering._distance,
    "MAX": Lowering._distance,
}


def value_of(thing: Thing, use: Expr) -> Expr:
    """What a thing evaluates to, with the place where it is used."""
    if not isinstance(thing, Scalar):
        kind = "an array" if isinstance(thing, Array) else thing.title
        shown = f"`{use.name}`" if isinstance(use, Name) else "this"
        hint = "index it" if isinstance(thing, Array) else "name one of its variables"
        raise TypeProblem(f"{shown} is {kind}, a value is needed here", use.span, hint=hint)
    expr = thing.expr
    if isinstance(expr, Name):
        return use if use == expr else Name(expr.name, use.span)
    if isinstance(expr, Constant):
        return Constant(expr.value, use.span)
    return expr
