"""The evidence for a verdict as text: the reason, the path, and the truth of the parts of the property along it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from coarsest.evidence.explanation import Explanation
from coarsest.evidence.reading import Reading
from coarsest.evidence.verdict import Answer, Fails, Holds, Unknown, shown_trace
from coarsest.explain.every_path import reason_in_words
from coarsest.explain.reasons import unfold
from coarsest.model.trace import Trace
from coarsest.render.text.columns import fold, shorten
from coarsest.render.text.explanation_text import ReasonLines
from coarsest.render.text.focus import Focus
from coarsest.render.text.trace_text import STYLES, trace_to_text
from coarsest.render.text.truth_text import ASCII_MARKS, UNICODE_MARKS, truths_to_lines


class DetailLevel(Struct, frozen=True):
    """How much to show, and on which kind of screen."""

    trace: str = "changes"
    width: int = 100
    colour: bool = False
    quiet: bool = False
    verbose: bool = False
    unicode: bool = True


DEFAULT_LOOK = DetailLevel()


def evidence_to_lines(answer: Answer, look: DetailLevel, width: int) -> Iterator[str]:
    """The lines below a verdict."""
    head = headline(answer)
    yield from fold(head, width) if head else ()
    match answer.verdict:
        case Unknown(advice=advice) if advice:
            yield from fold(f"to try next: {advice}", width)
        case Holds(proof, explanation) if explanation is not None:
            yield from _shown(answer, explanation, look, width)
            yield from [proof.summary] if proof is not None else []
        case Holds(witness=Trace()) | Fails(Trace()) | Fails(None, Explanation()):
            yield from _shown(answer, answer.verdict.explanation, look, width)


def further_to_lines(answer: Answer, look: DetailLevel, width: int) -> Iterator[str]:
    """The other counterexamples, one after the other."""
    for one in answer.more:
        yield from (f"another {line}" if not number else line for number, line in enumerate(evidence_to_lines(one, look, width)))


def headline(answer: Answer) -> str:
    """The kind of evidence, and whether it was confirmed; empty if there is none."""
    match answer.verdict:
        case Unknown(because, bound=bound):
            return because if bound is not None else f"because {because}"
        case Fails(proof=proof) if proof is not None:
            return f"it is never reached: {proof.summary} ({_confirmation(answer, 'confirmed')})"
        case Holds(None, None, witness=None):
            return answer.verdict.shown_by or _confirmation(answer, "")
        case Holds(proof, None) if proof is not None:
            return f"{proof.summary} ({_confirmation(answer, 'confirmed')})"
        case Fails(None, None):
            return _confirmation(answer, "")
    explanation, trace = answer.verdict.explanation, shown_trace(answer)
    if explanation is not None and not explanation.shows_a_path:
        return _about_all_paths(answer, explanation)
    noun = "counterexample" if isinstance(answer.verdict, Fails) else "witness"
    if trace is not None and answer.reading is not None and answer.reading.shown is not None:
        trace = answer.reading.shown
    count, unit = (len(trace), trace.unit) if trace is not None else (0, "state")
    return f"{noun} of {count} {unit}{'s' if count != 1 else ''} ({_confirmation(answer, 'confirmed by replay')})"


def _about_all_paths(answer: Answer, explanation: Explanation) -> str:
    """A claim in words that no single path shows."""
    origin = "from an initial state" if isinstance(answer.verdict, Holds) else "from this initial state"
    words = reason_in_words(explanation, fair=answer.reading is not None and answer.reading.fair, origin=origin)
    shown_by = answer.verdict.shown_by if isinstance(answer.verdict, Holds) and answer.verdict.proof is None else None
    return f"{words.removesuffix(' here')} ({_confirmation(answer, shown_by or 'confirmed')})"


def _confirmation(answer: Answer, word: str) -> str:
    """Whether the evidence was confirmed, or why not."""
    return word if answer.confirmed else f"not confirmed: {answer.doubt}" if answer.doubt else "not confirmed"


def _shown(answer: Answer, explanation: Explanation | None, look: DetailLevel, width: int) -> Iterator[str]:
    reading = answer.reading or Reading()
    trace = shown_trace(answer)
    focus = Focus(answer.reading, everything=look.trace == "full")
    if explanation is not None and explanation.shows_a_path:
        because = shorten(explanation.because, 3 * width)
        yield from fold(f"because {because.removesuffix(' here')}{' at state 0' * because.endswith(' here')}", width)
    if trace is not None and look.trace in STYLES:
        shown = reading.with_definitions(trace)
        by_column = shown.unit != "state" and look.trace == "changes"
        yield from _path(shown, focus, "table" if by_column else look.trace, width)
    if explanation is not None:
        yield from ReasonLines(focus, look.trace, width, fair=reading.fair).parts(unfold(explanation))
    if trace is not None and look.trace in STYLES:
        marks = UNICODE_MARKS if look.unicode else ASCII_MARKS
        unit = reading.with_definitions(trace).unit
        yield from truths_to_lines(reading.truths, loop=trace.loop, width=width, marks=marks, unit=unit)


def _path(trace: Trace, focus: Focus, style: str, width: int) -> Iterator[str]:
    yield from trace_to_text(trace, style=style, width=width, names=focus.names(trace)).split("\n")
    hidden = focus.left_out(trace)
    if hidden:
        yield f"-- {hidden} more variable{'s' if hidden > 1 else ''} (--trace full)"

