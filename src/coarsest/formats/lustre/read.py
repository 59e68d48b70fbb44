"""Lustre to machines: inputs of the main node are inputs, its flows definitions, its memories state variables."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

from coarsest.errors import FileProblem, ModelProblem, NameProblem, Unsupported
from coarsest.formats.lustre.lower import ActiveClaim, CallInlining, NodeCall
from coarsest.formats.lustre.memories import Memory
from coarsest.formats.lustre.parse import parse
from coarsest.formats.lustre.ranges import infer
from coarsest.formats.lustre.syntax import File, LustreNode
from coarsest.formats.lustre.types import Globals
from coarsest.logic.expr import TRUE, Apply, Constant, Expr, Name, conjunction, names, replace, subexpressions
from coarsest.logic.parse import too_deep
from coarsest.model.checks.dependencies import circle
from coarsest.model.checks.intervals import ANYTHING, Interval, Intervals, interval_of_type
from coarsest.model.checks.typecheck import check_machine
from coarsest.model.machine import Kind, Machine, Property, Variable, invariant
from coarsest.model.types import Boolean, IntegerType, Range, Type
from coarsest.text import Diagnostic, Source, Span
from coarsest.text.near import nearest
from coarsest.text.printable import title_of


def read(
    source: Source, *, main: str | None = None, integers: Range | None = None, constants: Mapping[str, int] | None = None
) -> Machine:
    """The machine of the main node: the named node, a node marked `--%MAIN`, a node that no other calls, or the last node.

    With `integers`, the type int means that subrange; `constants` gives values to constants that the program leaves open.

    >>> text = "node edge (x : bool) returns (y : bool); let y = x and not (true -> pre x); tel"
    >>> machine = read(Source("edge.lus", text))
    >>> list(machine.variables), machine.outputs
    (['x', 'x.pre', 'first_instant'], ('y',))
    """
    try:
        return _Reading(source, main, integers, constants or {}).machine()
    except RecursionError:
        raise too_deep(Span(source, 0, 0)) from None


def read_with(source: Source, details: str) -> Machine:
    """The machine of a program with details: `top`, the main node; `int=-8..7`, a range for all integers; `N=5`, a constant.

    >>> text = "node up () returns (n : int); let n = 0 -> pre n + 1; tel node down () returns (n : int); let n = 0; tel"
    >>> str(read_with(Source("two.lus", text), "up,int=0..9").variables["n.pre"].type)
    '0..9'
    """
    main, integers, constants = None, None, {}
    for detail in details.split(","):
        match = re.fullmatch(r"int=(-?[0-9]{1,18})\.\.(-?[0-9]{1,18})", detail)
        if match is not None:
            integers = Range(int(match.group(1)), int(match.group(2)))
        elif constant := re.fullmatch(r"([A-Za-z_][A-Za-z0-9_']*)=(-?[0-9]{1,18})", detail):
            constants[constant.group(1)] = int(constant.group(2))
        elif re.fullmatch(r"[A-Za-z_][A-Za-z0-9_']*", detail):
            main = detail
        else:
            hint = "as in lustre:top, lustre:int=-8..7, lustre:N=5, or several with commas"
            raise FileProblem(f"`{detail}` says nothing about Lustre", hint=hint)
    if integers is not None and integers.low > integers.high:
        raise FileProblem(f"the range {integers} is empty", hint=f"did you mean {integers.high}..{integers.low}?")
    return read(source, main=main, integers=integers, constants=constants)


def main_node(file: File, source: Source, name: str | None) -> tuple[LustreNode, list[Diagnostic]]:
    """The node to read, and a warning if it is one of several."""
    everywhere = Span(source, 0, 0)
    if not file.nodes:
        hint = "a node is written `node N (…) returns (…); let … tel`"
        raise ModelProblem("there is no node in this text", everywhere, hint=hint)
    if name is not None:
        if name not in file.nodes:
            near = nearest(name, file.nodes)
            hint = f"did you mean `{near[0]}`?" if near else f"the nodes are {', '.join(file.nodes)}"
            raise NameProblem(f"there is no node `{name}`", everywhere, hint=hint)
        return file.nodes[name], []
    marked = [node for node in file.nodes.values() if node.is_main]
    called = {
        part.args[0].name
        for node in file.nodes.values()
        for expr in (*(e.value for e in node.equations), *(c.condition for c in node.claims))
        for part in subexpressions(expr)
        if isinstance(part, Apply) and part.op == "call" and isinstance(part.args[0], Name)
    }
    own = [node for node in file.nodes.values() if not node.is_external]
    candidates = marked or [node for node in own if node.name not in called] or own or list(file.nodes.values())
    main = candidates[-1]
    if len(candidates) == 1:
        return main, []
    others = ", ".join(f"`{node.name}`" for node in candidates[:-1])
    message = f"the program has several main nodes: `{main.name}` is read, and not {others}"
    return main, [Diagnostic(message, main.span, "mark one node with `--%MAIN;`", "warning")]


class _Bounds(Struct, frozen=True):
    """The intervals of the memories, and those of all expressions that follow from them."""

    memories: Mapping[str, Interval]
    intervals: Intervals


class _Reading:
    def __init__(self, source: Source, main: str | None, integers: Range | None, constants: Mapping[str, int]) -> None:
        self.source = source
        self.file = parse(source)
        self.integers = integers
        self.program = Globals(self.file, integers or IntegerType(), constants)
        node, self.warnings = main_node(self.file, source, main)
        self.lowering = CallInlining(self.program)
        self.lowering.memories.taken |= set(self.program.symbols)
        self.instance = self.lowering.top(node)
        self.definitions = self.lowering.definitions
        self.properties: list[Property] = []

    def machine(self) -> Machine:
        self._refuse_cycles()
        self._settle_memories()
        variables = self._inputs()
        bounds = self._infer(variables)
        self._confine(bounds)
        self._refuse_division_by_zero(bounds)
        assumed = [o for o in self.lowering.obligations if o.claim.assumed]
        assumption = [_whenever(o.active, o.condition) for o in assumed]
        self._claims(assumption)
        initial: dict[str, Expr] = {}
        following: dict[str, Expr] = {}
        for memory in self.lowering.memories.memories.values():
            kind = _type_of(memory, bounds.memories)
            variables[memory.name] = Variable(memory.name, kind, Kind.STATE, memory.span)
            if not memory.seen_empty:
                initial[memory.name] = Constant(next(iter(kind.values())))
        for flag in self.lowering.memories.flags.values():
            variables[flag.name] = Variable(flag.name, Boolean(), Kind.STATE)
            initial[flag.name], following[flag.name] = TRUE, flag.next
        following = self._stored(variables, bounds) | following
        types, abstract = self.instance.scope.types, self.program.abstract
        machine = Machine(
            synchronous=True,
            name=title_of(self.source.name, ".lus"),
            variables=variables,
            definitions=self.definitions,
            initial_values=initial,
            next_values=following,
            transition_constraints=tuple(assumption),
            assumptions=tuple(assumption),
            properties=tuple(self.properties),
            outputs=tuple(self._name(flow.name) for flow in self.instance.node.outputs if types[flow.name] not in abstract),
            warnings=tuple(self.warnings),
            source=self.source,
        )
        check_machine(machine)
        return machine

    def _name(self, flow: str) -> str:
        value = self.instance.flows[flow]
        assert isinstance(value, Name)
        return value.name

    def _inputs(self) -> dict[str, Variable]:
        instance: NodeCall = self.instance
        variables: dict[str, Variable] = {}
        for flow in instance.node.inputs:
            kind = Kind.FROZEN if flow.constant else Kind.INPUT
            variables[self._name(flow.name)] = Variable(self._name(flow.name), instance.scope.types[flow.name], kind, flow.span)
        variables |= self.lowering.invented
        if self.lowering.invented:
            first = next(iter(self.lowering.invented.values()))
            message = "external functions may have any result: properties that hold do so for all results, others fail for some"
            self.warnings.append(Diagnostic(message, first.span, level="warning"))
        for name, (kind_of_constant, span) in self.program.free.items():
            variables[name] = Variable(name, kind_of_constant, Kind.FROZEN, span)
        return variables

    # -- checks ------------------------------------------------------------------------------------------------------------

    def _refuse_cycles(self) -> None:
        """Raise an error if a flow depends on itself at the same instant."""

        def used(name: str) -> list[str]:
            return [other for other in names(self.definitions[name]) if other in self.definitions]

        around = circle(self.definitions, used, {})
        if around is not None:
            shown = " → ".join([*around, around[0]]) if len(around) < 8 else f"{' → '.join(around[:6])} → … → {around[0]}"
            span = self.definitions[around[0]].span or self.instance.node.span
            hint = f"the cycle is {shown}; put a `pre` into it"
            raise ModelProblem(f"`{around[0]}` depends on its own value at the same instant", span, hint=hint)

    def _settle_memories(self) -> None:
        memories = self.lowering.memories
        roots = [part for o in self.lowering.obligations for part in (o.condition, o.active)]
        roots += [self.instance.flows[flow.name] for flow in self.instance.node.outputs]
        memories.find_seen_empty(self.definitions, roots)
        if representatives := memories.merged(self.definitions):
            self._rename(representatives)
        for memory in memories.memories.values():
            if memory.seen_empty and memory.span is not None:
                text = " ".join(memory.span.text.split())
                message = f"`{text}` may be used before it has a value: it may have any value of its type"
                self.warnings.append(Diagnostic(message, memory.span, "give it a first value with `->`", "warning"))

    def _rename(self, representatives: Mapping[str, Name]) -> None:
        def change(part: Expr) -> Expr | None:
            return representatives.get(part.name) if isinstance(part, Name) else None

        lowering = self.lowering
        for name, body in self.definitions.items():
            self.definitions[name] = replace(body, change)
        for memory in lowering.memories.memories.values():
            memory.value, memory.active = replace(memory.value, change), replace(memory.active, change)
        for flag in lowering.memories.flags.values():
            flag.active, flag.reset = replace(flag.active, change), replace(flag.reset, change)
        lowering.obligations = [
            ActiveClaim(replace(o.condition, change), replace(o.active, change), o.claim, o.prefix) for o in lowering.obligations
        ]

    def _infer(self, variables: Mapping[str, Variable]) -> _Bounds:
        memories = [m for m in self.lowering.memories.memories.values() if isinstance(m.type, IntegerType)]
        given = {name: interval_of_type(variable.type) for name, variable in variables.items()}
        given |= {name: Interval(kind.low, kind.high) for name, (kind, _) in self.lowering.subranges.items()}
        nothing = ANYTHING if self.integers is None else interval_of_type(self.integers)
        initial = {memory.name: nothing for memory in memories if memory.seen_empty}
        inferred = infer({m.name: m.stored for m in memories}, initial, given, self.definitions) if memories else {}
        return _Bounds(inferred, Intervals({**given, **inferred}, self.definitions))

    def _confine(self, bounds: _Bounds) -> None:
        """That a flow stays in its subrange becomes a property, unless this is certain; outside, it gets the lower bound."""
        for name, (kind, span) in self.lowering.subranges.items():
            body = self.definitions[name]
            if Intervals(bounds.intervals.bounds, self.definitions).of(body).within(Interval(kind.low, kind.high)):
                continue
            fits, self.definitions[name] = self._or_low(name, body, kind)
            self.properties.append(invariant(fits, text=f"{name} stays in {kind}", span=span))

    def _or_low(self, name: str, body: Expr, kind: Range) -> tuple[Expr, Expr]:
        """The condition that a value, which gets a name, lies in a range; and the value if it does, or else the lower bound."""
        value = Name(self.lowering.memories.fresh(f"{name}.value"))
        self.definitions[value.name] = body
        fits = Apply("and", (Apply(">=", (value, Constant(kind.low))), Apply("<=", (value, Constant(kind.high)))))
        return fits, Apply("case", (fits, value, TRUE, Constant(kind.low)), body.span)

    def _stored(self, variables: Mapping[str, Variable], bounds: _Bounds) -> dict[str, Expr]:
        """The next values of the memories.

        An inferred range may depend on an integer that has one bound and therefore no range. Unreachable states may be beyond
        that bound; there, the value is forced into its range.
        """
        typed = Intervals({name: interval_of_type(variable.type) for name, variable in variables.items()}, self.definitions)
        following: dict[str, Expr] = {}
        for memory in self.lowering.memories.memories.values():
            value, kind = memory.next, variables[memory.name].type
            if isinstance(kind, Range):
                inside = interval_of_type(kind)
                if bounds.intervals.of(value).within(inside) and not typed.of(value).within(inside):
                    _, value = self._or_low(memory.name, value, kind)
            following[memory.name] = value
        return following

    def _refuse_division_by_zero(self, bounds: _Bounds) -> None:
        bodies = [*self.definitions.values(), *(m.value for m in self.lowering.memories.memories.values())]
        visited: set[int] = set()
        for body in bodies:
            for part in subexpressions(body):
                if isinstance(part, Apply) and part.op in ("/", "mod") and id(part) not in visited and part.span is not None:
                    visited.add(id(part))
                    divisor = part.args[1]
                    if isinstance(divisor, Constant) and divisor.value.__class__ is not int:
                        continue
                    low = bounds.intervals.of(divisor).low
                    if low is None or low <= 0:
                        hint = "a divisor must certainly be positive"
                        raise Unsupported("this divisor may be 0 or negative", divisor.span or part.span, hint=hint)

    def _claims(self, assumption: list[Expr]) -> None:
        given = conjunction(assumption)
        if assumption:
            self.properties = [
                Property(p.kind, Apply("implies", (given, p.formula)), p.name, p.text, p.module, p.span) for p in self.properties
            ]
        for o in self.lowering.obligations:
            if not o.claim.assumed:
                formula = _whenever(o.active, o.condition)
                formula = Apply("implies", (given, formula)) if assumption else formula
                text = " ".join(o.claim.span.text.split())
                module = o.prefix.rstrip(".")
                self.properties.append(invariant(formula, o.claim.name, text, module, o.claim.span))


def _whenever(active: Expr, condition: Expr) -> Expr:
    return condition if active == TRUE else Apply("implies", (active, condition))


def _type_of(memory: Memory, bounds: Mapping[str, Interval]) -> Type:
    if not isinstance(memory.type, IntegerType):
        return memory.type
    low, high = bounds[memory.name]
    if low is None or high is None:
        return memory.type
    return Range(low, high) if low <= high else Range(0, 0)  # nothing is ever stored

