"""A small interpreter of Verilog: it walks the syntax tree of a design with numbers, one clock edge at a time.

Nothing is shared with the translation into machines but the parser: values are Python's integers with a width, blocks are
executed statement by statement, wires are evaluated when they are read.
"""

from typing import Any

from coarsest.formats.vis.parsing.syntax import (
    Case,
    Loop,
    StatementBlock,
    VerilogAssignment,
    VerilogDeclaration,
    VerilogIf,
    VerilogModule,
    VerilogSource,
)
from coarsest.logic.expr import Apply, Constant, Expr, Name, Word, names

Value = tuple[int, int] | str
"""A number and its width, or a symbol."""


class Simulation:
    """One instance at work; `state` holds registers (arrays as lists), `outside` the values of its inputs."""

    def __init__(self, design: VerilogSource, module: VerilogModule, parameters: dict[str, int] | None = None) -> None:
        self.design, self.module = design, module
        self.parameters = {p.name: p.value.value for p in module.parameters if isinstance(p.value, Constant)} | (parameters or {})
        self.declared: dict[str, VerilogDeclaration] = {}
        for declaration in module.declarations:
            before = self.declared.get(declaration.name)
            self.declared[declaration.name] = declaration if before is None or before.bounds is None else before
        self.state: dict[str, Any] = {}
        self.outside: dict[str, Any] = {}
        self.choices: list[int] = []
        self.chosen: dict[int, int] = {}

    def begin(self) -> None:
        self.state = {
            name: [0] * 3 if d.array is not None else "RED" if d.type else 0
            for name, d in self.declared.items()
            if "reg" in d.words or "integer" in d.words
        }
        for statement in self.module.initial:
            self.run(statement, self.state, self.state)

    def step(self, outside: dict[str, int]) -> None:
        """One edge of the clock: all blocks see the values before it, and their own blocking assignments."""
        self.outside = outside
        after = _copied(self.state)
        for block in self.module.blocks:
            if block.clocks:
                now, later = _copied(self.state), {}
                self.run(block.body, now, later)
                for name in _assigned(block.body):
                    after[name] = now[name]
                for write in later.values():
                    write(after)
        self.state = after

    # -- statements --------------------------------------------------------------------------------------------------------

    def run(self, statement: Any, now: dict[str, Any], later: dict[Any, Any]) -> None:
        match statement:
            case VerilogAssignment(target, value, _, blocking):
                self.assign(target, self.assigned(target, value, now), now, later, blocking=blocking)
            case StatementBlock(statements):
                for inner in statements:
                    self.run(inner, now, later)
            case VerilogIf(condition, then, otherwise):
                self.run(then if self.value(condition, now)[0] else otherwise, now, later)
            case Case(subject, branches):
                default = None
                for branch in branches:
                    if not branch.labels:
                        default = branch.body
                    elif any(self.matches(subject, label, now) for label in branch.labels):
                        self.run(branch.body, now, later)
                        return
                if default is not None:
                    self.run(default, now, later)
            case Loop(first, condition, step, body):
                self.run(first, now, later)
                while self.value(condition, now)[0]:
                    self.run(body, now, later)
                    self.run(step, now, later)

    def matches(self, subject: Expr, label: Expr, now: dict[str, Any]) -> bool:
        if isinstance(label, Apply) and label.op == "pattern":
            digits, mask = (part.value.bits for part in label.args)
            return self.value(subject, now)[0] & mask == digits & mask
        return self.value(Apply("==", (subject, label)), now)[0] == 1

    def assigned(self, target: Expr, value: Expr, now: dict[str, Any]) -> Any:
        name, declaration = self.name_of(target), self.declared[self.name_of(target)]
        if declaration.type:
            return self.symbol(value, now)
        inside_array = declaration.array is not None
        width = 1 if isinstance(target, Apply) and not inside_array else self.width_of(name)
        own = self.size(value, now)
        return self.number(value, max(own, width), now) & ((1 << width) - 1)

    def assign(self, target: Expr, value: Any, now: dict[str, Any], later: dict[Any, Any], *, blocking: bool) -> None:
        name = self.name_of(target)
        index = None if isinstance(target, Name) else self.value(target.args[1], now)[0]

        def write(store: dict[str, Any]) -> None:
            if index is None:
                store[name] = value
            elif self.declared[name].array is not None:
                if index < len(store[name]):
                    store[name] = [value if i == index else old for i, old in enumerate(store[name])]
            elif index < self.width_of(name):
                store[name] = store[name] & ~(1 << index) | value << index

        if blocking:
            write(now)
        else:
            later[len(later)] = write

    @staticmethod
    def name_of(target: Expr) -> str:
        while isinstance(target, Apply):
            target = target.args[0]
        assert isinstance(target, Name)
        return target.name

    # -- expressions -------------------------------------------------------------------------------------------------------

    def width_of(self, name: str) -> int:
        declaration = self.declared[name]
        if "integer" in declaration.words:
            return 32
        bounds = declaration.bounds
        return 1 if bounds is None else self.value(bounds.left, {})[0] - self.value(bounds.right, {})[0] + 1

    def read(self, name: str, now: dict[str, Any]) -> Any:
        """A register, an input, or a wire, which is worked out from the state before the step."""
        if name in now and not self.is_combinational(name):
            return now[name]
        if name in self.outside:
            return self.outside[name]
        return self.wire(name)

    def is_combinational(self, name: str) -> bool:
        return any(not block.clocks and name in _assigned(block.body) for block in self.module.blocks)

    def wire(self, name: str) -> Any:
        width = self.width_of(name)
        for assignment in self.module.assignments:
            if self.name_of(assignment.target) == name:
                context = max(width, self.size(assignment.value, self.state))
                return self.number(assignment.value, context, self.state) % (1 << width)
        for block in self.module.blocks:
            if not block.clocks and name in _assigned(block.body):
                now = _copied(self.state)
                for element in _assigned(block.body):
                    self.run_combinational(block.body, element, now)
                return now[name]
        for instance in self.module.instances:
            inner = Simulation(self.design, self.design.modules[instance.module])
            inner.parameters = {p.name: c.actual.value for p, c in zip(inner.module.parameters, instance.parameters)}
            actuals = {connection.port: connection.actual for connection in instance.connections}
            output = next(port for port, actual in actuals.items() if actual == Name(name))
            for port, actual in actuals.items():
                if port != output:
                    inner.outside[port] = self.number(actual, inner.width_of(port), self.state) % (1 << inner.width_of(port))
            return inner.wire(output) % (1 << width)
        raise AssertionError(name)

    def run_combinational(self, body: Any, element: str, now: dict[str, Any]) -> None:
        """Within its block, a combinational register is one like the others."""
        plain = Simulation(self.design, self.module, self.parameters)
        plain.state, plain.outside, plain.chosen = self.state, self.outside, self.chosen
        plain.is_combinational = lambda name: name != element and self.is_combinational(name)  # type: ignore[method-assign]
        plain.run(body, now, {})

    def symbol(self, expr: Expr, now: dict[str, Any]) -> str:
        match expr:
            case Name(name):
                return now[name] if name in self.declared else name
            case Apply("?:", (condition, then, otherwise)):
                return self.symbol(then if self.value(condition, now)[0] else otherwise, now)
        raise AssertionError(expr)

    def is_symbol(self, expr: Expr) -> bool:
        return isinstance(expr, Name) and (
            bool(self.declared[expr.name].type) if expr.name in self.declared else expr.name in self.design.symbols
        )

    def value(self, expr: Expr, now: dict[str, Any]) -> tuple[int, int]:
        """A number and its width, in a context of its own."""
        width = self.size(expr, now)
        return self.number(expr, width, now), width

    def size(self, expr: Expr, now: dict[str, Any]) -> int:
        match expr:
            case Constant(Word(_, width)):
                return width
            case Constant(_):
                return 32
            case Name(name):
                return 32 if name in self.parameters else self.width_of(name)
            case Apply("{}", args):
                return sum(self.size(arg, now) for arg in args)
            case Apply("{{}}", (count, inner)):
                return self.value(count, now)[0] * self.size(inner, now)
            case Apply("[]", (Name(name), _)):
                return self.width_of(name) if self.declared[name].array is not None else 1
            case Apply("?:", (_, one, other)):
                return max(self.size(one, now), self.size(other, now))
            case Apply("<<" | ">>", (one, _)):
                return self.size(one, now)
            case Apply("call", (Name(name), *_)):
                result = self.module.routines[name].result
                return self.value(result.bounds.left, now)[0] + 1
            case Apply("+" | "-" | "*" | "&" | "|" | "^" | "~^" | "u~" | "u-" | "$ND", args):
                return max(self.size(arg, now) for arg in args)
        return 1

    def number(self, expr: Expr, width: int, now: dict[str, Any]) -> int:
        """The value of an expression in a context of so many bits."""
        mask = (1 << width) - 1
        match expr:
            case Constant(Word(bits)):
                return bits & mask
            case Constant(value):
                return int(value) & mask
            case Name(name):
                return (self.parameters[name] if name in self.parameters else self.read(name, now)) & mask
            case Apply("?:", (condition, one, other)):
                return self.number(one if self.value(condition, now)[0] else other, width, now)
            case Apply("[]", (Name(name), index)):
                place, row = self.value(index, now)[0], self.read(name, now)
                if self.declared[name].array is not None:
                    return row[place] & mask if place < len(row) else 0
                return row >> place & 1 if place < self.width_of(name) else 0
            case Apply("{}", args):
                joined = 0
                for arg in args:
                    part, size = self.value(arg, now)
                    joined = joined << size | part
                return joined & mask
            case Apply("{{}}", (count, inner)):
                return self.number(Apply("{}", (inner,) * self.value(count, now)[0]), width, now)
            case Apply("call", (Name(name), *arguments)):
                return self.call(name, arguments, now) & mask
            case Apply("$ND", args):
                place = self.chosen[id(expr)]
                return self.number(args[place], width, now)
        return self.operation(expr, width, now) & mask

    def operation(self, expr: Apply, width: int, now: dict[str, Any]) -> int:
        op, args = expr.op, expr.args
        if op in ("+", "-", "*", "&", "|", "^", "~^"):
            one, other = (self.number(arg, width, now) for arg in args)
            results = {"+": one + other, "-": one - other, "*": one * other, "&": one & other, "|": one | other}
            return results[op] if op in results else one ^ other if op == "^" else ~(one ^ other)
        if op in ("<<", ">>"):
            one, by = self.number(args[0], width, now), self.value(args[1], now)[0]
            return one << min(by, 64) if op == "<<" else one >> by
        if op in ("u~", "u-"):
            one = self.number(args[0], width, now)
            return ~one if op == "u~" else -one
        if op in ("&&", "||"):
            truths = [self.value(arg, now)[0] != 0 for arg in args]
            return int(all(truths) if op == "&&" else any(truths))
        if op in ("==", "!=", "<", "<=", ">", ">="):
            return int(self.compared(op, args, now))
        one, size = self.value(args[0], now)
        reduced = {"&": one == (1 << size) - 1, "|": one != 0, "^": one.bit_count() % 2 == 1, "!": one == 0}[op[-1]]
        return int(reduced != ("~" in op))

    def compared(self, op: str, args: tuple[Expr, ...], now: dict[str, Any]) -> bool:
        if any(map(self.is_symbol, args)):
            one, other = (self.symbol(arg, now) for arg in args)
            return (one == other) == (op == "==")
        width = max(self.size(arg, now) for arg in args)
        if op in ("==", "!="):
            width = min([width, *(self.width_without_carry(*pair) for pair in (args, args[::-1]))])
            width = min([width, *(self.width_beside_negative(*pair, now) for pair in (args, args[::-1]))])
        left, right = (self.number(arg, width, now) for arg in args)
        return {
            "==": left == right, "!=": left != right, "<": left < right, "<=": left <= right, ">": left > right,
            ">=": left >= right,
        }[op]  # fmt: skip

    def width_beside_negative(self, row: Expr, other: Expr, now: dict[str, Any]) -> int:
        """The width of a row that is compared with a constant difference below 0; otherwise more than any width."""
        is_difference = isinstance(other, Apply) and other.op in ("-", "u-")
        known = row.name in self.parameters if isinstance(row, Name) else isinstance(row, Constant)
        if not is_difference or known or not names(other) <= self.parameters.keys() or self.whole_number(other, now) >= 0:
            return 1 << 20
        return self.size(row, now)

    def whole_number(self, expr: Expr, now: dict[str, Any]) -> int:
        """The value of a constant, computed without bits."""
        if isinstance(expr, Apply) and expr.op in ("+", "-", "*", "u-", "u+"):
            numbers = [self.whole_number(arg, now) for arg in expr.args]
            if len(numbers) == 1:
                return -numbers[0] if expr.op == "u-" else numbers[0]
            return {"+": sum(numbers), "-": numbers[0] - numbers[1], "*": numbers[0] * numbers[1]}[expr.op]
        return self.value(expr, now)[0]

    def width_without_carry(self, row: Expr, total: Expr) -> int:
        """The width of a row that is compared with a sum of what is no wider; otherwise more than any width."""
        if not isinstance(row, Name) or row.name in self.parameters or not isinstance(total, Apply) or total.op != "+":
            return 1 << 20
        width = self.width_of(row.name)
        for part in total.args:
            match part:
                case Name(name) if name in self.parameters:
                    needed = self.parameters[name].bit_length()
                case Name(name):
                    needed = self.width_of(name)
                case Constant(Word(bits)):
                    needed = bits.bit_length()
                case Constant(value):
                    needed = int(value).bit_length()
                case _:
                    return 1 << 20
            if needed > width:
                return 1 << 20
        return width

    def call(self, name: str, arguments: list[Expr], now: dict[str, Any]) -> int:
        routine = self.module.routines[name]
        assert routine.result is not None
        inner = Simulation(self.design, self.module, self.parameters)
        inner.state, inner.outside, inner.chosen = self.state, self.outside, self.chosen
        inputs = [d for d in routine.declarations if "input" in d.words]
        inner.declared = {**self.declared, **{d.name: d for d in routine.declarations}, name: routine.result}
        local = _copied(now)
        for declaration, actual in zip(inputs, arguments):
            width = inner.width_of(declaration.name)
            local[declaration.name] = self.number(actual, max(width, self.size(actual, now)), now) % (1 << width)
        inner.run(routine.body, local, {})
        return int(local[name])


def _copied(state: dict[str, Any]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, list) else value for name, value in state.items()}


def _assigned(statement: Any) -> set[str]:
    match statement:
        case VerilogAssignment(target):
            return {Simulation.name_of(target)}
        case StatementBlock(statements):
            return set().union(*map(_assigned, statements)) if statements else set()
        case VerilogIf(_, then, otherwise):
            return _assigned(then) | _assigned(otherwise)
        case Case(_, branches):
            return set().union(*(_assigned(branch.body) for branch in branches))
        case Loop(first, _, step, body):
            return _assigned(first) | _assigned(step) | _assigned(body)
    return set()
