"""The truth of a property's parts along a trace, as a compact table.

States in which nothing differs from the state before share a column, so that long traces stay readable.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from coarsest.evidence.reading import TruthRow
from coarsest.render.text.columns import in_blocks, shorten

UNICODE_MARKS = "●·"
ASCII_MARKS = "T."
FEWEST_ROWS: Final = 3
"""A condition and one operator over it need no table."""
MOST_COLUMNS: Final = 80


def truths_to_lines(
    rows: Sequence[TruthRow], *, loop: int | None, width: int, marks: str = UNICODE_MARKS, unit: str = "state"
) -> Iterator[str]:
    """The table: a row for each part, with marks for true and false, and a blank for unknown.

    >>> rows = [TruthRow("p", (False, False, True)), TruthRow("q", (False,) * 3), TruthRow("p U q", (None, False, False))]
    >>> print("\\n".join(truths_to_lines(rows, loop=2, width=40, marks="T.")))
    state  0  1  2*
    p      .  .  T
    q      .  .  .
    p U q     .  .
    """
    if len(rows) < FEWEST_ROWS:
        return
    starts = _column_starts(rows, loop)
    if len(starts) < 2:
        return
    shown = starts[:MOST_COLUMNS]
    ends = [after - 1 for _, after in pairwise([*starts, len(rows[0].values)])]
    heads = [_head(start, end, loop) for start, end in zip(shown, ends)]
    room = max(16, width // 2, width - 2 - sum(len(head) + 2 for head in heads))
    lines: list[tuple[str, Sequence[str]]] = [(unit, heads)]
    for row in rows:
        lines.append((shorten(row.formula, room), [_mark(row.values[start], marks) for start in shown]))
    yield from in_blocks(lines, width)
    if len(starts) > len(shown):
        yield f"(and so on, for {len(starts) - len(shown)} more columns)"


def _column_starts(rows: Sequence[TruthRow], loop: int | None) -> list[int]:
    """The states in which something changes, and the start of the loop."""
    columns = list(zip(*(row.values for row in rows)))
    return [i for i, column in enumerate(columns) if i == 0 or i == loop or column != columns[i - 1]]


def _head(start: int, end: int, loop: int | None) -> str:
    return f"{start}{'*' if start == loop else ''}" if start == end else f"{start}{'*' if start == loop else ''}-{end}"


def _mark(value: bool | None, marks: str) -> str:  # noqa: FBT001
    return "" if value is None else marks[0] if value else marks[1]
