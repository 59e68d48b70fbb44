"""Results as a page of its own, to be kept or sent to somebody."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from coarsest.model.trace import Trace
from coarsest.model.trace_table import trace_to_html
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


def report_page(title: str, summary: str, rows: Iterable[str], warnings: Iterable[str]) -> str:
    """A page with the rows of `render.html.answer_to_row`.

    >>> page = report_page("a < b", "1 property: 1 holds", ["<tr><td>holds</td></tr>"], ["careful"])
    >>> "<h1>a &lt; b</h1>" in page, "<li>warning: careful</li>" in page
    (True, True)
    """
    return page(title, summary, rows_to_table(rows), warnings)


def page(title: str, summary: str, content: str, warnings: Iterable[str] = ()) -> str:
    """A page around something in HTML."""
    notes = "".join(f"<li>warning: {escape(text)}</li>" for text in warnings)
    notes = f"<ul>{notes}</ul>" if notes else ""
    return PAGE.format(title=escape(title), summary=escape(summary), notes=notes, content=content)


def trace_page(title: str, trace: Trace) -> str:
    """A page with one path."""
    return page(title, f"a path of {len(trace)} states", trace_to_html(trace))
