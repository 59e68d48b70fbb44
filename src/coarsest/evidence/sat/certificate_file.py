"""Certificates as JSON objects, which are read again and confirmed without the engine that wrote them.

docs/certificates.md describes the fields.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from coarsest.errors import InputError
from coarsest.evidence.certificate import (
    AnyProof,
    Certificate,
    CountedRounds,
    EveryPath,
    FairPath,
    Inevitable,
    NoReturn,
    PathLayer,
    Possible,
    Removal,
    StepChoice,
    Stuck,
)
from coarsest.evidence.confirmation import BySat
from coarsest.evidence.decision_diagrams import Bit, DecisionDiagrams, DiagramNode
from coarsest.evidence.sat.certificate_check import confirm_certificate
from coarsest.evidence.stated_property import ReadFormula, stated_properties, text_of
from coarsest.model.kinds import PropertyKind, kind_named, kinds
from coarsest.model.machine import Machine
from coarsest.model.query.assumed import with_assumptions_fair
from coarsest.run import Run

SCHEMA: Final = 1
KIND = "properties"


class CertifiedProperty(Struct, frozen=True):
    """A property, and a certificate that it holds. The formula has all names in full."""

    name: str
    kind: PropertyKind
    formula: str
    certificate: Certificate


def file_of(model: str, certificates: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The content of a file of certificates; `claim_to_object` makes each of them."""
    return {"schema": SCHEMA, "kind": KIND, "model": model, "certificates": list(certificates)}


def claim_to_object(claim: CertifiedProperty) -> dict[str, Any]:
    """One element of `certificates`."""
    certificate = claim.certificate
    graphs = certificate.graphs
    return {
        "name": claim.name,
        "kind": str(claim.kind),
        "formula": claim.formula,
        "variables": list(certificate.variables),
        "inputs": list(certificate.inputs),
        "bits": [[bit.variable, bit.place, *(["next"] if bit.after else [])] for bit in graphs.bits],
        "nodes": [list(node) for node in graphs.nodes],
        "invariant": certificate.invariant,
        **({"parts": list(certificate.parts)} if certificate.parts else {}),
        "stuck": _to_object(certificate.stuck),
        "fair": _to_object(certificate.fair),
        "unfair": _to_object(certificate.unfair),
        "proofs": [_to_object(proof) for proof in certificate.proofs],
    }


def _to_object(part: object) -> Any:
    match part:
        case tuple():
            return [_to_object(member) for member in part]
        case StepChoice(bits):
            return [list(pair) for pair in bits]
        case PathLayer(states, choice):
            return {"states": states, "choice": _to_object(choice)}
        case Removal(states, reason, constraint, inside):
            return {"states": states, "reason": reason, "constraint": constraint, "inside": _to_object(inside)}
        case Stuck(states, among, choice):
            return {"states": states, "among": among, "choice": _to_object(choice)}
        case EveryPath(states, positions):
            return {"proof": "every-path", "states": states, "positions": positions}
        case Inevitable(states, positions, removals):
            return {"proof": "inevitable", "states": states, "positions": positions, "removals": _to_object(removals)}
        case Possible(states, positions, layers, begin):
            own = {"layers": _to_object(layers), "begin": _to_object(begin)}
            return {"proof": "possible", "states": states, "positions": positions, **own}
        case FairPath():
            names = ("states", "positions", "layers", "hull", "step", "justice", "compassion", "begin")
            return {"proof": "fair-path", **{name: _to_object(getattr(part, name)) for name in names}}
        case CountedRounds(most):
            return {"proof": "rounds", "most": most}
        case NoReturn():
            return {"proof": "no-return"}
    return part


def confirm(
    machine: Machine, record: Mapping[str, Any], read: ReadFormula, run: Run
) -> Iterator[tuple[CertifiedProperty, BySat]]:
    """Confirm every certificate of a file against a model; `read` reads formulas over its variables.

    Name and kind are those of a property of the model; without a name, the formula itself says the kind. The formula of a claim
    is written anew, since spaces and comments in the file are not to be believed. Raises EvidenceRejected if a certificate proves
    nothing, NotConfirmed if that cannot be decided, InputError if a certificate cannot be read.
    """
    for claim in claims_of(record):
        about = {"name": claim.name, "kind": str(claim.kind), "formula": claim.formula}
        stated = stated_properties(machine, read, **about, in_full=True)[0]
        asked = with_assumptions_fair(machine, [stated])
        confirmed = confirm_certificate(asked, stated, claim.certificate, run=run)
        yield replace(claim, formula=text_of(stated)), confirmed


def claims_of(record: Mapping[str, Any]) -> list[CertifiedProperty]:
    """The certificates of a file that has been read as JSON."""
    if record.get("kind") != KIND or record.get("schema") != SCHEMA:
        raise InputError(f"expected an object of kind '{KIND}' and schema {SCHEMA}")
    certificates = record.get("certificates")
    if not isinstance(certificates, list):
        raise InputError("the file has no list 'certificates'", hint="see docs/certificates.md")
    return [_Reader(f"certificates[{k}]").claim(certificate) for k, certificate in enumerate(certificates)]


class _Reader:
    """Reads one certificate, and raises an error if a part of it does not fit."""

    def __init__(self, where: str) -> None:
        self.where = where

    def claim(self, record: Any) -> CertifiedProperty:
        word = self._text(record, "kind")
        kind = kind_named(word)
        if kind is None:
            raise self._problem(f"the kind of property is '{word}'", f"one of {', '.join(map(str, kinds()))}")
        return CertifiedProperty(self._text(record, "name"), kind, self._text(record, "formula"), self._certificate(record))

    def _certificate(self, record: Any) -> Certificate:
        bits = [self._bit(bit) for bit in self._list(record, "bits")]
        nodes = [DiagramNode(*self._numbers(node, 3)) for node in self._list(record, "nodes")]
        parts = record.get("parts", [])
        if not isinstance(parts, list):
            raise self._problem(f"'parts' is {parts!r}"[:200], "a list of whole numbers")
        fair = self._proof(record["fair"]) if record.get("fair") is not None else None
        unfair = self._proof(record["unfair"]) if record.get("unfair") is not None else None
        if not isinstance(fair, FairPath | None) or not isinstance(unfair, Inevitable | None):
            raise self._problem("fairness is proved by other means", "a 'fair-path' and an 'inevitable' proof, or null")
        return Certificate(
            graphs=DecisionDiagrams(bits, nodes),
            variables=self._names(record, "variables"),
            inputs=self._names(record, "inputs"),
            invariant=self._number(record, "invariant"),
            stuck=None if (stuck := record.get("stuck")) is None
            else Stuck(self._number(stuck, "states"), self._number(stuck, "among"), self._choice(stuck, "choice")),
            fair=fair,
            unfair=unfair,
            proofs=tuple(self._proof(proof) for proof in self._list(record, "proofs")),
            parts=tuple(self._numbers(parts, len(parts))),
        )

    def _bit(self, record: Any) -> Bit:
        match record:
            case [str(name), int(place)]:
                return Bit(name, place)
            case [str(name), int(place), "next"]:
                return Bit(name, place, after=True)
        raise self._problem(f"{record!r} is not a bit", '["variable", place] or ["variable", place, "next"]')

    def _proof(self, record: Any) -> AnyProof:
        kind = self._text(record, "proof")
        if kind in ("rounds", "no-return"):
            return CountedRounds(self._number(record, "most")) if kind == "rounds" else NoReturn()
        states, positions = self._number(record, "states"), self._number(record, "positions")
        match kind:
            case "every-path":
                return EveryPath(states, positions)
            case "inevitable":
                return Inevitable(states, positions, self._removals(record, "removals"))
            case "possible":
                return Possible(states, positions, self._layers(self._list(record, "layers")), self._choice(record, "begin"))
            case "fair-path":
                return FairPath(
                    states,
                    positions,
                    self._layers(self._list(record, "layers")),
                    self._number(record, "hull"),
                    self._choice(record, "step"),
                    tuple(self._layers(layers) for layers in self._list(record, "justice")),
                    tuple(self._layers(layers) for layers in self._list(record, "compassion")),
                    self._choice(record, "begin"),
                )
        raise self._problem(f"there is no proof '{kind}'", "one of docs/certificates.md")

    def _removals(self, record: Any, key: str) -> tuple[Removal, ...]:
        return tuple(
            Removal(self._number(removal, "states"), self._text(removal, "reason"), self._number(removal, "constraint"),
                    self._removals(removal, "inside")) for removal in self._list(record, key)
        )  # fmt: skip

    def _layers(self, records: Any) -> tuple[PathLayer, ...]:
        if not isinstance(records, list):
            raise self._problem(f"{records!r} are not layers", "a list")
        return tuple(PathLayer(self._number(layer, "states"), self._choice(layer, "choice")) for layer in records)

    def _choice(self, record: Any, key: str) -> StepChoice:
        pairs = [self._numbers(pair, 2) for pair in self._list(record, key)]
        return StepChoice(tuple((bit, root) for bit, root in pairs))

    # Plain values

    def _problem(self, found: str, expected: str) -> InputError:
        return InputError(f"{self.where}: {found}", hint=f"expected {expected}")

    def _field(self, record: Any, key: str, kind: type[Any], expected: str) -> Any:
        value = record.get(key) if isinstance(record, dict) else None
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is int):
            raise self._problem(f"'{key}' is {value!r}"[:200], expected)
        return value

    def _text(self, record: Any, key: str) -> str:
        return str(self._field(record, key, str, "a text"))

    def _number(self, record: Any, key: str) -> int:
        return int(self._field(record, key, int, "a whole number"))

    def _list(self, record: Any, key: str) -> list[Any]:
        return list(self._field(record, key, list, "a list"))

    def _names(self, record: Any, key: str) -> tuple[str, ...]:
        names = self._list(record, key)
        if not all(isinstance(name, str) for name in names):
            raise self._problem(f"'{key}' are {names!r}"[:200], "names of variables")
        return tuple(names)

    def _numbers(self, record: Any, count: int) -> list[int]:
        if not isinstance(record, list) or len(record) != count or any(type(number) is not int for number in record):
            raise self._problem(f"found {record!r}"[:200], f"{count} whole numbers")
        return record
