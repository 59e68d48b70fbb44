"""Results as JSON. Words and keys never change within a schema number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from coarsest.evidence.explanation import Explanation
from coarsest.evidence.reading import Reading
from coarsest.evidence.verdict import Answer, Fails, Holds, Unknown, shown_trace
from coarsest.explain.every_path import reason_in_words
from coarsest.logic.expr import Value, Word
from coarsest.logic.show import show
from coarsest.model.trace import Trace
from coarsest.phases import CLOCK, PHASES
from coarsest.run import Statistic
from coarsest.text import Span

if TYPE_CHECKING:
    from coarsest.lts.compare.comparison import Comparison
    from coarsest.lts.spectrum.verdicts import NotionVerdicts, Spectrum, Verdict

SCHEMA: Final = 1


def value_to_object(value: Value) -> bool | int | str:
    """Booleans and integers as themselves, symbols, words and real numbers (as fractions, which are exact) as strings.

    >>> value_to_object(True), value_to_object(3), value_to_object("idle"), value_to_object(Word(5, 8))
    (True, 3, 'idle', '0ud8_5')
    >>> value_to_object(Fraction("0.5")), value_to_object(Fraction(2))
    ('1/2', '2')
    """
    return str(value) if isinstance(value, Word | Fraction) else value


def trace_to_object(trace: Trace) -> dict[str, Any]:
    """A trace; `loop` is the number of the state that follows the last one, or null; `inputs` has the inputs of each step."""
    return {
        "loop": trace.loop,
        "states": [{name: value_to_object(value) for name, value in state.items()} for state in trace.states],
        "inputs": [{name: value_to_object(value) for name, value in step.items()} for step in trace.inputs],
    }


def comparison_to_object(comparison: Comparison) -> dict[str, Any]:
    """The result of `compare`; the formula is null if the systems are related."""
    sides = ("first", "second")
    facts: dict[str, Any] = {"related": comparison.related, "formula": None, "true_in": None, "depth": None, "trace": None}
    if comparison.difference is not None:
        formula, trace = comparison.difference.formula, comparison.difference.trace
        facts |= {"formula": str(formula), "true_in": sides[comparison.difference.true_in], "depth": formula.depth}
        facts["trace"] = None if trace is None else list(trace)
        if comparison.difference.refusal is not None:
            facts["refusal"] = list(comparison.difference.refusal)
    if comparison.refutation is not None:
        from msgspec import to_builtins

        from coarsest.lts.certificate_json import certificate_to_object
        from coarsest.lts.certificates import AttackCertificate

        refutation = comparison.refutation
        if isinstance(refutation, AttackCertificate):
            facts["refutation"] = {"kind": refutation.kind, **to_builtins(refutation)}
        else:
            facts["refutation"] = certificate_to_object(refutation)
        if any(comparison.state_names):
            facts["state_names"] = {side: {str(k): v for k, v in own.items()} for side, own in zip(sides, comparison.state_names)}
        if comparison.path_formula:
            facts |= {"formula": comparison.path_formula, "true_in": sides[comparison.refutation.way]}
    if comparison.pairs is not None:
        pairs = comparison.pairs
        begins = None if pairs.begins is None else {"in": sides[pairs.way], "state": _values(pairs.begins)}
        facts["play"] = {"begins": begins, "states": [*map(_values, pairs.states)], "answers": [*map(_values, pairs.answers)]}
    sizes = {side: size._asdict() for side, size in zip(sides, comparison.sizes)}
    return {**facts, "confirmed": comparison.confirmed, "statistics": dict(comparison.statistics), **sizes}


def _values(state: Mapping[str, Value]) -> dict[str, Any]:
    return {name: value_to_object(value) for name, value in state.items()}


def spectrum_to_object(spectrum: Spectrum) -> dict[str, Any]:
    """The result of `compare --spectrum`: the notions from the finest to the coarsest."""
    sizes = {side: size._asdict() for side, size in zip(("first", "second"), spectrum.sizes)}
    facts = {"related": spectrum.related, "confirmed": spectrum.confirmed, "notions": list(map(_row, spectrum.rows))}
    return {**facts, "statistics": dict(spectrum.statistics), **sizes}


def _row(row: NotionVerdicts) -> dict[str, Any]:
    first, second = map(_verdict, row.ways)
    return {
        "name": row.notion.name, "sees": row.notion.sees, "internal": row.notion.weak, "implies": list(row.notion.implies),
        "related": row.related, "first_below_second": first, "second_below_first": second,
    }  # fmt: skip


def _verdict(verdict: Verdict) -> dict[str, Any]:
    """A verdict; the formula is true in the graph that is not below; `by` is the notion from which the verdict follows."""
    formula = verdict.formula
    facts = {"formula": None if formula is None else str(formula), "depth": None if formula is None else formula.depth}
    return {"below": verdict.below, **facts, "by": verdict.by or None, "reason": verdict.reason or None,
            "confirmed": verdict.confirmed}  # fmt: skip


def place_to_object(span: Span | None) -> dict[str, Any] | None:
    """The file, line and column of a span; null if it is not in a file."""
    if span is None or span.source.name.startswith("<"):
        return None
    line, column = span.source.line_and_column(min(span.start, len(span.source.text)))
    return {"file": span.source.name, "line": line, "column": column}


def answer_to_object(answer: Answer, span: Span | None = None, *, expected: str | None = None) -> dict[str, Any]:
    """An element of `properties`, with the place and the expected verdict of the property."""
    reason: str | None = None
    advice: str | None = None
    certificate: str | None = None
    explanation: Explanation | None = None
    match answer.verdict:
        case Holds(_, explanation):
            certificate = answer.verdict.shown_by
        case Fails(_, explanation, proof):
            certificate = None if proof is None else proof.summary
        case Unknown(because, next_try):
            reason, advice = because, next_try or None
    trace = shown_trace(answer)
    reading = answer.reading or Reading()
    return {
        "name": answer.name,
        "kind": str(answer.kind),
        "formula": answer.formula,
        "verdict": answer.verdict.word,
        "confirmed": answer.confirmed,
        "reason": reason,
        "advice": advice,
        "seconds": answer.seconds,
        "statistics": dict(answer.statistics),
        "warnings": list(answer.warnings),
        "certificate": certificate,
        "trace": trace_to_object(trace) if trace is not None else None,
        "explanation": _explanation(explanation, answer.formula, fair=reading.fair) if explanation is not None else None,
        "truths": [{"formula": row.formula, "values": list(row.values)} for row in reading.truths],
        "doubt": answer.doubt or None,
        "value": answer.statistics.get("value") if answer.kind == "compute" else None,
        "instance": answer.instance or None,
        "place": place_to_object(span),
        "expected": expected,
        "bound": answer.verdict.bound if isinstance(answer.verdict, Unknown) else None,
        "more_traces": [trace_to_object(more) for more in map(shown_trace, answer.more) if more is not None],
    }


def _explanation(claim: Explanation, formula: str, *, fair: bool) -> dict[str, Any]:
    """Why a formula is true or false in the first state of a trace; `parts` are about the states with the number `at`."""
    return {
        "formula": formula,
        "holds": claim.holds,
        "because": reason_in_words(claim, fair=fair),
        "complete": claim.complete,
        "trace": trace_to_object(claim.trace),
        "parts": [{"at": place, **_explanation(part, show(part.formula), fair=fair)} for place, part in claim.parts],
    }


def check_to_object(
    model: str,
    properties: Sequence[Mapping[str, Any]],
    *,
    warnings: Sequence[str] = (),
    seconds: float = 0.0,
    statistics: Mapping[str, Statistic] | None = None,
) -> dict[str, Any]:
    """The output of `coarsest check --json`; `properties` come from `answer_to_object`."""
    return {
        "schema": SCHEMA,
        "model": model,
        "properties": list(properties),
        "warnings": list(warnings),
        "seconds": seconds,
        "statistics": dict(statistics or {}),
        "phases": {name: round(CLOCK.seconds.get(name, 0.0), 6) for name in PHASES},
    }


def object_to_text(fields: Mapping[str, Any], *, indent: int | None = 2) -> str:
    """One JSON object, indented, in plain ASCII for any terminal; without a line end."""
    import json

    return json.dumps(fields, indent=indent)
