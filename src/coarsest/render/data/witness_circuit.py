"""Certificates of circuits as circuits: the witnesses of hardware model checking competitions.

Reference: Yu, Froleyks, Biere, Heljanko 2023, "Towards compositional hardware model checking certification".
Symbols:   the witness has the inputs and latches of the model, in their order; P′ is what is not bad in it.
Invariant: P′ is true initially, every step keeps it, and it implies P: all under the constraints of the model.
Deviates:  a witness for several properties has a bad state for each.
Cost:      a gate for each clause's literal, three for each other node of a decision diagram.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from coarsest.errors import InputError
from coarsest.evidence.certificate import Certificate
from coarsest.evidence.sat.certificate_file import CertifiedProperty, claims_of, file_of
from coarsest.files import Contents
from coarsest.formats.aiger.read import to_machine
from coarsest.formats.aiger.scan import scan
from coarsest.formats.aiger.write import to_ascii, to_binary
from coarsest.model.circuit import Circuit, Gate
from coarsest.model.machine import Kind


def witness_file(model: Contents, certificates: Sequence[Mapping[str, Any]], *, binary: bool) -> bytes:
    """The witness file for the certified properties of an AIGER file."""
    data = model.data if isinstance(model.data, bytes) else model.data[:]
    circuit = witness_circuit(scan(data, model.name), claims_of(file_of(model.name, certificates)))
    return (to_binary if binary else to_ascii)(circuit)


def witness_circuit(circuit: Circuit, claims: Sequence[CertifiedProperty]) -> Circuit:
    """The circuit whose bad states are outside of the invariant, or bad in the model."""
    machine = to_machine(circuit, "model")
    invariants = [claim for claim in machine.properties if claim.kind.is_invariant]
    numbers = {claim.name: number for number, claim in enumerate(invariants)}
    literals = circuit.bad if circuit.bad or circuit.justice else circuit.outputs
    latches = {variable.name: row.literal for variable, row in zip(machine.of_kind(Kind.STATE), circuit.latches)}
    gates = _Gates(circuit)
    bad: list[int] = []
    symbols = {key: name for key, name in circuit.symbols.items() if key[0] in "ilc"}
    for claim in claims:
        if not claim.kind.is_invariant or claim.name not in numbers:
            message = f"a witness circuit is about bad states of the model, and '{claim.name or claim.formula}' is none of these"
            raise InputError(message, hint="name a file that ends in .json")
        inside = gates.invariant(claim.certificate, latches)
        symbols[f"b{len(bad)}"] = claim.name
        bad.append(gates.both(inside, literals[numbers[claim.name]] ^ 1) ^ 1)
    return Circuit(circuit.inputs, circuit.latches, gates.rows, (), bad, circuit.constraints, symbols=symbols)


class _Gates:
    """The gates of a circuit, to which more are added."""

    def __init__(self, circuit: Circuit) -> None:
        self.rows = list(circuit.gates)
        self._largest = circuit.counts[0]
        self._shared = {(gate.left, gate.right): gate.literal for gate in circuit.gates}

    def both(self, a: int, b: int) -> int:
        left, right = max(a, b), min(a, b)
        if right == 0 or left == right ^ 1:
            return 0
        if right == 1 or left == right:
            return left
        if (left, right) not in self._shared:
            self._largest += 1
            self._shared[left, right] = 2 * self._largest
            self.rows.append(Gate(2 * self._largest, left, right))
        return self._shared[left, right]

    def choose(self, condition: int, then: int, otherwise: int) -> int:
        return self.both(self.both(condition, then) ^ 1, self.both(condition ^ 1, otherwise) ^ 1) ^ 1

    def invariant(self, certificate: Certificate, latches: Mapping[str, int]) -> int:
        """The intersection of the sets of the invariant."""
        graphs, literals = certificate.graphs, [0, 1]
        for bit, high, low in graphs.nodes:
            literals.append(self.choose(latches[graphs.bits[bit].variable], literals[high], literals[low]))
        inside = literals[certificate.invariant]
        for root in certificate.parts:
            inside = self.both(inside, literals[root])
        return inside
