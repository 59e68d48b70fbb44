"""The step relation as one Boolean function: simple, and fine for small machines.

Reference: Burch, Clarke, McMillan, Dill, Hwang 1992, section 3.
Symbols:   R is `relation`.
Invariant: `relation` is the conjunction of all conjuncts of the step, inputs quantified.
Deviates:  –
Cost:      one relational product per image; the relation itself may be too large to build.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Generic

from coarsest.bdd.bounded import both_if_small
from coarsest.bdd.protocol import F
from coarsest.run import Run
from coarsest.space.bdd.relation.early_quantification import cluster
from coarsest.space.bdd.relation.schedule import schedule
from coarsest.space.bdd.relation.step import Conjunct, Step

SMALL = 10_000
"""Nodes of a relation that is held as one function without further thought."""

SMALL_AMONG = 150_000
"""Nodes of one whose steps begin in given states: it may be larger, for it serves many preimages."""


class Monolithic(Generic[F]):
    def __init__(self, step: Step[F], clusters: Sequence[Conjunct[F]]) -> None:
        manager = self.manager = step.manager
        parts = [c.relation for c in clusters] or [manager.true]
        self.relation = schedule(manager, parts, [c.support for c in clusters] or [()], step.inputs).apply(manager, manager.true)
        self.now_of_after = step.layout.now_of_after
        self.now = manager.cube(step.now)
        self.after = manager.cube(step.after)
        self.to_now = manager.substitution({a: manager.var(n) for a, n in step.layout.now_of_after.items()})
        self.to_after = manager.substitution({n: manager.var(a) for a, n in step.layout.now_of_after.items()})

    @classmethod
    def of(cls, step: Step[F], run: Run) -> Monolithic[F]:
        """Whatever it costs."""
        return cls(step, cluster(step.manager, step.conjuncts, limit=None, run=run))

    @classmethod
    def if_small(cls, step: Step[F], run: Run) -> Monolithic[F] | None:
        """Only if the relation has few nodes."""
        clusters = cluster(step.manager, step.conjuncts, limit=SMALL, run=run)
        return cls(step, clusters) if len(clusters) <= 1 else None

    @classmethod
    def among(cls, step: Step[F], states: F) -> Monolithic[F] | None:
        """The steps that begin in one of the states, if they have few nodes; with few states to begin with, they often have."""
        manager = step.manager
        relation = states
        for conjunct in step.conjuncts:
            product = both_if_small(manager, relation, conjunct.relation, SMALL_AMONG)
            if product is None:
                return None
            relation = product
        found = cls(step, [])
        found.relation = manager.exists(relation, manager.cube(step.inputs))
        return found

    def narrowed(self, states: F) -> Monolithic[F]:
        """The relation with only the steps that begin in one of the states."""
        return self._with(self.relation & states)

    def narrowed_if_small(self, states: F) -> Monolithic[F] | None:
        """The same, only if it has few nodes."""
        relation = both_if_small(self.manager, self.relation, states, SMALL_AMONG)
        return None if relation is None else self._with(relation)

    def _with(self, relation: F) -> Monolithic[F]:
        other = copy(self)
        other.relation = relation
        return other

    def post(self, states: F) -> F:
        return self.manager.substitute(self.manager.and_exists(states, self.relation, self.now), self.to_now)

    def pre(self, states: F) -> F:
        return self.manager.and_exists(self.manager.substitute(states, self.to_after), self.relation, self.after)
