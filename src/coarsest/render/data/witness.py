"""Counterexamples as witnesses, in the formats of circuits."""

from __future__ import annotations

from collections.abc import Iterable

from coarsest.evidence.verdict import Answer, shown_trace
from coarsest.model.machine import Machine, Property
from coarsest.render.data import aiger_witness, btor2_witness

_INSIST = {"aiger": aiger_witness.require_a_circuit, "btor2": btor2_witness.require_btor2}
_WRITE = {"aiger": aiger_witness.witness_to_text, "btor2": btor2_witness.witness_to_text}


def require(style: str, machine: Machine, claims: Iterable[Property]) -> None:
    """Raise InputError if the format cannot express the model or its properties."""
    _INSIST[style](machine, claims)


def answer_to_witness(style: str, answer: Answer, machine: Machine, claim: Property) -> str | None:
    """The evidence of an answer as a witness; None if it is not a path."""
    trace = shown_trace(answer)
    return None if trace is None else _WRITE[style](trace, machine, claim)
