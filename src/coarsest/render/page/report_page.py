"""Results as a page of its own, to be kept or sent to somebody."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from coarsest.model.trace import Trace
from coarsest.model.trace_table import trace_to_html
from coarsest.render.data.model_report import ModelReport, summary_of

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
  :root {{ color-scheme: light dark; }}
  body {{ font: 15px/1.45 system-ui, sans-serif; margin: 2rem; }}
  table {{ border-collapse: collapse; margin: 0.4rem 0; }}
  th, td {{ border: 1px solid #8886; padding: 0.25rem 0.6rem; vertical-align: top; text-align: left; }}
  td table {{ font-size: 0.9em; }}
  td {{ max-width: 70vw; overflow-x: auto; }}
  code {{ white-space: pre-wrap; }}
  .card {{ border: 1px solid #8886; border-radius: 8px; margin: 0.6rem 0; padding: 0.5rem 0.8rem; }}
  .card summary {{ cursor: pointer; }}
  .verdict {{ color: #fff; border-radius: 4px; padding: 0.1rem 0.5rem; }}
  .evidence {{ overflow-x: auto; padding-top: 0.5rem; }}
  .evidence th:first-child {{ position: sticky; left: 0; background: Canvas; }}
  footer {{ color: #888; margin-top: 2rem; }}
</style>
</head>
<body>
<h1>{title}</h1>
<p>{summary}</p>
{notes}
{content}
{foot}
</body>
</html>
"""


def report_page(reports: Sequence[ModelReport], *, command: str = "", when: str = "", version: str = "") -> str:
    """A page with the verdicts on some models, a card for each, and how to get them again.

    >>> content = report_page([ModelReport(model="a < b", rows=["<details></details>"], warnings=["careful"])], command="check a")
    >>> "<h1>a &lt; b</h1>" in content, "<li>warning: careful</li>" in content, "<code>check a</code>" in content
    (True, True, True)
    """
    first, *more = [
        (report.model, summary_of([report], report.seconds), report.warnings, "".join(report.rows)) for report in reports
    ]
    further = "".join(
        f"<h1>{escape(title)}</h1><p>{escape(summary)}</p>{_notes(warnings)}{cards}" for title, summary, warnings, cards in more
    )
    told = " · ".join(part for part in (version and f"coarsest {escape(version)}", escape(when)) if part)
    foot = f"<footer><p>{told}</p><p>again: <code>{escape(command)}</code></p></footer>" if command else ""
    return page(first[0], first[1], first[3] + further, first[2], foot=foot)


def page(title: str, summary: str, content: str, warnings: Iterable[str] = (), *, foot: str = "") -> str:
    """A page around something in HTML."""
    return PAGE.format(title=escape(title), summary=escape(summary), notes=_notes(warnings), content=content, foot=foot)


def _notes(warnings: Iterable[str]) -> str:
    notes = "".join(f"<li>warning: {escape(text)}</li>" for text in warnings)
    return f"<ul>{notes}</ul>" if notes else ""


def text_page(title: str, text: str) -> str:
    """A page with a text as it stands."""
    return page(title, "", f"<pre>{escape(text)}</pre>")


def trace_page(title: str, trace: Trace) -> str:
    """A page with one path."""
    return page(title, f"a path of {len(trace)} states", trace_to_html(trace))
