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
from functools import cached_property
from typing import Generic

from coarsest.bdd.bounded import both_if_small
from coarsest.bdd.in_time import Patience, Product
from coarsest.bdd.protocol import F
from coarsest.run import Run
from coarsest.space.bdd.relation.early_quantification import Forgetting, by_neighbours, cluster
from coarsest.space.bdd.relation.step import Conjunct, Step

SMALL = 10_000
"""Nodes of a relation that is held as one function without further thought."""

PIECE = 400
"""Nodes of the clusters that it is made of: with larger or smaller ones, it took more to make it on nearly all circuits."""

SMALL_ENOUGH = 1500
"""Nodes of what is joined on the way, to which one more piece is joined without a look at the clock."""

SMALL_AMONG = 150_000
"""Nodes of one whose steps begin in given states: it may be larger, for it serves many preimages."""


def pieces(step: Step[F], run: Run) -> list[Conjunct[F]]:
    """Small clusters, without inputs where these are in one of them only."""
    return cluster(step.manager, step.conjuncts, limit=PIECE, run=run, forgotten=step.inputs)


class Monolithic(Generic[F]):
    def __init__(self, step: Step[F], relation: F) -> None:
        manager = self.manager = step.manager
        self.relation = relation
        self.now_of_after = step.layout.now_of_after
        self.now = manager.cube(step.now)
        self._backwards = Product(manager, step.after)
        self.to_now = manager.substitution({a: manager.var(n) for a, n in step.layout.now_of_after.items()})
        self.to_after = manager.substitution({n: manager.var(a) for a, n in step.layout.now_of_after.items()})

    @classmethod
    def of(cls, step: Step[F], run: Run) -> Monolithic[F]:
        """Whatever it costs."""
        relation = Joining(step, pieces(step, run), run).within(None)
        assert relation is not None  # without a limit there is always one
        return relation

    @classmethod
    def if_small(cls, step: Step[F], run: Run, most_nodes: int = SMALL) -> Monolithic[F] | None:
        """Only if the relation has few nodes."""
        return Joining(step, pieces(step, run), run).within(most_nodes)

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
        return cls(step, manager.exists(relation, manager.cube(step.inputs)))

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
        return self._backwards.of(self.manager.substitute(states, self.to_after), self.relation)

    def pre_within(self, states: F, patience: Patience) -> F | None:
        """None if it takes too long."""
        return self._backwards.within(self.manager.substitute(states, self.to_after), self.relation, patience)


class Joining(Generic[F]):
    """The relation on the way to one function, inputs quantified as early as possible. It may be left when it is too large, and
    somebody may go on later."""

    def __init__(self, step: Step[F], parts: Sequence[Conjunct[F]], run: Run) -> None:
        self._step, self._run = step, run
        self._forgetting = Forgetting(step.manager, parts, step.inputs)
        self._waiting = by_neighbours(step.manager, parts)[::-1]
        self._joined = Conjunct(step.manager.true, None, frozenset())
        self.size = 0
        """Nodes of what is joined."""

    @property
    def complete(self) -> bool:
        return not self._waiting

    def join(self, patience: Patience | None = None) -> bool:
        """One more part, unless that takes too long."""
        manager, part = self._step.manager, self._waiting[-1]
        self._run.step("relation", waiting=len(self._waiting), nodes=manager.live_nodes)
        both = self._forgetting.both(self._joined, part, patience if self.size > SMALL_ENOUGH else None)
        if both is None:
            return False
        self._waiting.pop()
        self._forgetting.joined(self._joined, part)
        self._joined = both
        self.size = manager.size(both.relation)
        return True

    def within(self, most_nodes: int | None) -> Monolithic[F] | None:
        """The whole, if that has no more nodes than these, now and on the way."""
        while most_nodes is None or self.size <= most_nodes:
            if self.complete:
                return self.whole
            self.join()
        return None

    @cached_property
    def whole(self) -> Monolithic[F]:
        """When everything is joined."""
        manager = self._step.manager
        return Monolithic(self._step, manager.exists(self._joined.relation, manager.cube(self._step.inputs)))
