"""What is wrong with a line of Aldébaran text: the place, what was found, what was expected."""

from __future__ import annotations

import os
import re

from coarsest.errors import InputError, ModelProblem, SyntaxProblem, Unsupported
from coarsest.text import Source, Span

FORM = "a transition is written (FROM, LABEL, TO)"
MOST = 1 << 48
"""States or transitions that nobody has room for."""
LONGEST = len(str(MOST))
MOST_IDLE = 10_000_000
"""States that the header announces and no transition can name; a small file must not take much memory by its first line."""
HEADER_FORM = "the first line is des (INITIAL, TRANSITIONS, STATES)"


class Excerpt(Source):
    """One line of a text that may be large: the places are those in the whole."""

    __slots__ = ("number",)

    def __init__(self, name: str, text: str, number: int = 1) -> None:
        super().__init__(name, text)
        self.number = number

    def place(self, offset: int) -> tuple[int, int]:
        return self.number, offset + 1

    def line(self, number: int) -> str:
        return self.text


def excerpt(text: bytes, name: str, place: int) -> Excerpt:
    """The line that contains a place."""
    begin = text.rfind(b"\n", 0, place) + 1
    end = text.find(b"\n", place)
    line = text[begin : len(text) if end < 0 else end].decode("utf-8", "replace").rstrip("\r")
    return Excerpt(name, line, number=text.count(b"\n", 0, begin) + 1)


def natural(digits: str | bytes) -> int:
    """The value of a row of digits, or of a long one, for which that would take long, a number too large for any graph."""
    return int(digits) if len(digits) <= LONGEST else MOST + 1


def too_many_idle(states: int, transitions: int) -> bool:
    """Are there far more states than transitions can name?"""
    limit = os.environ.get("COARSEST_IDLE_STATES", "")
    return states - 2 * transitions - 1 > max(MOST_IDLE, natural(limit) if limit.isdecimal() else 0)


def wrong_header(text: bytes, name: str) -> InputError:
    """The first line that is not empty is no header, or one that says impossible things."""
    place = len(text) - len(text.lstrip())
    line = excerpt(text, name, min(place, max(0, len(text) - 1)))
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


def wrong_line(text: bytes, name: str, place: int, *, states: int, transitions: int, found: int) -> InputError:
    """The line at a place is no transition, or one too many, or it leaves the states."""
    while text[place : place + 1] in (b" ", b"\t"):
        place += 1
    line = excerpt(text, name, place)
    problem = _broken_form(line) or _unknown_state(line, states)
    if problem is not None:
        return problem
    if found >= transitions:
        message = f"the header announces {_counted(transitions, 'transition')}, and here is one more"
        return ModelProblem(message, Span(line, 0, len(line.text)), hint=HEADER_FORM)
    return SyntaxProblem(f"found `{_short(line.text)}`, expected a transition", Span(line, 0, len(line.text)), hint=FORM)


def wrong_number_of_lines(text: bytes, name: str, transitions: int, lines: int) -> InputError:
    """There are fewer transitions than the header says."""
    place = len(text) - len(text.lstrip())
    line = excerpt(text, name, place)
    message = f"the header announces {_counted(transitions, 'transition')}, but there {_counted(lines, 'is', 'are')}"
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


def _counted(number: int, one: str, many: str = "") -> str:
    if one == "is":
        return f"{one if number == 1 else many} {number:,}"
    return f"{number:,} {one}" if number == 1 else f"{number:,} {many or one + 's'}"


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."
