"""The effort that a judge may spend, and the exception for when it is not enough."""

from __future__ import annotations

from msgspec import Struct

from coarsest.errors import CoarsestError


class NotConfirmed(CoarsestError):
    """The evidence was not examined to the end, for the reason in the text. It may be right or wrong."""


class Effort(Struct, frozen=True):
    """The limits for checking a certificate. None means unlimited."""

    clauses: int | None = None
    conflicts: int | None = None
    """The conflicts of the solver, for each condition."""


SPENT_ON_CLAUSES = Effort(clauses=2_000_000, conflicts=50_000)
"""The effort for judging clauses, or an induction, unless the user asks for confirmation."""
