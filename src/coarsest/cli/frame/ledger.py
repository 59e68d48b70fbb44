"""The ledger: what a command has found so far.

A command writes what it finds into a ledger, in messages that JSON can carry. Whoever owns standard output publishes from it:
the same process, or a supervisor that may have had to end the process that did the work. So nothing that was decided gets lost.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct, field

from coarsest.run import Event
from coarsest.text import Diagnostic

Message = Mapping[str, Any]

SUPERVISED = "COARSEST_SUPERVISED"
"""The variable of the environment that tells a process that its messages go to a supervisor, and how that one writes."""


def _nobody(message: Message) -> None:
    """Nobody listens."""


class Ending(Struct, frozen=True):
    """How the work ended: `because` is None when it is complete; `code` is None when the results decide it."""

    because: str | None = None
    code: int | None = None


class Ledger(Struct):
    """What is known: the model, what shall be decided, what is decided, the last event, warnings, how it ended."""

    tell: Callable[[Message], None] = _nobody
    model: str = ""
    planned: list[dict[str, Any]] = field(default_factory=list)  # name, kind, formula, … of each property
    decided: dict[int, dict[str, Any]] = field(default_factory=dict)  # by place in `planned`: object, text and document
    result: dict[str, Any] | None = None  # of commands without properties
    warnings: list[str] = field(default_factory=list)
    warned_of: list[str] = field(default_factory=list)  # the model that each of them is about
    statistics_of: dict[str, dict[str, Any]] = field(default_factory=dict)  # by model
    statistics: dict[str, Any] = field(default_factory=dict)
    phases: dict[str, float] | None = None  # the seconds of each, in the process that did the work
    event: dict[str, Any] | None = None
    mebibytes: int | None = None  # the most memory seen by a supervisor
    because: str | None = None  # why the work ended early
    code: int | None = None
    started: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started

    def record(self, **message: Any) -> None:
        """Write something down and pass it on to the listener."""
        self.apply(message)
        self.tell(message)

    def warn(self, message: str, shown: str = "", *, hollow: bool = False) -> None:
        """A warning, for people and for programs; one that undermines verdicts is shown in spite of --quiet."""
        self.record(warning=message, shown=shown or f"warning: {message}", hollow=hollow)

    def warn_of(self, warning: Diagnostic) -> None:
        """A warning about a place in a text."""
        self.warn(warning.message, warning.show())

    def listen(self, event: Event) -> None:
        """A listener for runs."""
        facts = dict(event.facts)
        self.record(event={"task": event.task, "step": event.step, "seconds": event.seconds, "facts": facts})

    def apply(self, message: Message) -> None:
        """Take a message in, from this process or another."""
        for key, value in message.items():
            match key:
                case "planned":
                    self.planned = value
                case "decided":
                    self.decided[value["index"]] = value
                case "warning":
                    self.warnings.append(value)
                    self.warned_of.append(self.model)
                case "statistics":
                    self.statistics = self.statistics_of[self.model] = value
                case "model" | "phases" | "result" | "event" | "because" | "code":
                    setattr(self, key, value)
                case _:  # only for people to read: not kept
                    pass

    def so_far(self) -> dict[str, Any]:
        """Statistics of an unfinished run, from its last event."""
        facts = {} if self.event is None else {"task": self.event["task"], "step": self.event["step"], **self.event["facts"]}
        return facts if self.mebibytes is None else {**facts, "mebibytes": self.mebibytes}
