"""Certificates of LTL formulas: in the product with a watcher, no fair path of the machine violates the formula.

The watcher is always the checker's (`evidence/claims/ltl_watcher.py`), however the formula was decided. A formula that was
decided on bits is certified by clauses over this product and variables that count rounds, or save a state.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from coarsest.check.certify.certificate_diagrams import DiagramWriter
from coarsest.check.certify.certificate_removals import remove
from coarsest.check.certify.certify_ctl import CtlCertifier
from coarsest.check.engines.on_bits.ic3_of_paths import no_fair_path
from coarsest.check.products.stutter import with_stutter
from coarsest.check.products.violating_paths import by_justice, goes_on
from coarsest.check.questions.finding import Proved
from coarsest.check.setting.session import Setting
from coarsest.errors import EvidenceRejected
from coarsest.evidence.certificate import AnyProof, Certificate, CountedRounds, Inevitable, NoReturn
from coarsest.evidence.claims.ltl_watcher import watch_violations
from coarsest.evidence.effort import NotConfirmed
from coarsest.evidence.proof import ClauseNoReturn, ClauseRounds
from coarsest.logic.expr import TRUE, Expr
from coarsest.model.machine import Machine
from coarsest.options.methods import BuildOptions
from coarsest.run import Run
from coarsest.search.reachability import explore
from coarsest.space.bdd.build import build
from coarsest.space.bdd.symbolic import SymbolicSet, SymbolicSpace, symbolic
from coarsest.space.space import StateSpace
from coarsest.space.views import RestrictedSpace

Set = SymbolicSet[Any]


def linear_certificate(
    setting: Setting[Set], formula: Expr, writer: DiagramWriter, options: BuildOptions, run: Run
) -> Certificate:
    """A certificate that the formula holds."""
    watcher, violated = watch_violations(formula)
    machine = watcher.beside(setting.machine)
    machine = replace(
        machine,
        initial_constraints=(*machine.initial_constraints, *watcher.initial),
        transition_constraints=(*machine.transition_constraints, *watcher.steps),
    )
    product = build(machine, run, replace(options, like=symbolic(setting.arena.base).order_found))
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
        return RestrictedSpace(whole, explore(whole, run, start))
    return product.narrowed(explore(product, run, start))


# On bits


def fair_path_certificate(
    setting: Setting[Any], formula: Expr, proof: ClauseRounds | ClauseNoReturn | None, writer: DiagramWriter, run: Run
) -> Certificate:
    """A certificate that the formula holds.

    Where a violation is that conditions are true again and again, the engine has put the same beside the machine as the checker
    does, and the clauses of its proof suffice. Otherwise clauses are looked for beside the watcher of the checker. Either way,
    clauses do not show where a path ends. The engine may know from another watcher that none does.
    """
    watcher, violated = watch_violations(formula)
    if not goes_on(setting.own, watcher.beside(setting.own), run):
        raise NotConfirmed("paths may stay in states without step, and clauses do not tell which states these are")
    if proof is None or violated != TRUE or not watcher.justice:
        machine = by_justice(watcher.beside(setting.machine))
        start = (*machine.initial_constraints, *watcher.initial, violated)
        machine = replace(
            machine, initial_constraints=start, transition_constraints=(*machine.transition_constraints, *watcher.steps)
        )
        proof = _searched(machine, run)
    return _written(setting, proof, writer)


def _searched(machine: Machine, run: Run) -> ClauseRounds | ClauseNoReturn:
    finding = no_fair_path(machine, run)
    if not isinstance(finding, Proved):
        raise EvidenceRejected("the formula is said to hold, but a fair path beside what watches it violates it")
    assert isinstance(finding.proof, ClauseRounds | ClauseNoReturn)
    return finding.proof


def _written(setting: Setting[Any], proof: ClauseRounds | ClauseNoReturn, writer: DiagramWriter) -> Certificate:
    parts = tuple(map(writer.clause, proof.clauses))
    equal = writer.where_equal(setting.own, setting.merged, 1)
    claim: AnyProof = CountedRounds(proof.most) if isinstance(proof, ClauseRounds) else NoReturn()
    inputs = tuple(sorted(setting.inputs))
    return Certificate(writer.graphs, tuple(setting.own.variables), inputs, equal, proofs=(claim,), parts=parts)
