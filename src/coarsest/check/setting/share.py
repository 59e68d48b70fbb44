"""Evidence costs less than the answer: what certificates and the search for vacuity may take, unasked, of the CPU time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from time import process_time
from typing import TYPE_CHECKING, TypeVar

from coarsest.errors import LimitExceeded
from coarsest.phases import CLOCK, EVIDENCE
from coarsest.run import Event, Run

if TYPE_CHECKING:
    from coarsest.evidence.enumeration.by_enumeration import ByEnumeration

T = TypeVar("T")

SHARE, ALWAYS = 0.3, 0.1
"""This part of the time that deciding took, and so many seconds in any case."""

NODES_A_SECOND = 30_000
"""So many nodes of a certificate are written down and become clauses. One of more nodes than there is time for is not begun."""

STEPS_A_SECOND = 30_000
"""So many steps the interpreter takes, where states are looked at one by one."""

SPENT = "share"
"""The limit that is exceeded when no more may be spent."""


class Share:
    """How much of the time of one process went into evidence."""

    def __init__(self) -> None:
        self._started = process_time()
        self._before = CLOCK.of(EVIDENCE)
        self.enumerations: list[ByEnumeration] = []
        """Those who list the states of parts of the system."""

    @property
    def left(self) -> float:
        """The seconds of CPU time that may still be spent."""
        spent = CLOCK.of(EVIDENCE) - self._before
        deciding = process_time() - self._started - spent
        return SHARE * deciding + ALWAYS - spent

    @property
    def nodes(self) -> int:
        """The nodes of a certificate for which there is time."""
        return int(max(0.0, self.left) * NODES_A_SECOND)

    @property
    def seconds_for_states(self) -> float:
        """The seconds in which the states of a part may be listed: half of those that are left, since certificates may do where
        states are many; and always some, but fewer each time that this was in vain."""
        in_vain = sum(judge.is_large for judge in self.enumerations)
        return max(ALWAYS * 0.5**in_vain, self.left) / 2

    def has_many_states(self, variables: Collection[str]) -> bool:
        """Are there too many states of a part that has fewer variables than these? Then there are of this one, too."""
        return any(judge.is_large and judge.machine.variables.keys() <= set(variables) for judge in self.enumerations)

    def unless_long(self, run: Run, work: Callable[[], T], *, unasked: bool = True, at_least: float = 0.0) -> T | None:
        """What it comes to; None if nobody asked for it and it takes longer than there is time for."""
        try:
            with self.spending(run, unasked=unasked, at_least=at_least):
                return work()
        except LimitExceeded as limit:
            if limit.limit != SPENT:
                raise
            return None

    @contextmanager
    def spending(self, run: Run, *, unasked: bool, at_least: float = 0.0) -> Iterator[None]:
        """What happens within is counted and, if nobody asked for it, ends with LimitExceeded when the share is spent, and
        `at_least` these seconds."""
        ends, listener = process_time() + max(at_least, self.left), run.listener

        def listen(event: Event) -> None:
            if listener is not None:
                listener(event)
            if process_time() > ends:
                raise LimitExceeded(SPENT, "no more is spent on this unasked")

        if unasked:
            run.listener = listen
        try:
            with CLOCK.phase(EVIDENCE):
                yield
        finally:
            run.listener = listener
