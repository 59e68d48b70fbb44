"""Certificates from symbolic sets."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from coarsest.check.certificate_graphs import GraphWriter
from coarsest.evidence.invariants import InductiveInvariant
from coarsest.system.symbolic import SymbolicSet, SymbolicSpace


class SymbolicInvariant(Struct, frozen=True):
    """An inductive invariant that is still a set of a symbolic space; `graph()` takes it out of the engine."""

    space: SymbolicSpace[Any]
    states: SymbolicSet[Any]

    @property
    def members(self) -> int:
        return self.space.count(self.states)

    @property
    def summary(self) -> str:
        states, nodes = self.members, self.space.size(self.states)
        size = f"{states} state{'s' * (states != 1)} ({nodes} node{'s' * (nodes != 1)})"
        return f"an inductive invariant of {size} implies it"

    def graph(self) -> InductiveInvariant:
        """The invariant as a decision graph that can be written down and checked without the engine."""
        writer = GraphWriter()
        root = writer.root(self.space, self.states.function)
        return InductiveInvariant(writer.graphs, root)
