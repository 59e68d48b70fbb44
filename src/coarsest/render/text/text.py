"""Verdicts as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from coarsest.evidence.verdict import Answer, shown_word
from coarsest.render.text.columns import shorten, wrap
from coarsest.render.text.evidence_text import DEFAULT_LOOK, DetailLevel, evidence_to_lines, further_to_lines
from coarsest.run import Statistic

__all__ = ["DEFAULT_LOOK", "DetailLevel", "answer_to_text", "statistics_to_lines", "summary_line"]

COLOURS = {"holds": "\x1b[32m", "fails": "\x1b[31m", "unknown": "\x1b[33m"}
PLAIN = "\x1b[0m"
INDENT = "    "


def answer_to_text(answer: Answer, look: DetailLevel = DEFAULT_LOOK) -> str:
    """The verdict on a property with its evidence, without a line end.

    >>> from coarsest.evidence.verdict import Unknown
    >>> print(answer_to_text(Answer("safe", "invariant", "x < 3", Unknown("the time limit of 5 s was reached"))))
    unknown  safe: x < 3
        because the time limit of 5 s was reached
    """
    word = shown_word(answer)
    shown = " ".join(answer.title.split()) if look.verbose else shorten(answer.title, max(40, look.width - 9))
    painted = f"{COLOURS[answer.verdict.word]}{word}{PLAIN}{' ' * (7 - len(word))}" if look.colour else f"{word:<7}"
    lines = [f"{painted}  {shown}"]
    if not look.quiet:
        details = list(evidence_to_lines(answer, look, look.width - len(INDENT)))
        details += further_to_lines(answer, look, look.width - len(INDENT))
        details += [f"warning: {warning}" for warning in answer.warnings]
        if look.verbose:
            details += [f"{answer.seconds:.2f} s", *statistics_to_lines(answer.statistics, look.width - len(INDENT))]
        lines += [(INDENT + line).rstrip() for line in details]
    return "\n".join(lines)


def statistics_to_lines(statistics: Mapping[str, Statistic], width: int) -> list[str]:
    """Facts in lines: `nodes = 12   steps = 4`."""
    return wrap([f"{name.replace('_', ' ')} = {_number(value)}" for name, value in statistics.items()], width)


def _number(value: Statistic) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def summary_line(words: Sequence[str], seconds: float) -> str:
    """A line about all verdicts.

    >>> summary_line(["holds", "fails", "holds"], 0.25)
    '3 properties: 2 hold, 1 fails (0.25 s)'
    """
    verbs = {"holds": "hold", "fails": "fail", "unknown": "unknown", "computed": "computed"}
    counts = {word: words.count(word) for word in verbs}
    parts = [f"{count} {word if count == 1 else verbs[word]}" for word, count in counts.items() if count]
    head = f"{len(words)} propert{'y' if len(words) == 1 else 'ies'}"
    return f"{head}: {', '.join(parts) or 'nothing to check'} ({seconds:.2f} s)"
