"""Verdicts as tables for notebooks; traces are in `evidence.trace_table`."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from coarsest.evidence.trace_table import trace_to_html
from coarsest.evidence.verdict import Answer, Fails, Unknown

__all__ = ["answers_to_html", "trace_to_html"]

SHADES = {"holds": "#2b8a3e", "fails": "#c92a2a", "unknown": "#e67700"}


def answers_to_html(answers: Iterable[Answer]) -> str:
    """A table of verdicts, each with its trace or its reason."""
    rows = ["<tr><th>verdict</th><th>property</th><th>evidence</th></tr>"]
    for answer in answers:
        word = answer.verdict.word
        title = f"{answer.name}: {answer.formula}" if answer.name else answer.formula
        rows.append(
            f'<tr><td style="color:{SHADES[word]}"><b>{word}</b></td>'
            f'<td style="text-align:left"><code>{escape(title)}</code></td>'
            f'<td style="text-align:left">{_evidence(answer)}</td></tr>'
        )
    return f"<table>{''.join(rows)}</table>"


def _evidence(answer: Answer) -> str:
    verdict = answer.verdict
    if isinstance(verdict, Unknown):
        return escape(verdict.because)
    if isinstance(verdict, Fails):
        return trace_to_html(verdict.trace) if verdict.trace is not None else ""
    return escape(verdict.certificate.summary) if verdict.certificate is not None else ""
