"""Designs: modules and types of VIS Verilog."""

from __future__ import annotations

from coarsest.errors import NameProblem, Unsupported
from coarsest.formats.vis.parsing.preprocess import preprocess
from coarsest.formats.vis.parsing.statements import StatementParser
from coarsest.formats.vis.parsing.syntax import (
    AlwaysBlock,
    Connection,
    ModuleInstance,
    Routine,
    StatementBlock,
    VerilogAssignment,
    VerilogDeclaration,
    VerilogModule,
    VerilogSource,
)
from coarsest.logic.expr import Apply, Expr, Name
from coarsest.logic.parse import too_deep
from coarsest.logic.tokens import END
from coarsest.text import Source, Span

_GATES = frozenset(("and", "or", "nand", "nor", "xor", "xnor", "not", "buf"))


def parse(source: Source) -> VerilogSource:
    """The design of a text, with all files that it includes.

    >>> design = parse(Source("m.v", "typedef enum {A, B} t; module m(clk); input clk; t reg x; endmodule"))
    >>> list(design.modules), design.types
    (['m'], {'t': ('A', 'B')})
    """
    parser = _Parser(preprocess(source))
    try:
        return parser.design()
    except RecursionError:
        raise too_deep(Span(source, 0, 0)) from None


class _Parser(StatementParser):
    def design(self) -> VerilogSource:
        modules: dict[str, VerilogModule] = {}
        while self.texts[self.at] != END:
            if self.take("typedef"):
                self._typedef()
            elif self.take("module"):
                module = self._module()
                if module.name in modules:
                    raise NameProblem(f"the module `{module.name}` is declared twice", module.span)
                modules[module.name] = module
            elif not self.take(";"):
                self.fail("`module` or `typedef`")
        symbols: dict[str, tuple[str, ...]] = {}
        for values in self.types.values():
            for value in values:
                symbols.setdefault(value, values)
        return VerilogSource(modules, self.types, symbols)

    def _typedef(self) -> None:
        self.expect("enum", after="`typedef`", hint="a type is written `typedef enum {A, B} name;`")
        self.expect("{", after="`enum`")
        values = [self.name("the name of a value")]
        while self.take(","):
            values.append(self.name("the name of a value"))
        self.expect("}", hint="values have commas between them")
        first = self.at
        name = self.name("the name of the type")
        if len(set(values)) < len(values):
            raise NameProblem(f"the type `{name}` lists a value twice", self.span_from(first))
        if self.types.get(name, tuple(values)) != tuple(values):
            raise NameProblem(f"the type `{name}` is declared twice", self.span_from(first))
        self.types[name] = tuple(values)
        self.expect(";", after="the type")

    # -- modules -----------------------------------------------------------------------------------------------------------

    def _module(self) -> VerilogModule:
        first = self.at
        name = self.name("the name of the module")
        module = VerilogModule(name, self.span_from(first))
        if self.take("("):
            self._ports(module)
        self.expect(";", after="the ports")
        while not self.take("endmodule"):
            self._item(module)
        return module

    def _ports(self, module: VerilogModule) -> None:
        """Read names or declarations. A comma at the end is accepted."""
        before: VerilogDeclaration | None = None
        while not self.take(")"):
            if self.declares():
                before = self.declaration()
                module.declarations.append(before)
                module.ports.append(before.name)
            else:
                name = self.name("the name of a port").removeprefix("\\")
                module.ports.append(name)
                if before is not None:
                    span = self.span_from(self.at - 1)
                    module.declarations.append(VerilogDeclaration(name, before.words, span, before.type, before.bounds))
            if self.texts[self.at] != ")":
                self.expect(",", hint="ports have commas between them")

    def _item(self, module: VerilogModule) -> None:
        first, word = self.at, self.texts[self.at]
        if self.declares():
            self._declare(module, self.declared())
        elif self.take("assign"):
            self._delay()
            module.assignments += self._assignments()
        elif self.take("always"):
            module.blocks.append(self._always(first))
        elif self.take("initial"):
            module.initial.append(self.statement())
        elif word in ("function", "task"):
            routine = self._routine()
            module.routines[routine.name] = routine
        elif self.take("defparam"):
            module.overrides += self._assignments()
        elif self.take("typedef"):
            self._typedef()
        elif word in _GATES:
            self._gates(module)
        elif not self.take(";"):
            module.instances += self._instances()

    def _declare(self, module: VerilogModule, declarations: list[VerilogDeclaration]) -> None:
        for declaration in declarations:
            if "parameter" in declaration.words:
                module.parameters.append(declaration)
                continue
            module.declarations.append(declaration)
            if declaration.value is not None:
                target = Name(declaration.name, declaration.span)
                assignment = VerilogAssignment(target, declaration.value, declaration.span)
                if declaration.words & {"reg", "integer"}:
                    module.initial.append(assignment)
                else:
                    module.assignments.append(assignment)

    def _assignments(self) -> list[VerilogAssignment]:
        assignments: list[VerilogAssignment] = []
        while True:
            first = self.at
            target = self.target()
            self.expect("=", after="the target")
            assignments.append(VerilogAssignment(target, self.expression(), self.span_from(first)))
            if not self.take(","):
                self.expect(";", after="the assignment")
                return assignments

    def _always(self, first: int) -> AlwaysBlock:
        if not self.take("@"):
            self.fail("`@` and an event", "a block is written `always @(posedge clk) …`")
        events = self.events()
        span = self.span_from(first)
        return AlwaysBlock(tuple(signal for edge, signal in events if edge), self.statement(), span)

    def _routine(self) -> Routine:
        first, kind = self.at, self.texts[self.at]
        self.at += 1
        result = None
        if kind == "function":
            result = self.declaration()
        name = result.name if result is not None else self.name("the name of the task")
        span = self.span_from(first)
        declarations: list[VerilogDeclaration] = []
        if self.take("("):
            while not self.take(")"):
                declarations.append(self.declaration())
                if self.texts[self.at] != ")":
                    self.expect(",")
        self.expect(";", after=f"the name of the {kind}")
        statements = []
        while not self.take(f"end{kind}"):
            if self.declares():
                declarations += self.declared()
            else:
                statements.append(self.statement())
        return Routine(name, tuple(declarations), StatementBlock(tuple(statements)), span, result)

    # -- instances ---------------------------------------------------------------------------------------------------------

    def _instances(self) -> list[ModuleInstance]:
        module = self.name("a declaration, `assign`, `always`, an instance or `endmodule`").removeprefix("\\")
        parameters: tuple[Connection, ...] = ()
        if self.take("#"):
            if self.take("("):
                parameters = self._connections()
            else:
                parameters = (Connection("", self.expression(100), self.span_from(self.at - 1)),)
        instances: list[ModuleInstance] = []
        while True:
            first = self.at
            name = self.name("the name of the instance").removeprefix("\\")
            if self.texts[self.at] == "[":
                raise Unsupported("arrays of instances are not handled", self.spans[self.at])
            span = self.span_from(first)
            self.expect("(", after="the name of the instance", hint="an instance is written `module name (a, b);`")
            instances.append(ModuleInstance(module, name, parameters, self._connections(), span))
            if not self.take(","):
                self.expect(";", after="the instance")
                return instances

    def _connections(self) -> tuple[Connection, ...]:
        connections: list[Connection] = []
        while not self.take(")"):
            first = self.at
            if self.take("."):
                port = self.name("the name of a port").removeprefix("\\")
                self.expect("(", after="the port")
                actual = None if self.texts[self.at] == ")" else self.expression()
                self.expect(")")
                connections.append(Connection(port, actual, self.span_from(first)))
            elif self.texts[self.at] == ",":
                connections.append(Connection("", None, self.spans[first]))
            else:
                connections.append(Connection("", self.expression(), self.span_from(first)))
            if self.texts[self.at] != ")":
                self.expect(",", hint="connections have commas between them")
        return tuple(connections)

    def _gates(self, module: VerilogModule) -> None:
        kind = self.texts[self.at]
        self.at += 1
        self._delay()
        while True:
            first = self.at
            if self.texts[self.at] != "(":
                self.name("the name of the gate")
            self.expect("(", after=f"`{kind}`")
            signals = self.listed(")")
            if len(signals) < 2:
                self.fail("at least two signals", f"a gate is written `{kind} (output, input, …);`")
            span = self.span_from(first)
            if kind in ("not", "buf"):
                module.assignments += [VerilogAssignment(out, _gate(kind, signals[-1:], span), span) for out in signals[:-1]]
            else:
                module.assignments.append(VerilogAssignment(signals[0], _gate(kind, signals[1:], span), span))
            if not self.take(","):
                self.expect(";", after="the gate")
                return


def _gate(kind: str, inputs: list[Expr], span: Span) -> Expr:
    op = {"or": "|", "nor": "|", "xor": "^", "xnor": "^"}.get(kind, "&")
    value = inputs[0]
    for operand in inputs[1:]:
        value = Apply(op, (value, operand), span)
    return Apply("u~", (value,), span) if kind in ("nand", "nor", "xnor", "not") else value
