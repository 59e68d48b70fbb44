"""A trace on a page: a table with all variables on demand and long stretches folded, and waveforms."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from html import escape
from typing import Final

from msgspec import Struct

from coarsest.logic.expr import Value
from coarsest.model.trace import Trace
from coarsest.model.types import show_value

QUIET: Final = 4
"""At least this many states in a row without a visible change are folded."""
LONG: Final = 80
ENDS: Final = 25
"""A trace of more than LONG states is folded, except for ENDS states at both ends."""
MOST_CELLS: Final = 60_000
"""Larger tables leave out variables that the property does not depend on, then further ones."""
MOST_WAVES: Final = 600
STEP: Final = 34
HIGH: Final = 22
"""The most states of a wave; the width of a state and the height of a row, in pixels."""


class TraceRow(Struct, frozen=True):
    """A variable, or an input in brackets, and its values: in each state, or in the step that leads to it."""

    name: str
    values: tuple[Value | None, ...]
    is_shown: bool

    def changes(self, place: int) -> bool:
        now = self.values[place]
        return place > 0 and now is not None and now != self.values[place - 1]


def rows_of(trace: Trace, names: Collection[str] | None) -> list[TraceRow]:
    """All variables and inputs, those of `names` first; a step that closes a loop has its own column if it has inputs."""
    closes = _closes(trace)
    rows = []
    for name in dict.fromkeys(name for state in trace.states for name in state):
        values = (*(state.get(name) for state in trace.states), *([None] * closes))
        rows.append(TraceRow(name, values, names is None or name in names))
    for name in dict.fromkeys(name for step in trace.inputs for name in step):
        into = (None, *(step.get(name) for step in trace.inputs))
        values = (*into, *([None] * (len(trace) + closes - len(into))))[: len(trace) + closes]
        rows.append(TraceRow(f"[{name}]", values, names is None or name in names))
    return sorted(rows, key=lambda row: not row.is_shown)


def _closes(trace: Trace) -> bool:
    return trace.loop is not None and len(trace.inputs) == len(trace) and any(trace.inputs[-1])


def trace_table(trace: Trace, names: Collection[str] | None) -> str:
    """A row for each variable, a column for each state; changes are shaded, other variables and long stretches hidden."""
    rows = rows_of(trace, names)
    columns = len(trace) + _closes(trace)
    shown = [row for row in rows if row.is_shown]
    others = rows[len(shown) :] if columns * len(rows) <= MOST_CELLS else []
    folds = folded(shown, columns, trace.loop)
    heads = [f"{number}{' ↻' if trace.loop == number else ''}" for number in range(len(trace))]
    heads += [f"{trace.loop} ↻"] * _closes(trace)
    cells = [f'<th scope="col"{_hidden(folds, place)}>{head}</th>' for place, head in enumerate(heads)]
    lines = [f"<tr><th>{trace.unit}</th>{_with_folds(cells, folds, head=True)}</tr>"]
    lines += [_line(row, folds) for row in (*shown, *others)]
    again = f"after {trace.unit} {len(trace) - 1} comes {trace.unit} {trace.loop} again"
    caption = f"<caption>{again}</caption>" if trace.loop is not None else ""
    buttons = f'<button data-others>All {len(rows)} variables</button> ' if others else ""
    left = len(rows) - len(shown) - len(others)
    note = f"<p class=\"dim\">{left} more variable{'s' * (left != 1)}: too many for this page</p>" if left else ""
    table = f'<table class="trace mono">{caption}{"".join(lines)}</table>'
    return f'<div class="tools">{buttons}</div><div class="wide" tabindex="0">{table}</div>{note}'


def _line(row: TraceRow, folds: Sequence[range]) -> str:
    cells = []
    for place, value in enumerate(row.values):
        changed = ' class="changed"' if row.changes(place) else ""
        cells.append(f"<td{changed}{_hidden(folds, place)}>{'' if value is None else escape(show_value(value))}</td>")
    kind = "" if row.is_shown else ' class="other" hidden'
    return f'<tr{kind}><th scope="row">{escape(row.name)}</th>{_with_folds(cells, folds)}</tr>'


def _hidden(folds: Sequence[range], place: int) -> str:
    return next((f' data-fold="{number}" hidden' for number, fold in enumerate(folds) if place in fold), "")


def _with_folds(cells: Sequence[str], folds: Sequence[range], *, head: bool = False) -> str:
    parts = list(cells)
    for number, fold in reversed(list(enumerate(folds))):
        words = f"{len(fold)} states"
        button = f'<button data-unfold="{number}" aria-label="show {words}">⋯ {words}</button>' if head else "⋯"
        tag = "th" if head else "td"
        parts.insert(fold.start, f'<{tag} data-folded="{number}">{button}</{tag}>')
    return "".join(parts)


def folded(rows: Sequence[TraceRow], columns: int, loop: int | None) -> list[range]:
    """Stretches to fold: states in which nothing changes, and the middle of a very long trace. The start of a loop stays visible.

    >>> folded([TraceRow("x", (0, 0, 0, 0, 0, 0, 1), True)], 7, None)
    [range(1, 6)]
    """
    quiet = [place > 0 and place < columns - 1 and place != loop and not any(row.changes(place) for row in rows)
             for place in range(columns)]  # fmt: skip
    folds = [fold for fold in _stretches(quiet) if len(fold) >= QUIET]
    if columns - sum(map(len, folds)) <= LONG:
        return folds
    middle = [ENDS <= place < columns - ENDS and place != loop for place in range(columns)]
    return [fold for fold in _stretches([a or b for a, b in zip(quiet, middle)]) if len(fold) >= QUIET]


def _stretches(marks: Sequence[bool]) -> Iterator[range]:
    start = None
    for place, marked in enumerate([*marks, False]):
        if marked and start is None:
            start = place
        elif not marked and start is not None:
            yield range(start, place)
            start = None


def waves(trace: Trace, names: Collection[str] | None) -> str:
    """A waveform for each variable: a line for a boolean, a band with its values for others."""
    rows = [row for row in rows_of(trace, names) if row.is_shown]
    columns = min(len(trace) + _closes(trace), MOST_WAVES)
    if columns < 2 or not rows:
        return ""
    ticks = "".join(
        f'<text x="{place * STEP + 3}" y="14">{place}{"↻" * (trace.loop == place)}</text>'
        for place in range(min(columns, len(trace)))
    )
    lines = [f'<tr><th>{trace.unit}</th><td>{_svg(columns, ticks, f"numbers of {trace.unit}s")}</td></tr>']
    lines += [f'<tr><th scope="row">{escape(row.name)}</th><td>{_wave(row, columns)}</td></tr>' for row in rows]
    cut = f'<p class="dim">the first {columns} of {len(trace)} states</p>' if columns < len(trace) else ""
    table = f'<div class="wide" tabindex="0"><table class="waves mono">{"".join(lines)}</table></div>'
    return f"<details><summary>Waves</summary>{table}{cut}</details>"


def _svg(columns: int, content: str, words: str) -> str:
    size = f'width="{columns * STEP}" height="{HIGH}" viewBox="0 0 {columns * STEP} {HIGH}"'
    return f'<svg {size} role="img" aria-label="{escape(words)}">{content}</svg>'


def _wave(row: TraceRow, columns: int) -> str:
    values = row.values[:columns]
    spoken = ", ".join(f"{show_value(value)} from {place}" for place, value in enumerate(values)
                       if value is not None and (place == 0 or row.changes(place)))  # fmt: skip
    truth = all(value is None or isinstance(value, bool) for value in values)
    return _svg(columns, _line_wave(values) if truth else _band(values), f"{row.name}: {spoken}")


def _line_wave(values: Sequence[Value | None]) -> str:
    path, pen = [], False
    for place, value in enumerate(values):
        if value is None:
            pen = False
            continue
        height = 4 if value else HIGH - 4
        path.append(f"{'L' if pen else 'M'}{place * STEP},{height} H{(place + 1) * STEP}")
        pen = True
    return f'<path d="{" ".join(path)}"/>'


def _band(values: Sequence[Value | None]) -> str:
    parts, start = [], 0
    for place in range(1, len(values) + 1):
        if place < len(values) and values[place] == values[start]:
            continue
        value = values[start]
        if value is not None:
            left, right, text = start * STEP, place * STEP, show_value(value)
            most = max(1, int((right - left - 8) / 7))
            cut = text if len(text) <= most else text[: most - 1] + "…"
            parts.append(f'<path d="M{left},11 l4,-8 H{right - 4} l4,8 l-4,8 H{left + 4} Z"><title>{escape(text)}</title></path>')
            parts.append(f'<text x="{left + 7}" y="15">{escape(cut)}</text>')
        start = place
    return "".join(parts)
