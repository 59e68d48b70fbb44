"""Error messages about Aldébaran text: where the error is, what was found, what was expected."""

from __future__ import annotations

import os
import re
from typing import Final

from coarsest.errors import InputError, ModelProblem, SyntaxProblem, Unsupported
from coarsest.text import Excerpt, Span, excerpt
from coarsest.text.printable import shortened

FORM = "a transition is written (FROM, LABEL, TO)"
MOST: Final = 1 << 48
"""No computer has memory for more states or transitions."""
LONGEST: Final = len(str(MOST))
MOST_IDLE: Final = 10_000_000
"""The limit for announced states that no transition can name: the first line of a small file must not allocate much memory."""
HEADER_FORM = "the first line is des (INITIAL, TRANSITIONS, STATES)"


def natural(digits: str | bytes) -> int:
    """The value of a row of digits; a row that is too long to be converted quickly gives a number too large for any graph."""
    return int(digits) if len(digits) <= LONGEST else MOST + 1


def too_many_idle(states: int, transitions: int) -> bool:
    """Are there many more states than transitions can name?"""
    limit = os.environ.get("COARSEST_IDLE_STATES", "")
    return states - 2 * transitions - 1 > max(MOST_IDLE, natural(limit) if limit.isdecimal() else 0)


def wrong_header(text: bytes, name: str) -> InputError:
    """The error of a first line that is not a header, or whose numbers are impossible."""
    offset = len(text) - len(text.lstrip())
    line = excerpt(text, name, min(offset, max(0, len(text) - 1)))
    whole = Span(line, 0, max(1, len(line.text)))
    match = re.match(r"[ \t]*des[ \t]*\([ \t]*([0-9]+)[ \t]*,[ \t]*([0-9]+)[ \t]*,[ \t]*([0-9]+)[ \t]*\)", line.text)
    if match is not None and natural(match.group(3)) == 0:
        return ModelProblem("a graph has at least one state", Span(line, *match.span(3)), hint=HEADER_FORM)
    for group, noun in ((2, "transitions"), (3, "states")):
        if match is not None and natural(match.group(group)) > MOST:
            return ModelProblem(f"no graph has this many {noun}", Span(line, *match.span(group)), hint=HEADER_FORM)
    if match is not None and match.end() == len(line.text.rstrip()):
        initial, transitions, states = map(natural, match.groups())
        if initial < states:
            reach = f"{_counted(transitions, 'transition')} can reach only {2 * transitions + 1}"
            message = f"the header announces {_counted(states, 'state')}, but {reach}"
            hint = f"more than {MOST_IDLE:,} other states are read only if COARSEST_IDLE_STATES={states} is set"
            return ModelProblem(message, Span(line, *match.span(3)), hint=hint)
        message = f"the initial state {shortened(match.group(1))} is not one of the states 0 to {states - 1}"
        return ModelProblem(message, Span(line, *match.span(1)), hint=HEADER_FORM)
    if not text.strip():
        return SyntaxProblem("the file is empty, expected a graph in Aldébaran format", Span(line, 0, 1), hint=HEADER_FORM)
    if re.match(r"[ \t]*des[ \t]*\([^,]*[ \t][^,]*,", line.text):
        return Unsupported("a probabilistic initial state", whole, hint=HEADER_FORM)
    start = len(line.text) - len(line.text.lstrip())
    message = f"found `{shortened(line.text[start:])}`, expected a header"
    return SyntaxProblem(message, Span(line, start, len(line.text)), hint=HEADER_FORM)


def wrong_line(text: bytes, name: str, offset: int, *, states: int, transitions: int, before: int) -> InputError:
    """The error of a line that is not a transition, is one too many, or names a state that does not exist."""
    while text[offset : offset + 1] in (b" ", b"\t"):
        offset += 1
    line = excerpt(text, name, offset)
    problem = _broken_form(line) or _unknown_state(line, states)
    if problem is not None:
        return problem
    if before >= transitions:
        message = f"the header announces {_counted(transitions, 'transition')}, but here is another one"
        return ModelProblem(message, Span(line, 0, len(line.text)), hint=HEADER_FORM)
    return SyntaxProblem(f"found `{shortened(line.text)}`, expected a transition", Span(line, 0, len(line.text)), hint=FORM)


def wrong_number_of_lines(text: bytes, name: str, transitions: int, lines: int) -> InputError:
    """The error of a text with fewer transitions than its header announces."""
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
            piece = f"`{shortened(rest)}`" if rest else "the end of the line"
            return SyntaxProblem(f"found {piece}, expected {expected}", Span(line, at, at + max(1, len(rest))), hint=FORM)
        at = match.end()
    return None


def _unknown_state(line: Excerpt, states: int) -> InputError | None:
    match = re.match(r"[ \t]*\([ \t]*([0-9]+).*,[ \t]*([0-9]+)[ \t]*\)", line.text)
    if match is None:
        return None
    for group in (1, 2):
        if natural(match.group(group)) >= states:
            number, states_announced = shortened(match.group(group)), f"{_counted(states, 'state')}, 0 to {states - 1}"
            message = f"there is no state {number}: the header announces {states_announced}"
            return ModelProblem(message, Span(line, *match.span(group)), hint=HEADER_FORM)
    return None


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
