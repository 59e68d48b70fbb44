"""Lassos of the machine that the user wrote, from paths of what was built beside it."""

from __future__ import annotations

from coarsest.check.products.ltl import Product, Set, violation_in_product
from coarsest.check.products.ltl_safety import violating_prefix
from coarsest.check.questions.finding import Finding, Proved, Refuted
from coarsest.check.setting.session import Session, Setting
from coarsest.evidence.explanation import join
from coarsest.model.trace import Trace
from coarsest.options.engines import FairStates
from coarsest.search.fair_states import fair_hull
from coarsest.search.witness import Path, fair_lasso
from coarsest.space.space import S


def violation_beside(product: Product, session: Session, setting: Setting[Set]) -> Finding:
    """A lasso in the product; under `--safety`, if the product has bad states, a path to one and on."""
    session.spaces.account_for(product.space)
    symmetries = () if setting.on_representatives is None else setting.on_representatives.generators
    if (session.options.safety or symmetries) and product.bad is not None:
        arena = setting.arena
        fairness = arena.base.fairness
        everywhere = symmetries and not (fairness.justice or fairness.compassion or (arena.inputs and arena.may_be_stuck))
        fair = arena.base.states if everywhere else setting.ctl.fair
        prefix = violating_prefix(product, arena, fair, session.run, symmetries=symmetries)
        return Proved() if prefix is None else Refuted(lambda: _prefix_continued(setting, product, prefix()))
    lasso = violation_in_product(product, setting.arena, session.run, fair_algorithm=session.options.of(FairStates).fair)
    return Proved() if lasso is None else Refuted(lambda: setting.trace(lasso(), product.space))


def continued(setting: Setting[S], trace: Trace, here: S) -> Trace:
    """A finite refutation that ends here, continued to a fair lasso."""
    arena = setting.arena
    space = arena.space
    hull = fair_hull(space, arena.run, space.states)
    rest = setting.trace(fair_lasso(space, arena.run, here & setting.ctl.fair, space.states, hull))
    return join(trace, rest)


def _prefix_continued(setting: Setting[Set], product: Product, prefix: Path[Set]) -> Trace:
    """A path of the product to a bad state, and on from there: with the inputs of that state, which may be what is bad."""
    system = setting.arena.base
    last = product.space.describe(prefix.states[-1])
    here = system.state({name: value for name, value in last.items() if name in system.machine.variables})
    return continued(setting, setting.trace(prefix, product.space), here)
