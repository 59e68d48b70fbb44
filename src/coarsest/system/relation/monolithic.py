"""The step relation as one Boolean function: simple, and fine for small machines.

Reference: Burch, Clarke, McMillan, Dill, Hwang 1992, section 3.
Symbols:   R is `relation`.
Invariant: `relation` is the conjunction of all conjuncts of the step, inputs quantified.
Deviates:  –
Cost:      one relational product per image; the relation itself may be too large to build.
"""

from __future__ import annotations

from typing import Generic

from coarsest.bdd.protocol import F
from coarsest.run import Run
from coarsest.system.relation.early_quantification import cluster
from coarsest.system.relation.schedule import schedule
from coarsest.system.relation.step import Step


class Monolithic(Generic[F]):
    def __init__(self, step: Step[F], run: Run) -> None:
        manager = self.manager = step.manager
        clusters = cluster(step.manager, step.conjuncts, limit=None, run=run)
        parts = [c.relation for c in clusters] or [manager.true]
        self.relation = schedule(manager, parts, [c.support for c in clusters] or [()], step.inputs).apply(manager, manager.true)
        self.now = manager.cube(step.now)
        self.after = manager.cube(step.after)
        self.to_now = manager.substitution({a: manager.var(n) for a, n in step.layout.now_of_after.items()})
        self.to_after = manager.substitution({n: manager.var(a) for a, n in step.layout.now_of_after.items()})

    def post(self, states: F) -> F:
        return self.manager.substitute(self.manager.and_exists(states, self.relation, self.now), self.to_now)

    def pre(self, states: F) -> F:
        return self.manager.and_exists(self.manager.substitute(states, self.to_after), self.relation, self.after)
