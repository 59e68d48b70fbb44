"""Is a quotient related to its graph? A kernel of its own answers, so that NumPy need not be loaded."""

from __future__ import annotations

from typing import Protocol

from coarsest._kernels.choose import kernels
from coarsest._kernels.columns import Column


class SourceRows(Protocol):
    """Transitions by their source."""

    @property
    def offsets(self) -> Column: ...
    @property
    def actions(self) -> Column: ...
    @property
    def targets(self) -> Column: ...


class RelatedQuotient(Protocol):
    """A graph and its quotient, the numbers that actions of the graph have in the quotient, the internal action of the graph or
    -1, the state of the quotient for each state of the graph, or -1, and the initial states."""

    @property
    def graph(self) -> SourceRows: ...
    @property
    def ranks(self) -> Column: ...
    @property
    def internal(self) -> int: ...
    @property
    def state_of(self) -> Column: ...
    @property
    def quotient(self) -> SourceRows: ...
    @property
    def initial(self) -> tuple[int, int]: ...


def is_quotient(claim: RelatedQuotient) -> bool:
    """Are the initial states, and all states that they lead to, related by bisimulation or, if there is an internal action, by
    branching bisimulation?"""
    first, second = claim.initial
    if claim.state_of[first] != second:
        return False
    graph, small = claim.graph, claim.quotient
    columns = graph.offsets, graph.actions, graph.targets, claim.ranks, claim.internal, claim.state_of
    judge = kernels("judge.quotients", transitions=0, choice="compiled")
    return bool(judge.is_quotient(*columns, small.offsets, small.actions, small.targets))
