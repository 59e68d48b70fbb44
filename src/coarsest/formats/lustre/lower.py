"""From nodes to one flat system of equations: calls are inlined, `pre` and `->` become memories, clocks become conditions.

Reference: Halbwachs, Raymond, Ratel, Generating efficient code from data-flow programs, 1991, section 3: the memory of a program
           is the values of its `pre`, and a flag for the first instant.
Symbols:   `active` is true at the instants of the clock of an instance, `after` holds the flags that are certainly false here.
Invariant: every flow of every instance is a definition, an input, or another name for such a flow.
Deviates:  nodes called under `condact`, `activate` and `restart`; subranges are checked.
Cost:      linear in the size of the program after all calls are inlined.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct, field

from coarsest.errors import TypeProblem, Unsupported
from coarsest.formats.lustre.memories import Flag, Memories
from coarsest.formats.lustre.scope import BASE, Clock, NodeScope, show_clock
from coarsest.formats.lustre.syntax import LustreClaim, LustreNode
from coarsest.formats.lustre.types import Globals
from coarsest.formats.lustre.typing import BOOLEAN, INTEGER, Types
from coarsest.logic.expr import FALSE, TRUE, Apply, Constant, Expr, Name, Word, conjunction
from coarsest.model.machine import Kind, Variable
from coarsest.model.types import Enumeration, Range, Type, WordType
from coarsest.text import Span

MOST_DEFINITIONS: Final = 200_000


class NodeCall(Struct):
    """A call of a node: the values of its flows here, and the condition under which it is active."""

    scope: NodeScope
    types: Types
    prefix: str
    active: Expr
    reset: Expr
    flows: dict[str, Expr] = field(default_factory=dict)
    calls: dict[str, int] = field(default_factory=dict)

    @property
    def node(self) -> LustreNode:
        return self.scope.node


class ActiveClaim(Struct, frozen=True):
    """A condition that is assumed, or must be proved, whenever `active` holds."""

    condition: Expr
    active: Expr
    claim: LustreClaim
    prefix: str


class CallInlining:
    """Inlines calls and collects the parts of a machine."""

    def __init__(self, program: Globals) -> None:
        self.program = program
        self.memories = Memories()
        self.definitions: dict[str, Expr] = {}
        self.subranges: dict[str, tuple[Range, Span]] = {}
        self.obligations: list[ActiveClaim] = []
        self.invented: dict[str, Variable] = {}
        """Inputs for unknown values: results of external functions, comparisons of abstract values."""
        self._scopes: dict[str, tuple[NodeScope, Types]] = {}
        self._open: list[str] = []

    # -- instances ---------------------------------------------------------------------------------------------------------

    def scope(self, node: LustreNode) -> tuple[NodeScope, Types]:
        """The names and types of a node, checked once."""
        if node.name not in self._scopes:
            scope = NodeScope(node, self.program)
            types = Types(scope)
            types.check()
            for equation in node.equations:
                _check_clocks(scope, equation.targets, equation.value)
            self._scopes[node.name] = scope, types
        return self._scopes[node.name]

    def top(self, node: LustreNode) -> NodeCall:
        """The main node; its inputs keep their names."""
        instance = NodeCall(*self.scope(node), "", TRUE, FALSE)
        for flow in node.inputs:
            if flow.clock is not None:
                raise Unsupported(f"the input `{flow.name}` of the main node has a clock", flow.span)
            instance.flows[flow.name] = Name(self.memories.fresh(flow.name), flow.span)
        self._fill(instance)
        return instance

    def _fill(self, instance: NodeCall) -> None:
        node = instance.node
        self._open.append(node.name)
        for flow in (*node.outputs, *node.locals):
            instance.flows[flow.name] = Name(self.memories.fresh(instance.prefix + flow.name), flow.span)
        for constant in node.constants:
            full = self.memories.fresh(instance.prefix + constant.name)
            instance.flows[constant.name] = self.program.declared(constant, instance.flows, full)
        for equation in node.equations:
            values = self.lower(equation.value, instance, frozenset())
            for target, value in zip(equation.targets, values):
                self._define(instance, target.name, value)
        for claim in node.claims:
            (condition,) = self.lower(claim.condition, instance, frozenset())
            self.obligations.append(ActiveClaim(condition, instance.active, claim, instance.prefix))
        self._open.pop()

    def _define(self, instance: NodeCall, flow: str, value: Expr) -> None:
        full = instance.flows[flow]
        assert isinstance(full, Name)
        self.definitions[full.name] = value
        kind = instance.scope.types[flow]
        if isinstance(kind, Range):
            self.subranges[full.name] = kind, instance.scope.flows[flow].span
        if len(self.definitions) > MOST_DEFINITIONS:
            raise Unsupported("the program is too large when all calls are inlined", instance.node.span)

    def _call(self, expr: Apply, caller: NodeCall, active: Expr, reset: Expr, after: frozenset[str]) -> list[Expr]:
        name = expr.args[0]
        assert isinstance(name, Name)
        node = caller.scope.called(name)
        if node.name in self._open:
            cycle = " → ".join([*self._open[self._open.index(node.name) :], node.name])
            raise Unsupported(f"the node `{node.name}` calls itself", name.span, hint=f"the cycle is {cycle}")
        number = caller.calls[node.name] = caller.calls.get(node.name, 0) + 1
        prefix = f"{caller.prefix}{node.name}.{'' if number == 1 else f'{number}.'}"
        if node.is_external:
            return [self._invent(prefix + flow.name, self.program.type(flow.type), expr.span) for flow in node.outputs]
        instance = NodeCall(*self.scope(node), prefix, active, reset)
        values = [value for arg in expr.args[1:] for value in self.lower(arg, caller, after)]
        for flow, value in zip(node.inputs, values):
            if isinstance(value, Name | Constant) and not isinstance(instance.scope.types[flow.name], Range):
                instance.flows[flow.name] = value
            else:
                instance.flows[flow.name] = Name(self.memories.fresh(prefix + flow.name), flow.span)
                self._define(instance, flow.name, value)
        self._fill(instance)
        return [instance.flows[flow.name] for flow in node.outputs]

    def _invent(self, name: str, kind: Type, span: Span | None) -> Expr:
        """Any value of a type, which may differ from instant to instant."""
        if isinstance(kind, Enumeration) and kind in self.program.abstract:
            return Constant(kind.members[0], span)
        full = self.memories.fresh(name)
        self.invented[full] = Variable(full, kind, Kind.INPUT, span)
        return Name(full, span)

    # -- expressions -------------------------------------------------------------------------------------------------------

    def lower(self, expr: Expr, instance: NodeCall, after: frozenset[str]) -> list[Expr]:
        """The values of an expression, one for each of its types."""
        if isinstance(expr, Constant):
            return [expr]
        if isinstance(expr, Name):
            value = instance.flows.get(expr.name) or self.program.constant(expr.name)
            if value is None:
                raise instance.scope.unknown(expr)
            return [Name(value.name, expr.span)] if isinstance(value, Name) else [value]
        special = _SPECIAL.get(expr.op)
        if special is not None:
            return special(self, expr, instance, after)
        match expr.op:
            case "tuple":
                return [value for arg in expr.args for value in self.lower(arg, instance, after)]
            case "when":
                return self.lower(expr.args[0], instance, after)
            case "fby":  # a fby b is a -> pre b
                before = Apply("pre", (expr.args[1],), expr.span)
                return self._arrow(Apply("->", (expr.args[0], before), expr.span), instance, after)
            case "if":
                condition, branches, others = (self.lower(arg, instance, after) for arg in expr.args)
                return [Apply("case", (*condition, then, TRUE, other), expr.span) for then, other in zip(branches, others)]
            case "call":
                active = self.condition_of(instance.scope.clock_of_call(expr) or BASE, instance)
                return self._call(expr, instance, active, instance.reset, after)
        args = tuple(self.lower(arg, instance, after)[0] for arg in expr.args)
        kind = instance.types.single(expr.args[0], "an operand") if args else BOOLEAN
        if isinstance(kind, Enumeration) and kind in self.program.abstract:
            return [self._invent(f"{instance.prefix}compared", BOOLEAN, expr.span)]
        return [_operation(expr, args, kind)]

    def _is(self, expr: Apply, instance: NodeCall, after: frozenset[str]) -> list[Expr]:
        symbol = expr.args[1]
        assert isinstance(symbol, Name)
        return [Apply("=", (self.lower(expr.args[0], instance, after)[0], Constant(symbol.name)), expr.span)]

    def _merge(self, expr: Apply, instance: NodeCall, after: frozenset[str]) -> list[Expr]:
        (clock,) = self.lower(expr.args[0], instance, after)
        arms = []
        for pattern, branch in zip(expr.args[1::2], expr.args[2::2]):
            value = pattern.name if isinstance(pattern, Name) else pattern.value if isinstance(pattern, Constant) else True
            condition = _has_value(clock, value)
            arms.append((condition, self.lower(branch, instance, after)))
        arms[-1] = (TRUE, arms[-1][1])
        return [
            Apply("case", tuple(part for condition, values in arms for part in (condition, values[k])), expr.span)
            for k in range(len(arms[0][1]))
        ]

    def _cast(self, expr: Apply, instance: NodeCall, after: frozenset[str]) -> list[Expr]:
        target = instance.types.single(expr, "a conversion")
        source = instance.types.single(expr.args[1], "the operand of a conversion")
        (value,) = self.lower(expr.args[1], instance, after)
        if target == source or not (isinstance(target, WordType) or isinstance(source, WordType)):
            return [value]
        if not isinstance(target, WordType):
            return [Apply("toint", (value,), expr.span)]
        if isinstance(value, Constant):
            number = value.value.value if isinstance(value.value, Word) else value.value
            assert isinstance(number, int)
            return [Constant(Word.of(number, target.width, signed=target.signed), expr.span)]
        assert isinstance(source, WordType)
        resized = Apply("resize", (value, Constant(target.width)), expr.span)
        sign = Apply("signed" if target.signed else "unsigned", (resized,), expr.span)
        return [resized if source.signed == target.signed else sign]

    # -- time --------------------------------------------------------------------------------------------------------------

    def condition_of(self, clock: Clock, instance: NodeCall) -> Expr:
        """True at the instants of a clock of the instance."""
        parts = [] if instance.active == TRUE else [instance.active]
        for sampling, value in clock:
            (flow,) = self.lower(sampling, instance, frozenset())
            parts.append(_has_value(flow, value))
        return conjunction(parts)

    def _flag(self, active: Expr, instance: NodeCall) -> Flag:
        always = active == TRUE and instance.reset == FALSE
        return self.memories.flag(active, instance.reset, "first_instant" if always else f"{instance.prefix}first_instant")

    def _arrow(self, expr: Apply, instance: NodeCall, after: frozenset[str]) -> list[Expr]:
        clock = instance.scope.clock_of(expr)
        flag = self._flag(self.condition_of(clock or BASE, instance), instance)
        first = self.lower(expr.args[0], instance, after)
        then = self.lower(expr.args[1], instance, after | {flag.name})
        if flag.name in after:
            return then
        return [Apply("case", (flag.now, start, TRUE, later), expr.span) for start, later in zip(first, then)]

    def _pre(self, expr: Apply, instance: NodeCall, after: frozenset[str]) -> list[Expr]:
        inner = expr.args[0]
        active = self.condition_of(instance.scope.clock_of(inner) or BASE, instance)
        flag = self._flag(active, instance)
        values = self.lower(inner, instance, frozenset())  # they are computed at another instant
        kinds = instance.types.of(inner)
        return [
            self._remembered(value, kind, flag, instance, span=expr.span, guarded=flag.name in after)
            for value, kind in zip(values, kinds)
        ]

    def _remembered(
        self, value: Expr, kind: Type, flag: Flag, instance: NodeCall, *, span: Span | None, guarded: bool
    ) -> Expr:
        if isinstance(value, Constant) and guarded:
            return value
        name = f"{value.name}.pre" if isinstance(value, Name) else f"{instance.prefix}memory"
        memory = self.memories.remember(value, kind, flag, name=name, span=span, guarded=guarded)
        return Name(memory.name, span)

    def _current(self, expr: Apply, instance: NodeCall, after: frozenset[str]) -> list[Expr]:
        inner = expr.args[0]
        sampled = self.condition_of(instance.scope.clock_of(inner) or BASE, instance)
        flag = self._flag(sampled, instance)
        values: list[Expr] = []
        for value, kind in zip(self.lower(inner, instance, after), instance.types.of(inner)):
            held = self._remembered(value, kind, flag, instance, span=expr.span, guarded=False)
            values.append(Apply("case", (sampled, value, TRUE, held), expr.span))
        return values

    # -- calls -------------------------------------------------------------------------------------------------------------

    def _restart(self, expr: Apply, instance: NodeCall, after: frozenset[str]) -> list[Expr]:
        (condition,) = self.lower(expr.args[0], instance, after)
        call = expr.args[1]
        assert isinstance(call, Apply)
        active = self.condition_of(instance.scope.clock_of(expr) or BASE, instance)
        reset = condition if instance.reset == FALSE else Apply("or", (instance.reset, condition))
        return self._call(call, instance, active, reset, after)

    def _activate(self, expr: Apply, instance: NodeCall, after: frozenset[str]) -> list[Expr]:
        call = expr.args[1]
        assert isinstance(call, Apply)
        clock = instance.scope.clock_of(Apply("tuple", expr.args)) or BASE
        active = self.condition_of(clock, instance)
        (condition,) = self.lower(expr.args[0], instance, after)
        active = condition if active == TRUE else Apply("and", (active, condition))
        return self._call(call, instance, active, instance.reset, after)

    def _condact(self, expr: Apply, instance: NodeCall, after: frozenset[str]) -> list[Expr]:
        """While the condition is false, the outputs keep their values; before the first call they are the defaults."""
        call = expr.args[1]
        outputs = self._activate(expr, instance, after)
        (condition,) = self.lower(expr.args[0], instance, after)
        base = self.condition_of(instance.scope.clock_of(expr) or BASE, instance)
        flag = self._flag(base, instance)
        defaults = [value for arg in expr.args[2:] for value in self.lower(arg, instance, after)]
        names: list[Expr] = []
        for k, (output, kind) in enumerate(zip(outputs, instance.types.of(call))):
            name = Name(self.memories.fresh(f"{instance.prefix}held"), expr.span)
            held = self._remembered(name, kind, flag, instance, span=expr.span, guarded=bool(defaults))
            otherwise: tuple[Expr, ...] = (TRUE, held)
            if defaults:
                otherwise = (flag.now, defaults[k], TRUE, held)
            self.definitions[name.name] = Apply("case", (condition, output, *otherwise), expr.span)
            names.append(name)
        return names


def _check_clocks(scope: NodeScope, targets: Sequence[Name], value: Expr) -> None:
    called = value if isinstance(value, Apply) and value.op == "call" else None
    clocks = [scope.clock_of(value)] * len(targets) if called is None else scope.output_clocks(called, targets)
    for target, clock in zip(targets, clocks):
        declared = scope.declared_clock(target.name)
        if clock is not None and declared is not None and clock != declared:
            message = f"`{target.name}` is {show_clock(declared)}, but its equation is {show_clock(clock)}"
            hint = "declare the clock of the flow, as in `x : bool when c`, or use `current`"
            raise TypeProblem(message, value.span, hint=hint)


def _has_value(flow: Expr, value: object) -> Expr:
    if value is True:
        return flow
    if value is False:
        return Apply("not", (flow,))
    return Apply("=", (flow, Constant(str(value))))


def _operation(expr: Apply, args: tuple[Expr, ...], kind: Type) -> Expr:
    op, span = expr.op, expr.span
    if op == "atmost1":
        return Apply("<=", (Apply("count", args), Constant(1)), span)
    if op == "nor":
        return Apply("not", (Apply("or", args),), span)
    if op not in ("/", "div", "mod") or kind != INTEGER:
        return Apply({"div": "/"}.get(op, op), args, span)
    dividend, divisor = args  # the divisor is positive; the remainder is never negative, whereas machines truncate
    remainder = Apply("mod", (dividend, divisor), span)
    is_negative = Apply("<", (remainder, Constant(0)))
    if op == "mod":
        return Apply("case", (is_negative, Apply("+", (remainder, divisor)), TRUE, remainder), span)
    quotient = Apply("/", (dividend, divisor), span)
    return Apply("case", (is_negative, Apply("-", (quotient, Constant(1))), TRUE, quotient), span)


_SPECIAL = {
    "is": CallInlining._is,
    "merge": CallInlining._merge,
    "cast": CallInlining._cast,
    "->": CallInlining._arrow,
    "pre": CallInlining._pre,
    "current": CallInlining._current,
    "restart": CallInlining._restart,
    "activate": CallInlining._activate,
    "condact": CallInlining._condact,
}
