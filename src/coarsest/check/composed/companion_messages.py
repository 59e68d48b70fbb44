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


class Task(Struct, frozen=True):
    """What the other process is given."""

    machine: Machine
    claims: tuple[Property, ...]
    build: BuildOptions
    options: CheckOptions


class Message(Struct, frozen=True):
    """What the other process has found out about a property, by its number; for invariants, on which part of the machine."""

    number: int
    finding: Proved | Refuted
    claim: Invariant | None = None
    part: Machine | None = None
    merged: dict[str, Expr] = {}
    judged: Machine | None = None

    @property
    def settled(self) -> Settled:
        """Traces have found their way back already."""
        if self.claim is None or self.part is None:
            return Settled(None, self.finding)
        return Settled(Question(Part(self.part, merged=self.merged), self.claim, self.judged), self.finding)


def stated_in(claim: Property, session: Session) -> Expr:
    """The condition that is decided, or the formula: by its identity, what is found out is known."""
    good = searched_as_invariant(claim, session.machine, session.options)
    return claim.formula if good is None else good
