"""A call in a process of its own, which is a plain command and no copy of this one: it neither runs the user's script again nor
shares diagrams. It ends when this process does.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from coarsest.errors import LimitExceeded
from coarsest.run import Event, Limits, Run

if TYPE_CHECKING:
    import subprocess


def cores() -> int:
    """How many processes can be at work at the same time."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def is_possible() -> bool:
    """Can a second process be started, and would it have a core of its own?"""
    return bool(sys.executable) and cores() > 1


class Task(Struct, frozen=True):
    call: str
    """`module:function`, which takes the argument and a run."""
    argument: Any
    limits: Limits
    parent: int


class Elsewhere:
    """A call at work. It has what is left of the run's time, and the run's other limits but for steps."""

    def __init__(self, call: str, argument: Any, run: Run) -> None:
        import pickle
        import subprocess
        from tempfile import TemporaryFile

        limits = replace(run.limits, steps=None)
        if limits.seconds is not None:
            limits = replace(limits, seconds=max(0.001, limits.seconds - run.seconds))
        self._said = TemporaryFile()  # noqa: SIM115  (closed at the end)
        with TemporaryFile() as file:
            pickle.dump(Task(call, argument, limits, os.getpid()), file)
            file.seek(0)
            environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
            command = [sys.executable, "-m", "coarsest.elsewhere"]
            self.process: subprocess.Popen[bytes] = subprocess.Popen(
                command, stdin=file, stdout=self._said, stderr=subprocess.DEVNULL, env=environment
            )

    @property
    def is_over(self) -> bool:
        return self.process.poll() is not None

    def wait(self, seconds: float) -> None:
        """Until it is over, but no longer than that."""
        import subprocess

        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return

    def result(self) -> Any:
        """What the call gave; None as long as it is at work, or if it came to an end without a result."""
        if self.process.poll() != 0:
            return None
        import pickle

        self._said.seek(0)
        return pickle.load(self._said)

    def end(self) -> None:
        """Have the process end, if it has not."""
        self.process.kill()
        self.process.wait()
        self._said.close()


def main() -> int:
    """In the other process: call, and say what came of it."""
    import pickle
    import signal

    signal.signal(signal.SIGINT, signal.SIG_DFL)
    task: Task = pickle.load(sys.stdin.buffer)

    def insist_on_parent(event: Event) -> None:
        if os.getppid() != task.parent:
            os._exit(1)

    module, _, function = task.call.partition(":")
    try:
        result = getattr(import_module(module), function)(task.argument, Run(task.limits, listener=insist_on_parent))
    except (LimitExceeded, MemoryError):
        return 1
    sys.stdout.buffer.write(pickle.dumps(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
