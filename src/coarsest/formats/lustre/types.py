"""The meaning of types and constants of a Lustre program: types of machines, and values."""

from __future__ import annotations

from collections.abc import Mapping

from coarsest.errors import ModelProblem, NameProblem, TypeProblem, Unsupported
from coarsest.formats.lustre.syntax import ConstantDeclaration, EnumType, File, NamedType, SubrangeType, TypeSyntax
from coarsest.formats.lustre.words import MACHINE_INTEGERS
from coarsest.logic.expr import Constant, Expr, Name
from coarsest.model.interpret.values import OPERATORS
from coarsest.model.types import Boolean, Enumeration, IntegerType, Range, RealType, Type, WordType, contains, show_value
from coarsest.text import Span
from coarsest.text.near import nearest

_BUILT_IN: Mapping[str, Type] = {
    "bool": Boolean(),
    "int": IntegerType(),
    "real": RealType(),
    **{name: WordType(width, signed) for name, (width, signed) in MACHINE_INTEGERS.items()},
}
_OPERATOR = {"div": "/"}


class Globals:
    """Types and constants of a file, which are computed when they are first needed."""

    def __init__(self, file: File, integers: Type, given: Mapping[str, int]) -> None:
        self.file = file
        self._integers = integers
        self.symbols: dict[str, Enumeration] = {}
        self._types: dict[str, Type] = {}
        self._constants: dict[str, Expr] = {}
        self._given = given
        self.abstract: dict[Enumeration, Span] = {}
        """Types without a definition; each has a single value here, which represents all its values."""
        self._opening: list[str] = []
        self.free: dict[str, tuple[Type, Span]] = {}
        for name, (syntax, span) in file.types.items():
            if name in _BUILT_IN:
                raise NameProblem(f"`{name}` is a type of the language", span)
            if isinstance(syntax, EnumType):
                self._enumerate(name, syntax)

    def _enumerate(self, name: str, syntax: EnumType) -> None:
        kind = Enumeration(syntax.members)
        for member in syntax.members:
            if member in self.symbols or member in self.file.constants:
                raise NameProblem(f"`{member}` is declared twice", syntax.span)
            self.symbols[member] = kind
        if len(set(syntax.members)) < len(syntax.members):
            raise NameProblem(f"a value of `{name}` is listed twice", syntax.span)
        self._types[name] = kind

    # -- types -------------------------------------------------------------------------------------------------------------

    def type(self, syntax: TypeSyntax) -> Type:
        """The type of a machine for a type in the text."""
        match syntax:
            case NamedType(name, span):
                return self._named(name, span)
            case SubrangeType(low, high, span):
                return self._subrange(low, high, span)
            case EnumType(span=span):
                raise Unsupported("an enumeration without a name", span, hint="declare it: `type t = enum { … };`")

    def _named(self, name: str, span: Span) -> Type:
        meaning = self._integers if name == "int" else _BUILT_IN.get(name) or self._types.get(name)
        if meaning is not None:
            return meaning
        if name not in self.file.types:
            near = nearest(name, (*_BUILT_IN, *self.file.types))
            hint = f"did you mean `{near[0]}`?" if near else ""
            raise NameProblem(f"there is no type `{name}`", span, hint=hint)
        syntax = self.file.types[name][0]
        if syntax is None:
            self._types[name] = abstract = Enumeration((f"any_{name}",))
            self.abstract[abstract] = span
            return abstract
        if name in self._opening:
            raise ModelProblem(f"the type `{name}` depends on itself", span)
        self._opening.append(name)
        self._types[name] = declared = self.type(syntax)
        self._opening.pop()
        return declared

    def _subrange(self, low: Expr | None, high: Expr | None, span: Span) -> Type:
        bounds = [None if bound is None else self.number(bound) for bound in (low, high)]
        if bounds[0] is None or bounds[1] is None:
            hint = "give both bounds, or use `int` and assert the bound"
            raise Unsupported("a subrange with one bound is not handled", span, hint=hint)
        if bounds[0] > bounds[1]:
            raise ModelProblem(f"the subrange [{bounds[0]}, {bounds[1]}] is empty", span)
        return Range(bounds[0], bounds[1])

    def number(self, expr: Expr) -> int:
        """The value of a constant expression that is an integer."""
        value = self.constant_value(expr, {})
        if not isinstance(value, Constant) or not isinstance(value.value, int) or isinstance(value.value, bool):
            raise TypeProblem("a bound must be a constant integer", expr.span)
        return value.value

    # -- constants ---------------------------------------------------------------------------------------------------------

    def constant(self, name: str) -> Expr | None:
        """The value of a global constant, or its name if the program leaves it free."""
        if name in self.symbols:
            return Constant(name)
        if name not in self.file.constants or name in self._constants:
            return self._constants.get(name)
        self._constants[name] = value = self.declared(self.file.constants[name], {}, name)
        return value

    def declared(self, declaration: ConstantDeclaration, local: Mapping[str, Expr], full: str) -> Expr:
        """The value of a declared constant, or its name if the program leaves it free."""
        if full in self._opening:
            raise ModelProblem(f"the constant `{declaration.name}` depends on itself", declaration.span)
        kind = None if declaration.type is None else self.type(declaration.type)
        if declaration.value is None:
            assert kind is not None
            if full in self._given:
                return self._checked(Constant(self._given[full], declaration.span), declaration.name, kind)
            if isinstance(kind, Enumeration) and kind in self.abstract:
                return Constant(kind.members[0], declaration.span)
            self.free[full] = kind, declaration.span
            return Name(full, declaration.span)
        self._opening.append(full)
        value = self.constant_value(declaration.value, local)
        self._opening.pop()
        return self._checked(value, declaration.name, kind, declaration.value.span)

    @staticmethod
    def _checked(value: Expr, name: str, kind: Type | None, span: Span | None = None) -> Expr:
        if kind is not None and isinstance(value, Constant) and not contains(kind, value.value):
            message = f"{show_value(value.value)} is not a value of the constant `{name}`"
            raise TypeProblem(message, span or value.span, hint=f"it is declared {kind}")
        return value

    def constant_value(self, expr: Expr, local: Mapping[str, Expr]) -> Expr:
        """The value of a constant expression, or a free constant."""
        if isinstance(expr, Constant):
            return expr
        if isinstance(expr, Name):
            value = local.get(expr.name) or self.constant(expr.name)
            if value is None:
                raise NameProblem(f"there is no constant `{expr.name}`", expr.span, hint=self.suggestion(expr.name))
            return value
        parts = [self.constant_value(arg, local) for arg in expr.args] if expr.op != "cast" else []
        values = [part.value for part in parts if isinstance(part, Constant)]
        if expr.op == "if" and isinstance(parts[0], Constant):
            return parts[1] if parts[0].value is True else parts[2]
        operator = OPERATORS.get(_OPERATOR.get(expr.op, expr.op))
        if operator is None or not parts or len(values) < len(parts):
            raise Unsupported("the value of this constant cannot be computed", expr.span)
        try:
            result = operator(*values)
        except (TypeProblem, ModelProblem) as problem:
            raise TypeProblem(problem.diagnostic.message, expr.span) from None
        return Constant(result, expr.span)

    def suggestion(self, name: str) -> str:
        near = nearest(name, (*self.file.constants, *self.symbols))
        return f"did you mean `{near[0]}`?" if near else ""
