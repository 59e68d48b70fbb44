"""The instances of a design, joined at their ports, and the effects of their blocks in a step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Final

from coarsest.errors import ModelProblem, NameProblem, TypeProblem, Unsupported
from coarsest.formats.vis.bits import BitRow, part, type_of_shape
from coarsest.formats.vis.circuit import Driver, ElaboratedDesign
from coarsest.formats.vis.declare import constant_value, declared_signals
from coarsest.formats.vis.execute import StatementExecution
from coarsest.formats.vis.lower import ExpressionLowering
from coarsest.formats.vis.parsing.syntax import (
    AlwaysBlock,
    Connection,
    ModuleInstance,
    VerilogAssignment,
    VerilogModule,
    VerilogSource,
)
from coarsest.formats.vis.scope import VerilogScope, VerilogSignal
from coarsest.logic.expr import Apply, Constant, Expr, Name, subexpressions
from coarsest.model.machine import Kind, Variable
from coarsest.text import Span
from coarsest.text.near import nearest

DEEPEST: Final = 100
MOST_INSTANCES: Final = 20_000

OUTSIDE = frozenset(("input", "inout"))


class Elaboration:
    def __init__(self, design: VerilogSource) -> None:
        self.design = design
        self.circuit = ElaboratedDesign()
        self.scopes: list[VerilogScope] = []

    def run(self, main: VerilogModule) -> ElaboratedDesign:
        top = self._open(main, "", {}, 0)
        for scope in self.scopes:
            for signal in scope.signals.values():
                self.circuit.declare(signal)
        for scope in self.scopes:
            self._drive(scope)
        self._inputs(top)
        self.circuit.settle_pieces()
        self.circuit.define_wires()
        for scope in self.scopes:
            for block in scope.module.blocks:
                self._block(scope, block)
        for scope in self.scopes:
            execution = self._execution(scope)
            for statement in scope.module.initial:
                execution.execute(statement)
            self.circuit.initial.update(execution.store.outcome())
        self._remaining()
        return self.circuit

    def _execution(self, scope: VerilogScope) -> StatementExecution:
        return StatementExecution(scope, self.design, self.circuit)

    # -- scopes ------------------------------------------------------------------------------------------------------------

    def _open(self, module: VerilogModule, prefix: str, given: dict[str, Constant], depth: int) -> VerilogScope:
        if depth > DEEPEST:
            message = f"instances are more than {DEEPEST} levels deep"
            raise Unsupported(message, module.span, hint=f"does `{module.name}` contain itself?")
        if len(self.scopes) >= MOST_INSTANCES:
            raise Unsupported(f"more than {MOST_INSTANCES} instances", module.span)
        scope = VerilogScope(module, prefix)
        self.scopes.append(scope)
        constants = ExpressionLowering(scope, self.design)
        for parameter in module.parameters:
            if parameter.name in given:
                scope.constants[parameter.name] = given[parameter.name]
            elif parameter.value is not None:
                scope.constants[parameter.name] = constant_value(parameter.value, constants)
            else:
                raise ModelProblem(f"the parameter `{parameter.name}` has no value", parameter.span)
        for name in given:
            if name not in scope.constants:
                close = nearest(name, scope.constants)
                hint = f"did you mean `{close[0]}`?" if close else ""
                raise NameProblem(f"the module `{module.name}` has no parameter `{name}`", module.span, hint=hint)
        declared_signals(scope, module.declarations, constants)
        for port in module.ports:
            if port not in scope.signals:
                message = f"the port `{port}` of `{module.name}` is not declared"
                raise NameProblem(message, module.span, hint=f"declare it, for example `input {port};`")
        for instance in module.instances:
            self._child(scope, instance, depth)
        self._implicit(scope)
        return scope

    def _child(self, scope: VerilogScope, instance: ModuleInstance, depth: int) -> None:
        module = self.design.modules.get(instance.module)
        if module is None:
            close = nearest(instance.module, self.design.modules)
            hint = f"did you mean `{close[0]}`?" if close else ""
            raise NameProblem(f"there is no module `{instance.module}`", instance.span, hint=hint)
        if instance.name in scope.children:
            raise NameProblem(f"there are two instances `{instance.name}`", instance.span)
        constants = ExpressionLowering(scope, self.design)
        names = [parameter.name for parameter in module.parameters]
        given = {
            name: constant_value(actual, constants)
            for name, actual, _ in _matched(instance.parameters, names, "parameter", instance)
            if actual is not None
        }
        for override in scope.module.overrides:
            path = override.target.name if isinstance(override.target, Name) else ""
            if path.rpartition(".")[0] == instance.name:
                given[path.rpartition(".")[2]] = constant_value(override.value, constants)
        scope.children[instance.name] = self._open(module, f"{scope.prefix}{instance.name}.", given, depth + 1)

    def _implicit(self, scope: VerilogScope) -> None:
        """Declare the wires that are not declared: at ports of instances, with the shape of the port, and assigned wires."""
        names: list[tuple[Name, VerilogSignal | None]] = []
        for instance in scope.module.instances:
            child = scope.children[instance.name]
            for port, actual, _ in _matched(instance.connections, child.module.ports, "port", instance):
                if isinstance(actual, Name):
                    names.append((actual, child.signals[port]))
        names += [(a.target, None) for a in scope.module.assignments if isinstance(a.target, Name)]
        for name, port_signal in names:
            if scope.signal(name.name) is None and name.name not in scope.constants and name.name not in self.design.symbols:
                span = name.span or scope.module.span
                signal = VerilogSignal(f"{scope.prefix}{name.name}", 1, frozenset(("wire",)), span, implicit=True)
                if port_signal is not None:
                    signal.shape, signal.left, signal.right = port_signal.shape, port_signal.left, port_signal.right
                scope.signals[name.name] = signal

    # -- wires -------------------------------------------------------------------------------------------------------------

    def _drive(self, scope: VerilogScope) -> None:
        lowering = self._execution(scope)
        for assignment in scope.module.assignments:
            shape = lowering.shape(assignment.target)
            value = cache(lambda lowering=lowering, a=assignment, s=shape: lowering.value(a.value, s))
            self._target(lowering, assignment.target, shape, value, assignment.span)
            for driver in self._reading_themselves(scope, assignment):
                driver.reads_itself = True
        for instance in scope.module.instances:
            child = scope.children[instance.name]
            for port, actual, span in _matched(instance.connections, child.module.ports, "port", instance):
                self._connect(lowering, child.signals[port], actual, span)

    def _reading_themselves(self, scope: VerilogScope, assignment: VerilogAssignment) -> Iterator[Driver]:
        """The drivers of an assignment that reads a wire that it drives."""
        read = {expr.name for expr in subexpressions(assignment.value) if isinstance(expr, Name)}
        driven = {expr.name for expr in subexpressions(assignment.target) if isinstance(expr, Name)}
        for name in read & driven:
            signal = scope.signal(name)
            for element in signal.elements if signal is not None else ():
                yield from (driver for driver in self.circuit.drivers.get(element, ()) if driver.span is assignment.span)

    def _connect(self, outer: StatementExecution, port: VerilogSignal, actual: Expr | None, span: Span) -> None:
        if actual is None:
            return
        if port.is_array:
            raise Unsupported("arrays as ports are not handled", span)
        if port.words & OUTSIDE and not ("inout" in port.words and "output" in port.words):
            high = port.width - 1 if isinstance(port.shape, int) else 0
            value: Callable[[], Expr] = lambda: outer.value(actual, port.shape)  # noqa: E731
            self.circuit.drive(port.name, Driver(high, 0, value, span))
        else:
            shape = outer.shape(actual)
            inner = VerilogScope(outer.scope.module, "", signals={port.name: port})
            self._target(outer, actual, shape, lambda: ExpressionLowering(inner, self.design).value(Name(port.name), shape), span)

    def _target(self, lowering: StatementExecution, target: Expr, shape: object, value: Callable[[], Expr], span: Span) -> None:
        """Let a value drive a wire, a part of a wire, or several wires."""
        if isinstance(target, Apply) and target.op == "{}":
            width = end = lowering.width(target)
            for piece in target.args:
                size = lowering.width(piece)
                bits = lambda w=width, h=end - 1, low=end - size: part(BitRow(value(), w), h, low)  # noqa: E731
                self._target(lowering, piece, size, bits, span)
                end -= size
            return
        element, high, low = self._driven(lowering, target)
        self.circuit.drive(element, Driver(high, low, value, span))

    def _driven(self, lowering: StatementExecution, target: Expr) -> tuple[str, int, int]:
        """The element that a target is part of, and the range of its bits."""
        if isinstance(target, Name) and lowering.fixed(target.name) is None:
            signal = lowering.signal(target)
            if not signal.is_array:
                return signal.name, signal.width - 1 if signal.width else 0, 0
        if isinstance(target, Apply) and target.op in ("[]", "[:]"):
            base, *indices = target.args
            array = lowering.array(base)
            if array is not None and target.op == "[]":
                number = lowering.number(indices[0])
                if number in array.indices:
                    return array.element(number), max(array.width - 1, 0), 0
            elif isinstance(base, Name):
                signal = lowering.signal(base)
                bits = [signal.bit(lowering.number(index)) for index in indices]
                if 0 <= bits[-1] <= bits[0] < signal.width:
                    return signal.name, bits[0], bits[-1]
        raise TypeProblem("this cannot have a driver", target.span, hint="wires and their parts can")

    def _inputs(self, top: VerilogScope) -> None:
        for signal in top.signals.values():
            if signal.words & OUTSIDE and signal.name not in self.circuit.drivers:
                for element in signal.elements:
                    self.circuit.variables[element] = Variable(element, type_of_shape(signal.shape), Kind.INPUT, signal.span)

    # -- blocks ------------------------------------------------------------------------------------------------------------

    def _block(self, scope: VerilogScope, block: AlwaysBlock) -> None:
        execution = self._execution(scope)
        for clock in block.clocks:
            if isinstance(clock, Name) and (signal := scope.signal(clock.name)) is not None:
                self.circuit.clocks.add(signal.name)
        execution.execute(block.body)
        for element, value in execution.store.outcome().items():
            if element in self.circuit.drivers or element in self.circuit.next_values or element in self.circuit.definitions:
                if element in self.circuit.passing:
                    continue
                raise NameProblem(f"`{element}` is assigned in two places", block.span, hint="assign it in one block only")
            if block.clocks or element in self._names_in(value):
                self._remember(element, value)
            elif element not in self.circuit.passing and "integer" not in self.circuit.signals[element].words:
                self.circuit.definitions[element] = value

    def _remember(self, element: str, value: Expr) -> None:
        signal = self.circuit.signals[element]
        self.circuit.variables[element] = Variable(element, type_of_shape(signal.shape), Kind.STATE, signal.span)
        self.circuit.next_values[element] = value
        if "integer" in signal.words:
            self.circuit.passing.add(element)

    def _names_in(self, value: Expr) -> set[str]:
        """All names in an expression, including names in definitions that were made for large values."""
        waiting, names = [value], set[str]()
        while waiting:
            for expr in subexpressions(waiting.pop()):
                if isinstance(expr, Name) and expr.name not in names:
                    names.add(expr.name)
                    if "#" in expr.name and expr.name in self.circuit.definitions:
                        waiting.append(self.circuit.definitions[expr.name])
        return names

    # -- remaining signals -------------------------------------------------------------------------------------------------

    def _remaining(self) -> None:
        """Add registers that only `initial` assigns, which keep their values, and signals without a source that are read."""
        circuit = self.circuit
        for element in circuit.initial:
            signal = circuit.signals[element]
            if element in circuit.passing or "integer" in signal.words or element in circuit.variables:
                continue
            if element not in circuit.definitions:
                circuit.variables[element] = Variable(element, type_of_shape(signal.shape), Kind.STATE, signal.span)
                circuit.next_values[element] = Name(element)
        circuit.initial = {name: value for name, value in circuit.initial.items() if name in circuit.variables}
        self._drop_passing()
        self._drop_clocks()
        for name in self._mentioned():
            if name not in circuit.variables and name not in circuit.definitions:
                signal = circuit.signals[name]
                held = "reg" in signal.words and name not in circuit.passing
                if held:
                    circuit.next_values[name] = Name(name)
                    circuit.warn(f"`{name}` is never assigned: it keeps its first value, which may be any value", signal.span)
                elif name not in circuit.passing:
                    circuit.warn(f"`{name}` has no source: it may have any value", signal.span)
                kind = Kind.STATE if held else Kind.INPUT
                circuit.variables[name] = Variable(name, type_of_shape(signal.shape), kind, signal.span)

    def _mentioned(self, *, without: frozenset[str] = frozenset()) -> dict[str, None]:
        circuit = self.circuit
        tables = (circuit.definitions, circuit.next_values, circuit.initial)
        exprs = (value for table in tables for name, value in table.items() if name not in without)
        return {part.name: None for value in exprs for part in subexpressions(value) if isinstance(part, Name)}

    def _drop_passing(self) -> None:
        """Remove integers and local variables that are assigned before they are read: they are not part of a state."""
        circuit = self.circuit
        candidates = frozenset(name for name in circuit.passing if name in circuit.next_values)
        while candidates:
            read = self._mentioned(without=candidates)
            waiting = [name for name in candidates if name in read]
            if not waiting:
                break
            candidates -= frozenset(waiting)
        for name in candidates:
            del circuit.next_values[name], circuit.variables[name]
            circuit.initial.pop(name, None)

    def _drop_clocks(self) -> None:
        """Remove clocks that are not read: a step is a tick of the clock."""
        circuit = self.circuit
        clocks = set(circuit.clocks)
        waiting = list(clocks)
        while waiting:
            body = circuit.definitions.get(waiting.pop())
            if isinstance(body, Name) and body.name not in clocks:
                clocks.add(body.name)
                waiting.append(body.name)
        read = self._mentioned(without=frozenset(clocks))
        for name in clocks:
            if name not in read and circuit.variables.get(name, _NO_STATE).kind is not Kind.STATE:
                circuit.variables.pop(name, None)
                circuit.definitions.pop(name, None)


_NO_STATE = Variable("", type_of_shape(1), Kind.INPUT)


def _matched(
    connections: tuple[Connection, ...], names: list[str], what: str, instance: ModuleInstance
) -> list[tuple[str, Expr | None, Span]]:
    """The name, the expression and the position of each connection, which is by name or by position."""
    matched: list[tuple[str, Expr | None, Span]] = []
    if len(connections) > len(names):
        if connections[len(names)].actual is None:
            connections = connections[: len(names)]
        else:
            plural = "s" * (len(names) != 1)
            message = f"`{instance.module}` has {len(names)} {what}{plural}, but {len(connections)} connections"
            raise TypeProblem(message, connections[len(names)].span)
    for name, connection in zip(names, connections):
        port = connection.port or name
        if port not in names:
            close = nearest(port, names)
            hint = f"did you mean `{close[0]}`?" if close else f"its {what}s are {', '.join(names[:8])}"
            raise NameProblem(f"`{instance.module}` has no {what} `{port}`", connection.span, hint=hint)
        matched.append((port, connection.actual, connection.span))
    return matched
