"""How much a judge may spend, and what it says when that was not enough."""

from __future__ import annotations

from msgspec import Struct

from coarsest.errors import CoarsestError


class NotConfirmed(CoarsestError):
    """The evidence was not looked through to the end; the text says why. Nothing is said about whether it is right."""


class Effort(Struct, frozen=True):
    """What may be spent on checking a certificate. None means unlimited."""

    clauses: int | None = None
    conflicts: int | None = None
    """Of the solver, for each condition."""


SPENT_ON_CLAUSES = Effort(clauses=2_000_000, conflicts=50_000)
"""What is spent on judging clauses, or an induction, unless confirmation is asked for."""
