"""The variables of a trace to show: those that the property depends on and, if there are many, only informative ones."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from coarsest.evidence.reading import Reading
from coarsest.model.trace import Trace

MANY: Final = 16
"""If there are more variables, those that never change and that the property does not mention are left out."""


class Focus(Struct, frozen=True):
    """What to show of traces; without a reading, everything."""

    reading: Reading | None
    everything: bool = False

    def names(self, trace: Trace) -> frozenset[str] | None:
        """The variables to show; None for all of them."""
        if self.reading is None or self.everything or (trace is self.reading.shown and self.reading.is_chosen):
            return None
        every = _names(trace)
        shown = every & self.reading.relevant
        if len(shown) > MANY:
            first, *rest = trace.states
            changing = {name for name in shown if name not in first or any(state.get(name) != first[name] for state in rest)}
            shown = frozenset(changing | (shown & self.reading.mentioned))
        return shown if shown else every

    def left_out(self, trace: Trace) -> int:
        """How many variables are not shown."""
        names = self.names(trace)
        return 0 if names is None else len(_names(trace) - names)


def _names(trace: Trace) -> frozenset[str]:
    return frozenset(name for step in (*trace.states[:1], *trace.inputs[:1]) for name in step)
