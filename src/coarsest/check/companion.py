"""A second engine in a process of its own, beside the one that this process runs: IC3 beside decision diagrams.

It begins once the first has been at work for a while, and whoever has an answer first ends the other. The process is a plain
command, not a copy of this one: it neither runs the user's script again nor shares diagrams.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import IO, TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from coarsest.check.questions.finding import Finding, Proved, Refuted
from coarsest.check.questions.question import Invariant, Question
from coarsest.check.setting.workshop import Workshop
from coarsest.errors import LimitExceeded
from coarsest.logic.expr import Expr
from coarsest.model.machine import Machine
from coarsest.run import Event, Limits, Run

if TYPE_CHECKING:
    import subprocess

ALONE = 1.0
"""Seconds that the first engine has for itself."""
LOOK = 0.05
"""Seconds between two looks at the other process."""


class Overtaken(Exception):
    """The other process has an answer."""

    def __init__(self, finding: Finding) -> None:
        self.finding = finding


class Task(Struct, frozen=True):
    machine: Machine
    good: Expr
    limits: Limits
    parent: int


def with_companion(question: Question[Invariant], shop: Workshop, decide: Callable[[], Finding]) -> Finding:
    """What `decide` finds or, if that is earlier, IC3."""
    if not sys.executable or len(os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)) < 2:
        return decide()
    run = shop.run
    before, companion = run.listener, Companion(question, run)
    run.listener = companion.listener(before)
    try:
        return decide()
    except Overtaken as overtaken:
        return overtaken.finding
    except LimitExceeded as limit:
        if limit.limit in ("time", "steps") or not companion.has_begun:
            raise
        finding = companion.wait()
        if finding is None:
            raise
        return finding
    finally:
        run.listener = before
        companion.end()


class Companion:
    """The other process."""

    def __init__(self, question: Question[Invariant], run: Run) -> None:
        self.question, self.run = question, run
        self._begins = run.seconds + ALONE
        self._looks = self._begins
        self._process: subprocess.Popen[bytes] | None = None
        self._answer: IO[bytes] | None = None

    @property
    def has_begun(self) -> bool:
        return self._process is not None

    def listener(self, before: Callable[[Event], None] | None) -> Callable[[Event], None]:
        """Hears of every step of the first engine; raises Overtaken when there is an answer."""

        def listen(event: Event) -> None:
            if before is not None:
                before(event)
            if event.seconds < self._looks:
                return
            self._looks = event.seconds + LOOK
            if self._process is None:
                self._begin()
            elif (finding := self._finding()) is not None:
                raise Overtaken(finding)

        return listen

    def _begin(self) -> None:
        import pickle
        import subprocess
        from tempfile import TemporaryFile

        limits = self.run.limits
        if limits.seconds is not None:
            limits = replace(limits, seconds=max(0.001, limits.seconds - self.run.seconds))
        task = Task(self.question.part.machine, self.question.claim.good, replace(limits, steps=None), os.getpid())
        self._answer = TemporaryFile()  # noqa: SIM115  (closed at the end)
        with TemporaryFile() as file:
            pickle.dump(task, file)
            file.seek(0)
            environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
            command = [sys.executable, "-m", "coarsest.check.companion"]
            self._process = subprocess.Popen(
                command, stdin=file, stdout=self._answer, stderr=subprocess.DEVNULL, env=environment
            )

    def _finding(self) -> Finding | None:
        """What the process has found; None as long as it has not, or if it has ended without an answer."""
        if self._process is None or self._process.poll() != 0 or self._answer is None:
            return None
        import pickle

        self._answer.seek(0)
        finding: Proved | Refuted = pickle.load(self._answer)
        return replace(finding, facts={**finding.facts, "engine": "ic3"})

    def wait(self) -> Finding | None:
        """What the process finds, however long it takes."""
        import subprocess

        while self._process is not None and self._process.poll() is None:
            self.run.step("ic3")
            try:
                self._process.wait(LOOK)
            except subprocess.TimeoutExpired:
                continue
        return self._finding()

    def end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        if self._answer is not None:
            self._answer.close()


def main() -> int:
    """In the other process: decide, and say what came of it."""
    import pickle
    import signal

    from coarsest.check.engines.ic3 import by_ic3

    signal.signal(signal.SIGINT, signal.SIG_DFL)
    task: Task = pickle.load(sys.stdin.buffer)

    def insist_on_parent(event: Event) -> None:
        if os.getppid() != task.parent:
            os._exit(1)

    finding = by_ic3(task.machine, task.good, Run(task.limits, listener=insist_on_parent))
    sys.stdout.buffer.write(pickle.dumps(finding))
    return 0


if __name__ == "__main__":
    sys.exit(main())
