"""`coarsest confirm` for traces: replayed by the interpreter of the model, and the formula evaluated on them."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from typing import Any

from coarsest.errors import EvidenceRejected, InputError
from coarsest.run import Run

AUTOMATON = "automaton"
"""The kind of a property that is an automaton."""


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
    traces = list(_traces(thing))
    _insist_automata_fit(args.automata, traces)
    model = api.load(models[0], format=args.format)
    automata = [model.never(path) for path in args.automata]
    confirmed: list[dict[str, Any]] = []
    for one in traces:
        run.step("replay", traces=len(confirmed))
        try:
            claim, trace, besides = confirm_stated(model.machine, one, model.formula, run, automata)
        except (EvidenceRejected, InputError) as problem:
            return {"accepted": False, "reason": f"{_about(one)}: {_first_line(problem)}", "properties": confirmed}
        except NotConfirmed as reason:
            return {"accepted": None, "reason": f"{_about(one)}: {reason}", "properties": confirmed}
        text = claim.text if claim in automata else text_of(claim.kind, claim.formula)
        about = {"name": claim.name, "kind": str(claim.kind), "formula": text, "instance": claim.module or None}
        confirmed.append({**about, "states": len(trace), "loop": trace.loop, "false": True, "besides": besides or None})
    if not confirmed:
        return {"accepted": False, "reason": "the file has no trace of a property that fails", "properties": []}
    return {"accepted": True, "reason": None, "properties": confirmed, "shows": "\n  ".join(_shown(confirmed))}


def _insist_automata_fit(automata: list[str], traces: list[dict[str, Any]]) -> None:
    """What a file says of an automaton is not enough: who confirms names it, and names none for nothing."""
    about = next((one for one in traces if one.get("kind") == AUTOMATON), None)
    if about is not None and not automata:
        raise InputError(f"{_about(about)} is about an automaton, which must be at hand", hint="name its file with --automaton")
    if about is None and automata:
        raise InputError("--automaton is for traces of automata, but there is none here", hint="leave --automaton out")


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
