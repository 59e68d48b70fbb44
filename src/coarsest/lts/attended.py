"""Kernels run in worker threads, while the main thread reports progress, watches limits and reacts to Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from coarsest._kernels.worker_threads import LOOK_EVERY, Work

if TYPE_CHECKING:
    from coarsest.run import Fact

Result = TypeVar("Result")


class StepListener(Protocol):
    """Gets reports of progress, and may raise to end the work; usually a `coarsest.run.Run`."""

    def step(self, task: str, **facts: Fact) -> None:
        """Take notice of one step of a task."""


def attended(
    run: StepListener,
    task: str,
    *calls: Callable[[], Result],
    facts: Callable[[], Mapping[str, Fact]] = dict,
    stop: Callable[[], Any] = lambda: None,
) -> list[Result]:
    """The results of calls that run at the same time. If they have to end early, `stop` asks them to, and nobody waits for them
    or uses their results.

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
        raise
    return [work.result() for work in works]
