"""Preimages of small sets go through the next-state functions, and those of large sets through clusters of the relation.

Reference: Bustan 2002, chapter 7, asks for such a choice. The rule is ours: docs/decisions/0009-preimages-are-chosen.md.
Symbols:   –
Invariant: all ways give the same set, and the way depends on nothing but numbers of nodes and bits.
Deviates:  –
Cost:      A composition walks over the functions once for each node of the set, n·m steps for n nodes and functions of m nodes in
           the mean; a product walks over the whole relation, b·m steps for b bits, however small the set is. So n is compared
           with b. Clusters are built when they are first needed. Images, and all preimages where some next value is no function,
           go through the relation in one piece if that is small; for circuits it may be ten times as slow as clusters.
"""

from __future__ import annotations

from functools import cached_property
from typing import Generic

from coarsest import tuning
from coarsest.bdd.protocol import F
from coarsest.run import Run
from coarsest.space.bdd.relation.disjunctive import Disjunctive
from coarsest.space.bdd.relation.early_quantification import EarlyQuantification
from coarsest.space.bdd.relation.functions import NextStateFunctions
from coarsest.space.bdd.relation.monolithic import Monolithic
from coarsest.space.bdd.relation.step import ImageMethod, Step, enough_functions


class FunctionsOrRelation(Generic[F]):
    def __init__(self, step: Step[F], run: Run) -> None:
        self.manager = step.manager
        self.step = step
        self._run = run

    @cached_property
    def functions(self) -> NextStateFunctions[F] | None:
        """None unless the step is nothing but functions and small constraints."""
        return NextStateFunctions(self.step, self._run) if enough_functions(self.step) else None

    @cached_property
    def clusters(self) -> EarlyQuantification[F]:
        return EarlyQuantification(self.step, self._run)

    @cached_property
    def whole(self) -> Monolithic[F] | None:
        """The relation as one function, if it is small."""
        parts = self.clusters.clusters
        nodes = self.manager.size(*(part.relation for part in parts))
        most = tuning.RELATION_NODES
        return Monolithic.joined(self.step, parts, self._run, most) if nodes <= most else None

    @property
    def relation(self) -> Monolithic[F] | EarlyQuantification[F]:
        return self.whole or self.clusters

    def post(self, states: F) -> F:
        return self.relation.post(states)

    def pre(self, states: F) -> F:
        functions = self.functions
        if functions is None:
            return self.relation.pre(states)
        small = self.manager.size(states) <= tuning.SET_NODES_FOR_FUNCTIONS * len(self.step.after)
        return functions.pre(states) if small else self.clusters.pre(states)

    def pre_within(self, states: F, most_live: int) -> F | None:
        return self.relation.pre_within(states, most_live)


def whole_of(method: ImageMethod[F]) -> Monolithic[F] | None:
    """The relation as one function, where the method has it, or would build it for the next image because it is small."""
    if isinstance(method, Disjunctive | FunctionsOrRelation):
        return method.whole
    return method if isinstance(method, Monolithic) else None
