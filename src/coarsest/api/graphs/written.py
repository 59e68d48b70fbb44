"""Quotients of graphs from text to text, without NumPy and msgspec."""

from __future__ import annotations

from coarsest import tuning
from coarsest.files import write_whole
from coarsest.formats.aut.text_to_text import QuotientText, quotient_text
from coarsest.lts.attended import StepListener
from coarsest.lts.judge.quotients import is_quotient

PRESERVED_BY = {
    "bisimulation": "the modal mu-calculus",
    "branching-bisimulation": "divergence-blind CTL* without X or actions",
    "branching-bisimulation-divergence": "CTL* without X or actions",
    "weak-bisimulation": "the modal mu-calculus of weak steps",
    "weak-bisimulation-divergence": "the modal mu-calculus of weak steps and divergence",
}
"""The relations by which texts are reduced to texts, and what they preserve; a test compares it with the table of relations."""


def written_quotient(path: str, output: str, *, by: str, run: StepListener) -> QuotientText | None:
    """Write the quotient; None if this graph needs the general way."""
    small = quotient_text(path, by=by, judged_up_to=tuning.CONFIRMED_TRANSITIONS, run=run)
    if small is None or (small.claim is not None and not is_quotient(small.claim)):
        return None
    write_whole(output, small.pieces)
    return small
