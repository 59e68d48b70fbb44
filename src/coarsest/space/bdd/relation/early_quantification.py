"""The step relation as clusters of conjuncts, each variable quantified as early as its last use allows.

Reference: Burch, Clarke, Long 1991 (conjunctive partitions); Ranjan et al. 1995 for the order and the clusters.
Symbols:   –
Invariant: the conjunction of the clusters is the conjunction of the conjuncts.
Deviates:  forwards and backwards have schedules of their own.
Cost:      one relational product per cluster; a cluster has at most `limit` nodes unless a single conjunct is larger.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Generic

from coarsest.bdd.protocol import F, Manager
from coarsest.run import Run
from coarsest.space.bdd.relation.schedule import Levels, order_parts, schedule
from coarsest.space.bdd.relation.step import Conjunct, Step

CLUSTER_NODES = 2000


def cluster(manager: Manager[F], parts: Sequence[Conjunct[F]], *, limit: int | None, run: Run) -> list[Conjunct[F]]:
    """Conjoin neighbours in the best order for quantification while they stay small."""
    if not parts:
        return []
    # The order that would quantify everything: neighbours in it share variables, whichever direction is computed later.
    masks = list(map(Levels(manager).mask, (part.support for part in parts)))
    ordered = [parts[i] for i in order_parts(masks, reduce(or_, masks))]
    clusters = [ordered[0]]
    for part in ordered[1:]:
        last = clusters[-1]
        joined = last.relation & part.relation
        if limit is None or manager.size(joined) <= limit:
            clusters[-1] = Conjunct(joined, None, last.support | part.support)
        else:
            clusters.append(part)
        run.step("cluster", clusters=len(clusters))
    return clusters


class EarlyQuantification(Generic[F]):
    def __init__(
        self, step: Step[F], run: Run, *, limit: int = CLUSTER_NODES, clusters: Sequence[Conjunct[F]] | None = None
    ) -> None:
        """With clusters of the conjuncts that somebody has made, or of at most `limit` nodes."""
        manager = self.manager = step.manager
        self.clusters = cluster(manager, step.conjuncts, limit=limit, run=run) if clusters is None else clusters
        parts = [c.relation for c in self.clusters]
        supports = [c.support for c in self.clusters]
        self.forwards = schedule(manager, parts, supports, [*step.now, *step.inputs])
        self.backwards = schedule(manager, parts, supports, [*step.after, *step.inputs])
        self.to_now = manager.substitution({a: manager.var(n) for a, n in step.layout.now_of_after.items()})
        self.to_after = manager.substitution({n: manager.var(a) for a, n in step.layout.now_of_after.items()})

    def post(self, states: F) -> F:
        return self.manager.substitute(self.forwards.apply(self.manager, states), self.to_now)

    def pre(self, states: F) -> F:
        return self.backwards.apply(self.manager, self.manager.substitute(states, self.to_after))
