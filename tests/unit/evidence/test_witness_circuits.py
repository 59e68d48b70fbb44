"""Certificates of circuits as circuits: an oracle with the competition's conditions believes them, and no others."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

import coarsest
from coarsest.evidence.sat.certificate_file import CertifiedProperty
from coarsest.evidence.verdict import Holds
from coarsest.formats.aiger.read import to_machine
from coarsest.formats.aiger.write import to_ascii, to_binary
from coarsest.model.kinds import PropertyKind
from coarsest.render.data.witness_circuit import witness_circuit
from command_lines import Runner
from oracles.witness_circuits import Conditions
from random_circuits import random_circuit

ROOT = Path(__file__).parents[3]
ARBITER = str(ROOT / "examples/arbiter.aag")


@pytest.mark.parametrize("engine", ["ic3", "forward"])
def test_witnesses_of_random_circuits(engine: str) -> None:
    believed, rejected = 0, 0
    for seed in range(120):
        circuit = random_circuit(seed, gates=14)
        model = coarsest.Model(to_machine(circuit, "random"))
        for number, claim in enumerate(one for one in model.properties if one.kind is PropertyKind.INVARIANT):
            (answer,) = model.check(claim, engine=engine, certificates=True).answers
            if not isinstance(answer.verdict, Holds) or answer.verdict.certificate is None:
                continue
            literals = circuit.bad if circuit.bad or circuit.justice else circuit.outputs
            alone = to_binary(replace(circuit, bad=[literals[number]], outputs=(), justice=(), fairness=(), symbols={}))
            certificate = answer.verdict.certificate
            witness = witness_circuit(circuit, [CertifiedProperty(claim.name, claim.kind, "", certificate)])
            conditions = Conditions(alone, to_ascii(witness))
            assert all(conditions.met().values()), (seed, conditions.met())
            assert Conditions(alone, to_binary(witness)).met() == conditions.met()
            believed += 1
            for forged in (replace(certificate, invariant=0), replace(certificate, parts=certificate.parts[1:], invariant=1)):
                wrong = witness_circuit(circuit, [CertifiedProperty(claim.name, claim.kind, "", forged)])
                rejected += not all(Conditions(alone, to_ascii(wrong)).met().values())
    assert believed > 20
    assert rejected > 10


def test_the_command_writes_them(run: Runner, tmp_path: Path) -> None:
    for name in ("proof.aag", "proof.aig"):
        done = run("check", ARBITER, "--property", "both_are_served", "--engine", "ic3", "--certificate", str(tmp_path / name))
        assert done.code == 0, done
        data = Path(ARBITER).read_bytes().split(b"\n")
        alone = b"\n".join([b"aag 13 2 2 0 9 1", *data[1:5], b"24", *data[11:20], b""])
        assert all(Conditions(alone, (tmp_path / name).read_bytes()).met().values())


def test_what_has_no_circuit(run: Runner, tmp_path: Path) -> None:
    done = run("check", str(ROOT / "examples/mutex.smv"), "--certificate", str(tmp_path / "proof.aig"))
    assert done.code == 2
    assert "would be a certificate as a circuit" in done.err
    done = run("check", ARBITER, "!grant_a | !grant_b", "--certificate", str(tmp_path / "proof.aig"))
    assert done.code == 2
    assert "is about bad states of the model" in done.err
