"""The results of checks, searches, reductions and confirmations in the Python interface."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import UNSET, Struct, UnsetType, field

from coarsest.run import Statistic
from coarsest.text.near import nearest

if TYPE_CHECKING:
    from coarsest.evidence.verdict import Answer
    from coarsest.model.machine import Property


class Report(Struct, frozen=True, dict=True):
    """The answers of one `check`."""

    answers: tuple[Answer, ...]
    warnings: tuple[str, ...] = ()
    statistics: Mapping[str, Statistic] = field(default_factory=dict)
    model: str = ""
    """The name of the model."""
    claims: tuple[Property, ...] = ()
    """The properties of a model that the answers are about."""

    @property
    def holds(self) -> bool:
        """Do all the properties hold?"""
        from coarsest.evidence.verdict import Holds

        return all(isinstance(answer.verdict, Holds) for answer in self.answers)

    @property
    def undecided(self) -> bool:
        from coarsest.evidence.verdict import Unknown

        return any(isinstance(answer.verdict, Unknown) for answer in self.answers)

    def __iter__(self) -> Iterator[Answer]:
        return iter(self.answers)

    def __getitem__(self, key: int | str) -> Answer:
        """The answer with this number, or to the property with this name or formula."""
        if isinstance(key, int):
            return self.answers[key]
        for answer in self.answers:
            if key in (answer.name, answer.formula, answer.label):
                return answer
        near = nearest(key, [answer.label for answer in self.answers])
        raise KeyError(f"no answer is about '{key}'{f', but one is about {near[0]!r}' if near else ''}")

    def __len__(self) -> int:
        return len(self.answers)

    def __repr__(self) -> str:
        return f"<Report: {', '.join(f'{answer.label} {answer.verdict.word}' for answer in self.answers)}>"

    def __str__(self) -> str:
        """The verdicts with their evidence, as the command line shows them."""
        from coarsest.render.text.text import answer_to_text

        return "\n".join([*(f"warning: {text}" for text in self.warnings), *map(answer_to_text, self.answers)])

    def to_object(self) -> dict[str, Any]:
        """The object that `check --json` prints; its traces can be confirmed."""
        from coarsest.render.data.json import answer_to_object, check_to_object

        seconds = sum(answer.seconds for answer in self.answers)
        spans = [claim.span for claim in self.claims] or [None] * len(self.answers)
        properties = [answer_to_object(answer, span) for answer, span in zip(self.answers, spans)]
        return check_to_object(self.model, properties, warnings=self.warnings, seconds=seconds, statistics=self.statistics)

    def certificate(self) -> dict[str, Any]:
        """The object that `check --certificate` writes, for properties that hold; `check` makes them with `certificates=True`."""
        from coarsest.render.data.proof_json import proof_to_object, proofs_to_object

        proofs = [proof_to_object(answer, claim) for answer, claim in zip(self.answers, self.claims)]
        return proofs_to_object(self.model, [proof for proof in proofs if proof is not None])

    def _repr_html_(self) -> str:
        """A table of verdicts with their evidence, for notebooks."""
        from coarsest.render.page.html import answers_to_html

        return answers_to_html(self.answers)


class Reach(Struct, frozen=True, dict=True):
    """The reachable states of a model. After a limit, `complete` is False and `states` counts those found so far."""

    states: int
    diameter: int | None
    """The number of rings of a breadth-first search, including the initial states; None if it is unknown."""
    nodes: int | None
    """The number of nodes, if the reachable states are a BDD."""
    complete: bool
    because: str = ""
    warnings: tuple[str, ...] = ()
    statistics: Mapping[str, Statistic] = field(default_factory=dict)
    transitions: int | None = None
    """The number of transitions between reachable states, if these were listed."""

    def __repr__(self) -> str:
        if not self.complete:
            return f"<Reach: at least {self.states:,} states, {self.because}>"
        far = "" if self.diameter is None else f", diameter {self.diameter}"
        return f"<Reach: {self.states:,} state{'s' * (self.states != 1)}{far}>"

    def _repr_html_(self) -> str:
        """A table of the facts, for notebooks."""
        from coarsest.render.page.html import facts_to_html

        states = f"{self.states:,}" if self.complete else f"at least {self.states:,} ({self.because})"
        facts = {"states": states, "transitions": self.transitions, "diameter": self.diameter, "nodes": self.nodes}
        return facts_to_html({**facts, "warnings": "; ".join(self.warnings)})

    @property
    def facts(self) -> ReachFacts:
        """The facts; states found before a limit are a statistic, since only a complete search gives their number."""
        whole = self.complete
        statistics = self.statistics if whole else {**self.statistics, "states_so_far": self.states}
        return ReachFacts(
            states=self.states if whole else None, diameter=self.diameter if whole else None,
            nodes=self.nodes, complete=whole, reason=self.because or None, statistics=statistics,
            transitions=self.transitions if self.nodes is None else UNSET,
        )  # fmt: skip


class ReachFacts(Struct, frozen=True, kw_only=True):
    """The facts about a search for reachable states, by their names in JSON."""

    states: int | None = None
    diameter: int | None = None
    nodes: int | None = None
    complete: bool = False
    reason: str | None = None
    statistics: Mapping[str, Statistic]
    transitions: int | UnsetType | None = UNSET
    """Present only if states were listed."""


class Sizes(Struct, frozen=True):
    """The numbers before and after a reduction; None if not counted."""

    before: int | None = None
    after: int | None = None


class ReductionFacts(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The facts about a reduction of a model, a graph or a table, by their names in JSON."""

    states: Sizes
    transitions: Sizes
    relation: str
    algorithm: str
    preserves: str | None = None
    """The logic whose formulas have the same truth value in both systems."""
    confirmed: bool | None = None
    classes: tuple[str, ...] | None = None
    """An expression for each class that distinguishes its states, if sets of states are formulas."""
    counted_with: tuple[str, ...] | None = None
    """Inputs whose values were counted as part of the states."""
    symmetries: int | None = None
    """The order of the group by which a model was reduced."""
    engine: str | None = None
    """The database that did the work, or `gpu`."""
    data: str | None = None
    """Where a control automaton keeps numbers: in its states, in variables of the code, or, without bounds, nowhere (`none`)."""
    reason: str | None = None
    """Why the result is unknown, if a limit was reached."""
    statistics: Mapping[str, Statistic]


class Confirmation(Struct, frozen=True, omit_defaults=True):
    """The outcome of checking evidence: accepted or not, or None if the check did not finish."""

    kind: str
    accepted: bool | None
    reason: str | None
    """Why the evidence was not accepted."""
    shows: str | None = None
    """What the evidence shows."""
    relation: str | None = None
    properties: list[dict[str, Any]] | None = None
    """The confirmed properties, each with the size of its evidence."""
    statistics: dict[str, Any] | None = None
