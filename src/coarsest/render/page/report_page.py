"""Results as a self-contained page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from coarsest.model.trace import Trace
from coarsest.render.data.model_report import ModelReport, summary_of
from coarsest.render.page.assets import HEAD, asset
from coarsest.render.page.trace_views import trace_table, waves

PAGE = HEAD + """</style>
</head>
<body>
<h1>{title}</h1>
<p>{summary}</p>
{notes}
{content}
{foot}
<script>
{script}</script>
</body>
</html>
"""
CONTROLS = """<div class="controls"><button data-cards="all">Open all</button> <button data-cards="none">Close all</button>
<button data-cards="fails">Open what fails</button></div>
"""


def report_page(reports: Sequence[ModelReport], *, command: str = "", when: str = "", version: str = "") -> str:
    """A page with a card for each verdict on some models, and the command that made it.

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
    return page(first[0], first[1], f"{CONTROLS}{first[3]}{further}", first[2], foot=foot)


def page(title: str, summary: str, content: str, warnings: Iterable[str] = (), *, foot: str = "") -> str:
    """A page with some HTML."""
    return PAGE.format(
        title=escape(title), summary=escape(summary), notes=_notes(warnings), content=content, foot=foot,
        style=asset("page.css") + asset("report_page.css"), script=asset("report_page.js"),
    )  # fmt: skip


def _notes(warnings: Iterable[str]) -> str:
    notes = "".join(f"<li>warning: {escape(text)}</li>" for text in warnings)
    return f'<ul class="warnings">{notes}</ul>' if notes else ""


def text_page(title: str, text: str) -> str:
    """A page with a text."""
    return page(title, "", f"<pre>{escape(text)}</pre>")


def trace_page(title: str, trace: Trace) -> str:
    """A page with one path."""
    length = f"{len(trace)} {trace.unit}{'s' * (len(trace) != 1)}"
    return page(title, f"a path of {length}", trace_table(trace, None) + waves(trace, None))
