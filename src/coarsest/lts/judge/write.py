"""Certificates about graphs as JSON: one object with `kind`, `relation` and what the kind needs."""

from __future__ import annotations

from typing import Any

from coarsest.logic.modal.hennessy_milner import show
from coarsest.lts.judge.graph_certificates import (
    GraphCertificate,
    InclusionCertificate,
    PartitionCertificate,
    SimulationCertificate,
)

SCHEMA = 1


def certificate_to_object(certificate: GraphCertificate) -> dict[str, Any]:
    """The JSON object of a certificate. Rows of a simulation are hexadecimal: the first bit is block 0."""
    thing: dict[str, Any] = {"schema": SCHEMA, "kind": certificate.kind, "relation": certificate.relation}
    match certificate:
        case PartitionCertificate():
            thing["blocks"] = certificate.blocks.tolist()
            if certificate.formulas:
                thing["formulas"] = [show(formula) for formula in certificate.formulas]
        case SimulationCertificate():
            thing |= {"preorder": certificate.preorder, **_simulation(certificate)}
        case InclusionCertificate():
            thing |= {"preorder": certificate.preorder, **_simulation(certificate.simulation)}
            thing["ways"] = [[[state, list(states)] for state, states in way] for way in certificate.ways]
    return thing


def _simulation(certificate: SimulationCertificate) -> dict[str, Any]:
    import numpy as np

    rows = np.packbits(certificate.above, axis=1)
    return {"blocks": certificate.blocks.tolist(), "above": [row.tobytes().hex() for row in rows]}


def certificate_to_text(certificate: GraphCertificate) -> str:
    import json

    return json.dumps(certificate_to_object(certificate), separators=(",", ":")) + "\n"
