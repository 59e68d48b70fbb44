"""Evidence costs less than the answer: what certificates and the search for vacuity may take, unasked, of the CPU time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import process_time

from coarsest.errors import LimitExceeded
from coarsest.phases import CLOCK
from coarsest.run import Event, Run

SHARE, ALWAYS = 0.3, 0.1
"""This part of the time that deciding took, and so many seconds in any case."""

NODES_A_SECOND = 30_000
"""So many nodes of a certificate are written down and become clauses. One of more nodes than there is time for is not begun."""

SPENT = "share"
"""The limit that is exceeded when no more may be spent."""


class Share:
    """How much of the time of one process went into evidence."""

    def __init__(self) -> None:
        self._started = process_time()
        self._spent = 0.0

    @property
    def left(self) -> float:
        """The seconds of CPU time that may still be spent."""
        deciding = process_time() - self._started - self._spent
        return SHARE * deciding + ALWAYS - self._spent

    @property
    def nodes(self) -> int:
        """The nodes of a certificate for which there is time."""
        return int(max(0.0, self.left) * NODES_A_SECOND)

    @contextmanager
    def spending(self, run: Run, *, unasked: bool) -> Iterator[None]:
        """What happens within is counted and, if nobody asked for it, ends with LimitExceeded when the share is spent."""
        started, ends, listener = process_time(), process_time() + self.left, run.listener

        def listen(event: Event) -> None:
            if listener is not None:
                listener(event)
            if process_time() > ends:
                raise LimitExceeded(SPENT, "no more is spent on this unasked")

        if unasked:
            run.listener = listen
        try:
            with CLOCK.phase("evidence"):
                yield
        finally:
            run.listener = listener
            self._spent += process_time() - started
