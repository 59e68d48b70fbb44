"""Searches that take turns: each goes on for some steps, and then the next from where it was."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from typing import Protocol

from msgspec.structs import replace

from coarsest.check.questions.finding import Proved, Refuted
from coarsest.errors import LimitExceeded
from coarsest.run import Event, Run

FIRST_TURN = 500
"""Steps, most of them a few questions to a solver; each turn is twice as long as the one before. The clock has no part in it, so
that the same search ends in the same way."""

TURN = "turn"
"""The limit that is exceeded when a turn is over."""


class Search(Protocol):
    """What takes turns; the run that it was given is that of the turns."""

    def go_on(self) -> Proved | Refuted:
        """What it finds; a limit may end it, and it goes on from there when it is called again."""

    def close(self) -> None: ...


class Turns:
    """The run of searches that take turns."""

    def __init__(self, run: Run) -> None:
        self._left = inf
        self._listener = run.listener
        self.own = replace(run, listener=self._hear)

    def _hear(self, event: Event) -> None:
        self._left -= 1
        if self._left < 0:
            raise LimitExceeded(TURN, "it is the turn of another search")
        if self._listener is not None:
            self._listener(event)

    def give(self, search: Search, steps: int) -> Proved | Refuted | None:
        """What a search finds in so many steps."""
        with self.turn(steps):
            return search.go_on()
        return None

    @contextmanager
    def turn(self, steps: int) -> Iterator[None]:
        """What is done within ends after so many steps."""
        self._left = steps
        try:
            yield
        except LimitExceeded as exceeded:
            if exceeded.limit != TURN:
                raise
        finally:
            self._left = inf
