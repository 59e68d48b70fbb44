"""Aldébaran text to graphs, in the dialects of CADP and mCRL2.

The first line is `des (initial, transitions, states)`, every other one a transition `(from, label, to)`. A label may stand in
quotation marks, which are no part of it; without them it may contain commas. `i` (CADP) and `tau` (mCRL2) are internal.
"""

from __future__ import annotations

import os
import re
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from coarsest.errors import InputError
from coarsest.files import Contents
from coarsest.formats.aut.explain import MOST, natural, too_many_idle, wrong_header, wrong_line, wrong_number_of_lines

if TYPE_CHECKING:
    import mmap

    from coarsest.lts.labelled import Graph
    from coarsest.run import Run

WORTH_A_THREAD = 4 << 20
"""Fewer bytes than these are read by one thread."""
MOST_THREADS = 4
SHORTEST_LINE = len("(0,,0)\n")
SLICE = 16 << 20
"""Bytes between two looks at limits."""

_HEADER = re.compile(rb"\s*des[ \t]*\([ \t]*([0-9]+)[ \t]*,[ \t]*([0-9]+)[ \t]*,[ \t]*([0-9]+)[ \t]*\)[ \t\r]*(?:\n|\Z)")


class Header(NamedTuple):
    """What the first line says, and where the second begins."""

    initial: int
    transitions: int
    states: int
    end: int


def read(contents: Contents, *, run: Run | None = None) -> Graph:
    """The graph of a file."""
    return parse(contents.data, contents.name, run=run)


def parse(text: bytes | mmap.mmap, name: str = "<text>", *, run: Run | None = None, choice: str = "auto") -> Graph:
    """The graph that a text describes; `choice` is of "auto", "compiled" and "pure".

    >>> graph = parse(b'des (0, 2, 2)\\n(0, "send, then wait", 1)\\n(1, i, 0)\\n')
    >>> graph, graph.action_names
    (<Graph: 2 states, 2 transitions, 2 actions>, ('send, then wait', 'i'))
    """
    import numpy as np

    from coarsest.lts.attended import attended
    from coarsest.lts.labelled import Graph, gathered, width
    from coarsest.run import Run

    header = header_of(text, name)
    lines = _Lines(text, name, header, choice, threads=min(MOST_THREADS, os.cpu_count() or 1))
    takes = [partial(lines.take, number) for number in range(lines.parts)]
    attended(run or Run(), "read", *takes, facts=lines.facts, stop=lines.stop)
    if not lines.complete:  # read once more, to complain of what comes first
        lines = _Lines(text, name, header, choice, threads=1)
        lines.take(0)
        raise lines.problem()
    sources, actions, targets, names = lines.joined()
    kind = width(header.states)
    return Graph(
        *gathered(header.states, sources, actions, targets), np.array([header.initial], dtype=kind),
        np.zeros(header.states, dtype=kind), names or ("",),
    )  # fmt: skip


def header_of(text: bytes | mmap.mmap, name: str) -> Header:
    """What the first line of a text says."""
    match = _HEADER.match(text)
    if match is None:
        raise wrong_header(bytes(text), name)
    initial, transitions, states = map(natural, match.groups())
    header = Header(initial, transitions, states, match.end())
    wasteful = too_many_idle(header.states, header.transitions)
    if header.initial >= header.states or max(header.states, header.transitions) > MOST or wasteful:
        raise wrong_header(bytes(text), name)
    return header


class _Lines:
    """The lines after the header, cut into parts that are read at the same time."""

    def __init__(self, text: bytes | mmap.mmap, name: str, header: Header, choice: str, *, threads: int) -> None:
        import numpy as np

        from coarsest._kernels.choose import kernels
        from coarsest.lts.labelled import width

        self._text, self._name, self._header = text, name, header
        self._data = np.frombuffer(text, dtype=np.uint8)
        self._kernel = kernels("text.aut_text", header.transitions, choice)
        self._cuts = self._cut(threads)
        self.parts = len(self._cuts) - 1
        room = min(header.transitions, (len(text) - header.end) // SHORTEST_LINE + 1)
        rooms = [room] if self.parts == 1 else [self._lines_between(*self._cuts[k : k + 2]) for k in range(self.parts)]
        self._starts = [sum(rooms[:number]) for number in range(self.parts + 1)]
        kind = width(header.states)
        self._columns = tuple(np.empty(self._starts[-1], dtype=some) for some in (kind, np.int32, kind))
        self._found = np.zeros((self.parts, 2), dtype=np.int64)
        self._names: list[list[bytes]] = [[] for _ in range(self.parts)]
        self._wrong = [0] * self.parts
        self._stopped = False

    def _cut(self, threads: int) -> list[int]:
        """Places between which parts lie, each at the beginning of a line."""
        begin, end = self._header.end, len(self._data)
        threads = min(threads, 1 + (end - begin) // WORTH_A_THREAD)
        places = {begin, end}
        for number in range(1, threads):
            place = self._text.find(b"\n", begin + (end - begin) * number // threads)
            places.add(end if place < 0 else place + 1)
        return sorted(places) if len(places) > 1 else [begin, end]

    def _lines_between(self, begin: int, end: int) -> int:
        import numpy as np

        lines = 1
        for at in range(begin, end, SLICE):
            stop = min(at + SLICE, end)
            lines += int(np.count_nonzero(self._data[at:stop] == ord("\n")))
            self._let_go(at, stop)
        return lines

    def facts(self) -> dict[str, int]:
        return {"transitions": int(self._found[:, 0].sum())}

    def stop(self) -> None:
        self._stopped = True

    def take(self, number: int) -> None:
        """Read one part, a slice at a time."""
        import numpy as np

        place, end = self._cuts[number : number + 2]
        columns = [column[slice(*self._starts[number : number + 2])] for column in self._columns]
        name_places, counts = np.empty((1 << 10, 2), dtype=np.int64), self._found[number]
        while place < end and not self._stopped:
            stop = min(place + SLICE, end)
            if stop < end:
                line_end = self._text.find(b"\n", stop)
                stop = end if line_end < 0 else line_end + 1
            reached = self._kernel.parse_lines(self._data, place, stop, self._header.states, *columns, name_places, counts)
            if reached < stop and counts[1] == len(name_places):
                name_places = np.concatenate([name_places, np.empty_like(name_places), np.empty_like(name_places)])
            elif reached < stop:
                self._wrong[number] = reached
                break
            self._let_go(place, reached)
            place = reached
        self._names[number] = [self._text[first:last] for first, last in name_places[: counts[1]].tolist()]

    def _let_go(self, begin: int, end: int) -> None:
        """Pages of a mapped file that have been read need not stay in memory."""
        import mmap

        if isinstance(self._text, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
            first = -(-begin // mmap.PAGESIZE) * mmap.PAGESIZE
            length = end // mmap.PAGESIZE * mmap.PAGESIZE - first
            if length > 0:
                self._text.madvise(mmap.MADV_DONTNEED, first, length)

    @property
    def complete(self) -> bool:
        """Are all lines right, and as many as the header says?"""
        return not any(self._wrong) and int(self._found[:, 0].sum()) == self._header.transitions

    def problem(self) -> InputError:
        """What is wrong, if there is one part."""
        header, read = self._header, int(self._found[0, 0])
        if self._wrong[0]:
            place = self._wrong[0]
            text = bytes(self._text)
            return wrong_line(text, self._name, place, states=header.states, transitions=header.transitions, found=read)
        return wrong_number_of_lines(bytes(self._text), self._name, header.transitions, read)

    def joined(self) -> tuple[Any, Any, Any, tuple[str, ...]]:
        """The columns of all parts, with one numbering of actions."""
        import numpy as np

        numbers: dict[bytes, int] = {}
        at = 0
        for number, names in enumerate(self._names):
            renamed = np.array([numbers.setdefault(name, len(numbers)) for name in names], dtype=np.int32)
            begin, length = self._starts[number], int(self._found[number, 0])
            if at < begin:  # there were empty lines
                for column in self._columns:
                    column[at : at + length] = column[begin : begin + length]
            if number:
                self._columns[1][at : at + length] = renamed[self._columns[1][at : at + length]]
            at += length
        sources, actions, targets = (column[:at] for column in self._columns)
        return sources, actions, targets, tuple(name.decode("utf-8", "surrogateescape") for name in numbers)
