"""Traces as value change dumps (IEEE 1364, section 18), for GTKWave and other wave viewers.

State n is shown from time n to time n + 1. Booleans are wires, words are vectors, integers are vectors in two's complement,
and symbols are strings (`$var string`, an extension which GTKWave and Surfer read). Instances become scopes. The inputs of a
step are shown with the state it leaves. In a lasso the wire `in_loop` rises where the loop starts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct, field

from coarsest.logic.expr import Value, Word
from coarsest.model.trace import Trace
from coarsest.model.types import show_value

CODES = "".join(map(chr, range(33, 127)))  # the printable characters that identifier codes are made of
INTEGER_BITS: Final = 32
LOOP_WIRE = "in_loop"


class _Signal(Struct, frozen=True):
    code: str
    kind: str
    width: int

    def change(self, value: Value) -> str:
        """A line saying that the signal has this value from now on."""
        if self.kind == "string":
            return f"s{show_value(value)} {self.code}"
        if isinstance(value, bool):
            return f"{int(value)}{self.code}"
        number = value.bits if isinstance(value, Word) else int(value)
        # All bits are written: a value cut short would be extended with zeros, also below zero.
        return f"b{number & ((1 << self.width) - 1):0{self.width}b} {self.code}"


class _Scope(Struct):
    signals: dict[str, _Signal] = field(default_factory=dict)
    scopes: dict[str, _Scope] = field(default_factory=dict)

    def lines(self) -> Iterator[str]:
        for name, signal in self.signals.items():
            yield f"$var {signal.kind} {signal.width} {signal.code} {_reference(name)} $end"
        for name, scope in self.scopes.items():
            yield f"$scope module {_reference(name)} $end"
            yield from scope.lines()
            yield "$upscope $end"


def trace_to_vcd(trace: Trace, *, name: str = "trace") -> str:
    """The whole dump as text."""
    steps = _steps(trace)
    names = list(dict.fromkeys(name for step in steps for name in step))
    signals = {each: _signal(number, (s[each] for s in steps if each in s)) for number, each in enumerate(names)}
    lines = ["$comment", f"  {' '.join(name.replace('$', ' ').split())}"]
    if trace.loop is not None:
        lines.append(f"  loop: after time {len(trace) - 1} comes time {trace.loop} again")
    lines += ["$end", "$timescale 1 ns $end", "$scope module model $end", *_hierarchy(signals).lines()]
    lines += ["$upscope $end", "$enddefinitions $end"]
    before: Mapping[str, Value] = {}
    for time, step in enumerate(steps):
        changes = [signals[each].change(value) for each, value in step.items() if each not in before or before[each] != value]
        lines.append(f"#{time}")
        lines += ["$dumpvars", *changes, "$end"] if time == 0 else changes
        before = {**before, **step}
    lines.append(f"#{len(steps)}")  # otherwise viewers show the last state with no width
    return "\n".join(lines) + "\n"


def _steps(trace: Trace) -> list[dict[str, Value]]:
    """The values at each time: the state, its inputs, and whether the loop has begun."""
    steps: list[dict[str, Value]] = []
    wire = LOOP_WIRE
    while any(wire in step for step in (*trace.states, *trace.inputs)):
        wire += "_"
    for number, state in enumerate(trace.states):
        inputs = trace.inputs[number] if number < len(trace.inputs) else {}
        mark = {} if trace.loop is None else {wire: number >= trace.loop}
        steps.append({**state, **inputs, **mark})
    return steps


def _signal(number: int, values: Iterable[Value]) -> _Signal:
    """Choose the type of a signal by its values."""
    samples = list(values)
    code = _code(number)
    if all(isinstance(value, bool) for value in samples):
        return _Signal(code, "wire", 1)
    widths = {value.width for value in samples if isinstance(value, Word)}
    if widths and all(isinstance(value, Word) for value in samples):
        return _Signal(code, "wire", max(widths))
    numbers = [value for value in samples if isinstance(value, int) and not isinstance(value, bool)]
    if len(numbers) < len(samples):
        return _Signal(code, "string", 1)
    needed = max(number.bit_length() + 1 for number in numbers)
    return _Signal(code, "integer" if needed <= INTEGER_BITS else "wire", max(needed, INTEGER_BITS))


def _code(number: int) -> str:
    code = CODES[number % len(CODES)]
    while number >= len(CODES):
        number = number // len(CODES) - 1
        code += CODES[number % len(CODES)]
    return code


def _hierarchy(signals: Mapping[str, _Signal]) -> _Scope:
    top = _Scope()
    for name, signal in signals.items():
        *path, last = name.split(".")
        scope = top
        for part in path:
            scope = scope.scopes.setdefault(part, _Scope())
        scope.signals[last] = signal
    return top


def _reference(name: str) -> str:
    """A name that is valid in the dump: `a[0]` would mean bit 0 of `a`."""
    return name.replace("[", "(").replace("]", ")")
