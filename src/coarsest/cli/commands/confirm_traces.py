"""`coarsest confirm` for traces: replayed by the interpreter of the model, and the formula evaluated on them."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from typing import Any

from coarsest.errors import EvidenceRejected, InputError
from coarsest.run import Run


def is_meant(thing: dict[str, Any]) -> bool:
    """A trace by itself, or a report of `check --json`, which may have several."""
    return "states" in thing or ("properties" in thing and "model" in thing)


def check(models: list[str], thing: dict[str, Any], args: Namespace, run: Run) -> dict[str, Any]:
    """Is every trace of the file one of the model's, and is the property false because of it?"""
    from coarsest.api import model as api
    from coarsest.evidence.sat.clauses import NotConfirmed
    from coarsest.evidence.stated_property import text_of
    from coarsest.explain.trace_file import confirm_stated

    if len(models) != 1:
        raise InputError(f"traces are about one model, but {len(models)} are named")
    model = api.load(models[0], format=args.format)
    confirmed: list[dict[str, Any]] = []
    for one in _traces(thing):
        run.step("replay", traces=len(confirmed))
        try:
            claim, trace, besides = confirm_stated(model.machine, one, model.formula, run)
        except (EvidenceRejected, InputError) as problem:
            return {"accepted": False, "reason": f"{_about(one)}: {_first_line(problem)}", "properties": confirmed}
        except NotConfirmed as reason:
            return {"accepted": None, "reason": f"{_about(one)}: {reason}", "properties": confirmed}
        text = text_of(claim.kind, claim.formula)
        about = {"name": claim.name, "kind": str(claim.kind), "formula": text, "instance": claim.module or None}
        confirmed.append({**about, "states": len(trace), "loop": trace.loop, "false": True, "besides": besides or None})
    if not confirmed:
        return {"accepted": False, "reason": "the file has no trace of a property that fails", "properties": []}
    return {"accepted": True, "reason": None, "properties": confirmed, "shows": "\n  ".join(_shown(confirmed))}


def _about(thing: dict[str, Any]) -> str:
    """What a trace is said to be about, cut where a text goes on and on."""
    return f"the trace of {str(thing.get('name') or thing.get('formula') or 'no formula')[:200]}"


def _traces(thing: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if "states" in thing:
        yield thing
        return
    properties = thing["properties"]
    for one in properties if isinstance(properties, list) else []:
        if isinstance(one, dict) and one.get("verdict") == "fails" and isinstance(one.get("trace"), dict):
            yield {**one["trace"], **{key: one.get(key) for key in ("name", "kind", "formula", "instance")}}


def _first_line(problem: Exception) -> str:
    """What is wrong, without the place in a text that nobody sees."""
    return problem.diagnostic.message if isinstance(problem, InputError) else str(problem)


def _shown(confirmed: list[dict[str, Any]]) -> Iterator[str]:
    if len(confirmed) > 1:
        yield f"{len(confirmed)} traces"
    for one in confirmed:
        form = "lasso" if one["loop"] is not None else "path"
        size = f"{form} of {one['states']} state{'s' * (one['states'] != 1)}"
        besides = f"; {one['besides']}" if one["besides"] else ""
        yield f"{one['formula']} fails ({one['kind']}, {size}{besides})"
