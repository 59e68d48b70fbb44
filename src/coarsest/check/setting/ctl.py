"""CTL properties of a machine."""

from __future__ import annotations

from coarsest.check.setting.arena import Arena
from coarsest.logic.expr import Expr
from coarsest.run import Run
from coarsest.search.ctl_fixpoints import CtlFixpoints
from coarsest.space.space import S


class CtlOnStates(CtlFixpoints[S]):
    """CTL where a state may carry the inputs of its next step: what a path quantifier yields does not depend on them."""

    def __init__(self, arena: Arena[S], run: Run, *, fair_algorithm: str = "auto") -> None:
        super().__init__(arena.space, run, fair_algorithm=fair_algorithm, total=arena.total)
        self.arena = arena

    def holds_from(self, start: S, formula: Expr) -> bool:
        return super().holds_from(start, formula) if self.arena.exact else start <= self.satisfying(formula)

    def for_all_inputs(self, found: S) -> S:
        return self.arena.forget(found) & self.space.states
