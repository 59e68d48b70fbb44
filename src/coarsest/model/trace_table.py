"""A trace as a table for notebooks."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING

from coarsest.logic.expr import Value
from coarsest.model.types import show_value

if TYPE_CHECKING:
    from coarsest.model.trace import Trace

CHANGED = "background:#fff3bf;color:#000"


def trace_to_html(trace: Trace) -> str:
    """A table with a row for each variable and a column for each state; changed values are shaded.

    As in text, the inputs of a step are in the column of the state that it leads to; the step that closes a loop has its own
    column.

    >>> from coarsest.model.trace import Trace
    >>> trace_to_html(Trace(({"x": 0}, {"x": 1}))).count("<td")
    2
    """
    closes = trace.loop is not None and len(trace.inputs) == len(trace) and any(trace.inputs[-1])
    heads = [f"{number}{' ↻' if trace.loop == number else ''}" for number in range(len(trace))]
    heads += [f"{trace.loop} ↻"] * closes
    rows = [f"<tr><th>{trace.unit}</th>{''.join(f'<th>{head}</th>' for head in heads)}</tr>"]
    rows += [_row(name, [*(state.get(name) for state in trace.states), *([None] * closes)]) for name in _names(trace.states)]
    for name in _names(trace.inputs):
        values = [None, *(step.get(name) for step in trace.inputs)][: len(heads)]
        rows.append(_row(f"[{name}]", values + [None] * (len(heads) - len(values))))
    again = f"after {trace.unit} {len(trace) - 1} comes {trace.unit} {trace.loop} again"
    back = f"<caption>{again}</caption>" if trace.loop is not None else ""
    return f'<table style="font-family:monospace">{back}{"".join(rows)}</table>'


def _names(steps: tuple[Mapping[str, Value], ...]) -> list[str]:
    return list(dict.fromkeys(name for step in steps for name in step))


def _row(name: str, values: list[Value | None]) -> str:
    cells = []
    for number, value in enumerate(values):
        changed = number > 0 and value is not None and value != values[number - 1]
        style = f' style="{CHANGED}"' if changed else ""
        cells.append(f"<td{style}>{'' if value is None else escape(show_value(value))}</td>")
    return f'<tr><th style="text-align:left">{escape(name)}</th>{"".join(cells)}</tr>'
