"""The meanings of the names of modules in an instance, types and definitions.

An actual parameter is lowered once and shared by all its uses, so expressions are graphs without copies.
"""

from __future__ import annotations

from collections.abc import Collection

from coarsest.errors import ModelProblem, NameProblem, TypeProblem
from coarsest.formats.smv.elaborate import Tree
from coarsest.formats.smv.scope import Actual, Entity, InstanceScope
from coarsest.formats.smv.syntax import (
    ArrayLiteral,
    ArraySyntax,
    BooleanSyntax,
    Definition,
    EnumerationSyntax,
    RangeSyntax,
    SmvDeclaration,
    TypeSyntax,
    UnboundedSyntax,
    WordSyntax,
)
from coarsest.logic.expr import Expr, Name
from coarsest.logic.words import WIDEST_WORD
from coarsest.model.machine import Kind, Variable
from coarsest.model.query.lower import ExpressionLowering
from coarsest.model.query.meanings import Array, Meaning, Owner, Scalar, may_be_compound
from coarsest.model.query.places import DEFINITION
from coarsest.model.query.resolve import ambiguous
from coarsest.model.types import Boolean, Enumeration, IntegerType, Range, RealType, Type, WordType
from coarsest.text import Span


class ModuleLowering(ExpressionLowering):
    """Lowers expressions of instances to expressions of the machine, and collects its variables and definitions."""

    def __init__(self, tree: Tree) -> None:
        super().__init__(tree.symbols)
        self.tree = tree
        self._opening: set[str] = set()
        self._elements = 0
        """The number of elements of all arrays."""
        self._defined = {
            entity.full: entity
            for scope in tree.scopes
            for entity in scope.entities.values()
            if isinstance(entity.what, Definition)
        }

    # -- names -------------------------------------------------------------------------------------------------------------

    def declared(self, name: str, owner: Owner) -> Meaning | None:
        """The meaning of a name in an instance."""
        entity = _entities(owner).get(name)
        return None if entity is None else self.meaning(entity)

    def names_in(self, owner: Owner) -> Collection[str]:
        """The names of an instance."""
        return _entities(owner)

    def find(self, path: str, span: Span | None, owner: Owner) -> Meaning:
        """The meaning of a path; only an instance may have the name of a symbol."""
        entity = _entities(owner).get(path)
        if entity is not None and path in self.symbols and not isinstance(entity.what, InstanceScope):
            raise ambiguous(path, span, entity.span)
        return super().find(path, span, owner)

    def symbol_for(self, name: Name, owner: Owner) -> str:
        """The value of an enumeration that has the name of an instance, even if the instance was passed for a parameter."""
        entity = _entities(owner).get(name.name)
        if entity is not None and isinstance(entity.what, Actual) and isinstance(entity.what.expr, Name):
            return self.symbol_for(entity.what.expr, entity.what.caller)
        return super().symbol_for(name, owner)

    # -- declarations ------------------------------------------------------------------------------------------------------

    def meaning(self, entity: Entity) -> Meaning:
        """The meaning of a declared name, which is computed once. It does not depend on the place of its first use."""
        if entity.meaning is None:
            if entity.in_progress:
                hint = "a variable in VAR can depend on its last value: next(x) := …"
                raise ModelProblem(f"`{entity.full}` is defined by itself", entity.span, hint=hint)
            entity.in_progress = True
            outside, self.place = self.place, DEFINITION
            entity.meaning = self._computed(entity)
            self.place = outside
            entity.in_progress = False
        return entity.meaning

    def _computed(self, entity: Entity) -> Meaning:
        what, scope = entity.what, entity.scope
        if isinstance(what, InstanceScope):
            return what
        if isinstance(what, SmvDeclaration):
            return self._declared(entity.full, what.type, what, scope)
        if isinstance(what, Actual):
            return self.meaning_of(what.expr, what.caller)
        if isinstance(what.body, ArrayLiteral):
            return self._array_literal(what.body, scope)
        if may_be_compound(what.body):
            meaning = self.meaning_of(what.body, scope)
            if not isinstance(meaning, Scalar):
                return meaning
        return Scalar(Name(entity.full, entity.span))

    def _array_literal(self, literal: ArrayLiteral, scope: InstanceScope) -> Array:
        elements = [
            self._array_literal(element, scope) if isinstance(element, ArrayLiteral) else self.meaning_of(element, scope)
            for element in literal.elements
        ]
        return Array(0, tuple(elements))

    def _declared(self, name: str, kind: TypeSyntax, declaration: SmvDeclaration, scope: InstanceScope) -> Meaning:
        if isinstance(kind, ArraySyntax):
            low, high = self._bounds(kind.bounds, scope, "array", may_be_empty=True)
            if high < low:
                self.warn(f"the array `{name}` has no elements", kind.bounds.span, hint="the lower bound comes first")
            most = kind.span.source.most_counted
            self._elements += max(0, high - low + 1)
            if self._elements > most:
                total = "" if self._elements == high - low + 1 else f", and {self._elements} in all arrays so far"
                message = f"an array of {high - low + 1} elements{total}"
                raise ModelProblem(message, kind.span, hint=f"at most {most} elements are handled")
            indexed = [f"{name}[{index}]" for index in range(low, high + 1)]
            return Array(low, tuple(self._declared(element, kind.element, declaration, scope) for element in indexed))
        return self.add_variable(name, self._type(kind, scope), declaration.kind, declaration.span)

    def add_variable(self, name: str, kind: Type, how: Kind, span: Span) -> Scalar:
        """A new variable of the machine, by its full name."""
        if name in self.variables:
            raise NameProblem(f"`{name}` is declared twice", span)
        self.variables[name] = Variable(name, kind, how, span)
        return Scalar(Name(name, span))

    def _bounds(self, bounds: RangeSyntax, scope: InstanceScope, what: str, *, may_be_empty: bool = False) -> tuple[int, int]:
        low = self.constant(bounds.low, scope, f"the lower bound of the {what}")
        high = self.constant(bounds.high, scope, f"the upper bound of the {what}")
        if low > high and not may_be_empty:
            raise ModelProblem(f"the range {low}..{high} is empty", bounds.span, hint="the lower bound comes first")
        return low, high

    def _type(self, kind: TypeSyntax, scope: InstanceScope) -> Type:
        match kind:
            case BooleanSyntax():
                return Boolean()
            case UnboundedSyntax(word, _):
                return IntegerType() if word == "integer" else RealType()
            case RangeSyntax():
                return Range(*self._bounds(kind, scope, "range"))
            case WordSyntax(width, signed, span):
                bits = self.constant(width, scope, "the width of the word")
                if not 1 <= bits <= WIDEST_WORD:
                    raise ModelProblem(f"a word of {bits} bits", span, hint=f"the width must be from 1 to {WIDEST_WORD}")
                return WordType(bits, signed)
            case EnumerationSyntax(members, span):
                return self._enumeration(members, span)
            case _:
                raise AssertionError(kind)

    @staticmethod
    def _enumeration(members: tuple[str | int | bool, ...], span: Span) -> Type:
        listed: dict[str | int, None] = {}
        for member in members:
            if isinstance(member, bool):
                raise TypeProblem("TRUE and FALSE cannot be values of an enumeration", span, hint="declare the variable boolean")
            if member in listed:
                raise NameProblem(f"`{member}` is listed twice", span)
            listed[member] = None
        return Enumeration(tuple(listed))

    # -- definitions -------------------------------------------------------------------------------------------------------

    def define_all(self) -> None:
        """Lower every definition. Definitions of arrays and instances vanish, since their uses are resolved."""
        for entity in self._defined.values():
            self._define(entity)

    def _define(self, entity: Entity) -> None:
        definition = entity.what
        assert isinstance(definition, Definition)
        if isinstance(definition.body, ArrayLiteral):
            self.meaning(entity)  # raises an error if a name in it is unknown, even if it is never used
        elif entity.full not in self.definitions and isinstance(self.meaning(entity), Scalar):
            self.definitions[entity.full] = self.lower_in(DEFINITION, definition.body, entity.scope)

    def open(self, name: str) -> Expr | None:
        """The lowered body of a definition, which is lowered now if that has not been done."""
        if name not in self.definitions and name in self._defined and name not in self._opening:
            self._opening.add(name)
            self._define(self._defined[name])
            self._opening.discard(name)
        return self.definitions.get(name)


def _entities(owner: Owner) -> dict[str, Entity]:
    assert isinstance(owner, InstanceScope)
    return owner.entities
