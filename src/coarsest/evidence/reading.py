"""Facts that help people to read the evidence of an answer."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from coarsest.logic.expr import Value
from coarsest.model.trace import Trace


class TruthRow(Struct, frozen=True):
    """The truth of one part of a property in each state of a trace; None if the evidence does not say it."""

    formula: str
    values: tuple[bool | None, ...]


class Reading(Struct, frozen=True):
    """The variables that matter, and the truth of the parts of the property along the trace."""

    mentioned: frozenset[str] = frozenset()
    """The variables that the property is about."""
    relevant: frozenset[str] = frozenset()
    """The variables that can influence it."""
    truths: tuple[TruthRow, ...] = ()
    fair: bool = False
    """Is the property about fair paths only?"""
    definitions: tuple[Mapping[str, Value], ...] = ()
    """Definitions that the property mentions, with their values in each state of the trace; empty if `truths` say more."""
    step_definitions: tuple[Mapping[str, Value], ...] = ()
    """Definitions about steps that the property mentions, with their values in each step."""
    shown: Trace | None = None
    """The trace to show instead, if the user has chosen expressions, or if the language has its own words for traces."""
    is_chosen: bool = True
    """Has the user chosen everything in `shown`? If not, variables that do not matter may be left out of it."""

    def with_definitions(self, trace: Trace) -> Trace:
        """The trace to show, with definitions beside the variables."""
        if self.shown is not None:
            return self.shown
        states, inputs = trace.states, trace.inputs
        if self.definitions:
            states = tuple({**state, **more} for state, more in zip(states, self.definitions))
        if self.step_definitions:
            inputs = tuple({**step, **more} for step, more in zip(inputs or ({},) * len(trace.arrivals), self.step_definitions))
        return replace(trace, states=states, inputs=inputs)
