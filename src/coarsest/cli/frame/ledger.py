"""The ledger: all findings of a command so far.

A command writes its findings into a ledger, as messages in JSON. The process that owns standard output publishes them: the same
process, or a supervisor that may have ended the working process. So no decided property is lost.
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
"""The environment variable of a supervised process; it describes the screen and the start of the supervisor."""


def _ignore(message: Message) -> None:
    """Drop the message."""


class Ending(Struct, frozen=True):
    """How the work ended: `because` is None if it is complete; `code` is None if the results determine it."""

    because: str | None = None
    code: int | None = None


class Ledger(Struct):
    """The findings of a command: planned and decided properties, warnings, the last event, and how the work ended."""

    tell: Callable[[Message], None] = _ignore
    model: str = ""
    planned: list[dict[str, Any]] = field(default_factory=list)  # name, kind, formula, … of each property
    decided: dict[int, dict[str, Any]] = field(default_factory=dict)  # by index in `planned`: object, text and documents
    result: dict[str, Any] | None = None  # of commands without properties
    warnings: list[str] = field(default_factory=list)
    warned_of: list[str] = field(default_factory=list)  # the model of each warning
    statistics_of: dict[str, dict[str, Any]] = field(default_factory=dict)  # by model
    statistics: dict[str, Any] = field(default_factory=dict)
    phases: dict[str, float] | None = None  # seconds by phase, of the working process
    event: dict[str, Any] | None = None
    mebibytes: int | None = None  # the most memory that the supervisor measured
    because: str | None = None  # why the work ended early
    code: int | None = None
    started: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started

    def record(self, **message: Any) -> None:
        """Apply a message and pass it on."""
        self.apply(message)
        self.tell(message)

    def warn(self, message: str, shown: str = "", *, hollow: bool = False) -> None:
        """Record a warning. One that undermines verdicts (`hollow`) is shown even with --quiet."""
        self.record(warning=message, shown=shown or f"warning: {message}", hollow=hollow)

    def undermine(self, message: str) -> None:
        """Record a warning that undermines verdicts."""
        self.warn(message, hollow=True)

    def warn_of(self, warning: Diagnostic) -> None:
        """Record a warning about a place in a text."""
        self.warn(warning.message, warning.show())

    def listen(self, event: Event) -> None:
        """Record an event of a run."""
        facts = dict(event.facts)
        self.record(event={"task": event.task, "step": event.step, "seconds": event.seconds, "facts": facts})

    def apply(self, message: Message) -> None:
        """Take in a message, from this process or another."""
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
                case _:  # a text to print
                    pass

    def so_far(self) -> dict[str, Any]:
        """Statistics of an unfinished run, from its last event."""
        facts = {} if self.event is None else {"task": self.event["task"], "step": self.event["step"], **self.event["facts"]}
        return facts if self.mebibytes is None else {**facts, "mebibytes": self.mebibytes}
