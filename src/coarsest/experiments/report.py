"""Tables measured again, as people and as programs read them: ours, and the paper's in brackets."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from html import escape
from typing import Any

from coarsest import __version__
from coarsest.experiments.points import Paper, PaperTable, Point, PointOutcome
from coarsest.experiments.reproduce import JudgedTable
from coarsest.render.page.report_page import page

Value = bool | int | float | str


def catalogue_to_lines(papers: Sequence[Paper], *, points: bool) -> Iterator[str]:
    """Every paper with its tables, and their points if these are asked for."""
    for paper in papers:
        yield f"{paper.name:<11} {paper.title}"
        for table in paper.tables:
            yield f"  {f'{paper.name}:{table.name}':<13} {table.title}"
            if points:
                yield from (f"    {'quick' if point.quick else '     '}  {point.name}" for point in table.points)


def catalogue_to_object(papers: Sequence[Paper], *, points: bool) -> dict[str, Any]:
    def table(one: PaperTable) -> dict[str, Any]:
        named = {"points": [{"name": point.name, "quick": point.quick} for point in one.points]} if points else {}
        return {"name": one.name, "title": one.title, **named}

    return {"papers": [{"name": one.name, "title": one.title, "tables": list(map(table, one.tables))} for one in papers]}


def judged_to_lines(paper: Paper, judged: JudgedTable) -> Iterator[str]:
    """The table, then what there is to say about it, then its claims."""
    table = judged.table
    yield f"{paper.name}:{table.name}  {table.title}"
    beside = any(point.paper.keys() & set(table.facts) for point in judged.points)
    legend = ["the numbers of the paper are in brackets"] * beside + ["seconds are CPU seconds"] * ("seconds" in table.facts)
    yield from [f"  {'; '.join(legend)}"] if legend else []
    yield from _aligned(list(_cells(judged)))
    reasons = {outcome.ended: name for name, outcome in judged.outcomes.items() if outcome.ended and not outcome.limit}
    yield from (f"  {name}: {reason}" for reason, name in reasons.items())
    if table.note:
        yield f"  {table.note}"
    for judgement in judged.judgements:
        yield f"{judgement.verdict:<8} {judgement.claim}{judgement.numbers and f': {judgement.numbers}'}"


def judged_to_object(paper: Paper, judged: JudgedTable) -> dict[str, Any]:
    points = []
    for point in judged.points:
        outcome = judged.outcomes.get(point.name)
        points.append({
            "name": point.name, "row": point.row, "column": point.column,
            "facts": outcome and outcome.facts, "paper": dict(point.paper), "expected": dict(point.expected),
            "reason": outcome.ended if outcome else "not measured",
        })  # fmt: skip
    claims = [{"claim": one.claim, "verdict": one.verdict, "numbers": one.numbers} for one in judged.judgements]
    return {"paper": paper.name, "table": judged.table.name, "title": judged.table.title, "points": points, "claims": claims}


def _cells(judged: JudgedTable) -> Iterator[list[str]]:
    """Two lines of headings, and one for each row in which anything was tried."""
    facts = judged.table.facts
    columns = list(dict.fromkeys(point.column for point in judged.points))
    yield ["", *(column if fact == facts[0] else "" for column in columns for fact in facts)]
    yield ["", *(fact.replace("_", " ") for _ in columns for fact in facts)]
    rows: dict[str, dict[str, Point]] = {}
    for point in judged.points:
        rows.setdefault(point.row, {})[point.column] = point
    for row, points in rows.items():
        outcomes = {column: judged.outcomes.get(point.name) for column, point in points.items()}
        if any(outcome is not None and outcome.limit != "before" for outcome in outcomes.values()):
            yield [row, *(cell for column in columns for cell in _cell(points.get(column), outcomes.get(column), facts))]


def _cell(point: Point | None, outcome: PointOutcome | None, facts: Sequence[str]) -> list[str]:
    if point is None or outcome is None:
        return [""] * len(facts)
    if outcome.facts is None:
        reason = outcome.ended if outcome.limit in ("time", "memory") else "–"
        return [reason or "–", *[""] * (len(facts) - 1)]
    return [_beside(outcome.facts, point.paper, fact) for fact in facts]


def _beside(ours: Mapping[str, Value], theirs: Mapping[str, Value], fact: str) -> str:
    shown = _shown(ours[fact]) if fact in ours else "–"
    return f"{shown} ({_shown(theirs[fact])})" if fact in theirs else shown


def _shown(value: Value) -> str:
    if not isinstance(value, float):
        return str(value).lower()
    return f"{value:.2g}" if 0 < value < 0.1 else f"{value:.2f}"


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows)]
    for first, *others in rows:
        cells = "".join(f"  {cell:>{width}}" for cell, width in zip(others, widths[1:]))
        yield f"  {first:<{widths[0]}}{cells}".rstrip()


# A page


def report_page(judged: Sequence[tuple[Paper, JudgedTable]], summary: str, command: str, because: str | None) -> str:
    """All tables as one page: the paper's numbers and ours, claims, plots, the machine and the date."""
    parts, title = [], ""
    for paper, one in judged:
        if paper.title != title:
            title = paper.title
            parts.append(f"<h1>{escape(title)}</h1>")
        lines = list(judged_to_lines(paper, one))
        table = "\n".join(escape(line) for line in lines[1 : len(lines) - len(one.judgements)])
        claims = "".join(f"<li>{escape(line)}</li>" for line in lines[len(lines) - len(one.judgements) :])
        parts.append(f"<h2>{escape(lines[0])}</h2><pre>{table}</pre><ul>{claims}</ul>")
        parts += one.plots().values()
    when = datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z")
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    about = f"coarsest {__version__} · {escape(machine)} · {when}"
    foot = f"<footer><p>{about}</p><p>again: <code>{escape(command)}</code></p></footer>"
    warnings = [f"ended early: {because}"] if because else []
    return page("The papers, measured again", summary, "\n".join(parts), warnings, foot=foot)
