"""Aldébaran text to numbers and graphs, in the dialects of CADP and mCRL2.

The first line is `des (initial, transitions, states)`, every other one a transition `(from, label, to)`. A label may stand in
quotation marks, which are no part of it; without them it may contain commas. `i` (CADP) and `tau` (mCRL2) are internal.

As many threads read as there are processors: the text is cut at ends of lines. Each part has its own numbers of actions, which
become those that the whole text gives, so that nothing depends on how many parts there were.
"""

from __future__ import annotations

import mmap
import os
import re
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from coarsest._kernels import choose
from coarsest._kernels.columns import Column
from coarsest.errors import InputError
from coarsest.files import Contents
from coarsest.formats.aut.explain import MOST, natural, too_many_idle, wrong_header, wrong_line, wrong_number_of_lines
from coarsest.lts.attended import Run, attended

if TYPE_CHECKING:
    from coarsest.lts.labelled import Graph

WORTH_A_THREAD = 1 << 20
"""Fewer bytes than these are read by one thread."""
MOST_THREADS = 4
SLICE = 4 << 20
"""Bytes between two looks at whether somebody wants it to end."""
SHORTEST_LINE = len("(0,,0)\n")
FEW_NAMES = 1 << 10
"""There is room for the names of so many actions at first."""

_HEADER = re.compile(rb"\s*des[ \t]*\([ \t]*([0-9]+)[ \t]*,[ \t]*([0-9]+)[ \t]*,[ \t]*([0-9]+)[ \t]*\)[ \t\r]*(?:\n|\Z)")


class Header(NamedTuple):
    """What the first line says, and where the second begins."""

    initial: int
    transitions: int
    states: int
    end: int


class Transitions(NamedTuple):
    """Transitions in the order of the text, and the names of actions as they appear."""

    sources: Column
    actions: Column
    targets: Column
    names: list[str]


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

    from coarsest.lts.labelled import Graph, gathered, width

    if run is None:
        from coarsest.run import Run as Unlimited

        run = Unlimited()
    header = header_of(text, name)
    data = np.frombuffer(text, dtype=np.uint8)
    transitions = read_transitions(text, data, header, run, choice=choice)
    if transitions is None:
        raise _problem(text, data, name, header, choice)
    kind = width(header.states)
    return Graph(
        *gathered(header.states, *map(np.asarray, transitions[:3])), np.array([header.initial], dtype=kind),
        np.zeros(header.states, dtype=kind), tuple(transitions.names) or ("",),
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


def processors() -> int:
    """For how many threads of this process is there a processor?"""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def read_transitions(
    text: bytes | mmap.mmap, data: Any, header: Header, run: Run, *, threads: int | None = None, choice: str = "auto"
) -> Transitions | None:
    """The transitions of a text, whose bytes are also in the column or array `data`; None if it is not as its header says."""
    cuts = _cuts(text, header.end, threads or processors())
    parts = [_Part(text, data, header, choice, lines) for lines in pairwise(cuts)]

    def stop() -> None:
        for part in parts:
            part.is_stopped = True

    results = attended(
        run, "read", *(part.take for part in parts), stop=stop,
        facts=lambda: {"transitions": sum(part.counts[0] for part in parts)},
    )  # fmt: skip
    if not all(results) or sum(part.counts[0] for part in parts) != header.transitions:
        return None
    numbers: dict[bytes, int] = {}
    for part in parts:
        part.rename(numbers)
    names = [name.decode("utf-8", "surrogateescape") for name in numbers]
    return Transitions(*_joined(parts, header.transitions), names)


def _problem(text: bytes | mmap.mmap, data: Any, name: str, header: Header, choice: str) -> InputError:
    """What is wrong: the text is read once more, to complain of what comes first."""
    whole = _Part(text, data, header, choice, (header.end, len(text)))
    whole.take()
    number, content = whole.counts[0], bytes(text)
    if whole.place < len(text):
        return wrong_line(content, name, whole.place, states=header.states, transitions=header.transitions, found=number)
    return wrong_number_of_lines(content, name, header.transitions, number)


def _cuts(text: bytes | mmap.mmap, begin: int, threads: int) -> list[int]:
    """Places between which parts lie, each at the beginning of a line."""
    end = len(text)
    number = max(1, min(threads, MOST_THREADS, (end - begin) // WORTH_A_THREAD))
    places = {text.find(b"\n", begin + (end - begin) * part // number) + 1 or end for part in range(1, number)}
    return [begin, *sorted(places - {begin, end}), end]


def _joined(parts: list[_Part], transitions: int) -> tuple[Column, Column, Column]:
    """The columns of all parts, one behind the other, in those of the first, which has room for them."""
    place = 0
    for part in parts:
        length = part.counts[0]
        if part is not parts[0]:
            for column, further in zip(parts[0].columns, part.columns):
                column.put(place, further, length)
            part.columns = []
        place += length
    sources, actions, targets = (column.first(transitions) for column in parts[0].columns)
    return sources, actions, targets


class _Part:
    """Some lines of a text, their transitions, and where the names of actions stand that are found there."""

    def __init__(self, text: bytes | mmap.mmap, data: Any, header: Header, choice: str, lines: tuple[int, int]) -> None:
        begin, end = lines
        self._text, self._data, self._states, self._end = text, data, header.states, end
        self._kernel = partial(columns_kernel, transitions=header.transitions, choice=choice)
        last = len(text) if begin == header.end else end  # the first part has room for the others, too
        room = min(header.transitions, (last - begin) // SHORTEST_LINE + 1)
        wide = "i4" if header.states < 1 << 31 else "i8"
        self.columns = [Column(kind, room) for kind in (wide, "i4", wide)]
        self.counts, self._name_places = Column("i8", 2), Column("i8", FEW_NAMES, 2)
        self.is_stopped = False
        self.place = begin
        """What is before it has been read."""

    def take(self) -> bool:
        """Read the lines; are they as they should be?"""
        parse_lines = self._kernel("text.aut_text", "parse_lines")
        while self.place < self._end and not self.is_stopped:
            begin, stop = self.place, self._text.find(b"\n", min(self.place + SLICE, self._end)) + 1 or self._end
            stop = min(stop, self._end)
            self.place = parse_lines(self._data, begin, stop, self._states, *self.columns, self._name_places, self.counts)
            if self.place < stop and self.counts[1] == len(self._name_places):
                names = Column("i8", 4 * self.counts[1], 2)
                names.put(0, self._name_places, 2 * self.counts[1])
                self._name_places = names
            elif self.place < stop:
                return False
            self._let_go(begin, self.place)
        return not self.is_stopped

    def _let_go(self, begin: int, end: int) -> None:
        """Pages of a mapped file that have been read need not stay in memory."""
        if isinstance(self._text, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
            first = begin // mmap.PAGESIZE * mmap.PAGESIZE
            length = end // mmap.PAGESIZE * mmap.PAGESIZE - first
            if length > 0:
                self._text.madvise(mmap.MADV_DONTNEED, first, length)

    def rename(self, numbers: dict[bytes, int]) -> None:
        """Number the actions as they are numbered so far, and new ones from there on."""
        places = self._name_places.to_list(2 * self.counts[1])
        names = [self._text[first:last] for first, last in zip(places[::2], places[1::2])]
        renamed = [numbers.setdefault(name, len(numbers)) for name in names]
        if renamed != list(range(len(names))):
            self._kernel("partition.quotient", "follow")(self.columns[1].first(self.counts[0]), Column.of("i4", renamed))


def columns_kernel(module: str, function: str, *, transitions: int, choice: str) -> Callable[..., Any]:
    """A kernel that takes columns; twins take arrays that share their memory."""
    kernels = choose.kernels(module, transitions, choice)
    kernel: Callable[..., Any] = getattr(kernels, function)
    if not isinstance(kernels, ModuleType):
        return kernel
    import numpy as np

    return lambda *arguments: kernel(*(np.asarray(one) if isinstance(one, Column) else one for one in arguments))
