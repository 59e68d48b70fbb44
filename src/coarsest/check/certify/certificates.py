"""Certificates from symbolic sets."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from coarsest.check.certify.certificate_graphs import GraphWriter
from coarsest.check.setting.hollow import several
from coarsest.evidence.proof import InductiveInvariant
from coarsest.space.bdd.symbolic import SymbolicSet, SymbolicSpace


class SymbolicInvariant(Struct, frozen=True):
    """An inductive invariant that is still a set of a symbolic space; `graph()` takes it out of the engine."""

    space: SymbolicSpace[Any]
    states: SymbolicSet[Any]
    exact: bool = False
    """Are these the reachable states, and no others?"""
    part: str = ""
    """Of which variables they are states, where these are not all."""

    @property
    def members(self) -> int:
        return self.space.count(self.states)

    @property
    def summary(self) -> str:
        nodes = self.space.size(self.states)
        states, _ = several(self.space, self.states)
        counted, size = f"{states} state{'s' * (states != 1)}{self.part}", f"({nodes} node{'s' * (nodes != 1)})"
        return f"an inductive invariant of {counted} {size if self.exact else f'{size}, reachable or not,'} implies it"

    def graph(self) -> InductiveInvariant:
        """The invariant as a decision graph that can be written down and checked without the engine."""
        writer = GraphWriter()
        root = writer.root(self.space, self.states.function)
        return InductiveInvariant(writer.graphs, root)
