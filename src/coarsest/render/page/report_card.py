"""A verdict as a card of a report: the property, its source lines, the evidence, and the cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field

from coarsest.evidence.verdict import Answer, shown_word
from coarsest.model.trace import Trace
from coarsest.render.page.html import evidence_to_html
from coarsest.render.page.trace_views import trace_table, waves
from coarsest.render.text.focus import Focus
from coarsest.run import Event

if TYPE_CHECKING:
    from coarsest.text import Span

WIDE: Final = 560
HIGH: Final = 110
"""The size of a plot."""
MOST_POINTS: Final = 2_000
"""If there are more points, every other one is left out."""
MOST_SOURCE_LINES: Final = 12


class Growth(Struct):
    """The number of nodes at each iteration, as the run reports it; long series are thinned."""

    points: list[tuple[str, int, int]] = field(default_factory=list)
    """The task, its step, and the nodes."""

    def listen(self, event: Event) -> None:
        nodes = event.facts.get("nodes")
        if isinstance(nodes, int):
            self.points.append((event.task, event.step, nodes))
            if len(self.points) > MOST_POINTS:
                self.points = self.points[::2]

    def taken(self) -> list[tuple[str, int, int]]:
        """The points since the last call."""
        points, self.points = self.points, []
        return points


def listening(growth: Growth, other: Callable[[Event], None]) -> Callable[[Event], None]:
    """A listener that passes events to both."""

    def listen(event: Event) -> None:
        growth.listen(event)
        other(event)

    return listen


def answer_to_card(answer: Answer, span: Span | None = None, growth: Sequence[tuple[str, int, int]] = ()) -> str:
    """A verdict as a card of a page, which can be folded, and is if the property holds."""
    word = answer.verdict.word
    evidence = "".join(part for one in (answer, *answer.more) for part in evidence_to_html(one, _path, _with_waves))
    doubts = "".join(f'<p class="doubt">warning: {escape(text)}</p>' for text in answer.warnings)
    opened = "" if word == "holds" else " open"
    told = f'<span class="dim">{answer.seconds:.2f} s</span>'
    head = f'<b class="verdict {word}">{shown_word(answer)}</b> <code>{escape(answer.title)}</code> {told}'
    content = f"{_source(span)}{evidence}{doubts}{plot(growth)}"
    card = f'<summary>{head}</summary><div class="evidence">{content}</div>'
    return f'<details class="card"{opened} data-verdict="{word}">{card}</details>'


def _source(span: Span | None) -> str:
    """The lines in which a property was written."""
    if span is None or span.source.name.startswith("<"):
        return ""
    first, (last, _) = span.line_number, span.source.line_and_column(max(span.start, span.end - 1))
    lines = [f"{number:>4} | {span.source.line(number)}" for number in range(first, min(last, first + MOST_SOURCE_LINES - 1) + 1)]
    text = escape("\n".join(lines))
    return f'<div class="source"><span class="dim">{escape(span.source.name)}:{first}</span><pre>{text}</pre></div>'


def _path(trace: Trace, focus: Focus) -> str:
    return trace_table(trace, focus.names(trace))


def _with_waves(trace: Trace, focus: Focus) -> str:
    return _path(trace, focus) + waves(trace, focus.names(trace))


def plot(points: Sequence[tuple[str, int, int]]) -> str:
    """The nodes of decision diagrams over the iterations; each task has its own part of the line.

    >>> plot([("forward", step, 10 * step) for step in range(5)]).count("<polyline")
    1
    >>> plot([])
    ''
    """
    if len(points) < 3:
        return ""
    most = max(nodes for _, _, nodes in points) or 1
    across, up = WIDE / (len(points) - 1), (HIGH - 30) / most
    lines: list[tuple[str, list[str]]] = []
    for place, (task, _, nodes) in enumerate(points):
        if not lines or lines[-1][0] != task:
            lines.append((task, lines[-1][1][-1:] if lines else []))
        lines[-1][1].append(f"{place * across:.1f},{HIGH - 16 - nodes * up:.1f}")
    drawn = "".join(
        f'<polyline class="line{number % 4}" points="{" ".join(line)}"><title>{escape(task)}</title></polyline>'
        for number, (task, line) in enumerate(lines)
    )
    tasks = ", ".join(dict.fromkeys(escape(task) for task, _ in lines))
    words = f"nodes over {len(points)} iterations, at most {most}"
    axis = f'<path d="M0,{HIGH - 16} H{WIDE} M0,14 H{WIDE}"/><text x="2" y="11">{most:,}</text>'
    axis += f'<text x="2" y="{HIGH - 4}">{tasks[:80]}</text>'
    svg = f'<svg class="plot" viewBox="0 0 {WIDE} {HIGH}" role="img" aria-label="{words}">{axis}{drawn}</svg>'
    return f"<details><summary>Nodes of decision diagrams over {len(points)} iterations</summary>{svg}</details>"
