"""A text with a name, and places in it."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from msgspec import Struct, field


class Source(Struct, frozen=True, eq=False):
    """A text and the name people know it by (a file name, or `<formula>`)."""

    name: str
    text: str
    _line_starts: list[int] = field(default_factory=list)

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both counted from 1."""
        starts = self._starts()
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of a line, counted from 1, without its end."""
        starts = self._starts()
        start = starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start : len(self.text) if end < 0 else end].rstrip("\r")

    def _starts(self) -> list[int]:
        if not self._line_starts:
            self._line_starts.append(0)
            position = self.text.find("\n")
            while position >= 0:
                self._line_starts.append(position + 1)
                position = self.text.find("\n", position + 1)
        return self._line_starts


class Span(NamedTuple):
    """The part of a source from `start` up to, not including, `end`."""

    source: Source
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    def to(self, other: Span) -> Span:
        """From the start of this span to the end of the other."""
        return Span(self.source, self.start, max(self.end, other.end))


class Placed(Struct, frozen=True, eq=False):
    """What was written somewhere: its field `span` says where, and is no part of what it says: neither compared nor shown."""

    def __eq__(self, other: object) -> bool:
        return other.__class__ is self.__class__ and self._said() == other._said()

    def __hash__(self) -> int:
        return hash(self._said())

    def __repr__(self) -> str:
        names = (name for name in self.__struct_fields__ if name != "span")
        return f"{self.__class__.__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    def _said(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self.__struct_fields__ if name != "span")
