"""Work in threads beside the main one: Ctrl-C does not reach into it, and Python does not end around it.

Python raises KeyboardInterrupt between any two steps of the main thread, and handles no signal in others. So a kernel that gives
arrays to Python is called in another thread: in the main one, an interrupt that has come meanwhile would be raised before anybody
has taken over their memory.

A thread that is still inside a kernel when Python ends would find its code gone, and one inside an operation on diagrams would be
ended where it cannot be: with a segmentation fault. So Python waits for them or, if it is told once more to end, leaves without
taking anything down. A command, which knows its exit code, does not wait for diagrams.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

Result = TypeVar("Result")

KERNEL = "kernel"
"""The name of threads that Python must not be taken down around."""
LOOK_EVERY = 0.1


class Work(threading.Thread, Generic[Result]):
    """A call in a thread of its own; `over` is set when there is a result or an error."""

    def __init__(self, call: Callable[[], Result]) -> None:
        super().__init__(name=KERNEL, daemon=True)
        self._call = call
        self._result: list[Result] = []
        self._error: BaseException | None = None
        self.over = threading.Event()

    def run(self) -> None:
        """What the thread does."""
        try:
            self._result.append(self._call())
        except BaseException as error:
            self._error = error
        finally:
            self.over.set()

    def result(self) -> Result:
        """What the call gave, or what it raised."""
        if self._error is not None:
            raise self._error
        return self._result[0]


def in_worker_thread(call: Callable[[], Result]) -> Result:
    """The result of a call that is not made in the main thread. Interrupted, it is left to itself.

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
    """Is there still a thread at work, perhaps one that was left to itself?"""
    return any(thread.name == KERNEL for thread in threading.enumerate())


def end_at_once(code: int) -> None:
    """End the process whatever its threads are doing, with what was printed so far."""
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
