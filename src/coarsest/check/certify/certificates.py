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
    """An inductive invariant that is a set of listed states; `diagram()` takes it out of the engine."""

    space: Any
    states: Any
    exact: bool = False
    """Are these the reachable states, and no others?"""
    part: str = ""
    """The part of the machine whose states these are, in words, if that is not the whole machine."""

    @property
    def members(self) -> int:
        return int(self.space.count(self.states))

    @property
    def nodes(self) -> int | None:
        """The size of the decision diagram that the set is, if it is one."""
        return None

    @property
    def described(self) -> Inductive:
        """The proof as it is reported, without the engine."""
        return Inductive(number_of(self.space, self.states), self.nodes, self.exact, self.part)

    @property
    def summary(self) -> str:
        return self.described.summary

    def diagram(self, machine: Machine, merged: Mapping[str, Expr]) -> InductiveInvariant:
        """The invariant as a decision diagram that can be written down and checked without the engine.

        It says, too, that merged variables equal what they were merged with.
        """
        writer = DiagramWriter()
        root = writer.where_equal(machine, merged, self.root(writer))
        return InductiveInvariant(writer.graphs, root)

    def root(self, writer: DiagramWriter, without: Collection[Variable] = ()) -> int:
        """The root of the set, whatever some variables are, made of its states one by one."""
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
