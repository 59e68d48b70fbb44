"""Certificates as JSON objects: written down, read again, and confirmed without the engine that wrote them.

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
    """What a file of certificates holds; each comes from `claim_to_object`."""
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
            return [_to_object(one) for one in part]
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

    Name and kind are those of a property of the model, or the kind is what the formula says by itself. The formula of a claim is
    what was understood, not what the file says: its spaces and comments are not to be believed. Raises EvidenceRejected where one
    proves nothing, NotConfirmed where that is not known, InputError where one cannot be read.
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
    return [_Reader(f"certificates[{number}]").claim(one) for number, one in enumerate(_list(record, "certificates", "the file"))]


class _Reader:
    """Reads one certificate; complains about what does not fit."""

    def __init__(self, where: str) -> None:
        self.where = where

    def claim(self, record: Any) -> CertifiedProperty:
        word = self._text(record, "kind")
        kind = kind_named(word)
        if kind is None:
            raise self._problem(f"the kind of property is '{word}'", f"one of {', '.join(map(str, kinds()))}")
        return CertifiedProperty(self._text(record, "name"), kind, self._text(record, "formula"), self._certificate(record))

    def _certificate(self, record: Any) -> Certificate:
        bits = [self._bit(one) for one in self._list(record, "bits")]
        nodes = [DiagramNode(*self._numbers(one, 3)) for one in self._list(record, "nodes")]
        fair = self._proof(record["fair"]) if record.get("fair") is not None else None
        unfair = self._proof(record["unfair"]) if record.get("unfair") is not None else None
        if not isinstance(fair, FairPath | None) or not isinstance(unfair, Inevitable | None):
            raise self._problem("fairness is proved by other means", "a 'fair-path' and an 'inevitable' proof, or null")
        return Certificate(
            graphs=DecisionDiagrams(bits, nodes),
            variables=self._names(record, "variables"),
            inputs=self._names(record, "inputs"),
            invariant=self._number(record, "invariant"),
            stuck=self._stuck(record["stuck"]) if record.get("stuck") is not None else None,
            fair=fair,
            unfair=unfair,
            proofs=tuple(self._proof(one) for one in self._list(record, "proofs")),
            parts=self._parts(record),
        )

    def _parts(self, record: Any) -> tuple[int, ...]:
        roots = record.get("parts", [])
        if not isinstance(roots, list):
            raise self._problem(f"'parts' is {roots!r}"[:200], "a list of whole numbers")
        return tuple(self._numbers(roots, len(roots)))

    def _bit(self, record: Any) -> Bit:
        match record:
            case [str(name), int(place)]:
                return Bit(name, place)
            case [str(name), int(place), "next"]:
                return Bit(name, place, after=True)
        raise self._problem(f"{record!r} is no bit", '["variable", place] or ["variable", place, "next"]')

    def _stuck(self, record: Any) -> Stuck:
        return Stuck(self._number(record, "states"), self._number(record, "among"), self._choice(record, "choice"))

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
                    tuple(self._layers(one) for one in self._list(record, "justice")),
                    tuple(self._layers(one) for one in self._list(record, "compassion")),
                    self._choice(record, "begin"),
                )
        raise self._problem(f"there is no proof '{kind}'", "one of docs/certificates.md")

    def _removals(self, record: Any, key: str) -> tuple[Removal, ...]:
        return tuple(self._removal(one) for one in self._list(record, key))

    def _removal(self, record: Any) -> Removal:
        states, constraint = self._number(record, "states"), self._number(record, "constraint")
        return Removal(states, self._text(record, "reason"), constraint, self._removals(record, "inside"))

    def _layers(self, records: Any) -> tuple[PathLayer, ...]:
        if not isinstance(records, list):
            raise self._problem(f"{records!r} are no layers", "a list")
        return tuple(PathLayer(self._number(one, "states"), self._choice(one, "choice")) for one in records)

    def _choice(self, record: Any, key: str) -> StepChoice:
        pairs = [self._numbers(one, 2) for one in self._list(record, key)]
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


def _list(record: Mapping[str, Any], key: str, where: str) -> list[Any]:
    found = record.get(key)
    if not isinstance(found, list):
        raise InputError(f"{where} has no list '{key}'", hint="see docs/certificates.md")
    return found
