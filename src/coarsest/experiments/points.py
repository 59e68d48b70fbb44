"""The tables of a paper as data: points to measure, what must be found exactly, and claims about their shape."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct

from coarsest.errors import FileProblem
from coarsest.files import example_files

Facts: TypeAlias = "Mapping[str, bool | int | float | str]"
Word: TypeAlias = Literal["holds", "fails", "unknown"]

PROJECT = Path(__file__).resolve().parents[3]
COLLECTION = "COARSEST_COLLECTION"
"""The environment variable that names the folder with models of others, which are measured where they are present."""
SOURCES = {
    "vis": "the VIS Verilog models, version 1.3, one folder for each design",
    "circuits": "the ISCAS'89 circuits in the bench format",
    "lustre": "the digital watch of the Lustre distribution, as the examples of the compiler Vélus have it",
}
"""What the folders of the collection hold, by which their files can be had."""


def collection() -> Path:
    """The folder with models of others; in a copy of the repository, it may stand beside that."""
    return Path(os.environ.get(COLLECTION) or PROJECT.parent / "shared" / "benchmarks")


class Point(Struct, frozen=True, kw_only=True):
    """One cell of a table: what is measured there, in a process of its own."""

    row: str
    column: str
    measure: str
    """`module:function`. The function takes the arguments and a `run`, and gives the facts."""
    arguments: Mapping[str, Any]
    expected: Facts = {}
    """Of the facts, those that must come out exactly so."""
    paper: Facts = {}
    """What the paper says of the same, to be shown beside it."""
    series: str = ""
    """Points of growing size: when one passes a limit, those behind it are not tried."""
    quick: bool = False

    @property
    def name(self) -> str:
        return f"{self.row}, {self.column}"

    @property
    def plain_arguments(self) -> dict[str, Any]:
        """As they are read back from JSON."""
        plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self.arguments))
        return plain


class PointOutcome(Struct, frozen=True, kw_only=True):
    """What came of a point: facts, or why there are none."""

    paper: str
    point: str
    measure: str
    arguments: dict[str, Any]
    facts: dict[str, bool | int | float | str] | None = None
    ended: str | None = None
    limit: Literal["time", "memory", "before"] | None = None
    """Which limit was passed; `before` means by a smaller point of the same series."""
    seconds: float
    """CPU seconds that the point was allowed, of which `facts` may tell how many it took."""
    mebibytes: int


Outcomes: TypeAlias = Mapping[str, PointOutcome]
"""The outcomes of points by their names."""


class Judgement(Struct, frozen=True):
    """A claim with its verdict, and the numbers that show it."""

    claim: str
    verdict: Word
    numbers: str = ""


class PaperClaim(Struct, frozen=True):
    """What the paper says about a table as a whole. Small sizes show only some claims: those marked `quick`."""

    text: str
    judge: Callable[[Outcomes], tuple[Word, str]]
    quick: bool = False


class PaperTable(Struct, frozen=True, kw_only=True):
    """A table, or the figures that belong to it."""

    name: str
    title: str
    facts: Sequence[str]
    """Those shown, in this order, for each column."""
    points: Sequence[Point]
    claims: Sequence[PaperClaim] = ()
    note: str = ""
    plots: str = ""
    """`module:function` of what draws the table: it takes the outcomes and gives pictures (SVG) by their names."""

    def chosen(self, *, quick: bool) -> list[Point]:
        return [point for point in self.points if point.quick or not quick]


class Paper(Struct, frozen=True):
    """A paper, and the tables of it that can be measured again."""

    name: str
    title: str
    tables: Sequence[PaperTable]

    def points(self, *, quick: bool) -> dict[str, Point]:
        """By their names: tables may share them."""
        return {point.name: point for table in self.tables for point in table.chosen(quick=quick)}


def shipped(path: str) -> Path:
    """A file that comes with coarsest, or for `collection/…` one of the models of others."""
    folder, _, name = path.partition("/")
    if folder == "collection":
        if (place := collection() / name).is_file():
            return place
        about = SOURCES[name.partition("/")[0]]
        hint = f"'--collection DIR' names a folder in which '{name}' lies: {about}"
        raise FileProblem(f"'{name}' is not in the collection of models", hint=hint)
    examples = dict(example_files()) if folder == "examples" else {}
    for place in (examples.get(name, Path(path)), Path(path)):
        if place.is_file():
            return place
    raise FileProblem(f"the model '{path}' is not here", hint="'coarsest examples' lists the models that are")


def number(outcomes: Outcomes, point: str, fact: str) -> float | None:
    """A number that was measured, or None."""
    outcome = outcomes.get(point)
    return None if outcome is None or outcome.facts is None or fact not in outcome.facts else float(outcome.facts[fact])


def exact(points: Sequence[Point], outcomes: Outcomes) -> list[Judgement]:
    """Is everything found that was expected? A point of a series may end at a limit; others must be measured."""
    judged, agreeing, missing = [], 0, 0
    for point in points:
        outcome = outcomes.get(point.name)
        if outcome is None:
            missing += 1
        if outcome is None or not point.expected or (point.series and outcome.limit is not None):
            continue
        expectation = f"{point.name}: {_told(point.expected)}"
        if outcome.facts is None:
            judged.append(Judgement(expectation, "unknown", outcome.ended or ""))
        elif any(outcome.facts.get(key) != value for key, value in point.expected.items()):
            differing = {key: outcome.facts.get(key, "none") for key in point.expected}
            judged.append(Judgement(expectation, "fails", _told(differing)))
        else:
            agreeing += 1
    if agreeing:
        judged.insert(0, Judgement(f"what is exact, at {agreeing} points", "holds"))
    if missing:
        judged.append(Judgement(f"what is exact, at {missing} more points", "unknown", "not measured"))
    return judged


def _told(facts: Facts) -> str:
    return ", ".join(f"{key.replace('_', ' ')} {str(value).lower()}" for key, value in facts.items())
