"""A message about a place in a text: what was found, what was expected, what to do."""

from __future__ import annotations

from types import MappingProxyType

from msgspec import Struct

from coarsest.text.source import Span

LONGEST_LINE_SHOWN = 160

_CONTROLS = MappingProxyType({number: 0x2400 + number for number in range(32) if chr(number) not in "\t\n"} | {127: 0x2421})
"""Characters that a terminal obeys, as signs that it shows: a text must not write on the screen of its reader."""


class Diagnostic(Struct, frozen=True):
    """What is wrong (or worth saying), where, and a hint how to mend it.

    >>> from coarsest.text import Source
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
