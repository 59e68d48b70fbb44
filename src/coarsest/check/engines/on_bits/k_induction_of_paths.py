"""Linear formulas by induction on bits: longer and longer lassos and, in turns, proofs that no path comes back to a state."""

from __future__ import annotations

from coarsest.check.engines.on_bits import bmc_of_paths
from coarsest.check.engines.on_bits.bmc_of_paths import objection as objection
from coarsest.check.invariants.joint_bmc import JointSearch
from coarsest.check.products.liveness_to_safety import lasso, repeating
from coarsest.check.products.violating_paths import goes_on, violating_paths
from coarsest.check.questions.finding import Finding, Refuted
from coarsest.check.questions.question import Invariant, Linear, Question
from coarsest.check.setting.session import Session
from coarsest.model.parts.part import Part


def decide(question: Question[Linear], session: Session) -> Finding:
    setting = session.setting(question.claim.roots)
    machine = violating_paths(setting.machine, question.claim)
    if not goes_on(setting.machine, machine, session.run):
        return bmc_of_paths.decide(question, session)  # an induction does not see paths that stay where they are
    doubled = repeating(machine)
    claim = Invariant(doubled.good, doubled.good)
    search = JointSearch(Part(doubled.machine), [claim], doubled.machine, session.run, deepest_induction=None)
    try:
        finding = search.decide(0)
    finally:
        search.close()
    if isinstance(finding, Refuted):
        return Refuted(setting.own_trace(lasso(finding.trace, machine), machine), finding.facts)
    return finding
