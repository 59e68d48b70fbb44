"""`coarsest confirm` for traces: replayed by the interpreter of the model, and the formula evaluated on them."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from coarsest.errors import EvidenceRejected, InputError
from coarsest.run import Run

if TYPE_CHECKING:
    from coarsest.api import Model
    from coarsest.model.machine import Property


def is_meant(thing: dict[str, Any]) -> bool:
    """A trace by itself, or a report of `check --json`, which may have several."""
    return "states" in thing or ("properties" in thing and "model" in thing)


def check(models: list[str], thing: dict[str, Any], args: Namespace, run: Run) -> dict[str, Any]:
    """Is every trace of the file one of the model's, and is the property false on it, as far as one path can show?"""
    from coarsest import api
    from coarsest.evidence.trace_file import confirm_counterexample, trace_of

    if len(models) != 1:
        raise InputError(f"traces are about one model, but {len(models)} are named")
    model = api.load(models[0], format=args.format)
    confirmed: list[dict[str, Any]] = []
    for one in _traces(thing):
        about = {key: str(one.get(key) or "") for key in ("name", "formula", "instance")}
        run.step("replay", traces=len(confirmed))
        try:
            claim = _property(model, **about)
            trace = trace_of(one, model.machine)
            false = confirm_counterexample(model.machine, claim.kind, claim.formula, trace)
        except (EvidenceRejected, InputError) as problem:
            reason = f"the trace of {about['name'] or about['formula'] or 'no formula'}: {_first_line(problem)}"
            return {"accepted": False, "reason": reason, "properties": confirmed}
        confirmed.append({**about, "kind": str(claim.kind), "states": len(trace), "loop": trace.loop, "false": false})
    if not confirmed:
        return {"accepted": False, "reason": "the file has no trace of a property that fails", "properties": []}
    return {"accepted": True, "reason": None, "properties": confirmed, "shows": "\n  ".join(_shown(confirmed))}


def _traces(thing: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if "states" in thing:
        yield thing
        return
    properties = thing["properties"]
    for one in properties if isinstance(properties, list) else []:
        if isinstance(one, dict) and one.get("verdict") == "fails" and isinstance(one.get("trace"), dict):
            yield {**one["trace"], **{key: one.get(key) for key in ("name", "formula", "instance")}}


def _property(model: Model, *, name: str, formula: str, instance: str) -> Property:
    """The property of the model that the trace names, or the formula that it quotes."""
    from coarsest.logic.show import show

    for claim in model.properties:
        if claim.name == name and formula in (claim.text, show(claim.formula)) and instance in ("", claim.module):
            return claim
    if not formula:
        raise EvidenceRejected("it does not say which formula it is about")
    return model.formula(formula)


def _first_line(problem: Exception) -> str:
    """What is wrong, without the place in a text that nobody sees."""
    return problem.diagnostic.message if isinstance(problem, InputError) else str(problem)


def _shown(confirmed: list[dict[str, Any]]) -> Iterator[str]:
    if len(confirmed) > 1:
        yield f"{len(confirmed)} traces"
    for one in confirmed:
        form = "lasso" if one["loop"] is not None else "path"
        size = f"{form} of {one['states']} state{'s' * (one['states'] != 1)}"
        formula = f"{one['formula']} IN {one['instance']}" if one["instance"] and not one["name"] else one["formula"]
        shown = f"{formula} fails" if one["false"] else f"a path of the model; {formula} is about more than one"
        yield f"{shown} ({one['kind']}, {size})"
