"""Hard limits: the work runs in a child process, which is ended when its time or memory is used up, whatever it is doing.

The child checks the limits itself and normally reports 'unknown' in time. The supervisor steps in if a call of a library does not
return, or takes memory faster than the child checks. The findings of the child until then are in the ledger.

The limits of the operating system do not help: there is none on resident memory, and libraries reserve far more address space
(stacks of a gibibyte, room for all nodes that may be needed) than they use.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import IO, Final

from coarsest.cli.frame.ledger import SUPERVISED, Ending, Ledger
from coarsest.cli.process.worker import description
from coarsest.memory_use import (
    MEBIBYTE,
    asking_is_cheap,
    can_be_asked,
    end_helpers,
    family_of,
    memory_limit,
    memory_of,
    most_mebibytes,
)

GRACE: Final = 0.5  # seconds for the child to report that its time is over
PLANNING: Final = 10.0  # further seconds for the child to list the properties to decide
PLANNING_MEMORY: Final = 160  # mebibytes that it may use until then, whatever the limit: four times as much as usual
SLOWEST_LOOK: Final = 0.05
FASTEST_LOOK: Final = 0.004
GROWTH: Final = 4 << 30  # bytes per second: no process touches fresh memory faster
COMPLAINTS: Final = (2, 3, 70, 130, 141)  # exit codes of a child that has reported the reason
START = "import sys; sys.path[:] = PATH; from coarsest.cli.app import main; sys.exit(main())"


def supervise(
    argv: Sequence[str], args: Namespace, ledger: Ledger, tick: Callable[[], None], *, plans: bool = False,
    folder: str | None = None,
) -> Ending:
    """Run the same command line in a child process, in `folder`, and take its findings into the ledger.

    With `plans` the child first lists the properties to decide, and gets some time beyond a limit to do so.
    """
    command = [sys.executable, "-c", START.replace("PATH", repr(sys.path)), *argv]
    environment = {**os.environ, SUPERVISED: description(args.screen, ledger.started)}
    with _termination_ends_the_child():
        child = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, cwd=folder)
        try:
            return _Watch(child, args, ledger, tick, plans=plans).until_it_ends()
        except KeyboardInterrupt:
            return Ending("the run was interrupted", 130)
        finally:
            if child.poll() is None:
                end_helpers(child.pid)
            child.kill()
            child.wait()


@contextmanager
def _termination_ends_the_child() -> Iterator[None]:
    """Within this context, SIGTERM raises an exception, so that the child is ended, too."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def leave(number: int, frame: FrameType | None) -> None:
        sys.exit(128 + number)

    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class _Watch:
    """Supervises a child and its processes: messages, time and memory."""

    def __init__(
        self, child: subprocess.Popen[bytes], args: Namespace, ledger: Ledger, tick: Callable[[], None], *, plans: bool
    ) -> None:
        self._child = child
        self._ledger = ledger
        self._tick = tick
        self._plans = plans
        self._timeout: float | None = args.timeout
        self._memory: int | None = args.memory
        self._asks = asking_is_cheap() or (args.memory is not None and can_be_asked())
        self._most = most_mebibytes(args.memory) * MEBIBYTE
        self._used = 0
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        assert child.stdout is not None
        threading.Thread(target=_read, args=(child.stdout, self._lines), name="messages", daemon=True).start()

    def until_it_ends(self) -> Ending:
        pause = SLOWEST_LOOK
        while True:
            try:
                line = self._lines.get(timeout=pause)
            except queue.Empty:
                line = b""
            if line is None:
                return self._after_exit()
            if line:
                self._take(line)
                if self._ledger.code is not None:
                    return Ending(None, self._ledger.code or None)
            self._tick()
            limit = self._limit_reached()
            if limit is not None:
                return Ending(limit, 3)
            pause = self._pause()

    def _take(self, line: bytes) -> None:
        try:
            message = json.loads(line)
        except ValueError:  # not a message
            return
        self._ledger.record(**message)

    def _limit_reached(self) -> str | None:
        planning = self._plans and not self._ledger.planned
        if self._timeout is not None and self._ledger.seconds > self._timeout + (PLANNING if planning else GRACE):
            return f"the time limit of {self._timeout:g} s was reached"
        if not self._asks:
            return None
        self._used = memory_of([os.getpid(), *family_of(self._child.pid)])
        self._ledger.mebibytes = max(self._ledger.mebibytes or 0, self._used // MEBIBYTE)
        most = self._most
        if planning:
            most = max(most, memory_of([os.getpid()]) + PLANNING_MEMORY * MEBIBYTE)
        return f"{memory_limit(self._memory)} was reached" if self._used > most else None

    def _pause(self) -> float:
        """Seconds until the next look: the less memory is left, the fewer, so that the fastest growth is seen in time."""
        if not self._asks:
            return SLOWEST_LOOK
        if not asking_is_cheap():
            return SLOWEST_LOOK * 4
        return min(SLOWEST_LOOK, max(FASTEST_LOOK, (self._most - self._used) / GROWTH))

    def _after_exit(self) -> Ending:
        code = self._child.wait()
        if code in COMPLAINTS:
            return Ending(None, code)
        if code >= 0:  # a child reports the end of its work before it exits
            return Ending(f"the process doing the work ended unexpectedly with exit code {code}, which is a bug in coarsest", 70)
        if self._memory is not None and self._used > self._most // 2:
            return Ending(f"{memory_limit(self._memory)} was reached", 3)
        if -code == getattr(signal, "SIGKILL", 9):  # by another process
            return Ending("the process doing the work was killed, probably because the system ran out of memory", 3)
        return Ending(f"the process doing the work was ended by signal {-code} ({signal.strsignal(-code)})", 70)


def _read(pipe: IO[bytes], lines: queue.SimpleQueue[bytes | None]) -> None:
    with pipe:
        for line in pipe:
            lines.put(line)
    lines.put(None)

