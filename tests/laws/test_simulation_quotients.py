"""Smallest structures preserve what they say, are read back from SMV, and their counterexamples are lifted and replayed."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from coarsest.check.certify.confirm_classes import confirm_classes
from coarsest.errors import EvidenceRejected
from coarsest.evidence.quotient import MachineQuotient
from coarsest.formats.smv.read import read
from coarsest.formats.smv.write import write
from coarsest.model.machine import Machine, Property
from coarsest.model.query.formula import parse_formula
from coarsest.reduce.partition.observation import observable_parts, observe
from coarsest.reduce.reduce import reduce_machine
from coarsest.reduce.simulation.algorithms import MINIMISERS
from coarsest.reduce.simulation.reduction import SimulationReduction, objection_to
from coarsest.run import Run
from coarsest.space.bdd.build import BuildOptions
from coarsest.space.bdd.spaces import SymbolicSpaces
from coarsest.text import Source
from quotient_laws import answers, lifted_counterexamples
from random_machines import seeded_fair_machine
from temporal_laws import claims_about

MACHINES = 60
WAYS = sorted(MINIMISERS)


def reduced(machine: Machine, claims: list[Property], algorithm: str) -> SimulationReduction[Any]:
    run = Run()
    observation = observe(machine, observable_parts(claims, machine))
    spaces = SymbolicSpaces(BuildOptions(), run)
    reduction = reduce_machine(machine, observation, spaces, run, relation="simulation", algorithm=algorithm)
    assert isinstance(reduction, SimulationReduction)
    return reduction


def test_verdicts_on_the_structure_are_those_on_the_machine() -> None:
    """Formulas with fairness, on the structure as it is read back from its SMV text; what it does not decide stays behind."""
    decided, words, left_behind = 0, set(), 0
    for seed in range(MACHINES):
        machine = seeded_fair_machine(seed)
        claims = claims_about(machine, seed)
        reduction = reduced(machine, claims, WAYS[seed % len(WAYS)])
        confirm_classes(reduction.certificate, Run())
        moved = [reduction.carried(claim) for claim in claims]
        pairs = [(claim, other) for claim, other in zip(claims, moved) if other is not None]
        left_behind += sum(bool(reduction.objection(claim)) for claim in claims)
        small = read(Source("quotient.smv", write(replace(reduction.machine, properties=tuple(p for _, p in pairs)))))
        expected = answers(machine, [claim for claim, _ in pairs])
        for (claim, _), one, other in zip(pairs, expected, answers(small, list(small.properties)), strict=True):
            assert one.verdict.word == other.verdict.word, (seed, claim.formula)
            words.add(one.verdict.word)
            decided += 1
    assert words == {"holds", "fails"}
    assert decided > 4 * MACHINES and left_behind > MACHINES // 4


def test_counterexamples_are_lifted_and_replayed() -> None:
    assert lifted_counterexamples(range(MACHINES), "simulation") > MACHINES // 2


def without_an_edge(quotient: MachineQuotient) -> MachineQuotient:
    return replace(quotient, edges=quotient.edges[1:])


def with_every_edge(quotient: MachineQuotient) -> MachineQuotient:
    return replace(quotient, edges=tuple((a, 0, b) for a in range(quotient.size) for b in range(quotient.size)))


def without_initial(quotient: MachineQuotient) -> MachineQuotient:
    return replace(quotient, initial=())


@pytest.mark.parametrize("spoil", [without_an_edge, with_every_edge, without_initial])
def test_the_judge_rejects_other_structures(spoil: Any) -> None:
    rejected = 0
    for seed in range(40):
        machine = seeded_fair_machine(seed)
        certificate = reduced(machine, claims_about(machine, seed), "splitters").certificate
        if not certificate.quotient.size or spoil(certificate.claim) == certificate.claim:
            continue
        wrong = replace(certificate, quotient=spoil(certificate.quotient), partition=_spoiled(certificate.partition, spoil))
        with pytest.raises(EvidenceRejected):
            confirm_classes(wrong, Run())
        rejected += 1
    assert rejected > 10


def _spoiled(partition: Any, spoil: Any) -> Any:
    other = spoil(MachineQuotient(partition.initial, partition.edges, {}, ({},), len(partition)))
    return replace(partition, initial=other.initial, edges=other.edges)


def test_what_is_refused() -> None:
    """Not a word about formulas of one kind of quantifier, or connected by boolean operators."""
    machine = seeded_fair_machine(0)
    name = machine.state_variables[0].name
    atom = f"({name} = {name})"
    for text, refused in (
        (f"AG AF {atom}", False), (f"EF EG {atom}", False), (f"AG EF {atom}", True), (f"!(EF AG {atom})", True),
        (f"AG {atom} -> AF {atom}", False), (f"AG ({atom} -> AF {atom})", False), (f"AG (AF {atom} -> {atom})", True),
        (f"AG (EF {atom} -> AF {atom})", False), (f"AG ({atom} <-> AF {atom})", True), (f"EF {atom} <-> AF {atom}", False),
    ):  # fmt: skip
        assert bool(objection_to(parse_formula(text, machine))) == refused, text
