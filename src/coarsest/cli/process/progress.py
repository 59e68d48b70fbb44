"""Progress on standard error: a line that is redrawn on a terminal; elsewhere a line per minute, or every two seconds with -v.

With `--progress jsonl` all messages on standard error are JSON, one object per line: its `event` is "progress", "verdict",
"warning" or "message".
"""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Any, Final, TextIO

from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.publish import terminal_width

FIRST_AFTER: Final = 0.5  # a quick answer needs no progress
REDRAW_EVERY: Final = 0.25
REPEAT_EVERY: Final = 2.0
MINUTE: Final = 60.0
ERASE = "\r\x1b[K"
LOG10_OF_2: Final = 0.30103


class Progress:
    """Shows the last event of a ledger. `tick` may be called often; it draws only when it is time."""

    def __init__(self, ledger: Ledger, *, quiet: bool = False, verbose: bool = False, stream: TextIO | None = None) -> None:
        self._ledger = ledger
        self._stream: TextIO | JsonLines = stream if stream is not None else sys.stderr
        self._terminal = self._stream.isatty()
        self._json = isinstance(self._stream, JsonLines)
        self._silent = quiet
        self._every = REDRAW_EVERY if self._terminal else REPEAT_EVERY if verbose or self._json else MINUTE
        self._next = time.monotonic() + (FIRST_AFTER if self._terminal else self._every)
        self._drawn = False
        self._lock = RLock()  # ticks come from another thread than results

    def tick(self) -> None:
        """Draw if it is time."""
        now = time.monotonic()
        if self._silent or now < self._next:
            return
        with self._lock:
            self._next = now + self._every
            if isinstance(self._stream, JsonLines):
                self._stream.say("progress", **progress_object(self._ledger))
                return
            line = progress_line(self._ledger)
            if self._terminal:
                self._stream.write(ERASE + line[: terminal_width(80) - 1])
                self._drawn = True
            else:
                self._stream.write(line + "\n")
            self._stream.flush()

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Within this context there is no progress line on the terminal."""
        with self._lock:
            if self._drawn:
                self._stream.write(ERASE)
                self._stream.flush()
                self._drawn = False
            yield


class JsonLines(io.TextIOBase):
    """Replaces standard error: every text written becomes one JSON object."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def say(self, event: str, **facts: Any) -> None:
        """Write an event."""
        import json

        self._stream.write(json.dumps({"event": event, **facts}) + "\n")
        self._stream.flush()

    def write(self, text: str) -> int:
        if text.strip():
            self.say("message", text=text.rstrip("\n"))
        return len(text)


def progress_object(ledger: Ledger) -> dict[str, Any]:
    """The last event of a ledger, with the number of the property that it is about."""
    about = {"property": len(ledger.decided) + 1, "properties": len(ledger.planned)} if ledger.planned else {}
    return {"seconds": round(ledger.seconds, 6), **about, **(ledger.event or {})}


def progress_line(ledger: Ledger) -> str:
    """Property, task, step, facts and time: `property 2 of 3 · chaining, step 12: nodes 34,567 · 3.2 s`."""
    parts = []
    if len(ledger.planned) > 1:
        parts.append(f"property {min(len(ledger.decided) + 1, len(ledger.planned))} of {len(ledger.planned)}")
    elif ledger.event is None:
        parts.append("working" if ledger.model else "reading")
    if ledger.event is not None:
        parts.append(_event_line(ledger.event))
    return " · ".join([*parts, f"{ledger.seconds:.1f} s"])


def _event_line(event: dict[str, Any]) -> str:
    facts = ", ".join(f"{name.replace('_', ' ')} {_short(value)}" for name, value in event["facts"].items())
    return f"{event['task']}, step {event['step']}{': ' if facts else ''}{facts}"


def _short(value: float | str) -> str:
    if isinstance(value, int) and abs(value) < 10**15:
        return f"{value:,}"
    if isinstance(value, int):
        return f"about 10^{int(value.bit_length() * LOG10_OF_2)}"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
