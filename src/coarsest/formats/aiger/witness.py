"""Reading witnesses of AIGER, which other model checkers and simulators write.

Reference: Biere, Heljanko, Wieringa 2011, "AIGER 1.9 and beyond", section 4.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from coarsest.errors import SyntaxProblem, Unsupported
from coarsest.text import Source, Span

FORM = "a witness is a line 1, the property (b0, j0), the latches, the inputs of each step, and a full stop"
_PROPERTIES = re.compile(r"(?:[bj][0-9]{1,9}\s*)+")
_BITS = re.compile(r"[01xX]*")


class Witness(Struct, frozen=True):
    """The properties that are violated, and digits for latches and inputs: 0, 1, or x where the value does not matter."""

    properties: tuple[tuple[str, int], ...]
    latches: str
    inputs: tuple[str, ...]


def is_witness(source: Source) -> bool:
    """Is this a text of witnesses, rather than JSON?"""
    return source.name.lower().endswith((".wit", ".cex")) or source.text.lstrip()[:1] in tuple("012")


def read_witnesses(source: Source) -> list[Witness]:
    """All witnesses of a text. Properties that hold (0) and properties that are not decided (2) have none.

    >>> read_witnesses(Source("x.wit", "1\\nb0\\n0x\\n1\\n0\\n.\\n"))
    [Witness(properties=(('b', 0),), latches='0x', inputs=('1', '0'))]
    """
    lines = _lines(source)
    witnesses = []
    for status, span in lines:
        if status == "sat":
            hint = "`btorsim -c` replays it; a trace in JSON (-o x.json) is confirmed here"
            raise Unsupported("this is a witness of BTOR2, which is written but not read", span, hint=hint)
        if status not in ("0", "1", "2"):
            raise SyntaxProblem(f"found `{status[:40]}`, expected 0, 1 or 2", span, hint=FORM)
        first, where = next(lines, ("", span))
        if not _PROPERTIES.fullmatch(first):
            raise SyntaxProblem(f"found `{first[:40]}`, expected a property such as b0 or j0", where, hint=FORM)
        if status == "1":
            witnesses.append(_witness(first, lines, where))
        elif (mark := next(lines, (".", span)))[0] != ".":
            raise SyntaxProblem(f"found `{mark[0][:40]}`, expected a full stop", mark[1], hint=FORM)
    return witnesses


def _lines(source: Source) -> Iterator[tuple[str, Span]]:
    """The lines, without comments, and without lines that say how deep the search was (u10)."""
    start = 0
    for line in source.text.splitlines(keepends=True):
        text = line.strip(" \t\r\n")
        if text[:1] not in ("c", "u"):
            yield text, Span(source, start, start + max(1, len(line.rstrip("\r\n"))))
        start += len(line)


def _witness(properties: str, lines: Iterator[tuple[str, Span]], where: Span) -> Witness:
    rows: list[str] = []
    for text, span in lines:
        where = span
        if text == ".":
            break
        if not _BITS.fullmatch(text):
            raise SyntaxProblem(f"found `{text[:40]}`, expected digits 0, 1 and x", span, hint=FORM)
        rows.append(text.lower())
    else:
        raise SyntaxProblem("the text ends, expected a full stop", where, hint=FORM)
    if not rows:
        raise SyntaxProblem("expected the latches before the full stop", where, hint=FORM)
    names = tuple((name[0], int(name[1:])) for name in re.findall(r"[bj][0-9]+", properties))
    return Witness(names, rows[0], tuple(rows[1:]))
