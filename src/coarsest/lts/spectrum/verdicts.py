"""Verdicts about two graphs and a notion: yes, no, or unknown, in either direction; and the verdicts that follow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from msgspec import Struct, field

from coarsest.errors import NameProblem
from coarsest.logic.modal.hennessy_milner import Formula
from coarsest.lts.certificates import SpectrumCertificate
from coarsest.lts.compare.comparison import GraphSize
from coarsest.lts.spectrum.notions import BY_NAME, NOTIONS, Notion, coarser, finer
from coarsest.run import Statistic
from coarsest.text.near import nearest

Question: TypeAlias = tuple[str, int]
"""A notion, and a direction: 0 asks whether the first graph is below the second, 1 the opposite."""


class Verdict(Struct, frozen=True, kw_only=True):
    """Is one graph below the other by a notion? If not, a formula is true in it and false in the other."""

    below: bool | None
    formula: Formula | None = None
    certificate: SpectrumCertificate | None = None
    """The evidence for a yes, if there is a certificate."""
    by: str = ""
    """The notion that the verdict follows from, if it is another one."""
    reason: str = ""
    """The reason why the answer is unknown."""
    confirmed: bool = False


class NotionVerdicts(NamedTuple):
    """A notion, and the verdicts in both directions."""

    notion: Notion
    ways: tuple[Verdict, Verdict]

    @property
    def related(self) -> bool | None:
        """Are the graphs equivalent by this notion?"""
        below = [way.below for way in self.ways]
        return False if False in below else None if None in below else True


class Spectrum(Struct, frozen=True):
    """The verdicts of all notions, from the finest to the coarsest."""

    rows: tuple[NotionVerdicts, ...]
    silent: bool
    """Is there an internal step? If not, notions that abstract from internal steps are left out, for they are no different."""
    sizes: tuple[GraphSize, ...] = ()
    confirmed: bool = True
    """False if the user declined confirmation, or if a yes could not be confirmed."""
    statistics: Mapping[str, Statistic] = field(default_factory=dict)

    def __repr__(self) -> str:
        related = [row.notion.name for row in self.rows if row.related]
        finest = f", the finest is {related[0]}" if related else ""
        return f"<Spectrum: related by {len(related)} of {len(self.rows)} notions{finest}>"

    def __iter__(self) -> Iterator[NotionVerdicts]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __contains__(self, notion: str) -> bool:
        return any(row.notion.name == notion for row in self.rows)

    def __getitem__(self, notion: str) -> NotionVerdicts:
        """The verdicts of a notion, by its name."""
        for row in self.rows:
            if row.notion.name == notion:
                return row
        if notion in BY_NAME:
            raise NameProblem(f"{notion} is not in this spectrum", hint="without internal steps, no notion abstracts from them")
        close = nearest(str(notion), [row.notion.name for row in self.rows])
        hint = f"did you mean {close[0]}?" if close else f"notions are {', '.join(row.notion.name for row in self.rows)}"
        raise NameProblem(f"there is no notion '{notion}'", hint=hint)

    @property
    def related(self) -> bool | None:
        """Are the graphs equivalent by all notions?"""
        every = [row.related for row in self.rows]
        return None if None in every else all(every)


class Verdicts:
    """The verdicts so far, and all that follow from them."""

    def __init__(self, *, silent: bool) -> None:
        self._own: dict[Question, Verdict] = {}
        self.notions = [notion for notion in NOTIONS if silent or not notion.weak]

    def record(self, question: Question, verdict: Verdict) -> None:
        self._own[question] = verdict

    def at(self, question: Question) -> Verdict:
        """The best verdict: a yes, perhaps by a finer notion; the cheapest formula, perhaps of a coarser notion; or a reason why
        the answer is unknown."""
        name, way = question
        own = self._own.get(question)
        if own is not None and own.below:
            return own
        for other, related in self._of(finer(name), way):
            if related.below:
                return Verdict(below=True, by=other, certificate=related.certificate)
        formulas = [(_cost(name, other, verdict.formula), other, verdict)
                    for other, verdict in self._of({name} | coarser(name), way) if verdict.formula is not None]  # fmt: skip
        if formulas:
            _, other, verdict = min(formulas, key=lambda entry: entry[0])
            return Verdict(below=False, formula=verdict.formula, by="" if other == name else other)
        return own or Verdict(below=None, reason="it was not tried")

    def _of(self, names: Iterable[str], way: int) -> list[tuple[str, Verdict]]:
        order = [name for name in BY_NAME if name in names]
        return [(name, self._own[name, way]) for name in order if (name, way) in self._own]

    def rows(self) -> tuple[NotionVerdicts, ...]:
        return tuple(NotionVerdicts(notion, (self.at((notion.name, 0)), self.at((notion.name, 1)))) for notion in self.notions)


def _cost(notion: str, other: str, formula: Formula) -> tuple[bool, int, int, bool]:
    """The cost of a formula of another notion: whether it is about other steps, its depth and its size."""
    return BY_NAME[notion].weak != BY_NAME[other].weak, formula.depth, formula.tree_size, notion == other
