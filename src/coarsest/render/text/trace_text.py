"""Traces as text: changes, complete states, or a table of variables over states."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType

from coarsest.logic.expr import Value
from coarsest.model.trace import Trace
from coarsest.model.types import show_value
from coarsest.render.text.columns import GAP, in_blocks, pack, wrap

STYLES = ("changes", "full", "table")
UNCHANGED = "."
NOTHING: Mapping[str, Value] = MappingProxyType({})


def trace_to_text(
    trace: Trace,
    *,
    style: str = "changes",
    width: int = 100,
    label: str = "",
    begins: str = "",
    names: Collection[str] | None = None,
) -> str:
    """A trace as text, without a line end. Inputs of the step into a state stand in brackets before it.

    `label` comes before the number of each state, `begins` stands instead of the first state, and with `names` only these
    variables are shown.

    >>> trace = Trace(({"x": 0, "b": True}, {"x": 1, "b": True}, {"x": 0, "b": True}), loop=1)
    >>> print(trace_to_text(trace))
    0 | x = 0   b = TRUE
    -- the loop starts here
    1 | x = 1
    2 | x = 0
    -- back to state 1
    """
    if style not in STYLES:
        raise ValueError(f"a trace style is one of {', '.join(STYLES)}, not {style!r}")
    shown = trace if names is None else narrowed(trace, names)
    if style == "table":
        return "\n".join(_table(shown, width, label))
    return "\n".join(_Listing(shown, width, label, everything=style == "full").lines(begins))


def narrowed(trace: Trace, names: Collection[str]) -> Trace:
    """The trace with these variables only."""

    def narrow(steps: tuple[Mapping[str, Value], ...]) -> tuple[Mapping[str, Value], ...]:
        return tuple({name: value for name, value in step.items() if name in names} for step in steps)

    return Trace(narrow(trace.states), narrow(trace.inputs), trace.loop, trace.events, trace.unit)


class _Listing:
    """One state after the other."""

    def __init__(self, trace: Trace, width: int, label: str, *, everything: bool) -> None:
        self.trace = trace
        self.label = label
        self.everything = everything
        self.margin = len(label) + len(str(max(0, len(trace) - 1)))
        self.room = max(20, width - self.margin - 3)

    def lines(self, begins: str) -> Iterator[str]:
        trace = self.trace
        for number in range(len(trace)):
            if trace.loop == number:
                yield "-- the loop starts here"
            state = [begins] if begins and number == 0 else self._state(number)
            for index, line in enumerate(state):
                yield f"{f'{self.label}{number}' if index == 0 else '':>{self.margin}} | {line}"
        if trace.loop is not None:
            yield GAP.join([f"-- back to {trace.unit} {self.label}{trace.loop}", *self._inputs(len(trace))])

    def _state(self, number: int) -> list[str]:
        inputs = self._inputs(number)
        first = number == 0 or self.everything
        before = NOTHING if first else self.trace.states[number - 1]
        changed = show_changes(self.trace.states[number], before) or ["(nothing changes)"]
        return [*wrap(inputs, self.room), *pack(changed, self.room)] if first else wrap([*inputs, *changed], self.room)

    def _inputs(self, number: int) -> list[str]:
        before = NOTHING if self.everything or self.trace.events else _inputs_into(self.trace, number - 1)
        return [f"[{cell}]" for cell in show_changes(_inputs_into(self.trace, number), before)]


def _inputs_into(trace: Trace, number: int) -> Mapping[str, Value]:
    """The inputs of the step that leads into a state."""
    return trace.inputs[number - 1] if 0 < number <= len(trace.inputs) else NOTHING


def show_changes(now: Mapping[str, Value], before: Mapping[str, Value] = NOTHING) -> list[str]:
    """`name = value` for everything that changed."""
    return [f"{name} = {show_value(value)}" for name, value in now.items() if name not in before or before[name] != value]


def _table(trace: Trace, width: int, label: str) -> Iterator[str]:
    """A row for each variable and a column for each state, in blocks that fit the width. A step that closes a loop has its own
    column if it has inputs."""
    heads = [f"{label}{number}{'*' if trace.loop == number else ''}" for number in range(len(trace))]
    closes = trace.loop is not None and len(trace.inputs) == len(trace) and any(trace.inputs[-1])
    rows = list(_rows(trace, len(trace) + closes))
    yield from in_blocks([(trace.unit, [*heads, *([f"{label}{trace.loop}*"] * closes)]), *rows], width)
    if trace.loop is not None:
        yield f"* after {trace.unit} {label}{len(trace) - 1} comes {trace.unit} {label}{trace.loop} again"


def _rows(trace: Trace, count: int) -> Iterator[tuple[str, list[str]]]:
    for name in _names(trace.states):
        yield name, _row([state.get(name) for state in trace.states]) + [""] * (count - len(trace))
    for name in _names(trace.inputs):
        yield f"[{name}]", _row([_inputs_into(trace, number).get(name) for number in range(count)], events=trace.events)


def _names(steps: tuple[Mapping[str, Value], ...]) -> list[str]:
    return list(dict.fromkeys(name for step in steps for name in step))


def _row(values: list[Value | None], *, events: bool = False) -> list[str]:
    shown = ["" if value is None else show_value(value) for value in values]
    return [UNCHANGED if not events and n and text and text == shown[n - 1] else text for n, text in enumerate(shown)]
