"""Results as a page of its own, to be kept or sent to somebody."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from coarsest.model.trace import Trace
from coarsest.model.trace_table import trace_to_html
from coarsest.render.data.model_report import ModelReport, summary_of
from coarsest.render.page.html import rows_to_table

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
</style>
</head>
<body>
<h1>{title}</h1>
<p>{summary}</p>
{notes}
{content}
</body>
</html>
"""


def report_page(reports: Sequence[ModelReport]) -> str:
    """A page with the verdicts on some models.

    >>> content = report_page([ModelReport(model="a < b", rows=["<tr><td>holds</td></tr>"], warnings=["careful"])])
    >>> "<h1>a &lt; b</h1>" in content, "<li>warning: careful</li>" in content
    (True, True)
    """
    first, *more = [
        (report.model, summary_of([report], report.seconds), report.warnings, rows_to_table(report.rows))
        for report in reports
    ]
    further = "".join(
        f"<h1>{escape(title)}</h1><p>{escape(summary)}</p>{_notes(warnings)}{table}" for title, summary, warnings, table in more
    )
    return page(first[0], first[1], first[3] + further, first[2])


def page(title: str, summary: str, content: str, warnings: Iterable[str] = ()) -> str:
    """A page around something in HTML."""
    return PAGE.format(title=escape(title), summary=escape(summary), notes=_notes(warnings), content=content)


def _notes(warnings: Iterable[str]) -> str:
    notes = "".join(f"<li>warning: {escape(text)}</li>" for text in warnings)
    return f"<ul>{notes}</ul>" if notes else ""


def text_page(title: str, text: str) -> str:
    """A page with a text as it stands."""
    return page(title, "", f"<pre>{escape(text)}</pre>")


def trace_page(title: str, trace: Trace) -> str:
    """A page with one path."""
    return page(title, f"a path of {len(trace)} states", trace_to_html(trace))
