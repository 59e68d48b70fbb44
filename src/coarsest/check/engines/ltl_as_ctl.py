"""LTL whose CTL twin says the same, by that: its refutation is a single path."""

from __future__ import annotations

from coarsest.check.questions.finding import Finding, Proved, Refuted
from coarsest.check.setting.explain import Explainer
from coarsest.check.setting.session import Setting
from coarsest.logic.expr import Expr
from coarsest.model.trace import Trace
from coarsest.space.space import S


def decide_twin(setting: Setting[S], twin: Expr) -> Finding:
    """The verdict on the CTL twin of a formula: where no fair path starts, none violates it."""
    arena, checker = setting.arena, setting.ctl
    if checker.holds_from(arena.start, twin):
        return Proved()
    violating = (arena.start - checker.satisfying(twin)) & checker.fair
    return Refuted(lambda: _lasso(setting, twin, violating)) if violating else Proved()


def _lasso(setting: Setting[S], twin: Expr, violating: S) -> Trace:
    arena = setting.arena
    path = Explainer(setting.ctl, setting.trace).explain(arena.base.pick(violating), twin).longest()
    if path.loop is not None:
        return path
    from coarsest.check.products.lassos import continued

    last = {**path.states[-1], **{v.name: next(v.type.values()) for v in arena.inputs}}
    return continued(setting, path, arena.forget(arena.base.state(last)))
