"""The step relation as clusters of conjuncts, each variable quantified as early as its last use allows.

Reference: Burch, Clarke, Long 1991 (conjunctive partitions); Ranjan et al. 1995 for the order and the clusters.
Symbols:   –
Invariant: the conjunction of the clusters is that of the conjuncts, without inputs that only one cluster mentions: these are
           quantified there once and for all.
Deviates:  forwards and backwards have schedules of their own.
Cost:      one relational product per cluster; a cluster has at most `limit` nodes unless a single conjunct is larger.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from functools import cached_property, reduce
from operator import or_
from typing import Generic

from coarsest import tuning
from coarsest.bdd.protocol import F, Manager
from coarsest.run import Run
from coarsest.space.bdd.relation.schedule import Levels, Schedule, order_parts, schedule
from coarsest.space.bdd.relation.step import Conjunct, Step


class Forgetting(Generic[F]):
    """Conjunctions without those of some variables that nothing else mentions."""

    def __init__(self, manager: Manager[F], parts: Sequence[Conjunct[F]], variables: Collection[int]) -> None:
        self.manager = manager
        self._variables = frozenset(variables)
        self._mentions = Counter(variable for part in parts for variable in part.support & self._variables)

    def alone(self, part: Conjunct[F]) -> Conjunct[F]:
        lonely = [variable for variable in part.support & self._variables if self._mentions[variable] == 1]
        if not lonely:
            return part
        # Often more variables are gone than these, and what is not mentioned is quantified from a set at once.
        relation = self.manager.exists(part.relation, self.manager.cube(lonely))
        return Conjunct(relation, None, frozenset(self.manager.support(relation)))

    def both(self, one: Conjunct[F], other: Conjunct[F]) -> Conjunct[F]:
        support = one.support | other.support
        lonely = [variable for variable in support & self._variables
                  if self._mentions[variable] == (variable in one.support) + (variable in other.support)]  # fmt: skip
        if lonely:
            relation = self.manager.and_exists(one.relation, other.relation, self.manager.cube(lonely))
        else:
            relation = one.relation & other.relation
        return Conjunct(relation, None, support.difference(lonely))

    def joined(self, one: Conjunct[F], other: Conjunct[F]) -> None:
        """The two are one part from now on."""
        self._mentions.subtract(one.support & other.support & self._variables)


def by_neighbours(manager: Manager[F], parts: Sequence[Conjunct[F]]) -> list[Conjunct[F]]:
    """In the order that would quantify everything: neighbours share variables, whichever direction is computed later."""
    masks = list(map(Levels(manager).mask, (part.support for part in parts)))
    return [parts[i] for i in order_parts(masks, reduce(or_, masks, 0))]


def cluster(
    manager: Manager[F], parts: Sequence[Conjunct[F]], *, limit: int | None, run: Run, forgotten: Collection[int] = ()
) -> list[Conjunct[F]]:
    """Conjoin neighbours in the best order for quantification while they stay small, and forget variables on the way."""
    forgetting = Forgetting(manager, parts, forgotten)
    parts = [part for part in map(forgetting.alone, parts) if part.relation != manager.true]
    if not parts:
        return []
    first, *others = by_neighbours(manager, parts)
    clusters = [first]
    for part in others:
        both = forgetting.both(clusters[-1], part)
        if limit is None or manager.size(both.relation) <= limit:
            forgetting.joined(clusters[-1], part)
            clusters[-1] = both
        else:
            clusters.append(part)
        run.step("cluster", clusters=len(clusters))
    return clusters


class EarlyQuantification(Generic[F]):
    def __init__(
        self, step: Step[F], run: Run, *, limit: int | None = None, clusters: Sequence[Conjunct[F]] | None = None
    ) -> None:
        """With clusters of the conjuncts that somebody has made, or of at most `limit` nodes."""
        manager = self.manager = step.manager
        if clusters is None:
            limit = tuning.CLUSTER_NODES if limit is None else limit
            clusters = cluster(manager, step.conjuncts, limit=limit, run=run, forgotten=step.inputs)
        self.clusters, self._step = clusters, step

    @cached_property
    def forwards(self) -> Schedule[F]:
        return self._schedule([*self._step.now, *self._step.inputs])

    @cached_property
    def backwards(self) -> Schedule[F]:
        return self._schedule([*self._step.after, *self._step.inputs])

    def _schedule(self, quantified: Sequence[int]) -> Schedule[F]:
        return schedule(self.manager, [c.relation for c in self.clusters], [c.support for c in self.clusters], quantified)

    @cached_property
    def to_now(self) -> object:
        return self.manager.substitution({a: self.manager.var(n) for a, n in self._step.layout.now_of_after.items()})

    @cached_property
    def to_after(self) -> object:
        return self.manager.substitution({n: self.manager.var(a) for a, n in self._step.layout.now_of_after.items()})

    def post(self, states: F) -> F:
        return self.manager.substitute(self.forwards.apply(self.manager, states), self.to_now)

    def pre(self, states: F) -> F:
        return self.backwards.apply(self.manager, self.manager.substitute(states, self.to_after))

    def pre_within(self, states: F, most_live: int) -> F | None:
        return self.backwards.apply_within(self.manager, self.manager.substitute(states, self.to_after), most_live)
