"""Types of Lustre expressions. An expression may have several values at once: the outputs of a node, or a tuple."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from coarsest.errors import TypeProblem, Unsupported
from coarsest.formats.lustre.scope import NodeScope
from coarsest.formats.lustre.syntax import NamedType
from coarsest.logic.expr import Apply, Constant, Expr, Name
from coarsest.model.types import Boolean, Enumeration, IntegerType, Range, RealType, Type, WordType

BOOLEAN, INTEGER, REAL = Boolean(), IntegerType(), RealType()
_SIGNS = {"implies": "=>", "!=": "<>", "neg": "-", "atmost1": "#"}


def plain(kind: Type) -> Type:
    """The type for comparisons, in which a subrange is an integer."""
    return INTEGER if isinstance(kind, Range) else kind


class Types:
    """The types of the expressions of a node."""

    def __init__(self, scope: NodeScope) -> None:
        self.scope = scope
        self._types: dict[int, tuple[Expr, tuple[Type, ...]]] = {}

    def of(self, expr: Expr) -> tuple[Type, ...]:
        """One type for each value. Raises TypeProblem if an operator does not fit its operands."""
        entry = self._types.get(id(expr))
        if entry is None:
            entry = self._types[id(expr)] = expr, self._of(expr)
        return entry[1]

    def single(self, expr: Expr, what: str) -> Type:
        types = self.of(expr)
        if len(types) != 1:
            raise TypeProblem(f"{what} must have one value, not {len(types)}", expr.span)
        return types[0]

    def boolean(self, expr: Expr, what: str) -> None:
        actual = self.single(expr, what)
        if actual != BOOLEAN:
            raise TypeProblem(f"{what} must be a bool, not {show_type(actual)}", expr.span)

    def check(self) -> None:
        """Check all equations, assertions and properties of the node."""
        for equation in self.scope.node.equations:
            types = self.of(equation.value)
            if len(types) != len(equation.targets):
                left, right = _number(len(equation.targets), "flow"), _number(len(types), "value")
                message = f"{left} on the left, but {right} on the right"
                raise TypeProblem(message, equation.span)
            for target, kind in zip(equation.targets, types):
                declared = plain(self.scope.types[target.name])
                if kind != declared:
                    message = f"`{target.name}` is {show_type(declared)}, but its equation gives {show_type(kind)}"
                    raise TypeProblem(message, equation.value.span, hint=_conversion(declared, kind))
        for claim in self.scope.node.claims:
            self.boolean(claim.condition, "an assertion" if claim.assumed else "a property")

    # -- rules -------------------------------------------------------------------------------------------------------------

    def _of(self, expr: Expr) -> tuple[Type, ...]:
        if isinstance(expr, Constant):
            value = expr.value
            return (BOOLEAN if isinstance(value, bool) else REAL if isinstance(value, Fraction) else INTEGER,)
        if isinstance(expr, Name):
            return (self._name(expr),)
        match expr.op:
            case "tuple":
                return tuple(kind for arg in expr.args for kind in self.of(arg))
            case "pre" | "current":
                return self.of(expr.args[0])
            case "->" | "fby":
                return self._alike(expr, expr.args, f"the two sides of `{expr.op}`")
            case "if":
                self.boolean(expr.args[0], "the condition of `if`")
                return self._alike(expr, expr.args[1:], "the two values of `if`")
            case "when":
                self._clock(expr.args[1])
                return self.of(expr.args[0])
            case "merge":
                return self._merge(expr)
            case "call":
                return self._call(expr)
            case "condact" | "activate" | "restart":
                return self._conditional_call(expr)
            case "cast":
                return (self._cast(expr),)
        return (self._operator(expr),)

    def _name(self, name: Name) -> Type:
        scope = self.scope
        if name.name in scope.types:
            return plain(scope.types[name.name])
        if name.name in scope.program.symbols:
            return scope.program.symbols[name.name]
        local = scope.constants.get(name.name)
        declaration = local or scope.file.constants.get(name.name)
        if declaration is None:
            raise scope.unknown(name)
        if declaration.type is not None:
            return plain(scope.program.type(declaration.type))
        value = scope.program.constant_value(name, scope.constant_values)
        if isinstance(value, Constant) and isinstance(value.value, str):
            return scope.program.symbols[value.value]
        return self.of(value)[0]

    def _alike(self, expr: Apply, args: Sequence[Expr], what: str) -> tuple[Type, ...]:
        first, second = self.of(args[0]), self.of(args[1])
        if first != second:
            message = f"{what} have different types: {show_types(first)} and {show_types(second)}"
            hint = _conversion(first[0], second[0]) if len(first) == len(second) == 1 else ""
            raise TypeProblem(message, expr.span, hint=hint)
        return first

    def _clock(self, clock: Expr) -> None:
        if isinstance(clock, Apply) and clock.op == "is":
            flow, symbol = clock.args
            flow_type = self.single(flow, "a clock")
            assert isinstance(symbol, Name)
            if not isinstance(flow_type, Enumeration) or symbol.name not in flow_type.members:
                name = flow.name if isinstance(flow, Name) else "it"
                raise TypeProblem(f"`{symbol.name}` is not a value of `{name}`, which is {show_type(flow_type)}", clock.span)
        else:
            self.boolean(clock, "a clock")

    def _merge(self, expr: Apply) -> tuple[Type, ...]:
        clock = self.single(expr.args[0], "a clock")
        patterns = [p.name if isinstance(p, Name) else p.value for p in expr.args[1::2] if isinstance(p, Name | Constant)]
        values: list[object] = list(clock.members) if isinstance(clock, Enumeration) else [True, False]
        if clock != BOOLEAN and not isinstance(clock, Enumeration):
            raise TypeProblem(f"the clock of `merge` must be a bool or an enumeration, not {show_type(clock)}", expr.args[0].span)
        if sorted(map(str, patterns)) != sorted(map(str, values)):
            shown = ", ".join(str(value).lower() if isinstance(value, bool) else str(value) for value in values)
            raise TypeProblem("`merge` needs one branch for each value of its clock", expr.span, hint=f"the values are {shown}")
        branches = expr.args[2::2]
        for branch in branches[1:]:
            self._alike(expr, (branches[0], branch), "two branches of `merge`")
        return self.of(branches[0])

    def _call(self, expr: Apply) -> tuple[Type, ...]:
        assert isinstance(expr.args[0], Name)
        scope, node = self.scope, self.scope.called(expr.args[0])
        given = [(kind, arg) for arg in expr.args[1:] for kind in self.of(arg)]
        if len(given) != len(node.inputs):
            message = f"`{node.name}` has {_number(len(node.inputs), 'input')}, but is given {_number(len(given), 'value')}"
            raise TypeProblem(message, expr.span)
        for flow, (kind, arg) in zip(node.inputs, given):
            declared = plain(scope.program.type(flow.type))
            if kind != declared:
                message = f"the input `{flow.name}` of `{node.name}` is {show_type(declared)}, but is given {show_type(kind)}"
                raise TypeProblem(message, arg.span, hint=_conversion(declared, kind))
        return tuple(plain(scope.program.type(flow.type)) for flow in node.outputs)

    def _conditional_call(self, expr: Apply) -> tuple[Type, ...]:
        self.boolean(expr.args[0], f"the condition of `{expr.op}`")
        outputs = self.of(expr.args[1])
        if expr.op == "condact":
            defaults = tuple(kind for arg in expr.args[2:] for kind in self.of(arg))
            if expr.args[2:] and defaults != outputs:
                message = f"the defaults are {show_types(defaults)}, but the outputs are {show_types(outputs)}"
                raise TypeProblem(message, expr.span)
        return outputs

    def _cast(self, expr: Apply) -> Type:
        assert isinstance(expr.args[0], Name)
        assert expr.args[0].span is not None
        kind = self.scope.program.type(NamedType(expr.args[0].name, expr.args[0].span))
        source = self.single(expr.args[1], "the operand of a conversion")
        if kind == source or (kind == REAL and source == INTEGER) or (kind == INTEGER and isinstance(source, WordType)):
            return kind
        number = isinstance(expr.args[1], Constant) and source == INTEGER
        if isinstance(kind, WordType) and (number or isinstance(source, WordType)):
            return kind
        raise Unsupported(f"there is no conversion from {show_type(source)} to {show_type(kind)}", expr.span)

    def _operator(self, expr: Apply) -> Type:
        op = expr.op
        sign = _SIGNS.get(op, op)
        if op in ("not", "and", "or", "xor", "implies", "atmost1", "nor"):
            for arg in expr.args:
                actual = self.single(arg, f"an operand of `{sign}`")
                if actual != BOOLEAN:
                    raise TypeProblem(f"`{sign}` needs bools, not {show_type(actual)}", arg.span)
            return BOOLEAN
        kinds = [self.single(arg, f"an operand of `{sign}`") for arg in expr.args]
        if len(set(kinds)) > 1:
            hint = _conversion(kinds[0], kinds[1])
            raise TypeProblem(f"`{sign}` between {show_type(kinds[0])} and {show_type(kinds[1])}", expr.span, hint=hint)
        if op in ("=", "!="):
            return BOOLEAN
        if kinds[0] == BOOLEAN or isinstance(kinds[0], Enumeration) or (op in ("div", "mod") and kinds[0] == REAL):
            raise TypeProblem(f"`{sign}` needs numbers, not {show_type(kinds[0])}", expr.span)
        return BOOLEAN if op in ("<", "<=", ">", ">=") else kinds[0]


def show_type(kind: Type) -> str:
    """A type in the words of Lustre."""
    match kind:
        case Boolean():
            return "a bool"
        case IntegerType() | Range():
            return "an int"
        case RealType():
            return "a real"
        case WordType(width, signed):
            return f"an {'' if signed else 'u'}int{width}"
        case Enumeration(members):
            return f"one of {', '.join(map(str, members))}"


def _number(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def show_types(kinds: Sequence[Type]) -> str:
    return show_type(kinds[0]) if len(kinds) == 1 else f"({', '.join(map(show_type, kinds))})"


def _conversion(declared: Type, actual: Type) -> str:
    if {declared, actual} == {INTEGER, REAL}:
        return "`real e` converts an int; a real constant has a point, as in 1.0"
    if isinstance(declared, WordType) and actual == INTEGER:
        return f"a constant of this type is written `{show_type(declared).split()[1]} 5`"
    return ""
