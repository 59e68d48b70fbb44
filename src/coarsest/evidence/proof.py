"""Proofs that a property holds, as data that engines write and judges read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from msgspec import Struct

from coarsest.evidence.decision_diagrams import DecisionDiagrams
from coarsest.logic.expr import Expr, Value
from coarsest.logic.show import show
from coarsest.model.types import Type

LONGEST_SHOWN: Final = 400
"""The number of characters to which the text of an invariant is cut."""


class InductiveInvariant(Struct, frozen=True):
    """A set of states that contains the initial states and that no step leaves, as a decision diagram.

    It proves a condition on all reachable states if every member of it is good.
    """

    graphs: DecisionDiagrams
    root: int

    def contains(self, state: Mapping[str, Value], types: Mapping[str, Type]) -> bool:
        """Does a state belong to the invariant?"""
        return self.graphs.contains(self.root, state, types)


class Inductive(Struct, frozen=True):
    """The size of an inductive invariant, for people."""

    states: int
    nodes: int | None = None
    """The number of nodes of its decision diagram, if it is one."""
    exact: bool = False
    """Are these exactly the reachable states?"""
    part: str = ""
    """The variables that a state consists of, unless it has all variables."""

    @property
    def summary(self) -> str:
        """
        >>> Inductive(3, 5, exact=True).summary
        'an inductive invariant of 3 states (5 nodes) implies it'
        """
        size = "" if self.nodes is None else f" ({self.nodes} node{'s' * (self.nodes != 1)})"
        counted = f"{self.states} state{'s' * (self.states != 1)}{self.part}{size}"
        return f"an inductive invariant of {counted if self.exact else f'{counted}, reachable or not,'} implies it"


Clauses: TypeAlias = tuple[tuple[tuple[str, int, bool], ...], ...]
"""A literal of a clause is a variable, the place of a bit of the variable, and the value of the bit."""


class ClauseInvariant(Struct, frozen=True):
    """An inductive invariant as clauses over bits of variables; all states in it are good."""

    clauses: Clauses

    @property
    def summary(self) -> str:
        """
        >>> ClauseInvariant(((("x", 0, True),),)).summary
        'an inductive invariant of 1 clause implies it'
        """
        return f"an inductive invariant of {_counted(self.clauses)} implies it"


class ClauseRounds(Struct, frozen=True):
    """The claim that no path meets everything that a violation needs again and again more than `most` times.

    The clauses are an inductive invariant of a machine that counts.
    """

    most: int
    clauses: Clauses

    @property
    def summary(self) -> str:
        """
        >>> ClauseRounds(1, ((("x", 0, True),),)).summary
        'no path meets what a violation needs more than 1 time, by an inductive invariant of 1 clause'
        """
        times = f"no path meets what a violation needs more than {self.most} time{'s' * (self.most != 1)}"
        return f"{times}, by an inductive invariant of {_counted(self.clauses)}"


class ClauseNoReturn(Struct, frozen=True):
    """The claim that no path comes back to a state after it has met everything that a violation needs again and again.

    The clauses are an inductive invariant of a machine that remembers a state.
    """

    clauses: Clauses

    @property
    def summary(self) -> str:
        """
        >>> ClauseNoReturn(()).summary
        'no path that meets what a violation needs comes back to a state, by an inductive invariant of 0 clauses'
        """
        clauses = _counted(self.clauses)
        return f"no path that meets what a violation needs comes back to a state, by an inductive invariant of {clauses}"


def _counted(clauses: Clauses) -> str:
    return f"{len(clauses)} clause{'s' * (len(clauses) != 1)}"


class FormulaInvariant(Struct, frozen=True):
    """An inductive invariant as a formula: it holds initially, every step preserves it, and it implies the property."""

    invariant: Expr

    @property
    def summary(self) -> str:
        text = show(self.invariant)
        return f"inductive invariant: {text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 1] + '…'}"


class Induction(Struct, frozen=True):
    """The claim that induction over `depth` steps shows an invariant, with these facts about all states.

    The facts together follow by induction over one step.
    """

    depth: int
    facts: tuple[Expr, ...] = ()
    others: tuple[Expr, ...] = ()
    """Other invariants that the same induction shows together with it."""

    @property
    def summary(self) -> str:
        """
        >>> Induction(3).summary
        'it follows by induction over 3 steps'
        >>> from coarsest.logic.expr import Name
        >>> Induction(1, (Name("x"),)).summary
        'it follows by induction over 1 step, with 1 fact that follows by induction'
        """
        steps = f"it follows by induction over {self.depth} step{'s' * (self.depth != 1)}"
        if self.others:
            steps += f", together with {len(self.others)} other propert{'y' if len(self.others) == 1 else 'ies'}"
        facts = len(self.facts)
        return f"{steps}, with {facts} fact{'s that follow' if facts > 1 else ' that follows'} by induction" if facts else steps


class AllPathsEnd(Struct, frozen=True):
    """The claim that no path has this many steps, and that no shorter one violates an invariant."""

    steps: int

    @property
    def depth(self) -> int:
        return self.steps

    @property
    def summary(self) -> str:
        return f"no path has {self.steps} step{'s' * (self.steps != 1)}, and no shorter path violates it"


class QuotientClasses(Struct, frozen=True):
    """The property holds on a quotient, whose classes behave like the states in them."""

    classes: int
    relation: str = "bisimulation"

    @property
    def summary(self) -> str:
        if self.relation == "symmetry":
            return f"representatives of {self.classes} orbits of symmetric states"
        kind = {"bisimulation": "a stable partition", "delay": "a smaller structure"}.get(self.relation, "a smallest structure")
        return f"{kind} of {self.classes} classes"


class Stated(Struct, frozen=True):
    """A statement of an engine in words, which no judge can examine."""

    summary: str


Proof: TypeAlias = (
    Inductive | ClauseInvariant | ClauseRounds | ClauseNoReturn | FormulaInvariant
    | Induction | AllPathsEnd | QuotientClasses | Stated
)
