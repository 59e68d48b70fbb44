"""Preimages by vector composition: put the next-state functions into the set.

Reference: Coudert, Berthet, Madre 1989; Filkorn 1991.
Symbols:   δ is `functions`.
Invariant: pre(Q) = ∃ inputs. Q[x := δ_x(x, i) for every x], where every next value is a function.
Deviates:  variables whose next value is not a function are quantified with their conjuncts; images use clusters.
Cost:      one simultaneous substitution per preimage; no next-state variables in the result.
"""

from __future__ import annotations

from typing import Generic

from coarsest.bdd.protocol import F
from coarsest.run import Run
from coarsest.system.relation.early_quantification import EarlyQuantification
from coarsest.system.relation.schedule import schedule
from coarsest.system.relation.step import Step


class NextStateFunctions(Generic[F]):
    def __init__(self, step: Step[F], run: Run) -> None:
        manager = self.manager = step.manager
        self.clusters = EarlyQuantification(step, run)
        slots = step.layout.slots
        into: dict[int, F] = {}
        functions: dict[int, F] = {}
        for name, bits in step.functions.items():
            into.update(zip(slots[name].now, bits, strict=True))
            functions.update(zip(slots[name].after, bits, strict=True))
        for after, now in step.layout.now_of_after.items():
            into.setdefault(now, manager.var(after))
        self.into = manager.substitution(into)
        # What is no function is left as conjuncts, in which the next values that are functions are replaced too.
        replace = manager.substitution(functions)
        rest = [c.relation for c in step.conjuncts if c.target not in step.functions]
        rest = [manager.substitute(relation, replace) for relation in rest]
        free = [after for after in step.after if after not in functions]
        supports = [manager.support(relation) for relation in rest]
        self.backwards = schedule(manager, rest, supports, [*free, *step.inputs])

    def post(self, states: F) -> F:
        return self.clusters.post(states)

    def pre(self, states: F) -> F:
        return self.backwards.apply(self.manager, self.manager.substitute(states, self.into))
