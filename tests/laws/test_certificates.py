"""Certificates of what holds are confirmed, whatever the machine and the formula; nothing proves what does not hold."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from campaigns import blocks
from coarsest.check.certify.certificate_diagrams import DiagramWriter
from coarsest.check.certify.certify_ctl import CtlCertifier
from coarsest.check.setting.session import CheckOptions, Session
from coarsest.errors import EvidenceRejected
from coarsest.evidence.certificate import Certificate, Inevitable, Removal
from coarsest.evidence.effort import NotConfirmed
from coarsest.evidence.sat.certificate_check import confirm_certificate
from coarsest.evidence.sat.certificate_file import CertifiedProperty, claim_to_object, claims_of, file_of
from coarsest.evidence.verdict import Holds
from coarsest.logic.expr import Apply, Constant, Expr, Name
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Machine, Property
from coarsest.run import Run
from coarsest.space.bdd.build import BuildOptions
from random_formulas import ctl_formula
from random_machines import random_condition, seeded_fair_machine, seeded_machine
from random_sequences import parse, psl
from temporal_laws import ask, block, ctl_formulas, ltl_formulas, over_machine


def confirm(machine: Machine, kind: PropertyKind, claim: Expr, certificate: Certificate) -> int:
    return confirm_certificate(machine, Property(kind, claim), certificate, run=Run()).conditions


def confirm_all(machine: Machine, kind: PropertyKind, formulas: list[Expr], seen: Counter[str], **options: Any) -> None:
    """Every formula that holds has a certificate that is confirmed, as it is and as it is read back from a file."""
    _, answers = ask(machine, kind, formulas, certificates=True, vacuity=False, **options)
    for claim, answer in zip(formulas, answers, strict=True):
        verdict = answer.verdict
        if not isinstance(verdict, Holds):
            continue
        if verdict.certificate is None:
            seen[f"no certificate: {answer.doubt}"] += 1
            continue
        thing = file_of("m", [claim_to_object(CertifiedProperty("p", kind, "", verdict.certificate))])
        (written,) = claims_of(thing)
        assert confirm(machine, kind, claim, written.certificate)
        seen["confirmed"] += 1
        seen["fair"] += verdict.certificate.fair is not None
        seen["unfair"] += verdict.certificate.unfair is not None
        seen["stuck"] += verdict.certificate.stuck is not None
        seen["inputs"] += bool(verdict.certificate.inputs)
        seen["compassion"] += "compassion" in repr(verdict.certificate.proofs)


@pytest.mark.parametrize("number", blocks(4, by_day=2))
def test_ctl_that_holds_is_certified(number: int) -> None:
    seen = Counter[str]()
    for seed in block(number, of=4, machines=240, first=20_000):
        machine, rng = seeded_fair_machine(seed), Random(seed)
        confirm_all(machine, PropertyKind.CTL, ctl_formulas(rng, machine, 3, inputs=0.2), seen, cone=bool(seed % 3))
    assert seen["confirmed"] > 40 and min(seen[word] for word in ("fair", "unfair", "stuck", "inputs", "compassion")) > 2, seen
    assert sum(count for word, count in seen.items() if word.startswith("no certificate")) < seen["confirmed"] / 5, seen


@pytest.mark.parametrize("number", blocks(4, by_day=2))
def test_ltl_that_holds_is_certified(number: int) -> None:
    seen = Counter[str]()
    for seed in block(number, of=4, machines=160, first=21_000):
        machine, rng = seeded_fair_machine(seed), Random(seed)
        confirm_all(machine, PropertyKind.LTL, ltl_formulas(rng, machine, 3, inputs=0.2), seen)
    assert seen["confirmed"] > 40 and seen["compassion"] > 0 and seen["stuck"] > 10, seen
    assert not any(word.startswith("no certificate") for word in seen), seen


def test_psl_that_holds_is_certified() -> None:
    seen = Counter[str]()
    for seed in range(22_000, 22_060):
        machine, rng = seeded_fair_machine(seed), Random(seed)
        formulas = [over_machine(parse(psl(rng, 3, aborts=False)), rng, machine) for _ in range(2)]
        confirm_all(machine, PropertyKind.PSL, formulas, seen)
    assert seen["confirmed"] > 20, seen


@pytest.mark.parametrize("engine", ["forward", "backward"])
def test_invariants_are_certified(engine: str) -> None:
    seen = Counter[str]()
    for seed in range(23_000, 23_120):
        machine, rng = seeded_machine(seed), Random(seed)
        formulas = [random_condition(rng, machine, inputs=number == 2) for number in range(3)]
        confirm_all(machine, PropertyKind.INVARIANT, formulas, seen, engine=engine)
    assert seen["confirmed"] > 60 and len(seen) <= 6, seen


# What does not hold


def tampered(rng: Random, certificate: Certificate) -> Certificate:
    """Some numbers of graphs exchanged for others."""
    roots = [*range(min(2 + len(certificate.graphs.nodes), 40)), certificate.invariant]
    changes: list[Any] = [replace(certificate, invariant=rng.choice(roots))]
    for number, proof in enumerate(certificate.proofs):
        field = rng.choice(["states", "positions"])
        changed = replace(proof, **{field: rng.choice(roots)})
        if isinstance(proof, Inevitable) and rng.random() < 0.6:
            removals = list(proof.removals)
            place = rng.randint(0, len(removals))
            removals[place : place + rng.randint(0, 1)] = [Removal(rng.choice(roots), rng.choice(["leave", "justice"]), 0)]
            changed = replace(proof, removals=tuple(removals))
        changes.append(replace(certificate, proofs=(*certificate.proofs[:number], changed, *certificate.proofs[number + 1 :])))
    return rng.choice(changes)  # type: ignore[no-any-return]


@pytest.mark.parametrize("number", range(3))
def test_nothing_proves_what_does_not_hold(number: int) -> None:
    """The exact sets of a false formula are refused, and so is whatever else is made of them."""
    refused = 0
    for seed in block(number, of=3, machines=120, first=24_000):
        machine, rng = seeded_fair_machine(seed), Random(seed)
        context = Session(machine, BuildOptions(), CheckOptions(), Run())
        for claim in [ctl_formula(rng, 2, lambda: random_condition(rng, machine, inputs=False)) for _ in range(3)]:
            setting = context.setting([claim])
            if setting.ctl.holds_from(setting.arena.first, claim):
                continue
            try:
                certificate = CtlCertifier(setting, DiagramWriter(), Run()).certificate(claim)
            except NotConfirmed:
                continue
            for attempt in range(6):
                with pytest.raises(EvidenceRejected):
                    confirm(machine, PropertyKind.CTL, claim, certificate)
                refused += 1
                certificate = tampered(rng, certificate) if attempt % 3 else tampered(rng, tampered(rng, certificate))
    assert refused > 150


def test_an_input_is_chosen_that_has_the_value() -> None:
    """Inputs of three values have a code that stands for none; a step chosen for a state must not have it."""
    machine, seen = seeded_fair_machine(101_772), Counter[str]()
    claim = Apply("EG", (Apply("!=", (Name("run"), Constant(1))),))
    confirm_all(machine, PropertyKind.CTL, [claim], seen)
    assert seen["confirmed"] == seen["stuck"] == seen["inputs"] == 1


@pytest.mark.nightly
@pytest.mark.parametrize("number", range(10))
def test_many_more(number: int) -> None:
    """What holds is certified: CTL and LTL on many machines."""
    seen = Counter[str]()
    for seed in block(number, of=10, machines=3000, first=100_000):
        machine, rng = seeded_fair_machine(seed), Random(seed)
        confirm_all(machine, PropertyKind.CTL, ctl_formulas(rng, machine, 4, inputs=0.2), seen)
        confirm_all(machine, PropertyKind.LTL, ltl_formulas(rng, machine, 4, inputs=0.2), seen)
    assert seen["confirmed"] > 600, seen
