"""What the process beside diagrams is given, and what it says."""

from __future__ import annotations

from msgspec import Struct

from coarsest.check.decide.classify import searched_as_invariant
from coarsest.check.questions.finding import Proved, Refuted, Settled
from coarsest.check.questions.question import Invariant, Question
from coarsest.check.setting.session import CheckOptions, Session
from coarsest.logic.expr import Expr
from coarsest.model.machine import Machine, Property
from coarsest.model.parts.part import Part
from coarsest.options.methods import BuildOptions


class CompanionTask(Struct, frozen=True):
    """What the other process is given."""

    machine: Machine
    claims: tuple[Property, ...]
    build: BuildOptions
    options: CheckOptions


class Message(Struct, frozen=True):
    """What the other process has found out about the property of a number; for an invariant, with the part of the machine."""

    number: int
    finding: Proved | Refuted
    claim: Invariant | None = None
    part: Machine | None = None
    merged: dict[str, Expr] = {}
    judged: Machine | None = None

    @property
    def settled(self) -> Settled:
        """The finding and its question; the trace is one of the machine itself already."""
        if self.claim is None or self.part is None:
            return Settled(None, self.finding)
        return Settled(Question(Part(self.part, merged=self.merged), self.claim, self.judged), self.finding)


def stated_in(claim: Property, session: Session) -> Expr:
    """The condition that is decided, or the formula: findings are stored by its identity."""
    good = searched_as_invariant(claim, session.machine, session.options)
    return claim.formula if good is None else good
