"""Verdicts before the judge who looks at all states one by one."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from coarsest.check.setting.workshop import Setting, Workshop
from coarsest.evidence.confirmation import Enumerated, part_in_words
from coarsest.evidence.enumeration.by_enumeration import DEFAULT_BOUNDS, ByEnumeration
from coarsest.evidence.enumeration.enumerated_states import Bounds
from coarsest.logic.expr import Expr
from coarsest.model.machine import Machine, PropertyKind


def enumeration(shop: Workshop, machine: Machine) -> ByEnumeration:
    """Confirms verdicts on this part of the machine by its states: one for formulas that depend on the same variables.

    A part with more variables than another has no fewer states.
    """
    part, bounds = part_in_words(machine, shop.machine), _bounds(shop)
    judges = shop.once(shop.machine, "enumerated", dict[frozenset[str], ByEnumeration])
    variables = frozenset(machine.variables)
    if variables not in judges:
        judge = judges[variables] = ByEnumeration(machine, shop.run, bounds, part=part)
        judge.is_large = any(other.is_large and of_other < variables for of_other, other in judges.items())
    return judges[variables]


def _bounds(shop: Workshop) -> Bounds:
    """What may be enumerated: unasked, what there is time for."""
    if shop.options.confirm == "always":
        return DEFAULT_BOUNDS
    steps = min(DEFAULT_BOUNDS.steps, shop.share.steps)
    return replace(DEFAULT_BOUNDS, steps=steps, seconds=shop.share.seconds_for_states)


def on_all_states(shop: Workshop, setting: Setting[Any], kind: PropertyKind, formula: Expr, *, holds: bool) -> Enumerated | None:
    """The verdict confirmed on the states one by one, if that is wanted and they are few."""
    arena = setting.arena
    reached: Any = vars(arena).get("reached")  # where it is not known, finding it may cost more than giving up late
    if not shop.options.confirms or (reached is not None and arena.base.count(reached) > DEFAULT_BOUNDS.states):
        return None
    return enumeration(shop, setting.own).confirm(kind, formula, holds=holds)
