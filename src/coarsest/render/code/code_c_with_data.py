"""A program as C whose numbers are variables: an automaton is told what their comparisons say, and says what to assign.

The automaton is written as by `render/code/code_c.py`; around it are the structures and the two functions that a user sees.
"""

from __future__ import annotations

from coarsest.errors import Unsupported
from coarsest.logic.expr import Apply, Constant, Expr, Name
from coarsest.logic.show import show
from coarsest.model.checks.intervals import Intervals, interval_of_type
from coarsest.model.machine import Machine, Variable
from coarsest.model.parts.control_and_data import Control, next_of
from coarsest.model.types import Range, is_finite
from coarsest.reduce.controller.control_automaton import ControlAutomaton
from coarsest.render.code.code_c import Writer, c_number, c_struct, c_type

_OPERATORS = {"+": "+", "-": "-", "*": "*", "=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


def program_to_c(control: Control, automaton: ControlAutomaton, machine: Machine, outputs: tuple[Variable, ...]) -> str:
    """The program as a C file. Raises Unsupported if C cannot compute its numbers."""
    return _Program(control, automaton, machine, outputs).text()


class _Program:
    def __init__(
        self, control: Control, automaton: ControlAutomaton, machine: Machine, outputs: tuple[Variable, ...]
    ) -> None:
        self.control, self.automaton, self.machine = control, automaton, machine
        self.inner = Writer(automaton, part="control")
        names = self.inner.names
        self.prefix = self.inner.name
        self.types = {part: names.of(f"{self.prefix}_{part}") for part in ("inputs", "outputs")}
        self.functions = {part: names.of(f"{self.prefix}_{part}") for part in ("start", "step")}
        self.given = [v for v in machine.input_variables if is_finite(v.type)]
        self.memories = [v for v in machine.state_variables if next_of(v.name) in control.choices]
        self.seen = outputs
        self.input_fields = self.inner.fields(v.name for v in self.given)
        self.output_fields = self.inner.fields(v.name for v in self.seen)
        self.data_fields = self.inner.fields((v.name for v in self.memories), taken="control")
        bounds = {name: interval_of_type(variable.type) for name, variable in machine.variables.items()}
        self._intervals = Intervals(bounds, {})
        self._places = {v.name: f"in->{field}" for v, field in zip(self.given, self.input_fields.values())}
        self._places |= {v.name: f"before.{field}" for v, field in zip(self.memories, self.data_fields.values())}

    def text(self) -> str:
        heads = self._heads()
        data = [f"    {c_type(v)} {self.data_fields[v.name]};" for v in self.memories]
        parts = [
            self.inner.text(),
            c_struct(self.types["inputs"], self.given, tuple(self.input_fields.values())),
            c_struct(self.types["outputs"], self.seen, tuple(self.output_fields.values())),
            "\n".join(["typedef struct {", f"    {self.inner.prefix} control;", *data, f"}} {self.prefix};"]),
            *(f"{head};" for head in heads),
            "\n".join([heads[0], "{", f"    {self.inner.functions['start']}(&self->control);", *self._first_values(), "}"]),
            self._step(heads[1]),
        ]
        return "\n\n".join(parts) + "\n"

    def _heads(self) -> tuple[str, str]:
        start, step = self.functions.values()
        given = f"const {self.types['inputs']} *in, {self.types['outputs']} *out"
        return f"void {start}({self.prefix} *self)", f"bool {step}({self.prefix} *self, {given})"

    def _first_values(self) -> list[str]:
        lines = []
        for variable in self.memories:
            first = self.machine.initial_values.get(variable.name)
            if first is None:
                raise Unsupported(f"`{variable.name}` starts with any value", variable.span)
            lines.append(f"    self->{self.data_fields[variable.name]} = {self._expression(first)};")
        return lines

    def _step(self, head: str) -> str:
        inner = self.inner
        numbers = [v for v in self.given if isinstance(v.type, Range)]
        checks = [check for v in numbers for check in inner.checks(v, self.input_fields[v.name])]
        tests = self.control.tests
        given = [
            f"    given.{field} = {self._expression(tests[v.name]) if v.name in tests else self._places[v.name]};"
            for v, field in zip(self.automaton.inputs, inner.inputs)
        ]
        done = {v.name: field for v, field in zip(self.automaton.outputs, inner.outputs)}
        lines = [
            "/* One reaction; false if the inputs are outside their ranges or not allowed, and then nothing changes. */",
            head,
            "{",
            f"    const {self.prefix} before = *self;",
            f"    {inner.types['inputs']} given;",
            f"    {inner.types['outputs']} done;",
            *([f"    if ({' || '.join(checks)})", "        return false;"] if checks else []),
            *given,
            f"    if (!{inner.functions['step']}(&self->control, &given, &done))",
            "        return false;",
        ]
        for variable in self.seen:
            target = f"out->{self.output_fields[variable.name]}"
            lines += self._assignment(target, variable.name, f"done.{done[variable.name]}")
        for variable in self.memories:
            name = next_of(variable.name)
            lines += self._assignment(f"self->{self.data_fields[variable.name]}", name, f"done.{done[name]}")
        return "\n".join([*lines, "    return true;", "}"])

    def _assignment(self, target: str, flow: str, selector: str) -> list[str]:
        leaves = self.control.choices.get(flow)
        if leaves is None:
            return [f"    {target} = {selector};"]
        if len(leaves) == 1:
            return [f"    {target} = {self._expression(leaves[0])};"]
        cases = [f"    case {number}: {target} = {self._expression(leaf)}; break;" for number, leaf in enumerate(leaves)]
        return [f"    switch ({selector}) {{", *cases, "    }"]

    def _expression(self, expr: Expr) -> str:
        """An expression of data; every part of it fits into 64 bits."""
        match expr:
            case Name(name) if name in self._places:
                return f"(long long) {self._places[name]}"
            case Constant(value) if isinstance(value, int) and not isinstance(value, bool):
                return c_number(value, "long long")
            case Apply(op, (left, right)) if op in _OPERATORS:
                if op in ("+", "-", "*"):
                    self._require_small(expr)
                return f"({self._expression(left)} {_OPERATORS[op]} {self._expression(right)})"
            case Apply("neg", (inner,)):
                self._require_small(expr)
                return f"(-{self._expression(inner)})"
        raise Unsupported(f"`{show(expr)}` is not written as an expression of C", expr.span)

    def _require_small(self, expr: Expr) -> None:
        low, high = self._intervals.of(expr)
        if low is None or high is None or low < -(2**63) or high >= 2**63:
            raise Unsupported(f"`{show(expr)}` may not fit into 64 bits", expr.span)
