"""Preimages of small sets go through the next-state functions, and those of larger ones through the relation.

Reference: Bustan 2002, chapter 7, asks for such a choice. The rule is ours: docs/decisions/0009-preimages-are-chosen.md.
Symbols:   –
Invariant: all ways give the same set, and the way depends on nothing but numbers of nodes and bits.
Deviates:  –
Cost:      A composition walks over the functions once for each inner node of the set, n·m steps for n nodes and functions of m
           nodes in the mean; a product walks over the whole relation, however small the set is. So n·m is compared with the
           nodes of the relation's conjuncts. A relation that is small in one piece serves images, and preimages until one of
           them makes many more nodes than the sets have; then clusters do, which were twenty times as fast in such cases.
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
        self._whole_serves_preimages = True

    @cached_property
    def functions(self) -> NextStateFunctions[F] | None:
        """None unless the step is nothing but functions and small constraints."""
        return NextStateFunctions(self.step, self._run) if enough_functions(self.step) else None

    @cached_property
    def nodes_for_functions(self) -> float:
        """The largest set whose preimage takes fewer steps through the functions than through the relation.

        It has an inner node for each bit, as a single state has, or more if the relation is larger than the functions.
        """
        if self.functions is None:
            return 0
        functions = self.functions.of_bits.values()
        relation = self.manager.size(*(conjunct.relation for conjunct in self.step.conjuncts))
        return 1 + len(functions) * max(1.0, relation / max(1, self.manager.size(*functions)))

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
        if self.functions is not None and self.manager.size(states) <= self.nodes_for_functions:
            return self.functions.pre(states)
        if self._whole_serves_preimages and self.whole is not None:
            return self._through_whole(self.whole, states)
        return self.clusters.pre(states)

    def _through_whole(self, whole: Monolithic[F], states: F) -> F:
        live = self.manager.live_nodes
        result = whole.pre(states)
        made = self.manager.live_nodes - live - self.manager.size(whole.relation)
        self._whole_serves_preimages = made <= tuning.NODES_OF_A_PRODUCT * self.manager.size(states, result)
        return result

    def pre_within(self, states: F, most_live: int) -> F | None:
        return self.relation.pre_within(states, most_live)


def whole_of(method: ImageMethod[F]) -> Monolithic[F] | None:
    """The relation as one function, where the method has it, or would build it for the next image because it is small."""
    if isinstance(method, Disjunctive | FunctionsOrRelation):
        return method.whole
    return method if isinstance(method, Monolithic) else None
