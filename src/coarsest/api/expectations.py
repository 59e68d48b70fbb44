"""Expected verdicts: in comments beside properties, and in files.

>>> import coarsest
>>> model = coarsest.loads('''
... MODULE main VAR n : 0..3; ASSIGN init(n) := 0; next(n) := (n + 1) mod 4;
... INVARSPEC n < 3  -- expect: fails
... -- expect: holds
... INVARSPEC n <= 3
... ''')
>>> expected_beside(model.properties)
['fails', 'holds']
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePath

from msgspec import Struct

from coarsest.errors import InputError
from coarsest.model.machine import Property
from coarsest.text import Source, Span
from coarsest.text.near import nearest

VERDICTS = ("holds", "fails", "unknown")
_COMMENT = re.compile(r"(?:--|//|#)[^\S\n]*expect:[^\S\n]*(?P<verdict>[^\s*]*)", re.IGNORECASE)
_ENTRY = re.compile(r"(?P<verdict>holds|fails|unknown)\s+(?P<title>.*?\S)(\s+\((as expected|expected: \w+)\))?")


def expected_beside(properties: Sequence[Property]) -> list[str | None]:
    """The verdicts in comments on a line of a property, or alone on a line before it."""
    expected: list[str | None] = [None] * len(properties)
    sources = {id(claim.span.source): claim.span.source for claim in properties if claim.span is not None}
    for source in sources.values():
        for comment in _COMMENT.finditer(source.text):
            verdict = _verdict(Span(source, *comment.span("verdict")))
            before = source.text[source.text.rfind("\n", 0, comment.start()) + 1 : comment.start()]
            places = _meant(source, comment.end(), properties, alone=not before.strip())
            if not places:
                span = Span(source, *comment.span("verdict"))
                raise InputError("this comment belongs to no property", span, hint="move it to one")
            for place in places:
                expected[place] = verdict
    return expected


def _verdict(span: Span) -> str:
    if span.text.lower() in VERDICTS:
        return span.text.lower()
    near = nearest(span.text, VERDICTS)
    hint = f"did you mean '{near[0]}'?" if near else f"it is one of {', '.join(VERDICTS)}"
    raise InputError(f"'{span.text}' is not a verdict", span, hint=hint)


def _meant(source: Source, end: int, properties: Sequence[Property], *, alone: bool) -> list[int]:
    """The indices of the properties that a comment is about: a property of a module may have several instances."""
    line, _ = source.line_and_column(end)
    spans = [(place, claim.span) for place, claim in enumerate(properties) if claim.span is not None]
    lines = {
        place: (at.line_number, source.line_and_column(at.end)[0]) for place, at in spans if at.source is source
    }
    here = [place for place, (first, last) in lines.items() if first <= line <= last]
    if here or not alone:
        return here
    following = min((first for first, _ in lines.values() if first > line), default=None)
    return [place for place, (first, _) in lines.items() if first == following]


class ExpectedVerdict(Struct, frozen=True):
    """A line of a file of expected verdicts."""

    model: str
    """The name of the model; empty for any model."""
    verdict: str
    title: str
    span: Span

    def is_about(self, model: str, claim: Property, number: int) -> bool:
        """Is it about this property, which has this number in its model?"""
        if self.model not in ("", model, PurePath(model).name):
            return False
        title, formula = " ".join(self.title.split()), " ".join(claim.text.split())
        if claim.name:
            return title in (claim.name, str(number)) or title.startswith(f"{claim.name}: ")
        start, cut, end = title.partition("...")  # as a long formula is shown
        shown = f"{formula} IN {claim.module}" if claim.module else formula
        return title in (formula, shown, str(number)) or bool(cut and shown.startswith(start) and shown.endswith(end))


def listed(source: Source) -> list[ExpectedVerdict]:
    """The entries of a file in the format of `check -q`: a verdict, and the name, number or formula of a property. With several
    models, the entries of each follow its name."""
    return list(_entries(source))


def _entries(source: Source) -> Iterator[ExpectedVerdict]:
    model, start = "", 0
    for line in source.text.split("\n"):
        span = Span(source, start, start + len(line))
        start += len(line) + 1
        text = line.strip()
        if not text or text.startswith(("#", "--")):
            continue
        entry = _ENTRY.fullmatch(text)
        if entry is not None:
            yield ExpectedVerdict(model, entry["verdict"], entry["title"], span)
        elif len(text.split()) == 1:
            model = text
        else:
            raise InputError("expected a verdict and a property, or the name of a model", span, hint="as 'check -q' prints them")


def expected_by(
    entries: Sequence[ExpectedVerdict], model: str, claims: Sequence[Property]
) -> tuple[list[str | None], frozenset[ExpectedVerdict]]:
    """The expected verdict of each property of a model, and the entries that give them."""
    expected: list[str | None] = []
    used: set[ExpectedVerdict] = set()
    for number, claim in enumerate(claims, start=1):
        fitting = [entry for entry in entries if entry.is_about(model, claim, number)]
        expected.append(fitting[-1].verdict if fitting else None)
        used |= set(fitting)
    return expected, frozenset(used)
