"""Work in threads beside the main one, into which Ctrl-C does not reach, and which Python does not end while they work.

Python raises KeyboardInterrupt between any two steps of the main thread, and handles no signal in others. So a kernel that gives
arrays to Python is called in another thread: in the main thread, an interrupt that came meanwhile would be raised before anything
owns the memory of these arrays.

When Python ends, a thread that is still inside a kernel, or inside an operation on diagrams, would crash with a segmentation
fault. So Python waits for such threads or, after a second Ctrl-C, ends without any cleanup. A command, which knows its exit code,
does not wait for diagrams.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
from collections.abc import Callable
from typing import Final, Generic, TypeVar

Result = TypeVar("Result")

KERNEL = "kernel"
"""The name of the threads that Python waits for when it ends."""
LOOK_EVERY: Final = 0.1
"""Seconds between two looks at whether the work is done, at which progress is reported and Ctrl-C heard."""


class Work(threading.Thread, Generic[Result]):
    """A call in a thread of its own; `over` is set when there is a result or an error."""

    def __init__(self, call: Callable[[], Result]) -> None:
        super().__init__(name=KERNEL, daemon=True)
        self._call = call
        self._result: list[Result] = []
        self._error: BaseException | None = None
        self.over = threading.Event()

    def run(self) -> None:
        """Make the call."""
        try:
            self._result.append(self._call())
        except BaseException as error:
            self._error = error
        finally:
            self.over.set()

    def result(self) -> Result:
        """Return the result of the call, or raise its error."""
        if self._error is not None:
            raise self._error
        return self._result[0]


def in_worker_thread(call: Callable[[], Result]) -> Result:
    """The result of a call that is made outside the main thread. After an interrupt, the call goes on unattended.

    >>> in_worker_thread(lambda: threading.current_thread() is threading.main_thread())
    False
    """
    if threading.current_thread() is not threading.main_thread():
        return call()
    work = Work(call)
    work.start()
    while not work.over.wait(LOOK_EVERY):
        pass
    return work.result()


def at_work() -> bool:
    """Is a thread still at work, perhaps unattended?"""
    return any(thread.name == KERNEL for thread in threading.enumerate())


def end_at_once(code: int) -> None:
    """End the process whatever its threads are doing, after flushing its output."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


def _wait_for_all() -> None:
    try:
        for thread in threading.enumerate():
            if thread.name == KERNEL:
                thread.join()
    except KeyboardInterrupt:
        end_at_once(130)


atexit.register(_wait_for_all)
