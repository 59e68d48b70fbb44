"""Searches that take turns: each goes on for some steps, and then the next from where it was."""

from __future__ import annotations

from typing import Protocol

from coarsest.check.questions.finding import Proved, Refuted
from coarsest.run import Run


class Search(Protocol):
    """What takes turns."""

    def go_on(self) -> Proved | Refuted:
        """What it finds; a budget may end it, and it goes on from there when it is called again."""

    def close(self) -> None: ...


def in_turn(run: Run, search: Search, steps: int) -> Proved | Refuted | None:
    """What a search finds in so many steps."""
    with run.within(steps=steps):
        return search.go_on()
    return None
