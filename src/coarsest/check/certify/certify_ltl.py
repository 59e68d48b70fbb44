"""Certificates of LTL formulas: beside what watches it, no fair path of the machine violates the formula.

The product is that with the watcher of the checker (`evidence/claims/ltl_watcher.py`), whichever way the formula was decided.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from coarsest.check.certify.certificate_diagrams import DiagramWriter
from coarsest.check.certify.certificate_removals import remove
from coarsest.check.certify.certify_ctl import CtlCertifier
from coarsest.check.products.stutter import with_stutter
from coarsest.check.setting.workshop import Setting
from coarsest.errors import EvidenceRejected
from coarsest.evidence.certificate import Certificate, Inevitable
from coarsest.evidence.claims.ltl_watcher import watch_violations
from coarsest.logic.expr import Expr
from coarsest.options.methods import BuildOptions
from coarsest.run import Run
from coarsest.search.reachability import explore
from coarsest.space.bdd.build import build
from coarsest.space.bdd.symbolic import SymbolicSet, SymbolicSpace
from coarsest.space.space import StateSpace
from coarsest.space.views import Within

Set = SymbolicSet[Any]


def linear_certificate(
    setting: Setting[Set], formula: Expr, writer: DiagramWriter, options: BuildOptions, run: Run
) -> Certificate:
    """A certificate that the formula, which holds, does."""
    watcher, violated = watch_violations(formula)
    machine = watcher.beside(setting.machine)
    machine = replace(
        machine,
        initial_constraints=(*machine.initial_constraints, *watcher.initial),
        transition_constraints=(*machine.transition_constraints, *watcher.steps),
    )
    system = setting.arena.base
    assert isinstance(system, SymbolicSpace)
    product = build(machine, run, replace(options, like=system.order_found))
    space = _reachable(product, setting, product.initial & product.where(violated), run)
    removed, left = remove(space, run, space.states, space.states)
    if left:
        raise EvidenceRejected("the formula is said to hold, but a fair path beside what watches it violates it")
    certifier = CtlCertifier(setting, writer, run)
    invariant = writer.root(product, space.states.function)
    proof = Inevitable(invariant, invariant, certifier.removals(removed, product))
    return certifier.written(invariant, None, None, (proof,))


def _reachable(product: SymbolicSpace[Any], setting: Setting[Set], start: Set, run: Run) -> StateSpace[Set]:
    """The part of the product that violating paths may go through."""
    arena = setting.arena
    if arena.may_be_stuck and arena.stuck:
        whole = with_stutter(product, arena)
        return Within(whole, explore(whole, run, start))
    return product.narrowed(explore(product, run, start))
