"""CTL properties of a machine."""

from __future__ import annotations

from coarsest.check.setting.arena import Arena
from coarsest.logic.expr import Apply, Expr, subexpressions
from coarsest.run import Run
from coarsest.search.ctl_fixpoints import CtlFixpoints
from coarsest.space.space import S


class CtlOnStates(CtlFixpoints[S]):
    """CTL where a state may carry the inputs of its next step: the truth of a path quantifier does not depend on them."""

    def __init__(self, arena: Arena[S], run: Run, *, fair_algorithm: str = "auto") -> None:
        super().__init__(arena.space, run, fair_algorithm=fair_algorithm, total=arena.total)
        self.arena = arena

    def added_step_matters(self, formula: Expr) -> bool:
        """Does the verdict rest on the step to itself that a state without successor was given? For other operators than `EX`
        and `AX`, a path that stays in such a state is as good as one that ends there."""
        arena = self.arena
        if not any(isinstance(part, Apply) and part.op in ("EX", "AX") for part in subexpressions(formula)) or not arena.stuck:
            return False
        ending = _Ending(arena, self.run, fair_algorithm=self.fair_algorithm)
        vars(ending)["fair"] = self.fair
        return ending.holds_from(arena.first, formula) != self.holds_from(arena.first, formula)

    def holds_from(self, start: S, formula: Expr) -> bool:
        return super().holds_from(start, formula) if self.arena.exact else start <= self.satisfying(formula)

    def for_all_inputs(self, states: S) -> S:
        return self.arena.forget(states) & self.space.states


class _Ending(CtlOnStates[S]):
    """CTL where paths may end: no state comes next after one without successor."""

    def some_next(self, p: S) -> S:
        return super().some_next(p) - self.arena.stuck
