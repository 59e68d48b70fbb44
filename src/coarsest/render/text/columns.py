"""Cells laid out in lines: packed columns for a first look, wrapped lists for what changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

GAP = "   "


def pack(cells: Sequence[str], width: int) -> list[str]:
    """Lay cells out row by row in as many aligned columns as fit the width.

    >>> pack(["a = 1", "bb = 2", "c = 3", "d = 4"], width=20)
    ['a = 1   bb = 2', 'c = 3   d = 4']
    """
    for columns in range(_most_columns(cells, width), 1, -1):
        widths = [max(len(cell) for cell in cells[column::columns]) for column in range(columns)]
        if sum(widths) + len(GAP) * (columns - 1) <= width:
            rows = (cells[start : start + columns] for start in range(0, len(cells), columns))
            return [GAP.join(cell.ljust(wide) for cell, wide in zip(row, widths)).rstrip() for row in rows]
    return list(cells)


def _most_columns(cells: Sequence[str], width: int) -> int:
    """An upper bound on the columns of a layout: the number of shortest cells that fit the width."""
    used = -len(GAP)
    for count, length in enumerate(sorted(map(len, cells))):
        used += length + len(GAP)
        if used > width:
            return count
    return len(cells)


def wrap(cells: Sequence[str], width: int) -> list[str]:
    """Put cells one after the other, beginning a new line where the width is used up.

    >>> wrap(["a = 1", "bb = 2", "c = 3"], width=16)
    ['a = 1   bb = 2', 'c = 3']
    """
    lines: list[str] = []
    for cell in cells:
        if lines and len(lines[-1]) + len(GAP) + len(cell) <= width:
            lines[-1] += GAP + cell
        else:
            lines.append(cell)
    return lines


def in_blocks(rows: Sequence[tuple[str, Sequence[str]]], width: int) -> Iterator[str]:
    """A table with a name before each row; where it is too wide, it goes on below in a block of its own.

    >>> list(in_blocks([("n", ["0", "1"]), ("x", ["TRUE", "."])], width=20))
    ['n  0     1', 'x  TRUE  .']
    """
    names = max(len(name) for name, _ in rows)
    widths = [max(map(len, column)) for column in zip(*(row for _, row in rows))]
    start = 0
    while start < len(widths):
        end, used = start + 1, names + 2 + widths[start]
        while end < len(widths) and used + 2 + widths[end] <= width:
            used += 2 + widths[end]
            end += 1
        if start:
            yield ""
        for name, row in rows:
            yield f"{name:<{names}}  {'  '.join(row[n].ljust(widths[n]) for n in range(start, end))}".rstrip()
        start = end


def shorten(text: str, width: int) -> str:
    """One line of text, with its middle left out where it is too long.

    >>> shorten("x  =\\n 1", width=20), shorten("abcdefghijklmnop", width=11)
    ('x = 1', 'abcd...mnop')
    """
    line = " ".join(text.split())
    if len(line) <= width:
        return line
    shown = max(2, width - 3)
    return f"{line[: shown - shown // 2]}...{line[len(line) - shown // 2 :]}"


def fold(text: str, width: int) -> list[str]:
    """A sentence in lines, those after the first indented.

    >>> fold("on this path x is always true, and so on", width=40)
    ['on this path x is always true, and so on']
    """
    import textwrap

    return textwrap.wrap(text, max(40, width), subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
