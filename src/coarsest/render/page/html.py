"""Verdicts as tables for notebooks; traces are in `evidence.trace_table`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from html import escape
from typing import Final

from coarsest.evidence.reading import Reading, TruthRow
from coarsest.evidence.verdict import Answer, Unknown, coloured, shown_trace, shown_word
from coarsest.explain.every_path import reason_in_words
from coarsest.explain.reasons import Reason, unfold
from coarsest.logic.show import show
from coarsest.model.trace import Trace
from coarsest.model.trace_table import trace_to_html
from coarsest.render.text.evidence_text import headline
from coarsest.render.text.focus import Focus
from coarsest.render.text.trace_text import narrowed
from coarsest.render.text.truth_text import FEWEST_ROWS

__all__ = ["answer_to_row", "answers_to_html", "rows_to_table", "trace_to_html"]

MOST_DEPTH: Final = 8


def answers_to_html(answers: Iterable[Answer]) -> str:
    """A table of verdicts, each with its evidence or its reason."""
    return rows_to_table(map(answer_to_row, answers))


def answer_to_row(answer: Answer) -> str:
    """A verdict as one row of that table."""
    word = shown_word(answer)
    evidence = "".join(part for one in (answer, *answer.more) for part in evidence_to_html(one, _path))
    return (
        f'<tr><td>{coloured(word, answer.verdict.word)}</td>'
        f'<td style="text-align:left"><code>{escape(answer.title)}</code></td>'
        f'<td style="text-align:left">{evidence}</td></tr>'
    )


def rows_to_table(rows: Iterable[str]) -> str:
    """The table of rows made by `answer_to_row`."""
    return f"<table><tr><th>verdict</th><th>property</th><th>evidence</th></tr>{''.join(rows)}</table>"


def facts_to_html(facts: Mapping[str, object]) -> str:
    """A table with a line for each fact that is known."""
    rows = (
        f'<tr><th style="text-align:left">{escape(name)}</th><td style="text-align:left">{escape(str(value))}</td></tr>'
        for name, value in facts.items() if value not in (None, "")
    )  # fmt: skip
    return f"<table>{''.join(rows)}</table>"


def evidence_to_html(
    answer: Answer, path: Callable[[Trace, Focus], str], whole: Callable[[Trace, Focus], str] | None = None
) -> Iterator[str]:
    """The evidence of a verdict in parts: what is said of it, its trace, and its reasons with a `path` for each."""
    head = headline(answer)
    yield f"<p>{escape(head)}</p>" if head else ""
    if isinstance(answer.verdict, Unknown):
        return
    explanation, trace = answer.verdict.explanation, shown_trace(answer)
    reading = answer.reading or Reading()
    focus = Focus(answer.reading)
    if explanation is not None and explanation.shows_a_path:
        yield f"<p>because {escape(explanation.because)}</p>"
    if trace is not None:
        yield (whole or path)(reading.with_definitions(trace), focus)
    if explanation is not None:
        yield reasons_to_html(unfold(explanation), lambda own: path(own, focus), fair=reading.fair)
    if trace is not None and len(reading.truths) >= FEWEST_ROWS and len(trace) > 1:
        yield f'<div class="wide" tabindex="0">{truths_to_html(reading.truths, trace.loop)}</div>'


def _path(trace: Trace, focus: Focus) -> str:
    names = focus.names(trace)
    hidden = focus.left_out(trace)
    note = f"<div><i>{hidden} more variable{'s' if hidden > 1 else ''}</i></div>" if hidden else ""
    return trace_to_html(trace if names is None else narrowed(trace, names)) + note


def reasons_to_html(reason: Reason, show_path: Callable[[Trace], str], *, fair: bool, depth: int = 0) -> str:
    """The claims under a claim, as nested lists."""
    if not reason.parts or depth >= MOST_DEPTH:
        return ""
    items = []
    for part in reason.parts:
        word = "true" if part.claim.holds else "false"
        why = escape(reason_in_words(part.claim, fair=fair))
        path = show_path(part.path) if part.path is not None else ""
        items.append(
            f"<li>at state {part.at}: <code>{escape(show(part.claim.formula))}</code> is {word}, because {why}"
            f"{path}{reasons_to_html(part, show_path, fair=fair, depth=depth + 1)}</li>"
        )
    return f"<ul>{''.join(items)}</ul>"


def truths_to_html(rows: Iterable[TruthRow], loop: int | None) -> str:
    """A row for each part of the property, a column for each state."""
    lines: list[str] = []
    for row in rows:
        cells = "".join(f"<td>{'' if value is None else '●' if value else '·'}</td>" for value in row.values)
        if not lines:
            heads = "".join(f"<th>{number}{' ↻' if number == loop else ''}</th>" for number in range(len(row.values)))
            lines.append(f"<tr><th>state</th>{heads}</tr>")
        lines.append(f'<tr><th style="text-align:left">{escape(row.formula)}</th>{cells}</tr>')
    return f'<table style="font-family:monospace">{"".join(lines)}</table>'
