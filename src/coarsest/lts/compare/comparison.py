"""The result of comparing two graphs."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import NamedTuple

from msgspec import Struct, field

from coarsest.logic.expr import Value
from coarsest.logic.modal.hennessy_milner import Formula
from coarsest.lts.certificates import (
    AttackCertificate,
    GraphCertificate,
    LassoCertificate,
    LookaheadCertificate,
    StrategyCertificate,
)
from coarsest.run import Statistic


class Difference(Struct, frozen=True):
    """A formula that is true in one graph (0 is the first, 1 the second) and false in the other: no initial state
    satisfies it."""

    formula: Formula
    true_in: int
    trace: tuple[str, ...] | None = None
    """For traces: one that this graph has and the other does not have."""
    refusal: tuple[str, ...] | None = None
    """For failures: actions that this graph may refuse together after the trace, and the other may not."""


class GraphSize(NamedTuple):
    """The size of a graph."""

    states: int
    transitions: int


class Pairs(Struct, frozen=True):
    """The result of a game on sets of pairs of states of two models, without a strategy."""

    positions: int
    """The number of pairs from which the duplicator wins."""
    way: int = 0
    """The model in which the spoiler begins."""
    begins: Mapping[str, Value] | None = None
    """An initial state from which the spoiler wins; None if the duplicator wins."""
    states: tuple[Mapping[str, Value], ...] = ()
    """The spoiler's states of a play that ends with a step without an answer, if there is one."""
    answers: tuple[Mapping[str, Value], ...] = ()
    replayed: bool = False
    """Was the play replayed in both models?"""


class Comparison(Struct, frozen=True):
    """Two graphs are related, with a certificate; or not, with a difference or a refutation. Unless the user declined, judges
    that share no code with the computation have confirmed this evidence on the graphs, and the graphs against their models."""

    relation: str
    preorder: bool
    certificate: GraphCertificate | LookaheadCertificate | None = None
    difference: Difference | None = None
    statistics: Mapping[str, Statistic] = field(default_factory=dict)
    confirmed: bool = True
    """False if the user declined confirmation, or if a model has too many states for its quotient to be confirmed by default."""
    sizes: tuple[GraphSize, ...] = ()
    """The sizes of the graphs that were compared."""
    refutation: StrategyCertificate | LassoCertificate | AttackCertificate | None = None
    """A strategy by which the spoiler wins a game, or paths without an answer."""
    pairs: Pairs | None = None
    """The result of a game on sets of pairs of states of models, if one was played."""

    state_names: tuple[Mapping[int, str], Mapping[int, str]] = ({}, {})
    """The names of the states in a refutation, in either graph: values, if they are classes of a model."""

    path_formula: str = ""
    """A formula that is true in the graph of the refutation and false in the other, if one was checked: of ECTL* for lassos, with
    fixpoints about fair paths for the strategies of game simulation."""

    def __bool__(self) -> bool:
        """A comparison is true where the systems are related."""
        return self.related

    def __repr__(self) -> str:
        word = "related" if self.related else "not related"
        formula = "" if self.difference is None else f": {self.difference.formula}"
        return f"<Comparison: {word} by {self.relation}{formula}{', confirmed' * self.confirmed}>"

    def _repr_html_(self) -> str:
        """The verdict and the difference between the systems, for notebooks."""
        word = "related" if self.related else "not related"
        lines = [f"<b>{word}</b> by {escape(self.relation)}{' (confirmed)' * self.confirmed}"]
        if self.difference is not None:
            first, second = ("first", "second") if self.difference.true_in == 0 else ("second", "first")
            lines.append(f"<code>{escape(str(self.difference.formula))}</code> is true in the {first}, false in the {second}")
        return "".join(f"<div>{line}</div>" for line in lines)

    @property
    def evidence(self) -> GraphCertificate | None:
        """The certificate or refutation, if it can be written to a file."""
        evidence = self.certificate or self.refutation
        return None if isinstance(evidence, LookaheadCertificate | AttackCertificate) else evidence

    @property
    def related(self) -> bool:
        return self.difference is None and self.refutation is None and (self.pairs is None or self.pairs.begins is None)
