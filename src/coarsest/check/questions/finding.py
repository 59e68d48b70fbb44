"""What engines find out. Nothing here has been confirmed: that is the judges' work."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from msgspec import Struct, field

from coarsest.evidence.verdict import Certificate
from coarsest.model.trace import Trace
from coarsest.run import Statistic
from coarsest.space.space import StateSpace


class Reached(Struct, frozen=True):
    """A set of states that holds all reachable ones."""

    space: StateSpace[Any]
    states: Any
    exact: bool
    """Does it hold no others?"""


class Proved(Struct, frozen=True):
    """The claim holds, and this shows it, unless others have to look for what does."""

    proof: Certificate | None = None
    reached: Reached | None = None
    facts: Mapping[str, Statistic] = field(default_factory=dict)


class Refuted(Struct, frozen=True):
    """The claim fails, as a trace of the part shows. That there is one is often all that is asked: it may be found later."""

    shown_by: Trace | Callable[[], Trace]
    facts: Mapping[str, Statistic] = field(default_factory=dict)


    @property
    def trace(self) -> Trace:
        return self.shown_by if isinstance(self.shown_by, Trace) else self.shown_by()


class Undecided(Struct, frozen=True):
    because: str
    facts: Mapping[str, Statistic] = field(default_factory=dict)


Finding: TypeAlias = Proved | Refuted | Undecided
