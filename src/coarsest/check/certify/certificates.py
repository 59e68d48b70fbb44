"""Proofs of invariants that are still sets of a space."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from msgspec import Struct

from coarsest.check.certify.certificate_diagrams import DiagramWriter
from coarsest.check.setting.model_warnings import number_of
from coarsest.evidence.proof import Inductive, InductiveInvariant
from coarsest.logic.expr import Expr
from coarsest.model.machine import Machine, Variable


class SetInvariant(Struct, frozen=True):
    """An inductive invariant that is a set of listed states; `graph()` takes it out of the engine."""

    space: Any
    states: Any
    exact: bool = False
    """Are these the reachable states, and no others?"""
    part: str = ""
    """Of which variables they are states, where these are not all."""

    @property
    def members(self) -> int:
        return int(self.space.count(self.states))

    @property
    def nodes(self) -> int | None:
        """Of the decision diagram that the set is, if it is one."""
        return None

    @property
    def told(self) -> Inductive:
        """What is said of it, without the engine."""
        return Inductive(number_of(self.space, self.states), self.nodes, self.exact, self.part)

    @property
    def summary(self) -> str:
        return self.told.summary

    def graph(self, machine: Machine, merged: Mapping[str, Expr]) -> InductiveInvariant:
        """The invariant as a decision graph that can be written down and checked without the engine.

        Some variables of the machine have been left out, being equal to others; that they are belongs to it.
        """
        writer = DiagramWriter()
        root = writer.where_equal(machine, merged, self.root(writer))
        return InductiveInvariant(writer.graphs, root)

    def root(self, writer: DiagramWriter, without: Collection[Variable] = ()) -> int:
        """The node at which the set begins, whatever some variables are; made of its states, one by one."""
        variables = [v for v in self.space.machine.state_variables if v not in without]
        return writer.listed(self.space, self.states, variables)


class SymbolicInvariant(SetInvariant, frozen=True):
    """As a BDD."""

    @property
    def nodes(self) -> int:
        return int(self.space.size(self.states))

    def root(self, writer: DiagramWriter, without: Collection[Variable] = ()) -> int:
        manager, bits = self.space.manager, self.space.layout.now(without)
        return writer.root(self.space, manager.exists(self.states.function, manager.cube(bits)))
