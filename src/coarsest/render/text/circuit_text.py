"""Comparisons of circuits: the verdict, and distinguishing inputs as text, VCD and AIGER stimulus."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from coarsest.errors import InputError
from coarsest.model.trace import Trace
from coarsest.model.types import show_value
from coarsest.render.data.vcd import trace_to_vcd
from coarsest.render.text.trace_text import trace_to_text

if TYPE_CHECKING:
    from coarsest.api.comparing.circuits import CircuitComparison


def circuits_to_text(comparison: CircuitComparison, names: Sequence[str], *, quiet: bool = False) -> str:
    """The verdict with its evidence."""
    lines = [] if quiet else [f"note: {note}" for note in comparison.notes]
    where = "confirmed" if comparison.confirmed else "not confirmed"
    if comparison.related is None:
        return "\n".join([*lines, f"unknown: {comparison.evidence}", ""])
    if comparison.related:
        lines.append("related by bisimulation: the same outputs for all inputs")
        lines += [] if quiet or not comparison.evidence else [f"    evidence: {comparison.evidence} ({where})"]
        return "\n".join([*lines, ""])
    lines.append("not related by bisimulation: inputs distinguish them")
    if not quiet:
        last, output = comparison.moments[-1], comparison.differing[0]
        one, other = (show_value(last[f"{side}.{output}"]) for side in ("first", "second"))
        count = len(comparison.moments)
        lines.append(f"    at moment {count - 1} the output {output} is {one} in {names[0]}, {other} in {names[1]} ({where})")
        trace = trace_to_text(Trace(comparison.moments), names=[*comparison.inputs, *_outputs(comparison)])
        lines += [f"    {line}" for line in trace.splitlines()]
    return "\n".join([*lines, ""])


def _outputs(comparison: CircuitComparison) -> list[str]:
    return [f"{side}.{output}" for output in comparison.differing for side in ("first", "second")]


def circuits_to_object(comparison: CircuitComparison) -> dict[str, Any]:
    """The JSON object: the facts of every comparison, the inputs and outputs at each moment, and the differing outputs."""
    facts: dict[str, Any] = {"related": comparison.related, "formula": None, "true_in": None, "depth": None, "trace": None}
    if comparison.related is None:
        facts["reason"] = comparison.evidence
    elif not comparison.related:
        facts |= {"depth": len(comparison.moments), "trace": list(comparison.moments), "outputs": list(comparison.differing)}
    notes = {"notes": list(comparison.notes)} if comparison.notes else {}
    return {**facts, "confirmed": comparison.confirmed, "statistics": comparison.statistics, **notes}


def inputs_to_text(comparison: CircuitComparison, kind: str) -> str:
    """The inputs that distinguish circuits: a value change dump with the outputs of both, or an AIGER stimulus."""
    if kind == "vcd":
        return trace_to_vcd(Trace(comparison.moments), name="inputs that distinguish circuits")
    rows = []
    for moment in comparison.moments:
        values = [moment[name] for name in comparison.inputs]
        if not all(isinstance(value, bool) for value in values):
            raise InputError("a stimulus of AIGER has a bit for each input", hint="write .vcd or .json instead")
        rows.append("".join("1" if value else "0" for value in values))
    return "\n".join([*rows, ".", ""])
