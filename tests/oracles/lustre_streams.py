"""Lustre from its definition: every expression is a sequence of values, with gaps where its clock does not tick.

Nothing is shared with the translation into machines: calls are not opened, there is no memory, the past is looked up.
"""

from collections.abc import Callable
from typing import Any

from coarsest.formats.lustre.syntax import File, LustreNode
from coarsest.logic.expr import Apply, Constant, Expr, Name
from oracles.operators import operate

ABSENT = "absent"
NIL = "nil"
Stream = Callable[[int], Any]


class Instance:
    """A node at work: its inputs as streams, the instants at which it is active, and those at which it starts again."""

    def __init__(self, file: File, node: LustreNode, inputs: dict[str, Stream], active: Stream, restarts: Stream) -> None:
        self.file, self.node, self.inputs, self.active, self.restarts = file, node, inputs, active, restarts
        self.defined = {target.name: (e.value, place) for e in node.equations for place, target in enumerate(e.targets)}
        self.constants = {c.name: c.value for c in (*file.constants.values(), *node.constants) if c.value is not None}
        self.children: dict[int, Instance] = {}
        self.known: dict[tuple[int, int], tuple[Expr, list[Any]]] = {}

    def flow(self, name: str, t: int) -> Any:
        if not self.active(t):
            return ABSENT
        if name in self.inputs:
            return self.inputs[name](t)
        if name in self.defined:
            expr, place = self.defined[name]
            return self.of(expr, t)[place]
        return self.of(self.constants[name], t)[0] if name in self.constants else name  # a symbol of an enumeration

    def of(self, expr: Expr, t: int) -> list[Any]:
        key = id(expr), t
        if key not in self.known:
            self.known[key] = expr, self.compute(expr, t)
        return self.known[key][1]

    def present(self, expr: Expr, t: int) -> bool:
        """Does the expression have a value? Known from the clocks alone; flows are on the clock of their node here."""
        if isinstance(expr, Constant | Name) or expr.op in ("current", "merge", "condact", "restart"):
            return bool(self.active(t))
        if expr.op == "when":
            return self.present(expr.args[0], t) and self.ticks(expr.args[1], t)
        return bool(self.active(t)) and all(self.present(arg, t) for arg in expr.args)

    def compute(self, expr: Expr, t: int) -> list[Any]:
        if isinstance(expr, Constant):
            return [expr.value]
        if isinstance(expr, Name):
            return [self.flow(expr.name, t)]
        match expr.op:
            case "tuple":
                return [value for arg in expr.args for value in self.of(arg, t)]
            case "pre":
                return self.before(expr.args[0], t)
            case "->" | "fby":
                return self.arrow(expr, t)
            case "if":
                (condition,) = self.of(expr.args[0], t)
                if condition in (NIL, ABSENT):
                    return [condition] * self.width(expr)
                return self.of(expr.args[1 if condition is True else 2], t)
            case "when":
                return self.of(expr.args[0], t) if self.ticks(expr.args[1], t) else [ABSENT] * self.width(expr.args[0])
            case "current":
                return self.latest(expr.args[0], t, including=True)
            case "merge":
                (clock,) = self.of(expr.args[0], t)
                for pattern, value in zip(expr.args[1::2], expr.args[2::2]):
                    if clock == (pattern.name if isinstance(pattern, Name) else pattern.value):  # type: ignore[union-attr]
                        return self.of(value, t)
            case "call":
                return self.call(expr, t, lambda _: True, lambda _: False)
            case "condact":
                return self.condact(expr, t)
            case "restart":
                inner = expr.args[1]
                assert isinstance(inner, Apply)
                return self.call(inner, t, lambda _: True, lambda s: self.of(expr.args[0], s)[0] is True)
        return [at_one_instant(expr.op, [self.of(arg, t)[0] for arg in expr.args])]

    def ticks(self, clock: Expr, t: int) -> bool:
        if isinstance(clock, Apply) and clock.op == "is":
            return bool(self.of(clock.args[0], t)[0] == clock.args[1].name)  # type: ignore[union-attr]
        return self.of(clock, t)[0] is True

    # -- the past ----------------------------------------------------------------------------------------------------------

    def latest(self, expr: Expr, t: int, *, including: bool) -> list[Any]:
        for s in range(t if including else t - 1, -1, -1):
            if self.present(expr, s):
                return self.of(expr, s)
        return [NIL] * self.width(expr)

    def width(self, expr: Expr) -> int:
        """How many values the expression has."""
        if isinstance(expr, Constant | Name):
            return 1
        match expr.op:
            case "tuple":
                return sum(map(self.width, expr.args))
            case "call":
                return len(self.file.nodes[expr.args[0].name].outputs)  # type: ignore[union-attr]
            case "if" | "condact" | "restart":
                return self.width(expr.args[1])
            case "merge":
                return self.width(expr.args[2])
            case "pre" | "->" | "fby" | "when" | "current":
                return self.width(expr.args[0])
        return 1

    def before(self, expr: Expr, t: int) -> list[Any]:
        return self.latest(expr, t, including=False) if self.present(expr, t) else [ABSENT] * self.width(expr)

    def arrow(self, expr: Apply, t: int) -> list[Any]:
        first, then = expr.args
        start = max((s for s in range(t + 1) if self.restarts(s)), default=0)
        earlier = any(self.present(first, s) and self.present(then, s) for s in range(start, t))
        if not (self.present(first, t) and self.present(then, t)):
            return [ABSENT] * self.width(first)
        if not earlier:
            return self.of(first, t)
        return self.of(then, t) if expr.op == "->" else self.before(then, t)

    # -- calls -------------------------------------------------------------------------------------------------------------

    def call(self, expr: Apply, t: int, condition: Stream, restarts: Stream) -> list[Any]:
        node = self.file.nodes[expr.args[0].name]  # type: ignore[union-attr]
        if id(expr) not in self.children:
            flat = [(arg, place) for arg in expr.args[1:] for place in range(self.width(arg))]
            inputs = {flow.name: self.stream(arg, place) for flow, (arg, place) in zip(node.inputs, flat)}

            def active(s: int) -> bool:
                return bool(self.active(s) and condition(s)) and all(self.present(arg, s) for arg in expr.args[1:])

            inherited = self.restarts
            self.children[id(expr)] = Instance(self.file, node, inputs, active, lambda s: inherited(s) or restarts(s))
        child = self.children[id(expr)]
        return [child.flow(flow.name, t) for flow in node.outputs]

    def stream(self, arg: Expr, place: int) -> Stream:
        return lambda s: self.of(arg, s)[place] if self.active(s) else ABSENT

    def condact(self, expr: Apply, t: int) -> list[Any]:
        condition, inner, *defaults = expr.args
        assert isinstance(inner, Apply)
        if not self.active(t):
            return [ABSENT] * self.width(expr)
        outputs = self.call(inner, t, lambda s: self.of(condition, s)[0] is True, lambda _: False)
        if self.of(condition, t)[0] is True:
            return outputs
        start = max((s for s in range(t + 1) if self.restarts(s)), default=0)
        if not any(self.active(s) for s in range(start, t)):
            return [value for default in defaults for value in self.of(default, t)]
        return self.condact(expr, max(s for s in range(t) if self.active(s)))


def at_one_instant(op: str, args: list[Any]) -> Any:
    return ABSENT if ABSENT in args else NIL if NIL in args else operate(op, args)


def outputs(file: File, main: str, stimuli: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The outputs of a node at each instant."""
    node = file.nodes[main]
    inputs = {flow.name: (lambda t, name=flow.name: stimuli[t][name]) for flow in node.inputs}
    top = Instance(file, node, inputs, lambda _: True, lambda _: False)
    return [{flow.name: top.flow(flow.name, t) for flow in node.outputs} for t in range(len(stimuli))]
