"""A text with a name, positions in it, and messages about them: what was found, what was expected, what to do.

Every process loads this module, since errors consist of its classes. They are not structs, so that short commands need not load
msgspec.
"""

from __future__ import annotations

from bisect import bisect_right
from types import MappingProxyType
from typing import Final, NamedTuple

MOST_COUNTED: Final = 1 << 16
"""The limit for the number of values and elements that all ranges of a short text represent."""


class Source:
    """A text and the name that people know it by (a file name, or `<formula>`)."""

    __slots__ = ("_line_starts", "name", "text")

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text
        self._line_starts: list[int] = []

    @property
    def most_counted(self) -> int:
        """The limit for the values of all ranges of a text, such as `0..99`: a small text must not take much memory."""
        return max(MOST_COUNTED, len(self.text))

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """The line and the column of an offset, both counted from 1."""
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

    @property
    def line_number(self) -> int:
        return self.source.line_and_column(self.start)[0]

    def to(self, last: Span) -> Span:
        """From the start of this span to the end of the last one."""
        return Span(self.source, self.start, max(self.end, last.end))


class Excerpt(Source):
    """One line of a text that may be large: lines and columns are those of the whole."""

    __slots__ = ("line_number",)

    def __init__(self, name: str, text: str, line_number: int = 1) -> None:
        super().__init__(name, text)
        self.line_number = line_number

    def line_and_column(self, offset: int) -> tuple[int, int]:
        return self.line_number, offset + 1

    def line(self, number: int) -> str:
        return self.text


def excerpt(text: bytes, name: str, offset: int) -> Excerpt:
    """The line that contains a byte."""
    begin = text.rfind(b"\n", 0, offset) + 1
    end = text.find(b"\n", offset)
    line = text[begin : len(text) if end < 0 else end].decode("utf-8", "replace").rstrip("\r")
    return Excerpt(name, line, line_number=text.count(b"\n", 0, begin) + 1)


LONGEST_LINE_SHOWN: Final = 160
"""The number of characters around the position to which a longer line is cut."""

_CONTROLS = MappingProxyType({code: 0x2400 + code for code in range(32) if chr(code) not in "\t\n"} | {127: 0x2421})
"""Visible signs for the characters that a terminal obeys: a text must not control the screen of its reader."""


class Diagnostic(NamedTuple):
    """A message about an error or another fact, its position, and a hint on how to correct it.

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
        """The message as people read it: position, line with a caret, hint."""
        return self._text().translate(_CONTROLS)

    def _text(self) -> str:
        hint = f"\n  hint: {self.hint}" if self.hint else ""
        if self.span is None:
            return f"{self.level}: {self.message}{hint}"
        source, start, end = self.span
        line_number, column = source.line_and_column(min(start, len(source.text)))
        head = f"{source.name}:{line_number}:{column}: {self.level}: {self.message}"
        line = source.line(line_number)
        width = max(1, min(end, start + len(line) - column + 1) - start)
        if len(line) > LONGEST_LINE_SHOWN:  # show a window of a very long line
            left = max(0, column - 1 - LONGEST_LINE_SHOWN // 2)
            line = line[left : left + LONGEST_LINE_SHOWN]
            column -= left
            width = min(width, len(line) - column + 1) or 1
        gutter = " " * len(str(line_number))
        # Tabs before the caret are kept, so that the caret stands under what it points at.
        blank = "".join("\t" if c == "\t" else " " for c in line[: column - 1])
        return f"{head}\n  {line_number} | {line}\n  {gutter} | {blank}{'^' * width}{hint}"
