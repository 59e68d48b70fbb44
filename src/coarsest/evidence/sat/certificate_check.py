"""Confirms that a certificate proves a property of the model, without any engine."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from coarsest.errors import EvidenceRejected
from coarsest.evidence.certificate import Certificate, CountedRounds, NoReturn
from coarsest.evidence.claims.branching import normal, parts_to_prove, require_provable
from coarsest.evidence.claims.linear import linear_formula
from coarsest.evidence.claims.ltl_watcher import watch_violations
from coarsest.evidence.claims.no_fair_path import counting_rounds, saving_a_state
from coarsest.evidence.confirmation import BySat
from coarsest.evidence.effort import Effort, NotConfirmed
from coarsest.evidence.sat.certificate_conditions import CertificateConditions
from coarsest.evidence.sat.certificate_positions import CertificatePositions
from coarsest.evidence.sat.clauses import Clauses
from coarsest.logic.branching.ctl import is_temporal
from coarsest.logic.expr import Apply, Expr, Name
from coarsest.model.machine import Machine, Property
from coarsest.model.parts.cone_of_influence import cone_variables, restrict_to
from coarsest.model.parts.promote_inputs import inputs_mentioned, promote
from coarsest.model.parts.watch import is_about_steps, looks_ahead
from coarsest.run import Run

UNLIMITED = Effort()

MOST_ROUNDS: Final = 100_000
"""The limit for the number of rounds of a certificate. No engine writes more."""


def invariant_behind(machine: Machine, claim: Property) -> Expr | None:
    """A condition that proves the claim if it is true in all reachable states, or in all steps from them.

    An invariant about steps says nothing about a state without steps; but a path stays there, with any inputs.
    """
    if claim.kind.is_invariant:
        return claim.formula
    always, some_time = ("AG", "EF") if claim.kind.is_ctl else ("G", "F") if claim.kind.is_ltl else ("", "")
    match claim.formula:
        case Apply(op, (p,)) if op == always:
            good: Expr = p
        case Apply("not", (Apply(op, (p,)),)) if op == some_time:
            good = Apply("not", (p,))
        case _:
            return None
    return None if is_temporal(good) or (machine.may_be_stuck and is_about_steps(machine, good)) else good


def confirm_certificate(
    machine: Machine, claim: Property, certificate: Certificate, *, run: Run, effort: Effort = UNLIMITED
) -> BySat:
    """Raises EvidenceRejected if a condition is violated, NotConfirmed if one cannot be decided."""
    clauses = Clauses(run, effort)
    try:
        return BySat(_conditions_met(clauses, machine, claim, certificate), certificate)
    finally:
        clauses.close()


def _conditions_met(clauses: Clauses, machine: Machine, claim: Property, certificate: Certificate) -> int:
    """The number of conditions, which are all met."""
    good = invariant_behind(machine, claim)
    if good is not None and not certificate.proofs:
        return _invariant(clauses, machine, good, certificate)
    if claim.kind.is_ctl:
        return _branching(clauses, machine, claim.formula, certificate)
    if claim.kind.is_ltl or claim.kind.is_psl:
        return _linear(clauses, machine, linear_formula(claim), certificate)
    raise NotConfirmed(f"there are no certificates for properties of kind {claim.kind}")


def part_of_machine(machine: Machine, certificate: Certificate, needed: Collection[Expr]) -> Machine:
    """The part of the machine that the certificate is about, which must decide whether the property holds."""
    unknown = [name for name in (*certificate.variables, *certificate.inputs) if name not in machine.variables]
    if unknown:
        raise EvidenceRejected(f"the model has no variable '{unknown[0]}', which the certificate mentions")
    variables, inputs = frozenset(certificate.variables), frozenset(certificate.inputs)
    if not inputs <= variables & {v.name for v in machine.input_variables}:
        raise EvidenceRejected("the certificate names an input that is not among its variables, or not an input of the model")
    promoted = promote(machine, inputs)
    missing = cone_variables(promoted, [*needed, *map(Name, certificate.variables)]) - variables
    if missing:
        raise EvidenceRejected(f"the certificate leaves out '{min(missing)}', which has an influence on the property")
    return restrict_to(promoted, variables)


def _invariant(clauses: Clauses, machine: Machine, good: Expr, certificate: Certificate) -> int:
    positions = CertificatePositions(clauses, part_of_machine(machine, certificate, [good]), certificate)
    conditions = CertificateConditions(positions)
    conditions.invariant(positions.encoded.initial)
    bad = -positions.condition(good)
    if is_about_steps(machine, good):
        positions.refute_of_reached("a step from a state in the invariant violates the property", positions.encoded.step, bad)
    else:
        positions.refute_of_reached("a state in the invariant violates the property", bad)
    conditions.well_defined()
    return positions.conditions


def _on_paths(machine: Machine, formula: Expr, certificate: Certificate) -> Machine:
    """The part of the machine where formulas about its fair paths are evaluated."""
    if looks_ahead(machine, formula):
        raise NotConfirmed("next() occurs in the formula")
    needed = [formula, *machine.justice, *(part for pair in machine.compassion for part in pair)]
    if not inputs_mentioned(machine, needed) <= frozenset(certificate.inputs):
        raise EvidenceRejected("an input that the formula or fairness mentions is not in the certificate")
    return part_of_machine(machine, certificate, needed)


def _branching(clauses: Clauses, machine: Machine, formula: Expr, certificate: Certificate) -> int:
    require_provable(formula, about_inputs=bool(certificate.inputs))
    positions = CertificatePositions(clauses, _on_paths(machine, formula, certificate), certificate)
    conditions = CertificateConditions(positions)
    conditions.stuck()
    conditions.invariant(positions.encoded.initial)
    conditions.fairness()
    claim = normal(formula)
    parts = parts_to_prove(claim)
    if len(parts) != len(certificate.proofs):
        raise EvidenceRejected(f"the formula needs {len(parts)} proofs, but the certificate has {len(certificate.proofs)}")
    for part, proof in zip(parts, certificate.proofs):
        conditions.prove(part, proof)
    leads_on = [positions.moves] if certificate.inputs else []  # no path begins with inputs for which there is no step
    conditions.conclude(claim, [positions.encoded.initial, *leads_on])
    conditions.well_defined()
    return positions.conditions


def _linear(clauses: Clauses, machine: Machine, formula: Expr, certificate: Certificate) -> int:
    if len(certificate.proofs) != 1:
        raise EvidenceRejected("one proof is needed for a linear formula")
    watcher, violated = watch_violations(formula)
    part, proof, never = _on_paths(machine, formula, certificate), certificate.proofs[0], None
    needed = [*part.justice, *watcher.justice]
    match proof:
        case CountedRounds(most) if 0 <= most <= MOST_ROUNDS:
            watcher, never = counting_rounds(watcher, part, most)
        case NoReturn():
            watcher, never = saving_a_state(watcher, part)
    for name in watcher.variables.keys() & (machine.variables.keys() | machine.definitions.keys()):
        raise NotConfirmed(f"the model has the name '{name}', which the watcher of the formula needs")
    positions = CertificatePositions(clauses, part, certificate, watcher)
    conditions = CertificateConditions(positions)
    if never is None or certificate.stuck is not None:
        conditions.stuck()
    else:
        conditions.goes_on(needed)
    begins = [positions.condition(expr) for expr in (*watcher.initial, violated)]
    start = [positions.encoded.initial, *begins]
    conditions.invariant(*start)
    if never is not None:
        positions.refute_of_reached("the invariant may contain a state of a violating path", positions.condition(never))
    else:
        conditions.conclude_that_none_begins(proof, start)
    conditions.well_defined()
    return positions.conditions
