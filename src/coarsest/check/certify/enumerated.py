"""Verdicts confirmed by the judge that looks at all states one by one."""

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
    """The judge that lists the states of this part of the machine; formulas over the same variables share it."""

    def judge() -> ByEnumeration:
        part, is_large = part_in_words(machine, session.machine), session.evidence.has_many_states(machine.variables)
        asked = session.options.confirm == "always"
        bounds = EnumerationBounds() if asked else EnumerationBounds(values=int(session.evidence.for_states / WORK_OF_A_VALUE))
        session.evidence.enumerations.append(ByEnumeration(machine, session.run, bounds, part=part, is_large=is_large))
        return session.evidence.enumerations[-1]

    return session.once(session.machine, f"enumerated: {' '.join(sorted(machine.variables))}", judge)


def on_all_states(session: Session, setting: Setting[Any], claim: Property, *, holds: bool) -> Enumerated | None:
    """The verdict confirmed on the states one by one, if confirmations are wanted and the states are few."""
    arena = setting.arena
    reached: Any = vars(arena).get("reached")  # if it was not computed, that may cost more than to enumerate and give up
    if not session.options.confirms or (reached is not None and arena.base.count(reached) > tuning.JUDGED_STATES):
        return None
    return enumeration(session, setting.own).confirm(claim, holds=holds)
