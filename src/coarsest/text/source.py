"""A text with a name, places in it, and messages about them: what was found, what was expected, what to do.

Every process loads them, for errors are made of them: they are no structs, so that short commands need not load msgspec.
"""

from __future__ import annotations

from bisect import bisect_right
from types import MappingProxyType
from typing import NamedTuple

MOST_COUNTED = 1 << 16
"""A short text may name so many things by ranges."""


class Source:
    """A text and the name people know it by (a file name, or `<formula>`)."""

    __slots__ = ("_line_starts", "name", "text")

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text
        self._line_starts: list[int] = []

    @property
    def most_counted(self) -> int:
        """The ranges of a text, such as `0..99`, stand for so many things in all: what is small must not take much memory."""
        return max(MOST_COUNTED, len(self.text))

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


LONGEST_LINE_SHOWN = 160
"""No more characters of a line are shown: those around the place."""

_CONTROLS = MappingProxyType({number: 0x2400 + number for number in range(32) if chr(number) not in "\t\n"} | {127: 0x2421})
"""Characters that a terminal obeys, as signs that it shows: a text must not write on the screen of its reader."""


class Diagnostic(NamedTuple):
    """What is wrong (or worth saying), where, and a hint how to mend it.

    >>> source = Source("m.smv", "VAR x : bolean;")
    >>> print(Diagnostic("unknown type 'bolean'", Span(source, 8, 14), hint="did you mean 'boolean'?").show())
    m.smv:1:9: error: unknown type 'bolean'
      1 | VAR x : bolean;
        |         ^^^^^^
      hint: did you mean 'boolean'?
    """

    message: str
    span: Span | None = None
    hint: str = ""
    level: str = "error"

    def show(self) -> str:
        """The message as people read it: place, line with a caret, hint."""
        return self._text().translate(_CONTROLS)

    def _text(self) -> str:
        hint = f"\n  hint: {self.hint}" if self.hint else ""
        if self.span is None:
            return f"{self.level}: {self.message}{hint}"
        source, start, end = self.span
        line_number, column = source.place(min(start, len(source.text)))
        head = f"{source.name}:{line_number}:{column}: {self.level}: {self.message}"
        line = source.line(line_number)
        width = max(1, min(end, start + len(line) - column + 1) - start)
        if len(line) > LONGEST_LINE_SHOWN:  # show a window of a very long line
            left = max(0, column - 1 - LONGEST_LINE_SHOWN // 2)
            line = line[left : left + LONGEST_LINE_SHOWN]
            column -= left
            width = min(width, len(line) - column + 1) or 1
        number = str(line_number)
        # Tabs before the caret are kept, so that the caret stands under what it points at.
        blank = "".join("\t" if c == "\t" else " " for c in line[: column - 1])
        return f"{head}\n  {number} | {line}\n  {' ' * len(number)} | {blank}{'^' * width}{hint}"
