"""The step relation as one Boolean function: simple, and fine for small machines.

Reference: Burch, Clarke, McMillan, Dill, Hwang 1992, section 3.
Symbols:   R is `relation`.
Invariant: `relation` is the conjunction of all conjuncts of the step, inputs quantified: each with the last part that has it.
Deviates:  –
Cost:      one relational product per image; the relation itself may be too large to build.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from math import inf
from typing import Generic

from coarsest import tuning
from coarsest.bdd.bounded import product_within
from coarsest.bdd.protocol import F, Manager
from coarsest.run import Run
from coarsest.space.bdd.relation.early_quantification import Forgetting, by_neighbours, cluster
from coarsest.space.bdd.relation.step import Conjunct, Step


def pieces(step: Step[F], run: Run) -> list[Conjunct[F]]:
    """Small clusters, without inputs where these are in one of them only."""
    return cluster(step.manager, step.conjuncts, limit=tuning.PIECE_NODES, run=run, forgotten=step.inputs)


class Monolithic(Generic[F]):
    def __init__(self, step: Step[F], relation: F) -> None:
        manager = self.manager = step.manager
        self.relation = relation
        self.now_of_after = step.layout.now_of_after
        self.now, self.after = manager.cube(step.now), manager.cube(step.after)
        self.to_now = manager.substitution({a: manager.var(n) for a, n in step.layout.now_of_after.items()})
        self.to_after = manager.substitution({n: manager.var(a) for a, n in step.layout.now_of_after.items()})

    @classmethod
    def of(cls, step: Step[F], run: Run) -> Monolithic[F]:
        """Whatever it costs."""
        relation = cls.joined(step, pieces(step, run), run)
        assert relation is not None  # without a limit there is always one
        return relation

    @classmethod
    def if_small(cls, step: Step[F], run: Run, most_nodes: int | None = None) -> Monolithic[F] | None:
        """Only if the relation has few nodes."""
        return cls.joined(step, pieces(step, run), run, tuning.RELATION_NODES if most_nodes is None else most_nodes)

    @classmethod
    def joined(cls, step: Step[F], parts: Sequence[Conjunct[F]], run: Run, most_nodes: float = inf) -> Monolithic[F] | None:
        """The conjunction of the parts, inputs quantified as early as possible, if no more nodes than these come on the way."""
        manager = step.manager
        forgetting = Forgetting(manager, parts, step.inputs)
        joined, size = Conjunct(manager.true, None, frozenset()), 0
        for waiting, part in enumerate(ordered := by_neighbours(manager, parts)):
            if size > most_nodes:
                return None
            run.step("relation", waiting=len(ordered) - waiting, nodes=manager.live_nodes)
            both = forgetting.both(joined, part)
            forgetting.joined(joined, part)
            joined, size = both, manager.size(both.relation)
        return cls(step, manager.exists(joined.relation, manager.cube(step.inputs))) if size <= most_nodes else None

    @classmethod
    def among(cls, step: Step[F], states: F) -> Monolithic[F] | None:
        """The steps that begin in one of the states, if they have few nodes; with few states to begin with, they often have."""
        manager = step.manager
        relation = states
        for conjunct in step.conjuncts:
            product = _both_if_small(manager, relation, conjunct.relation)
            if product is None:
                return None
            relation = product
        return cls(step, manager.exists(relation, manager.cube(step.inputs)))

    def narrowed(self, states: F) -> Monolithic[F]:
        """The relation with only the steps that begin in one of the states."""
        return self._with(self.relation & states)

    def narrowed_if_small(self, states: F) -> Monolithic[F] | None:
        """The same, only if it has few nodes."""
        relation = _both_if_small(self.manager, self.relation, states)
        return None if relation is None else self._with(relation)

    def _with(self, relation: F) -> Monolithic[F]:
        other = copy(self)
        other.relation = relation
        return other

    def post(self, states: F) -> F:
        return self.manager.substitute(self.manager.and_exists(states, self.relation, self.now), self.to_now)

    def pre(self, states: F) -> F:
        return self.manager.and_exists(self.manager.substitute(states, self.to_after), self.relation, self.after)

    def pre_within(self, states: F, most_live: int) -> F | None:
        return product_within(self.manager, self.manager.substitute(states, self.to_after), self.relation, self.after, most_live)


def _both_if_small(manager: Manager[F], f: F, g: F) -> F | None:
    """Steps among given states may be held in more nodes than a relation, for they serve many preimages."""
    return product_within(manager, f, g, manager.true, manager.live_nodes + tuning.NODES_OF_STEPS_AMONG_STATES)
