"""What is wrong with a line of Aldébaran text: where it is, what was found, what was expected."""

from __future__ import annotations

import os
import re
from typing import Final

from coarsest.errors import InputError, ModelProblem, SyntaxProblem, Unsupported
from coarsest.text import Excerpt, Span, excerpt

FORM = "a transition is written (FROM, LABEL, TO)"
MOST: Final = 1 << 48
"""No computer has memory for more states or transitions."""
LONGEST: Final = len(str(MOST))
MOST_IDLE: Final = 10_000_000
"""The number of announced states that no transition can name: the first line of a small file must not take much memory."""
HEADER_FORM = "the first line is des (INITIAL, TRANSITIONS, STATES)"


def natural(digits: str | bytes) -> int:
    """The value of a row of digits; for a row so long that this would take time, a number too large for any graph."""
    return int(digits) if len(digits) <= LONGEST else MOST + 1


def too_many_idle(states: int, transitions: int) -> bool:
    """Are there many more states than transitions can name?"""
    limit = os.environ.get("COARSEST_IDLE_STATES", "")
    return states - 2 * transitions - 1 > max(MOST_IDLE, natural(limit) if limit.isdecimal() else 0)


def wrong_header(text: bytes, name: str) -> InputError:
    """The first line that is not empty is no header, or its numbers are impossible."""
    offset = len(text) - len(text.lstrip())
    line = excerpt(text, name, min(offset, max(0, len(text) - 1)))
    whole = Span(line, 0, max(1, len(line.text)))
    match = re.match(r"[ \t]*des[ \t]*\([ \t]*([0-9]+)[ \t]*,[ \t]*([0-9]+)[ \t]*,[ \t]*([0-9]+)[ \t]*\)", line.text)
    if match is not None and natural(match.group(3)) == 0:
        return ModelProblem("a graph has at least one state", Span(line, *match.span(3)), hint=HEADER_FORM)
    for group, things in ((2, "transitions"), (3, "states")):
        if match is not None and natural(match.group(group)) > MOST:
            message = f"no graph has this many {things}"
            return ModelProblem(message, Span(line, *match.span(group)), hint=HEADER_FORM)
    if match is not None and match.end() == len(line.text.rstrip()):
        initial, transitions, states = map(natural, match.groups())
        if initial < states:
            message = (
                f"{_counted(states, 'state')}, of which {_counted(transitions, 'transition')} can name {2 * transitions + 1}"
            )
            hint = f"no room is wasted on more than {MOST_IDLE:,} others; to have it, set COARSEST_IDLE_STATES={states}"
            return ModelProblem(message, Span(line, *match.span(3)), hint=hint)
        message = f"the initial state {_short(match.group(1))} is not one of the states 0 to {states - 1}"
        return ModelProblem(message, Span(line, *match.span(1)), hint=HEADER_FORM)
    if not text.strip():
        return SyntaxProblem("the file is empty, expected a graph in Aldébaran format", Span(line, 0, 1), hint=HEADER_FORM)
    if re.match(r"[ \t]*des[ \t]*\([^,]*[ \t][^,]*,", line.text):
        return Unsupported("a probabilistic initial state", whole, hint=HEADER_FORM)
    start = len(line.text) - len(line.text.lstrip())
    message = f"found `{_short(line.text[start:])}`, expected a header"
    return SyntaxProblem(message, Span(line, start, len(line.text)), hint=HEADER_FORM)


def wrong_line(text: bytes, name: str, offset: int, *, states: int, transitions: int, found: int) -> InputError:
    """The line at an offset is no transition, one too many, or it names a state that does not exist."""
    while text[offset : offset + 1] in (b" ", b"\t"):
        offset += 1
    line = excerpt(text, name, offset)
    problem = _broken_form(line) or _unknown_state(line, states)
    if problem is not None:
        return problem
    if found >= transitions:
        message = f"the header announces {_counted(transitions, 'transition')}, and here is one more"
        return ModelProblem(message, Span(line, 0, len(line.text)), hint=HEADER_FORM)
    return SyntaxProblem(f"found `{_short(line.text)}`, expected a transition", Span(line, 0, len(line.text)), hint=FORM)


def wrong_number_of_lines(text: bytes, name: str, transitions: int, lines: int) -> InputError:
    """There are fewer transitions than the header says."""
    line = excerpt(text, name, len(text) - len(text.lstrip()))
    message = f"the header announces {_counted(transitions, 'transition')}, but there {'is' if lines == 1 else 'are'} {lines:,}"
    return ModelProblem(message, Span(line, 0, len(line.text)), hint="is the file complete?")


def _broken_form(line: Excerpt) -> InputError | None:
    text = line.text
    at = len(text) - len(text.lstrip())
    for pattern, expected in (
        (r"\(", "`(`"), (r"[ \t]*[0-9]+(?![0-9.])", "the number of a state"), (r"[ \t]*,", "`,`"), (r".*,", "a label and `,`"),
        (r"[ \t]*[0-9]+(?![0-9.])", "the number of a state"), (r"[ \t]*\)", "`)`"), (r"[ \t]*\Z", "the end of the line"),
    ):  # fmt: skip
        match = re.compile(pattern).match(text, at)
        if match is None:
            while at < len(text) and text[at] in " \t":
                at += 1
            rest = text[at:]
            if expected == "`)`" and re.match(r"[0-9]+/[0-9]+|[0-9]+[ \t]+[0-9]", rest):
                return Unsupported("a probabilistic transition", Span(line, at, len(text)), hint=FORM)
            piece = f"`{_short(rest)}`" if rest else "the end of the line"
            return SyntaxProblem(f"found {piece}, expected {expected}", Span(line, at, at + max(1, len(rest))), hint=FORM)
        at = match.end()
    return None


def _unknown_state(line: Excerpt, states: int) -> InputError | None:
    match = re.match(r"[ \t]*\([ \t]*([0-9]+).*,[ \t]*([0-9]+)[ \t]*\)", line.text)
    if match is None:
        return None
    for group in (1, 2):
        if natural(match.group(group)) >= states:
            range_of_states = f"{_counted(states, 'state')}, 0 to {states - 1}"
            message = f"there is no state {_short(match.group(group))}: the header announces {range_of_states}"
            return ModelProblem(message, Span(line, *match.span(group)), hint=HEADER_FORM)
    return None


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."
