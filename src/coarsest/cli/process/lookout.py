"""A thread that shows progress, watches memory and answers Ctrl-C while the main thread is inside a library.

Python raises KeyboardInterrupt only when a call of the library returns. The library releases the interpreter meanwhile, so this
thread sees the signal at once, waits a little for the main thread, and then ends the process itself. It does the same if Python
drops a KeyboardInterrupt that came while an object was being deleted.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any, Final

from coarsest.cli.frame.ledger import Ending

INTERRUPTED: Final = 130
"""The exit code after Ctrl-C."""
TICK: Final = 0.1
PATIENCE: Final = 0.5  # seconds for the main thread to react to Ctrl-C


class Lookout:
    """Use as `with Lookout(tick, end): work()`.

    `end` publishes the findings and does not return; it is called after Ctrl-C, or when `tick` gives an ending.
    """

    def __init__(self, tick: Callable[[], Ending | None], end: Callable[[Ending], None]) -> None:
        self._tick = tick
        self._end = end
        self._turn = threading.Lock()  # the thread that takes it ends the run
        self._over = threading.Event()
        self._wake, self._signalled = os.pipe()
        os.set_blocking(self._signalled, False)
        self._before: int | None = None
        self._report: Callable[[Any], object] = sys.unraisablehook
        self._thread = threading.Thread(target=self._watch, name="lookout", daemon=True)

    def __enter__(self) -> None:
        self._report, sys.unraisablehook = sys.unraisablehook, self._unraisable
        if threading.current_thread() is threading.main_thread():
            self._before = signal.set_wakeup_fd(self._signalled, warn_on_full_buffer=False)
        self._thread.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._turn.acquire()
        self._over.set()
        if self._before is not None:
            signal.set_wakeup_fd(self._before)
        os.write(self._signalled, b"\0")
        self._thread.join()
        sys.unraisablehook = self._report
        os.close(self._wake)
        os.close(self._signalled)

    def _unraisable(self, event: Any) -> None:
        """Report an error in a destructor, unless an interrupt caused it, or z3, which was interrupted in a constructor."""
        of_z3 = str(getattr(event.object, "__module__", "")).partition(".")[0] == "z3"
        if not issubclass(event.exc_type, KeyboardInterrupt) and not of_z3:
            self._report(event)

    def _watch(self) -> None:
        while not self._over.is_set():
            if self._rang(TICK):
                self._over.wait(PATIENCE)
                ending: Ending | None = Ending("the run was interrupted", INTERRUPTED)
            else:
                ending = self._tick()
            if ending is not None:
                if self._turn.acquire(blocking=False):
                    self._end(ending)
                return

    def _rang(self, seconds: float) -> bool:
        """Was Ctrl-C pressed?"""
        if os.name != "posix":  # on Windows, select takes only sockets
            self._over.wait(seconds)
            return False
        if not select.select([self._wake], [], [], seconds)[0]:
            return False
        return signal.SIGINT in os.read(self._wake, 512)
