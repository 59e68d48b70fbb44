"""Measuring the tables of a paper again, continuing what was measured before."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import MappingProxyType

import msgspec
from msgspec import Struct

from coarsest.errors import FileProblem, InputError, SyntaxProblem
from coarsest.experiments.point_process import measure_points
from coarsest.experiments.points import Judgement, Outcomes, Paper, PaperTable, Point, PointOutcome, exact
from coarsest.files import read_text
from coarsest.run import Limits
from coarsest.text import Span
from coarsest.text.near import nearest

PAPERS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "bouajjani": ("Bouajjani, Fernandez, Halbwachs, Raymond, Ratel 1994: Minimal state graph generation", "bouajjani"),
        "fisler": ("Fisler, Vardi 1999: Bisimulation and model checking", "fisler"),
        "barner": ("Barner, Grumberg 2003: Combining symmetry reduction and under-approximation", "barner.figures"),
        "bustan": ("Bustan 2002: Equivalence-based reductions and checking for preorders", "bustan"),
        "sebastiani": ("Sebastiani, Singerman, Tonetta, Vardi 2004: GSTE is partitioned model checking", "sebastiani.tables"),
    }
)
"""Title and module of each paper. A module has its `TABLES`."""


def paper_named(name: str) -> Paper:
    """With its tables."""
    if name not in PAPERS:
        near = nearest(name, PAPERS)
        hint = f"did you mean '{near[0]}'?" if near else f"the papers are {', '.join(PAPERS)}; '{ALL}' means every one"
        raise InputError(f"there is no paper '{name}'", hint=hint)
    title, module = PAPERS[name]
    tables: Sequence[PaperTable] = import_module(f"coarsest.experiments.{module}").TABLES
    return Paper(name, title, tables)


ALL = "all"


def papers_named(words: str) -> list[Paper]:
    """`PAPER` with all its tables, `PAPER:TABLE` with one, or `all` papers."""
    if words == ALL:
        return list(map(paper_named, PAPERS))
    name, colon, table = words.partition(":")
    paper = paper_named(name)
    names = [one.name for one in paper.tables]
    if not colon:
        return [paper]
    if table not in names:
        raise InputError(f"'{name}' has no table '{table}' here", hint=f"it has {', '.join(f'{name}:{one}' for one in names)}")
    return [Paper(paper.name, paper.title, [one for one in paper.tables if one.name == table])]


class Results:
    """Outcomes kept in a file, one JSON object a line, each written as soon as it is there; without a file, in memory alone."""

    def __init__(self, path: str | None = None) -> None:
        self._path = path
        self.outcomes: list[PointOutcome] = []
        if path is not None and Path(path).exists():
            self.outcomes = list(read_results(path))

    def usable(self, paper: str, point: Point, limits: Limits) -> PointOutcome | None:
        """What is known of a point, unless it was something else that was measured, or the limits allow more now."""
        for outcome in reversed(self.outcomes):
            asked = (outcome.paper, outcome.point, outcome.measure, outcome.arguments)
            if asked == (paper, point.name, point.measure, point.plain_arguments) and (
                outcome.facts is not None or _ends_likewise(outcome, limits)
            ):
                return outcome
        return None

    def add(self, outcome: PointOutcome) -> None:
        """What was not tried needs no line: it follows from the others."""
        self.outcomes.append(outcome)
        if self._path is None or outcome.limit == "before":
            return
        try:
            with open(self._path, "ab") as file:
                file.write(msgspec.json.encode(outcome) + b"\n")
        except OSError as error:
            raise FileProblem(f"cannot write '{self._path}': {error.strerror}") from error


def _ends_likewise(outcome: PointOutcome, limits: Limits) -> bool:
    """Did it pass a limit, and is it allowed no more now?"""
    allowed = limits.seconds or 0 if outcome.limit == "time" else limits.mebibytes or 0
    return outcome.limit is not None and allowed <= (outcome.seconds if outcome.limit == "time" else outcome.mebibytes)


def read_results(path: str) -> Iterator[PointOutcome]:
    """The outcomes in a file. A last line without its end was being written when somebody ended us, and is taken away."""
    source = read_text(path)
    *lines, unfinished = source.text.split("\n")
    place = 0
    for line in lines:
        try:
            yield msgspec.json.decode(line, type=PointOutcome)
        except msgspec.MsgspecError as error:
            span = Span(source, place, place + len(line))
            hint = "name a new file, or one that '-o' wrote"
            raise SyntaxProblem(f"not a result of 'coarsest reproduce': {error}", span, hint=hint) from error
        place += len(line) + 1
    if unfinished:
        with open(path, "r+b") as file:
            file.truncate(len(source.text[:place].encode()))


def reproduce(
    paper: Paper,
    limits: Limits,
    results: Results,
    *,
    quick: bool = False,
    jobs: int = 1,
    tell: Callable[[PointOutcome], None] = lambda outcome: None,
) -> dict[str, PointOutcome]:
    """Every point of the tables once: what the results have is taken from there, and what they do not have is added."""
    points = paper.points(quick=quick)
    before = {name: results.usable(paper.name, point, limits) for name, point in points.items()}
    outcomes = {name: outcome for name, outcome in before.items() if outcome is not None}
    for outcome in outcomes.values():
        tell(outcome)
    ended = [points[name].series for name, outcome in outcomes.items() if outcome.limit is not None]
    missing = [point for name, point in points.items() if name not in outcomes]
    for outcome in measure_points(paper.name, missing, limits, jobs=jobs, ended_series=[name for name in ended if name]):
        results.add(outcome)
        outcomes[outcome.point] = outcome
        tell(outcome)
    return outcomes


class JudgedTable(Struct, frozen=True):
    """A table with what was measured, and which of its claims hold."""

    table: PaperTable
    points: Sequence[Point]
    outcomes: Outcomes
    judgements: Sequence[Judgement]

    @property
    def code(self) -> int:
        """An exit code: 0 if everything holds, 1 if something fails, 3 if something is not known."""
        verdicts = {judgement.verdict for judgement in self.judgements}
        return 1 if "fails" in verdicts else 3 if "unknown" in verdicts else 0

    def plots(self) -> Mapping[str, str]:
        """The pictures of the table, as SVG, by their names."""
        if not self.table.plots:
            return {}
        module, _, function = self.table.plots.partition(":")
        own = {point.name: outcome for point in self.points if (outcome := self.outcomes.get(point.name)) is not None}
        drawn: Mapping[str, str] = getattr(import_module(module), function)(own)
        return drawn


def judge(table: PaperTable, outcomes: Outcomes, *, quick: bool = False) -> JudgedTable:
    """The exact counts, and the claims that the chosen sizes can show."""
    points = table.chosen(quick=quick)
    claims = [claim for claim in table.claims if claim.quick or not quick]
    shapes = [Judgement(claim.text, *claim.judge(outcomes)) for claim in claims]
    return JudgedTable(table, points, outcomes, [*exact(points, outcomes), *shapes])
