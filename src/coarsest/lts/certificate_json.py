"""Certificates about graphs as JSON: one object with `kind`, `relation` and the fields of its kind.

Reading refuses objects of the wrong form. It does not check whether a certificate is true.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import ValidationError, convert, to_builtins

from coarsest.errors import InputError, ModelProblem, SyntaxProblem
from coarsest.logic.modal.hennessy_milner import show
from coarsest.logic.modal.parse_modal import parse as parse_formula
from coarsest.lts.certificates import (
    AnswersCertificate,
    Blocks,
    GraphCertificate,
    InclusionCertificate,
    LassoCertificate,
    Pairs,
    PartitionCertificate,
    SimulationCertificate,
    StrategyCertificate,
    WordsCertificate,
)
from coarsest.text import Source

SCHEMA: Final = 1
KINDS = ("partition", "simulation", "inclusion", "strategy", "lassos", "answers", "words")


OF_PATHS: Mapping[str, Any] = {
    kind.kind: kind for kind in (StrategyCertificate, LassoCertificate, AnswersCertificate, WordsCertificate)
}
"""The kinds that are written field by field: they contain numbers and texts only."""


def certificate_to_object(certificate: GraphCertificate) -> dict[str, Any]:
    """The JSON object of a certificate. Rows of a simulation are hexadecimal: the first bit is block 0."""
    fields: dict[str, Any] = {"schema": SCHEMA, "kind": certificate.kind, "relation": certificate.relation}
    match certificate:
        case PartitionCertificate():
            fields["blocks"] = certificate.blocks.tolist()
            if certificate.formulas:
                fields["formulas"] = [show(formula) for formula in certificate.formulas]
        case SimulationCertificate():
            fields |= {"preorder": certificate.preorder, **_simulation(certificate)}
        case InclusionCertificate():
            fields |= {"preorder": certificate.preorder, **_simulation(certificate.simulation)}
            if certificate.simulation.relation != "finite-simulation":
                fields["simulation"] = certificate.simulation.relation
            fields["ways"] = [[[state, list(states)] for state, states in way] for way in certificate.ways]
            if certificate.futures:
                fields["futures"] = [[state, list(states)] for state, states in certificate.futures]
        case StrategyCertificate() | LassoCertificate() | AnswersCertificate() | WordsCertificate():
            fields |= to_builtins(certificate)
    return fields


def _simulation(certificate: SimulationCertificate) -> dict[str, Any]:
    import numpy as np

    rows = np.packbits(certificate.above, axis=1)
    return {"blocks": certificate.blocks.tolist(), "above": [row.tobytes().hex() for row in rows]}


def certificate_to_text(certificate: GraphCertificate) -> str:
    import json

    return json.dumps(certificate_to_object(certificate), separators=(",", ":")) + "\n"


def certificate_of(fields: Mapping[str, Any], name: str = "certificate") -> GraphCertificate:
    """The certificate that a JSON object describes."""
    kind, relation = fields.get("kind"), fields.get("relation")
    if kind not in KINDS:
        message = f"{name} is not a certificate about graphs: its kind is {kind!r}"
        raise ModelProblem(message, hint=f"kinds are {', '.join(KINDS)}")
    if not isinstance(relation, str):
        raise _wrong(name, "relation", "a word")
    if kind in OF_PATHS:
        try:
            certificate: GraphCertificate = convert(dict(fields), OF_PATHS[kind])
        except ValidationError as error:
            raise SyntaxProblem(f"{name} is not of its kind: {error}", hint="coarsest compare writes certificates") from None
        return certificate
    blocks = _blocks(fields, name)
    if kind == "inclusion":
        word = fields.get("simulation", "finite-simulation")
        if not isinstance(word, str):
            raise _wrong(name, "simulation", "a word")
        simulation = SimulationCertificate(word, blocks, _rows(fields, name), preorder=True)
        (futures,) = _pairs([fields.get("futures", [])], name, "futures")
        return InclusionCertificate(relation, simulation, _pairs(fields.get("ways"), name, "ways"), _flag(fields, name), futures)
    if kind == "partition":
        formulas = fields.get("formulas", [])
        if not isinstance(formulas, list) or not all(isinstance(text, str) for text in formulas):
            raise _wrong(name, "formulas", "a list of formulas")
        parsed = [parse_formula(Source(f"{name}: formula {number}", text)) for number, text in enumerate(formulas)]
        return PartitionCertificate(relation, blocks, tuple(parsed))
    return SimulationCertificate(relation, blocks, _rows(fields, name), _flag(fields, name))


def _wrong(name: str, key: str, expected: str) -> InputError:
    return SyntaxProblem(f"'{key}' in {name} is not {expected}", hint="coarsest compare writes certificates")


def _flag(fields: Mapping[str, Any], name: str) -> bool:
    flag = fields.get("preorder")
    if not isinstance(flag, bool):
        raise _wrong(name, "preorder", "true or false")
    return flag


def _blocks(fields: Mapping[str, Any], name: str) -> Blocks:
    import numpy as np

    numbers = fields.get("blocks")
    if not isinstance(numbers, list) or not all(type(number) is int and abs(number) < 2**62 for number in numbers):
        raise _wrong(name, "blocks", "a list of numbers, one for each state")
    return np.array(numbers, dtype=np.int64)


def _rows(fields: Mapping[str, Any], name: str) -> Any:
    import numpy as np

    rows = fields.get("above")
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise _wrong(name, "above", "a list of hexadecimal rows")
    width = (len(rows) + 7) // 8
    packed = np.zeros((len(rows), width), dtype=np.uint8)
    for number, row in enumerate(rows):
        try:
            data = bytes.fromhex(row)
        except ValueError:
            data = b""
        if len(data) != width:
            raise _wrong(name, "above", f"a list of rows of {width} bytes: row {number} is different")
        packed[number] = np.frombuffer(data, dtype=np.uint8)
    bits = np.unpackbits(packed, axis=1).astype(np.bool_)
    if bits[:, len(rows) :].any():
        raise _wrong(name, "above", "a list of rows with one bit for each block")
    return bits[:, : len(rows)]


def _pairs(ways: Any, name: str, key: str) -> tuple[Pairs, ...]:
    try:
        return tuple(tuple((_number(state), tuple(map(_number, states))) for state, states in way) for way in ways or ())
    except (TypeError, ValueError):
        raise _wrong(name, key, "a list of lists of pairs, each of a state and a list of states") from None


def _number(value: Any) -> int:
    if type(value) is not int or abs(value) >= 2**62:
        raise ValueError
    return value
