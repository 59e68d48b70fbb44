"""Verdicts before the judge who looks at all states one by one."""

from __future__ import annotations

from typing import Any

from coarsest import tuning
from coarsest.check.setting.session import Session, Setting
from coarsest.evidence.confirmation import Enumerated, part_in_words
from coarsest.evidence.enumeration.by_enumeration import ByEnumeration
from coarsest.evidence.enumeration.enumerated_states import EnumerationBounds
from coarsest.model.machine import Machine, Property
from coarsest.run import WORK_OF_A_VALUE


def enumeration(session: Session, machine: Machine) -> ByEnumeration:
    """Confirms verdicts on this part of the machine by its states: one for formulas that depend on the same variables."""

    def judge() -> ByEnumeration:
        part, is_large = part_in_words(machine, session.machine), session.evidence.has_many_states(machine.variables)
        session.evidence.enumerations.append(ByEnumeration(machine, session.run, _bounds(session), part=part, is_large=is_large))
        return session.evidence.enumerations[-1]

    return session.once(session.machine, f"enumerated: {' '.join(sorted(machine.variables))}", judge)


def _bounds(session: Session) -> EnumerationBounds:
    """What may be enumerated: unasked, as much as evidence may take."""
    if session.options.confirm == "always":
        return EnumerationBounds()
    return EnumerationBounds(values=int(session.evidence.for_states / WORK_OF_A_VALUE))


def on_all_states(
    session: Session, setting: Setting[Any], claim: Property, *, holds: bool
) -> Enumerated | None:
    """The verdict confirmed on the states one by one, if that is wanted and they are few."""
    arena = setting.arena
    reached: Any = vars(arena).get("reached")  # where it is not known, finding it may cost more than giving up late
    if not session.options.confirms or (reached is not None and arena.base.count(reached) > tuning.JUDGED_STATES):
        return None
    return enumeration(session, setting.own).confirm(claim, holds=holds)
