"""Aldébaran text to graphs, in the dialects of CADP and mCRL2.

The first line is `des (initial, transitions, states)`, every other line is a transition `(from, label, to)`. A label may stand in
quotation marks, which are not part of it; without them it may contain commas. `i` (CADP) and `tau` (mCRL2) are internal.

The text is cut at ends of lines, and one thread for each processor reads a part. Each part numbers actions by itself; in the end
they get numbers in the order of the whole text, so that the result does not depend on the number of parts.
"""

from __future__ import annotations

import mmap
import os
import re
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from coarsest import tuning
from coarsest._kernels import choose
from coarsest._kernels.columns import Column
from coarsest.errors import InputError
from coarsest.files import Contents
from coarsest.formats.aut.explain import MOST, natural, too_many_idle, wrong_header, wrong_line, wrong_number_of_lines
from coarsest.lts.attended import StepListener, attended

if TYPE_CHECKING:
    from coarsest.lts.labelled import Graph

SHORTEST_LINE: Final = len("(0,,0)\n")
FIRST_NAMES: Final = 1 << 10
"""The number of names of actions that a part has room for at first."""

_HEADER = re.compile(rb"\s*des[ \t]*\([ \t]*([0-9]+)[ \t]*,[ \t]*([0-9]+)[ \t]*,[ \t]*([0-9]+)[ \t]*\)[ \t\r]*(?:\n|\Z)")


class Header(NamedTuple):
    """The numbers of the first line, and the offset of the second line."""

    initial: int
    transitions: int
    states: int
    end: int


class TransitionsAsRead(NamedTuple):
    """Transitions in the order of the text, and the names of actions in the order in which they appear."""

    sources: Column
    actions: Column
    targets: Column
    names: list[str]


def read(contents: Contents, *, run: StepListener | None = None) -> Graph:
    """The graph of a file."""
    return parse(contents.data, contents.name, run=run)


def parse(text: bytes | mmap.mmap, name: str = "<text>", *, run: StepListener | None = None, choice: str = "auto") -> Graph:
    """The graph that a text describes; `choice` is "auto", "compiled" or "pure".

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
    """The first line of a text. Raises InputError."""
    match = _HEADER.match(text)
    if match is None:
        raise wrong_header(bytes(text), name)
    initial, transitions, states = map(natural, match.groups())
    header = Header(initial, transitions, states, match.end())
    is_possible = header.initial < header.states and max(header.states, header.transitions) <= MOST
    if not is_possible or too_many_idle(header.states, header.transitions):
        raise wrong_header(bytes(text), name)
    return header


def processors() -> int:
    """The number of threads of this process that can work at the same time."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def read_transitions(
    text: bytes | mmap.mmap, data: Any, header: Header, run: StepListener, *, threads: int | None = None, choice: str = "auto"
) -> TransitionsAsRead | None:
    """The transitions of a text; None if it is wrong, or contradicts its header. `data` is a column or array of its bytes."""
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
    return TransitionsAsRead(*_joined(parts, header.transitions), names)


def _problem(text: bytes | mmap.mmap, data: Any, name: str, header: Header, choice: str) -> InputError:
    """The first error of a text, which is read once more, by one thread."""
    whole = _Part(text, data, header, choice, (header.end, len(text)))
    whole.take()
    count, content = whole.counts[0], bytes(text)
    if whole.offset < len(text):
        return wrong_line(content, name, whole.offset, states=header.states, transitions=header.transitions, before=count)
    return wrong_number_of_lines(content, name, header.transitions, count)


def _cuts(text: bytes | mmap.mmap, begin: int, threads: int) -> list[int]:
    """The offsets where parts begin, each at the beginning of a line, and the end."""
    end = len(text)
    count = max(1, min(threads, tuning.AUT_READING_THREADS, (end - begin) // tuning.AUT_PIECE))
    cuts = {text.find(b"\n", begin + (end - begin) * part // count) + 1 or end for part in range(1, count)}
    return [begin, *sorted(cuts - {begin, end}), end]


def _joined(parts: list[_Part], transitions: int) -> tuple[Column, Column, Column]:
    """The columns of all parts, one after the other, in the columns of the first part, which have room for them."""
    joined = 0
    for part in parts:
        length = part.counts[0]
        if part is not parts[0]:
            for column, more in zip(parts[0].columns, part.columns):
                column.put(joined, more, length)
            part.columns = []
        joined += length
    sources, actions, targets = (column.first(transitions) for column in parts[0].columns)
    return sources, actions, targets


class _Part:
    """Some lines of a text, their transitions, and the offsets of the names of their actions."""

    def __init__(self, text: bytes | mmap.mmap, data: Any, header: Header, choice: str, lines: tuple[int, int]) -> None:
        begin, end = lines
        self._text, self._data, self._states, self._end = text, data, header.states, end
        self._kernel = partial(columns_kernel, transitions=header.transitions, choice=choice)
        last = len(text) if begin == header.end else end  # the first part has room for the others, too
        room = min(header.transitions, (last - begin) // SHORTEST_LINE + 1)
        wide = "i4" if header.states < 1 << 31 else "i8"
        self.columns = [Column(kind, room) for kind in (wide, "i4", wide)]
        self.counts, self._name_ends = Column("i8", 2), Column("i8", FIRST_NAMES, 2)
        self.is_stopped = False
        self.offset = begin
        """The lines before this offset have been read."""

    def take(self) -> bool:
        """Read the lines, and return whether they are all right."""
        parse_lines = self._kernel("text.aut_text", "parse_lines")
        while self.offset < self._end and not self.is_stopped:
            begin = self.offset
            stop = self._text.find(b"\n", min(begin + tuning.TEXT_SLICE, self._end)) + 1 or self._end
            stop = min(stop, self._end)
            self.offset = parse_lines(self._data, begin, stop, self._states, *self.columns, self._name_ends, self.counts)
            if self.offset < stop and self.counts[1] == len(self._name_ends):
                names = Column("i8", 4 * self.counts[1], 2)
                names.put(0, self._name_ends, 2 * self.counts[1])
                self._name_ends = names
            elif self.offset < stop:
                return False
            self._release(begin, self.offset)
        return not self.is_stopped

    def _release(self, begin: int, end: int) -> None:
        """Give back the pages of a mapped file that have been read."""
        if isinstance(self._text, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
            first = begin // mmap.PAGESIZE * mmap.PAGESIZE
            length = end // mmap.PAGESIZE * mmap.PAGESIZE - first
            if length > 0:
                self._text.madvise(mmap.MADV_DONTNEED, first, length)

    def rename(self, numbers: dict[bytes, int]) -> None:
        """Number the actions as the parts before this one do; new actions get the next numbers."""
        ends = self._name_ends.to_list(2 * self.counts[1])
        names = [self._text[first:last] for first, last in zip(ends[::2], ends[1::2])]
        renamed = [numbers.setdefault(name, len(numbers)) for name in names]
        if renamed != list(range(len(names))):
            self._kernel("partition.quotient", "follow")(self.columns[1].first(self.counts[0]), Column.of("i4", renamed))


def columns_kernel(module: str, function: str, *, transitions: int, choice: str) -> Callable[..., Any]:
    """A kernel that takes columns; a twin gets arrays that share their memory."""
    kernels = choose.kernels(module, transitions, choice)
    kernel: Callable[..., Any] = getattr(kernels, function)
    if not isinstance(kernels, ModuleType):
        return kernel
    import numpy as np

    return lambda *arguments: kernel(*(np.asarray(value) if isinstance(value, Column) else value for value in arguments))
