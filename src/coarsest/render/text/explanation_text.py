"""Explanations as text: a path, and below it what holds in its states and why."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Final

from msgspec import Struct, field

from coarsest.explain.every_path import reason_in_words
from coarsest.explain.reasons import Reason
from coarsest.logic.expr import Apply
from coarsest.logic.operators import BOOLEAN_CONNECTIVES
from coarsest.logic.show import show
from coarsest.model.trace import Trace
from coarsest.render.text.columns import fold, shorten
from coarsest.render.text.focus import Focus
from coarsest.render.text.trace_text import STYLES, trace_to_text

MOST_DEPTH: Final = 5
MOST_LINES: Final = 60
STEP = "  "


class ReasonLines(Struct):
    """Writes the parts of an explanation as a tree, within a number of lines."""

    focus: Focus
    style: str
    width: int
    fair: bool = False
    _labels: Iterator[int] = field(default_factory=count)

    def parts(self, reason: Reason, label: str = "") -> Iterator[str]:
        """The lines for the claims below a claim. States of its path are named by the label and their number."""
        lines = list(self._parts(reason, label, 1))
        yield from lines if self.style == "full" else lines[:MOST_LINES]
        if self.style != "full" and len(lines) > MOST_LINES:
            yield f"… {len(lines) - MOST_LINES} more lines: --trace full shows all"

    def _parts(self, reason: Reason, label: str, depth: int) -> Iterator[str]:
        for group in _alike(reason.parts):
            shown = group if self.style == "full" else group[:1]
            for part in shown:
                yield from self._part(part, label, depth)
            if len(group) > len(shown):
                places = ", ".join(f"{label}{part.at}" for part in group[1:])
                yield from self._fold(f"likewise at state{'s' * (len(group) > 2)} {places}", depth)

    def _part(self, reason: Reason, label: str, depth: int) -> Iterator[str]:
        claim = reason.claim
        words = reason_in_words(claim, fair=self.fair).removesuffix(" here")
        if _is_said_by_the_only_part(reason, words):
            yield from self._part(reason.parts[0], label, depth)
            return
        why = shorten(words, 3 * self.width)
        if not (isinstance(claim.formula, Apply) and claim.formula.op in BOOLEAN_CONNECTIVES):
            formula = shorten(show(claim.formula), max(30, self.width - 30))
            why = f"{formula} is {'true' if claim.holds else 'false'}, because {why}"
        yield from self._fold(f"at state {label}{reason.at}: {why}", depth)
        inner = label
        if reason.path is not None and self.style in STYLES:
            inner = self._next_label()
            yield from (STEP + line for line in self._path(reason.path, inner, f"state {label}{reason.at}", depth))
        if depth < MOST_DEPTH or self.style == "full":
            yield from (STEP + line for line in self._parts(reason, inner, depth + 1))
        elif reason.parts:
            yield f"{STEP}… and further reasons: --trace full shows all"

    def _path(self, path: Trace, label: str, begins: str, depth: int) -> list[str]:
        names = self.focus.names(path)
        first = begins if self.style == "changes" else ""
        room = self._room(depth) - len(STEP)
        return trace_to_text(path, style=self.style, width=room, label=label, begins=first, names=names).split("\n")

    def _room(self, depth: int) -> int:
        return max(40, self.width - len(STEP) * (depth - 1))

    def _fold(self, text: str, depth: int) -> list[str]:
        return fold(text, self._room(depth))

    def _next_label(self) -> str:
        number = next(self._labels)
        times, letter = divmod(number, 26)
        return chr(ord("a") + letter) * (1 + times)


def _is_said_by_the_only_part(reason: Reason, words: str) -> bool:
    """Is the part about the same state, with the same claim, so that it replaces this one?"""
    if reason.path is not None or len(reason.parts) != 1 or reason.parts[0].at != reason.at:
        return False
    claim = reason.parts[0].claim
    return words == f"{show(claim.formula)} is {'true' if claim.holds else 'false'}"


def _alike(reasons: Sequence[Reason]) -> list[list[Reason]]:
    """Explain a claim in several states once, if the reasons differ at most in the number of steps."""
    groups: dict[tuple[object, bool, str], list[Reason]] = {}
    for reason in reasons:
        claim = reason.claim
        groups.setdefault((claim.formula, claim.holds, re.sub("[0-9]+ steps?", "", claim.because)), []).append(reason)
    return list(groups.values())
