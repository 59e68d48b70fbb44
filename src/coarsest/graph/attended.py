"""Kernels at work in threads of their own, while the main thread tells how it goes, watches limits and hears Ctrl-C."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any, Generic, TypeVar

from coarsest.run import Fact, Run

Result = TypeVar("Result")

LOOK_EVERY = 0.1
PATIENCE = 0.3
"""Seconds that kernels have to end when they are told to; after that they are left alone, and their results with them."""

LAST_PATIENCE = 5.0
"""Seconds that they have at the end of the program."""


KERNEL = "kernel"


def at_work() -> bool:
    """Is there still a kernel, perhaps one that was left alone?"""
    return any(thread.name == KERNEL for thread in threading.enumerate())


class _Work(threading.Thread, Generic[Result]):
    def __init__(self, call: Callable[[], Result]) -> None:
        super().__init__(name=KERNEL, daemon=True)
        self._call = call
        self._result: list[Result] = []
        self._error: BaseException | None = None
        self.over = threading.Event()

    def run(self) -> None:
        try:
            self._result.append(self._call())
        except BaseException as error:
            self._error = error
        finally:
            self.over.set()

    def result(self) -> Result:
        if self._error is not None:
            raise self._error
        return self._result[0]


def attended(
    run: Run,
    task: str,
    *calls: Callable[[], Result],
    facts: Callable[[], Mapping[str, Fact]] = dict,
    stop: Callable[[], Any] = lambda: None,
) -> list[Result]:
    """The results of calls, made at the same time. `stop` is called when they shall end before they are ready.

    >>> attended(Run(), "add", lambda: 1 + 1, lambda: 2 + 2)
    [2, 4]
    """
    works = [_Work(call) for call in calls]
    for work in works:
        work.start()
    try:
        for work in works:
            while not work.over.wait(LOOK_EVERY):
                run.step(task, **facts())
        run.step(task, **facts())
    except BaseException:
        stop()
        until = monotonic() + PATIENCE
        for work in works:
            if not work.over.wait(max(0.0, until - monotonic())):
                atexit.register(work.join, LAST_PATIENCE)  # Python must not be taken down around it
        raise
    return [work.result() for work in works]
