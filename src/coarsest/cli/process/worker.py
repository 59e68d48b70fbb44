"""The supervised process: it does the work and reports every finding to the supervisor, over standard output."""

from __future__ import annotations

import io
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from msgspec import to_builtins

from coarsest.cli.frame.ledger import Message
from coarsest.cli.frame.publish import Screen

EVENTS_EVERY: Final = 0.1


class Channel:
    """Messages to the supervisor, one JSON object per line. Of events in quick succession, only some are sent."""

    def __init__(self) -> None:
        sys.stdout.flush()
        self._file = os.dup(1)
        os.dup2(2, 1)  # output of native code must not mix with the messages
        self._lock = threading.Lock()
        self._held_back: Message | None = None
        self._sent = 0.0

    def tell(self, message: Message) -> None:
        """Send a message, or delay it if it is one of many events."""
        with self._lock:
            if message.get("event") is not None:
                self._held_back = message
                if time.monotonic() - self._sent < EVENTS_EVERY:
                    return
                self._sent = time.monotonic()
                self._send_held_back()
            else:
                self._send_held_back()
                self._send(message)

    def tick(self) -> None:
        """Send a delayed event."""
        with self._lock:
            self._send_held_back()

    def _send_held_back(self) -> None:
        if self._held_back is not None:
            self._send(self._held_back)
            self._held_back = None

    def _send(self, message: Message) -> None:
        line = json.dumps(message).encode() + b"\n"
        try:
            while line:
                line = line[os.write(self._file, line) :]
        except OSError:  # the supervisor has ended
            os._exit(70)


class _Stream(io.TextIOBase):
    """Replaces a standard stream, so that only the supervisor writes to the terminal."""

    def __init__(self, tell: Callable[..., Any], kind: str) -> None:
        self._tell = tell
        self._kind = kind

    def write(self, text: str) -> int:
        if text:
            self._tell({self._kind: text})
        return len(text)


class Supervisor(NamedTuple):
    """What a supervised process knows of its supervisor. Both have the same clock."""

    channel: Channel
    screen: Screen
    started: float


def description(screen: Screen, started: float) -> str:
    """The text that `begin` reads."""
    return json.dumps({"screen": to_builtins(screen), "started": started})


def begin(described: str) -> Supervisor:
    """Open the channel to the supervisor."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches both processes, and the supervisor decides
    channel = Channel()
    sys.stdout, sys.stderr = _Stream(channel.tell, "printed"), _Stream(channel.tell, "complaint")
    threading.Thread(target=_stay_in_touch, args=(channel, os.getppid()), name="in touch", daemon=True).start()
    facts = json.loads(described)
    return Supervisor(channel, Screen(**facts["screen"]), facts["started"])


def _stay_in_touch(channel: Channel, supervisor: int) -> None:
    while os.getppid() == supervisor:
        channel.tick()
        time.sleep(EVENTS_EVERY)
    os._exit(70)
