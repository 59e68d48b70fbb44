"""What is claimed where a property holds: proofs, as data that engines write and judges read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Struct

from coarsest.evidence.decision_diagrams import DecisionDiagrams
from coarsest.logic.expr import Expr, Value
from coarsest.logic.show import show
from coarsest.model.types import Type

LONGEST_SHOWN = 400


class InductiveInvariant(Struct, frozen=True):
    """A set of states that contains the initial ones and that no step leaves, as a decision graph.

    It proves a condition on all reachable states if every member of it is good.
    """

    graphs: DecisionDiagrams
    root: int

    def contains(self, state: Mapping[str, Value], types: Mapping[str, Type]) -> bool:
        """Does a state belong to the invariant?"""
        return self.graphs.contains(self.root, state, types)


class Inductive(Struct, frozen=True):
    """The same as it is told: how large the set is."""

    states: int
    nodes: int | None = None
    """Of the decision diagram that the set is, if it is one."""
    exact: bool = False
    """Are these the reachable states, and no others?"""
    part: str = ""
    """Of which variables they are states, where these are not all."""

    @property
    def summary(self) -> str:
        """
        >>> Inductive(3, 5, exact=True).summary
        'an inductive invariant of 3 states (5 nodes) implies it'
        """
        size = "" if self.nodes is None else f" ({self.nodes} node{'s' * (self.nodes != 1)})"
        counted = f"{self.states} state{'s' * (self.states != 1)}{self.part}{size}"
        return f"an inductive invariant of {counted if self.exact else f'{counted}, reachable or not,'} implies it"


class FormulaInvariant(Struct, frozen=True):
    """The same as a formula: it holds initially, is kept by every step, and implies the property."""

    invariant: Expr

    @property
    def summary(self) -> str:
        text = show(self.invariant)
        return f"inductive invariant: {text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 1] + '…'}"


class Induction(Struct, frozen=True):
    """The claim that induction over so many steps shows an invariant."""

    depth: int

    @property
    def summary(self) -> str:
        """
        >>> Induction(3).summary
        'it follows by induction over 3 steps'
        """
        return f"it follows by induction over {self.depth} step{'s' * (self.depth != 1)}"


class AllPathsEnd(Struct, frozen=True):
    """The claim that no path has so many steps, and none of them violates an invariant."""

    steps: int

    @property
    def depth(self) -> int:
        return self.steps

    @property
    def summary(self) -> str:
        return f"no path has {self.steps} step{'s' * (self.steps != 1)}, and none that is shorter violates it"


class Classes(Struct, frozen=True):
    """The property holds of a quotient, whose classes of states behave as the states do."""

    classes: int
    relation: str = "bisimulation"

    @property
    def summary(self) -> str:
        if self.relation == "symmetry":
            return f"representatives of {self.classes} orbits of symmetric states"
        kind = "a stable partition of" if self.relation == "bisimulation" else "a smallest structure of"
        return f"{kind} {self.classes} classes"


class Stated(Struct, frozen=True):
    """What an engine says in words, and no judge knows how to look into."""

    summary: str


Proof: TypeAlias = Inductive | FormulaInvariant | Induction | AllPathsEnd | Classes | Stated
