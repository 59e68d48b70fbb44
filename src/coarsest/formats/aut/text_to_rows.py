"""Aldébaran text to rows of numbers, without NumPy, by as many threads at once as there are processors for them.

The text is cut at ends of lines. Each part has its own numbers of actions, which become those that the whole text gives: so
nothing depends on how many parts there were. Whatever is out of the ordinary is left to `read`, which says what it is.
"""

from __future__ import annotations

import mmap
import os
from functools import partial
from typing import NamedTuple

from coarsest._kernels import choose
from coarsest._kernels.columns import Column
from coarsest.formats.aut.read import Header
from coarsest.lts.attended import Run, attended

WORTH_A_THREAD = 1 << 20
"""Fewer bytes than these are read by one thread."""
MOST_THREADS = 4
SLICE = 4 << 20
"""Bytes between two looks at whether somebody wants it to end."""
SHORTEST_LINE = len("(0,,0)\n")
MOST_NAMES = 1 << 16


kernels = partial(choose.kernels, transitions=0, choice="compiled")


class Rows(NamedTuple):
    """The transitions of state i lie at the places `offsets[i]` to `offsets[i + 1]` of `actions` and `targets`."""

    offsets: Column
    actions: Column
    targets: Column

    @property
    def states(self) -> int:
        return len(self.offsets) - 1

    @property
    def transitions(self) -> int:
        return len(self.targets)


def processors() -> int:
    """For how many threads of this process is there a processor?"""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def read_rows(text: mmap.mmap, header: Header, run: Run, *, threads: int) -> tuple[Rows, list[str]] | None:
    """The rows of the graph, and the names of its actions as they appear; None if it is not as its header says."""
    cuts = _cuts(text, header.end, threads)
    parts = [_Part(text, header, *cuts[number : number + 2]) for number in range(len(cuts) - 1)]

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
    columns = _joined(parts, header.transitions)
    names = [name.decode("utf-8", "surrogateescape") for name in numbers]
    return gathered(header.states, *columns), names


def gathered(states: int, sources: Column, actions: Column, targets: Column) -> Rows:
    """Transitions by their source, those of one source in the order they are in."""
    csr = kernels("csr")
    offsets = Column("i4", states + 1)
    if not csr.count_rows(sources, offsets):
        unordered = actions, targets
        actions, targets = (Column("i4", len(column)) for column in unordered)
        csr.gather_rows(sources, offsets, *unordered, actions, targets)
    return Rows(offsets, actions, targets)


def _cuts(text: mmap.mmap, begin: int, threads: int) -> list[int]:
    """Places between which parts lie, each at the beginning of a line."""
    end = len(text)
    number = max(1, min(threads, MOST_THREADS, (end - begin) // WORTH_A_THREAD))
    places = {begin, end}
    for part in range(1, number):
        places.add(text.find(b"\n", begin + (end - begin) * part // number) + 1 or end)
    return sorted(places)


def _joined(parts: list[_Part], transitions: int) -> list[Column]:
    """The columns of all parts, one behind the other, in those of the first, which has room for them."""
    place = 0
    for part in parts:
        length = part.counts[0]
        if part is not parts[0]:
            for column, further in zip(parts[0].columns, part.columns):
                column.put(place, further, length)
            part.columns = []
        place += length
    return [column.first(transitions) for column in parts[0].columns]


class _Part:
    """Some lines of a text, their transitions, and where the names of actions stand that are found there."""

    def __init__(self, text: mmap.mmap, header: Header, begin: int, end: int) -> None:
        self._text, self._header, self._begin, self._end = text, header, begin, end
        is_first = begin == header.end
        room = header.transitions if is_first else min(header.transitions, (end - begin) // SHORTEST_LINE + 1)
        self.columns = [Column("i4", room) for _ in range(3)]
        self.counts, self._name_places = Column("i8", 2), Column("i8", MOST_NAMES, 2)
        self.is_stopped = False

    def take(self) -> bool:
        """Read the lines; are they as they should be?"""
        place, data, kernel = self._begin, Column.over(self._text), kernels("text.aut_text")
        while place < self._end and not self.is_stopped:
            stop = min(self._text.find(b"\n", min(place + SLICE, self._end)) + 1 or self._end, self._end)
            if kernel.parse_lines(data, place, stop, self._header.states, *self.columns, self._name_places, self.counts) != stop:
                return False
            self._let_go(place, stop)
            place = stop
        return not self.is_stopped

    def _let_go(self, begin: int, end: int) -> None:
        """Pages that have been read need not stay in memory."""
        if hasattr(mmap, "MADV_DONTNEED"):
            first = begin // mmap.PAGESIZE * mmap.PAGESIZE
            self._text.madvise(mmap.MADV_DONTNEED, first, end // mmap.PAGESIZE * mmap.PAGESIZE - first)

    def rename(self, numbers: dict[bytes, int]) -> None:
        """Number the actions as they are numbered so far, and new ones from there on."""
        places = self._name_places.to_list(2 * self.counts[1])
        names = [self._text[first:last] for first, last in zip(places[::2], places[1::2])]
        renamed = [numbers.setdefault(name, len(numbers)) for name in names]
        if renamed != list(range(len(names))):
            kernels("partition.quotient").follow(self.columns[1].first(self.counts[0]), Column.of("i4", renamed))
