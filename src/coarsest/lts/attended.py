"""Kernels at work in threads of their own, while the main thread tells how it goes, watches limits and hears Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from coarsest._kernels.worker_threads import LOOK_EVERY, Work

if TYPE_CHECKING:
    from coarsest.run import Fact

Result = TypeVar("Result")

PATIENCE = 0.3
"""Seconds that kernels have to end when they are told to; after that they are left alone, and their results with them."""


class Run(Protocol):
    """What hears how it goes, and may raise; usually a `coarsest.run.Run`."""

    def step(self, task: str, **facts: Fact) -> None:
        """Hear of a task."""


def attended(
    run: Run,
    task: str,
    *calls: Callable[[], Result],
    facts: Callable[[], Mapping[str, Fact]] = dict,
    stop: Callable[[], Any] = lambda: None,
) -> list[Result]:
    """The results of calls, made at the same time. `stop` is called when they shall end before they are ready.

    >>> from coarsest.run import Run
    >>> attended(Run(), "add", lambda: 1 + 1, lambda: 2 + 2)
    [2, 4]
    """
    works = [Work(call) for call in calls]
    try:
        for work in works:
            work.start()
        for work in works:
            while not work.over.wait(LOOK_EVERY):
                run.step(task, **facts())
        run.step(task, **facts())
    except BaseException:
        stop()
        until = monotonic() + PATIENCE
        for work in works:
            work.over.wait(max(0.0, until - monotonic()))
        raise
    return [work.result() for work in works]
