"""`coarsest confirm` for certificates of properties: no engine is loaded, and none is believed."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from coarsest.errors import EvidenceRejected, InputError
from coarsest.run import Run


def check(models: list[str], thing: dict[str, Any], args: Namespace, run: Run) -> dict[str, Any]:
    """Is every certificate of the file a proof? Nothing is said of properties that the file does not mention."""
    from coarsest.api import model as api
    from coarsest.evidence.sat.certificate_file import confirm
    from coarsest.evidence.sat.clauses import NotConfirmed

    if len(models) != 1:
        raise InputError(f"certificates of properties are about one model, but {len(models)} are named")
    model = api.load(models[0], format=args.format)
    confirmed: list[dict[str, Any]] = []

    def facts(**found: Any) -> dict[str, Any]:
        return {**found, "properties": confirmed}

    try:
        for claim, proof in confirm(model.machine, thing, model.formula, run):
            about = {"name": claim.name, "kind": str(claim.kind), "formula": claim.formula}
            confirmed.append({**about, "conditions": proof.conditions})
    except EvidenceRejected as problem:
        return facts(accepted=False, reason=f"{_number(len(confirmed))} certificate: {problem}")
    except NotConfirmed as reason:
        return facts(accepted=None, reason=f"{_number(len(confirmed))} certificate: {reason}")
    if not confirmed:
        return facts(accepted=False, reason="the file has no certificate")
    return facts(accepted=True, reason=None, shows=_shown(confirmed))


def _number(place: int) -> str:
    return ("first", "second", "third")[place] if place < 3 else f"{place + 1}th"


def _shown(confirmed: list[dict[str, Any]]) -> str:
    lines = [f"{one['formula']} holds ({one['kind']}, {one['conditions']} conditions)" for one in confirmed]
    return "\n".join(lines) if len(lines) == 1 else "\n  ".join([f"{len(lines)} properties", *lines])
