"""The flows of a node: their types and their clocks.

Reference: Halbwachs, Caspi, Raymond, Pilaud, The synchronous data flow programming language LUSTRE, 1991, section 2.4.
Symbols:   a clock is a path of samplings, each a condition and its required value; () is the clock of the node.
Invariant: a flow has a value exactly when all conditions of its clock have their required values.
Deviates:  a clock may be any boolean expression; clocks are equal if they are written the same way. Constants are on any clock.
Cost:      every expression once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from coarsest.errors import NameProblem, TypeProblem
from coarsest.formats.lustre.syntax import File, Flow, LustreNode
from coarsest.formats.lustre.types import Globals
from coarsest.logic.expr import Apply, Constant, Expr, Name, Value, replace
from coarsest.model.types import Type
from coarsest.text import Span
from coarsest.text.near import nearest

Clock: TypeAlias = tuple[tuple[Expr, Value], ...]
BASE: Clock = ()


class NodeScope:
    """The names of a node."""

    def __init__(self, node: LustreNode, program: Globals) -> None:
        self.node = node
        self.program = program
        self.flows: dict[str, Flow] = {}
        self.types: dict[str, Type] = {}
        for flow in (*node.inputs, *node.outputs, *node.locals):
            if flow.name in self.flows:
                line = self.flows[flow.name].span.line_number
                raise NameProblem(f"`{flow.name}` is declared twice", flow.span, hint=f"the first time in line {line}")
            if flow.name in program.symbols:
                hint = "give the flow another name"
                raise NameProblem(f"`{flow.name}` is also a value of an enumeration", flow.span, hint=hint)
            self.flows[flow.name] = flow
            self.types[flow.name] = program.type(flow.type)
        self.constants = {constant.name: constant for constant in node.constants}
        self.constant_values: dict[str, Expr] = {}
        for constant in node.constants:
            if constant.value is not None:
                self.constant_values[constant.name] = program.constant_value(constant.value, self.constant_values)
        if not node.is_external:
            self._check_targets()

    @property
    def file(self) -> File:
        return self.program.file

    def _check_targets(self) -> None:
        """Raise an error unless every output and local has one equation, and no input has any."""
        inputs = {flow.name for flow in self.node.inputs}
        defined: dict[str, Span] = {}
        for equation in self.node.equations:
            for target in equation.targets:
                span = target.span or equation.span
                if target.name not in self.flows:
                    raise self.unknown(target)
                if target.name in inputs:
                    raise NameProblem(f"the input `{target.name}` is on the left of an equation", span)
                if target.name in defined:
                    line = defined[target.name].line_number
                    raise NameProblem(f"`{target.name}` has two equations", span, hint=f"the first is in line {line}")
                defined[target.name] = span
        for flow in (*self.node.outputs, *self.node.locals):
            if flow.name not in defined:
                kind = "output" if flow in self.node.outputs else "local flow"
                raise NameProblem(f"the {kind} `{flow.name}` has no equation", flow.span, hint=f"write `{flow.name} = …;`")

    def unknown(self, name: Name) -> NameProblem:
        names = (*self.flows, *self.constants, *self.file.constants, *self.program.symbols)
        near = nearest(name.name, names)
        hint = f"did you mean `{near[0]}`?" if near else f"the node `{self.node.name}` declares no such flow"
        return NameProblem(f"`{name.name}` is not declared", name.span, hint=hint)

    def called(self, name: Name) -> LustreNode:
        """The node with a name."""
        node = self.file.nodes.get(name.name)
        if node is None:
            near = nearest(name.name, self.file.nodes)
            hint = f"did you mean `{near[0]}`?" if near else f"the nodes are {', '.join(self.file.nodes)}"
            raise NameProblem(f"there is no node `{name.name}`", name.span, hint=hint)
        return node

    # -- clocks ------------------------------------------------------------------------------------------------------------

    def declared_clock(self, name: str) -> Clock | None:
        """The clock of a flow; None for a constant."""
        flow = self.flows.get(name)
        if flow is None or flow.constant:
            return None
        return BASE if flow.clock is None else self._sampled(self.clock_of(flow.clock) or BASE, flow.clock)

    @staticmethod
    def _sampled(clock: Clock, condition: Expr) -> Clock:
        value: Value = True
        if isinstance(condition, Apply) and condition.op == "is":
            flow, symbol = condition.args
            assert isinstance(symbol, Name)
            return (*clock, (flow, symbol.name))
        while isinstance(condition, Apply) and condition.op == "not":
            condition, value = condition.args[0], not value
        if isinstance(condition, Apply) and condition.op == "=" and isinstance(condition.args[1], Name):
            return (*clock, (condition.args[0], condition.args[1].name))
        return (*clock, (condition, value))

    def clock_of(self, expr: Expr) -> Clock | None:
        """The clock of an expression; None if it is constant. Raises TypeProblem if clocks differ that must be equal."""
        if isinstance(expr, Constant):
            return None
        if isinstance(expr, Name):
            return self.declared_clock(expr.name)
        match expr.op:
            case "when":
                return self._sampled(self._common(expr.args) or BASE, expr.args[1])
            case "is":
                return self.clock_of(expr.args[0])
            case "current":
                return self._current(expr)
            case "merge":
                return self._merged(expr)
            case "call":
                return self._one_clock(expr)
            case "condact" | "restart":
                return self._common(expr.args)
            case "activate":
                return self._sampled(self._common(expr.args) or BASE, expr.args[0])
            case "cast":
                return self.clock_of(expr.args[1])
        return self._common(expr.args)

    def _common(self, exprs: Iterable[Expr]) -> Clock | None:
        common: Clock | None = None
        where: Expr | None = None
        for expr in exprs:
            clock = self.clock_of(expr)
            if clock is None:
                continue
            if common is not None and clock != common:
                first = f"`{_text(where)}` is {show_clock(common)}" if where is not None else ""
                message = f"`{_text(expr)}` is {show_clock(clock)}, but {first}"
                raise TypeProblem(message, expr.span, hint=_hint(common, clock))
            if common is None:
                common, where = clock, expr
        return common

    def _current(self, expr: Apply) -> Clock:
        clock = self.clock_of(expr.args[0])
        if not clock:
            message = f"`current` of `{_text(expr.args[0])}`, which is not sampled by any `when`"
            raise TypeProblem(message, expr.span, hint="it has a value at every instant: leave `current` out")
        return clock[:-1]

    def _merged(self, expr: Apply) -> Clock:
        condition = expr.args[0]
        clock = self.clock_of(condition) or BASE
        for pattern, value in zip(expr.args[1::2], expr.args[2::2]):
            case = pattern.name if isinstance(pattern, Name) else pattern.value if isinstance(pattern, Constant) else True
            of_branch = (*clock, (condition, case))
            of_value = self.clock_of(value)
            if of_value is not None and of_value != of_branch:
                message = f"`{_text(value)}` is {show_clock(of_value)}, but this branch of `merge` is {show_clock(of_branch)}"
                raise TypeProblem(message, value.span, hint=f"sample it: `… {show_when(of_branch[-1])}`")
        return clock

    def output_clocks(self, expr: Apply, targets: Sequence[Name] = ()) -> list[Clock | None]:
        """The clocks of the outputs of a call; an output that is the clock of another one has the name of its target."""
        assert isinstance(expr.args[0], Name)
        node, clock = self.called(expr.args[0]), self.clock_of_call(expr)
        actual: dict[str, Expr] = {flow.name: arg for flow, arg in zip(node.inputs, expr.args[1:])}
        actual |= {flow.name: target for flow, target in zip(node.outputs, targets)}
        clocks: list[Clock | None] = []
        for flow in node.outputs:
            if flow.clock is None:
                clocks.append(clock)
            else:
                condition = replace(flow.clock, lambda part: actual.get(part.name) if isinstance(part, Name) else None)
                clocks.append(self._sampled(clock or BASE, condition))
        return clocks

    def _one_clock(self, expr: Apply) -> Clock | None:
        clocks = self.output_clocks(expr)
        if len(set(clocks)) > 1:
            hint = "give them names by an equation"
            raise TypeProblem("the outputs of this call are on different clocks", expr.span, hint=hint)
        return clocks[0] if clocks else self.clock_of_call(expr)

    def clock_of_call(self, expr: Apply) -> Clock | None:
        """The clock of the called node, which is the clock of its arguments without the sampling of its own inputs."""
        assert isinstance(expr.args[0], Name)
        node = self.called(expr.args[0])
        if all(flow.clock is None for flow in node.inputs):
            return self._common(expr.args[1:])
        actual = {flow.name: arg for flow, arg in zip(node.inputs, expr.args[1:])}
        unsampled = [actual[flow.name] for flow in node.inputs if flow.clock is None and flow.name in actual]
        clock = self._common(unsampled) or BASE
        for flow in node.inputs:
            if flow.clock is not None and flow.name in actual:
                condition = replace(flow.clock, lambda part: actual.get(part.name) if isinstance(part, Name) else None)
                of_input, of_actual = self._sampled(clock, condition), self.clock_of(actual[flow.name])
                if of_actual is not None and of_actual != of_input:
                    given = f"`{_text(actual[flow.name])}` is {show_clock(of_actual)}"
                    raise TypeProblem(f"{given}, but the input `{flow.name}` is {show_clock(of_input)}", actual[flow.name].span)
        return clock


def show_clock(clock: Clock) -> str:
    """A clock as people read it."""
    return f"sampled {' '.join(map(show_when, clock))}" if clock else "present at every instant"


def show_when(sampling: tuple[Expr, Value]) -> str:
    condition, value = sampling
    if isinstance(value, str):
        return f"when {value}({_text(condition)})"
    return f"when {'' if value else 'not '}{_text(condition)}"


def _text(expr: Expr) -> str:
    return expr.name if isinstance(expr, Name) else " ".join(expr.span.text.split()) if expr.span is not None else "…"


def _hint(left: Clock, right: Clock) -> str:
    if len(left) != len(right):
        return "put both on the same clock: `when` samples a flow, `current` holds the last sample"
    return "the operands of an operator must be on the same clock"
