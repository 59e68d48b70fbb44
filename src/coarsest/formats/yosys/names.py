"""BTOR2 as Yosys writes it (`write_btor -v`), with the names and places of Verilog, most of which stand in its comments.

`; begin x` and `; end x` enclose what belongs to the cell x, which for assertions and assumptions is their label; `; 12 \\x` says
that line 12 is the wire x; behind a line, `; a.sv:3.5-3.20` is its place.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from coarsest.text import Source, Span

VIOLATED = ".violated"
"""The condition that an assertion is violated is called so, after the assertion."""
_CLAIMS = {"bad": "assert", "constraint": "assume"}
_NO_WIRES = ("sort", "init", "next", "output", "input", "state", "const")
_WIRE = re.compile(r"; (\d+) \\(\S+)")
_PLACE = re.compile(r"(?P<file>.+?):(?P<line>\d+)\.(?P<column>\d+)-(?P<last_line>\d+)\.(?P<last_column>\d+)(?:[-|].*)?")
_MADE_UP = re.compile(r"(?P<instance>(?:\$flatten|[^$])*)\$\w+\$[^$]+:(?P<line>\d+)\$\d+")
"""The label of a cell that has none in Verilog: it tells the instance and the line."""


def with_names(text: str, source: Source, path: str) -> tuple[str, dict[str, Span]]:
    """The text with names for wires, assertions and assumptions, and their places in a source that Yosys knows by a path."""
    lines = [line.strip() for line in text.split("\n")]
    wires: dict[str, str] = {}
    for match in filter(None, map(_WIRE.fullmatch, lines)):
        wires.setdefault(match[1], match[2])
    labels: Counter[str] = Counter()
    places: dict[str, Span] = {}
    told: list[str] = []
    ports: set[str] = set()
    """Registers that are outputs."""
    for line, cell in _lines_with_cells(lines):
        said, _, comment = line.partition(" ; ")
        words = said.split()
        place = _PLACE.fullmatch(comment)
        if words[1] in _CLAIMS:
            place = place or _PLACE.fullmatch(words[-1])
            name = _label(cell, _CLAIMS[words[1]], labels)
            words = [*words[:3], f"{name}{VIOLATED}" if words[1] == "bad" else name]
        else:
            if words[1] not in _NO_WIRES and words[0] in wires and words[-1].lstrip("-").isdigit():
                words.append(wires[words[0]])
            elif words[1] == "state" and len(words) == 3 and words[0] in wires:  # a register that is a port has its name there
                ports.add(wires[words[0]])
                words.append(wires[words[0]])
            elif words[1] == "output" and words[-1] in ports:
                words[-1] += "_output"
            name = words[-1]
        if place is not None and place["file"] == path:
            places.setdefault(name, _span(source, place))
        told.append(" ".join(words))
    return "\n".join(told), places


def _lines_with_cells(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The lines that are no comments, each with the cell that it belongs to."""
    cells = [""]
    for line in lines:
        if line.startswith("; begin "):
            cells.append(line.removeprefix("; begin "))
        elif line.startswith("; end ") and len(cells) > 1:
            cells.pop()
        elif len(line.split(" ; ")[0].split()) > 1 and not line.startswith(";"):
            yield line, cells[-1]


def label_of(cell: str, kind: str) -> str:
    """The label of a claim, or its line.

    >>> label_of("safe", "assert"), label_of("$assert$x.sv:7$1", "assert")
    ('safe', 'assert_7')
    """
    made_up = _MADE_UP.fullmatch(cell)
    if made_up is None:
        return cell if cell and not cell.startswith("$") else kind
    instance = made_up["instance"].replace("$flatten", "").replace("\\", "")
    return f"{instance}{kind}_{made_up['line']}"


def _label(cell: str, kind: str, labels: Counter[str]) -> str:
    """The same, and no two are the same."""
    label = label_of(cell, kind)
    labels[label] += 1
    return f"{label}_{labels[label]}" if labels[label] > 1 else label


def span_of(place: str, source_of: Callable[[str], Source | None]) -> Span | None:
    """Where a place is that Yosys tells as `a.sv:3.5-3.20`."""
    match = _PLACE.fullmatch(place)
    source = source_of(match["file"]) if match is not None else None
    return _span(source, match) if match is not None and source is not None else None


def _span(source: Source, place: re.Match[str]) -> Span:
    size, lines = len(source.text), source.text.split("\n")
    start, end = (
        min(size, sum(len(line) + 1 for line in lines[: int(place[line_group]) - 1]) + int(place[column_group]) - 1)
        for line_group, column_group in (("line", "column"), ("last_line", "last_column"))
    )
    return Span(source, start, max(start + 1, end))
