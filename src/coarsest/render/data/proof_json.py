"""Certificates of properties as JSON, which `check --certificate` writes and `confirm` reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from coarsest.evidence.verdict import Answer, Holds
from coarsest.model.machine import Property


def proof_to_object(answer: Answer, claim: Property) -> dict[str, Any] | None:
    """The certificate of a property that holds; None if it has none."""
    if not isinstance(answer.verdict, Holds) or answer.verdict.certificate is None:
        return None
    from coarsest.evidence.sat.certificate_file import CertifiedProperty, claim_to_object
    from coarsest.evidence.stated_property import text_of

    return claim_to_object(CertifiedProperty(claim.name, claim.kind, text_of(claim), answer.verdict.certificate))


def proofs_to_object(model: str, proofs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The file with all certificates."""
    from coarsest.evidence.sat.certificate_file import file_of

    return file_of(model, proofs)
