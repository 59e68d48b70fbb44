"""Traces as people read them: what changes, every state in full, or a table of variables over states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from coarsest.evidence.trace import Trace
from coarsest.logic.expr import Value
from coarsest.model.types import show_value
from coarsest.render.columns import pack, wrap

STYLES = ("changes", "full", "table")
UNCHANGED = "."
NOTHING: Mapping[str, Value] = MappingProxyType({})


def trace_to_text(trace: Trace, *, style: str = "changes", width: int = 100) -> str:
    """A trace as text, without a line end. Inputs of the step into a state stand in brackets before it.

    >>> trace = Trace(({"x": 0, "b": True}, {"x": 1, "b": True}, {"x": 0, "b": True}), loop=1)
    >>> print(trace_to_text(trace))
    0 | x = 0   b = TRUE
    -- the loop starts here
    1 | x = 1
    2 | x = 0
    -- back to state 1
    """
    if style == "table":
        return "\n".join(_table(trace, width))
    if style not in STYLES:
        raise ValueError(f"a trace style is one of {', '.join(STYLES)}, not {style!r}")
    return "\n".join(_listing(trace, width, everything=style == "full"))


def _listing(trace: Trace, width: int, *, everything: bool) -> Iterator[str]:
    digits = len(str(max(0, len(trace) - 1)))
    room = max(20, width - digits - 3)
    before: Mapping[str, Value] = NOTHING
    inputs_before: Mapping[str, Value] = NOTHING
    for number, state in enumerate(trace.states):
        if trace.loop == number:
            yield "-- the loop starts here"
        inputs = _inputs_into(trace, number)
        shown = [f"[{cell}]" for cell in show_changes(inputs, NOTHING if everything else inputs_before)]
        changed = show_changes(state, NOTHING if everything else before) or ["(nothing changes)"]
        if number == 0 or everything:
            lines = [*wrap(shown, room), *pack(changed, room)]
        else:
            lines = wrap([*shown, *changed], room)
        for index, line in enumerate(lines):
            yield f"{number if index == 0 else '':>{digits}} | {line}"
        before, inputs_before = state, inputs
    if trace.loop is not None:
        back = [f"[{cell}]" for cell in show_changes(_inputs_into(trace, len(trace)), NOTHING if everything else inputs_before)]
        yield "   ".join([f"-- back to state {trace.loop}", *back])


def _inputs_into(trace: Trace, number: int) -> Mapping[str, Value]:
    """The inputs of the step that leads into a state."""
    return trace.inputs[number - 1] if 0 < number <= len(trace.inputs) else NOTHING


def show_changes(now: Mapping[str, Value], before: Mapping[str, Value] = NOTHING) -> list[str]:
    """`name = value` for everything that is not as it was before."""
    return [f"{name} = {show_value(value)}" for name, value in now.items() if name not in before or before[name] != value]


def _table(trace: Trace, width: int) -> Iterator[str]:
    """A row for each variable, a column for each state; in blocks of as many states as fit."""
    rows = _rows(trace)
    name_width = max((len(name) for name in rows), default=0)
    heads = [f"{number}{'*' if trace.loop == number else ''}" for number in range(len(trace))]
    widths = [max(len(head), *(len(row[n]) for row in rows.values()), 1) for n, head in enumerate(heads)]
    start = 0
    while start < len(heads):
        end, used = start + 1, name_width + 2 + widths[start]
        while end < len(heads) and used + 2 + widths[end] <= width:
            used += 2 + widths[end]
            end += 1
        if start:
            yield ""
        block = {"state".ljust(name_width): heads, **rows}
        for name, row in block.items():
            cells = (row[n].ljust(widths[n]) for n in range(start, end))
            yield f"{name:<{name_width}}  {'  '.join(cells)}".rstrip()
        start = end
    if trace.loop is not None:
        yield f"* after state {len(trace) - 1} comes state {trace.loop} again"


def _rows(trace: Trace) -> dict[str, list[str]]:
    rows: dict[str, list[str]] = {}
    for name in _names(trace.states):
        rows[name] = _row([state.get(name) for state in trace.states])
    for name in _names(trace.inputs):
        rows[f"[{name}]"] = _row([_inputs_into(trace, number).get(name) for number in range(len(trace))])
    return rows


def _names(steps: tuple[Mapping[str, Value], ...]) -> list[str]:
    return list(dict.fromkeys(name for step in steps for name in step))


def _row(values: list[Value | None]) -> list[str]:
    shown = ["" if value is None else show_value(value) for value in values]
    return [UNCHANGED if n and text and text == shown[n - 1] else text for n, text in enumerate(shown)]
