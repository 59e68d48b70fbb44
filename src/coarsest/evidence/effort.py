"""The effort that a judge may spend, and the exception for when it is not enough."""

from __future__ import annotations

from msgspec import Struct

from coarsest import tuning
from coarsest.errors import CoarsestError


class NotConfirmed(CoarsestError):
    """The evidence was not examined to the end, for the reason in the text. It may be right or wrong."""


class Effort(Struct, frozen=True):
    """The limits for checking a certificate. None means unlimited."""

    clauses: int | None = None
    conflicts: int | None = None
    """The conflicts of the solver, for each condition."""


def effort_for_clauses() -> Effort:
    """The effort for judging clauses, or an induction, unless the user asks for confirmation.

    It is ten times the effort for diagrams: an engine that proves by clauses has asked questions of the same kind by thousands.
    """
    return Effort(clauses=10 * tuning.CERTIFICATE_CLAUSES, conflicts=10 * tuning.CERTIFICATE_CONFLICTS)
