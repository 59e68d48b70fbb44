"""What helps people to read the evidence of an answer."""

from __future__ import annotations

from msgspec import Struct


class TruthRow(Struct, frozen=True):
    """The truth of one part of a property in each state of a trace; None where the evidence does not say it."""

    formula: str
    values: tuple[bool | None, ...]


class Reading(Struct, frozen=True):
    """Which variables matter, and how the parts of the property fare along the trace."""

    mentioned: frozenset[str] = frozenset()
    """The variables that the property is about."""
    relevant: frozenset[str] = frozenset()
    """The variables that can influence it."""
    truths: tuple[TruthRow, ...] = ()
    fair: bool = False
    """Does the property speak of fair paths only?"""
