"""BTOR2 as Yosys writes it (`write_btor -v`), with the names and positions of Verilog, most of which stand in its comments.

`; begin x` and `; end x` enclose the lines of the cell x, which for assertions and assumptions is their label; `; 12 \\x` says
that line 12 is the wire x; `; a.sv:3.5-3.20` after a line is its position.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from coarsest.text import Source, Span

VIOLATED = ".violated"
"""The ending of the name for the condition that an assertion is violated."""
REACHED, ASKED, ANSWERED = ".reached", ".asked", ".answered"
"""The endings of the names for conditions: a cover is reached; a statement of liveness is reached, and its event happens."""
WORDS: Mapping[str, str] = MappingProxyType({"live": "assert", "fair": "assume"})
"""The words with which statements of liveness begin in Verilog."""
_CLAIMS = {"bad": "assert", "constraint": "assume"}
_NO_WIRES = ("sort", "init", "next", "output", "input", "state", "const")
_ALIAS = re.compile(r"\d+ uext \d+ (\d+) 0 (\S+)")
_WIRE = re.compile(r"; (\d+) \\(\S+)")
_PLACE = re.compile(r"(?P<file>.+?):(?P<line>\d+)\.(?P<column>\d+)-(?P<last_line>\d+)\.(?P<last_column>\d+)(?:[-|].*)?")
_MADE_UP = re.compile(r"(?P<instance>(?:\$flatten|[^$])*)\$\w+\$[^$]+:(?P<line>\d+)\$\d+")
"""The label of a cell that has none in Verilog, which contains the instance and the line."""

SourceOf: TypeAlias = Callable[[str], Source | None]
"""The text of a file that Yosys knows by a path."""


class Named(NamedTuple):
    """A text of BTOR2 with names, their positions in Verilog, and the roles of labels of claims that are not assertions."""

    text: str
    places: dict[str, Span]
    roles: dict[str, str]


def with_names(text: str, source_of: SourceOf, roles: Mapping[str, str] = MappingProxyType({})) -> Named:
    """The text with names for wires, assertions and assumptions; `roles` are the cells that are `live`, `fair` or `cover`."""
    lines = [line.strip() for line in text.split("\n")]
    wires: dict[str, str] = {}
    for match in filter(None, map(_WIRE.fullmatch, lines)):
        wires.setdefault(match[1], match[2])
    nameless = [words for line in lines if len(words := line.partition(" ; ")[0].split()) == 3 and words[1] in ("input", "state")]
    own = {words[0] for words in nameless if words[1] == "input" or words[0] not in wires}
    aliases = {match[1]: match[2] for match in map(_ALIAS.match, reversed(lines)) if match is not None and match[1] in own}
    labels: Counter[str] = Counter()
    named = Named("", {}, {})
    written: list[list[str]] = []
    added: list[list[str]] = []
    """Lines that Yosys cannot write."""
    ports: set[str] = set()
    """Registers that are outputs."""
    nodes: dict[str, list[str]] = {}
    for line, cell in _lines_with_cells(lines):
        code, _, comment = line.partition(" ; ")
        words = code.split()
        place = _PLACE.fullmatch(comment)
        nodes[words[0]] = words
        if words[1] in _CLAIMS:
            place = place or _PLACE.fullmatch(words[-1])
            role = roles.get(cell, "")
            name = label_of(cell, WORDS.get(role, role) or _CLAIMS[words[1]])
            labels[name] += 1
            name = f"{name}_{labels[name]}" if labels[name] > 1 else name
            words = [*words[:3], f"{name}{VIOLATED}" if words[1] == "bad" else name]
            if role:
                named.roles[name] = role
                added += _in_role(nodes, words, name, role)
                words = []
        else:
            _name_wire(words, wires, ports, aliases)
            name = words[-1]
        source = None if place is None else source_of(place["file"])
        if place is not None and source is not None:
            named.places.setdefault(name, _span(source, place))
        written += [words] if words else []
    last = max((int(number) for number in nodes), default=0)
    written += [[str(number), *words] for number, words in enumerate(added, last + 1)]
    return named._replace(text="\n".join(map(" ".join, written)))


def _name_wire(words: list[str], wires: Mapping[str, str], ports: set[str], aliases: Mapping[str, str]) -> None:
    """Add the name of the wire to a line. A register that is also a port has the name of the port; a wire without a driver has
    its own name."""
    if words[0] in aliases:
        words.append(aliases[words[0]])
    elif words[1] == "uext" and words[-1] == aliases.get(words[3]):
        words.pop()
    elif words[1] not in _NO_WIRES and words[0] in wires and words[-1].lstrip("-").isdigit():
        words.append(wires[words[0]])
    elif words[1] == "state" and len(words) == 3 and words[0] in wires:
        ports.add(wires[words[0]])
        words.append(wires[words[0]])
    elif words[1] == "output" and words[-1] in ports:
        words[-1] += "_output"


def _in_role(nodes: Mapping[str, list[str]], bad: list[str], name: str, role: str) -> list[list[str]]:
    """Lines, without their numbers, that name the conditions of a cover, or of a statement of liveness.

    Yosys wrote that it is bad if the statement is reached and its condition is false: `and` of the first, `not` of the second.
    """
    both = nodes[bad[2]]
    reached, condition = both[3], nodes[both[4]][3]
    if role == "cover":
        return [["and", both[2], reached, condition, name + REACHED]]
    return [["uext", both[2], reached, "0", name + ASKED], ["uext", both[2], condition, "0", name + ANSWERED]]


def _lines_with_cells(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The lines that are not comments, each with the cell that it belongs to."""
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


def span_of(place: str, source_of: SourceOf) -> Span | None:
    """The span that Yosys writes as `a.sv:3.5-3.20`."""
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
