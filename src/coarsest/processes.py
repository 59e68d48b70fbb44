"""Calls in processes of their own: one way to start them, to hear from them and to end them.

Such a process is a plain command and no copy of this one: it neither runs the user's script again nor shares diagrams. It gets a
task through standard input, says what it finds in messages through standard output, and ends when this process does.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable, Iterator, Set
from contextlib import suppress
from importlib import import_module
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any, BinaryIO

from msgspec import Struct
from msgspec.structs import replace

from coarsest.errors import FaultElsewhere, InputError, LimitExceeded
from coarsest.run import Limits, Run

if TYPE_CHECKING:
    import subprocess

COMMAND = "coarsest.processes"


def cores() -> int:
    """How many processes can be at work at the same time."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def is_possible() -> bool:
    """Can a second process be started, and would it have a core of its own?"""
    return bool(sys.executable) and cores() > 1


def limits_left(run: Run) -> Limits:
    """What is left of a run's time, and its other limits but for steps, which are counted in each process."""
    limits = replace(run.limits, steps=None)
    if limits.seconds is None:
        return limits
    return replace(limits, seconds=max(0.001, limits.seconds - run.seconds))


class ProcessTask(Struct, frozen=True):
    call: str
    """`module:function`. It takes the argument, a run, and the set of values that it is sent later; it yields messages."""
    argument: Any
    limits: Limits


class Ended(Struct, frozen=True):
    """The last message of a process, with what has kept it from its end."""

    error: InputError | LimitExceeded | MemoryError | FaultElsewhere | None = None
    """A refusal, a limit, or a bug in coarsest."""
    outside: str = ""
    """How it was ended from outside, if it was."""


class Process:
    """A call at work. Its messages come to an inbox, which several processes may share, each with the process it is from."""

    def __init__(self, call: str, argument: Any, limits: Limits, inbox: SimpleQueue[tuple[Process, Any]]) -> None:
        import subprocess

        self.call, self.is_over = call, False
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        self.child: subprocess.Popen[bytes] = subprocess.Popen(
            [sys.executable, "-m", COMMAND], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env=environment,
        )  # fmt: skip
        # A process that is being started does not read yet, and a pipe holds little.
        Thread(target=self.send, args=(ProcessTask(call, argument, limits),), daemon=True).start()
        Thread(target=self._listen, args=(inbox,), daemon=True).start()

    def send(self, value: object) -> None:
        """Send something to the process; whether it still listens is its own affair."""
        pipe = self.child.stdin
        assert pipe is not None
        try:
            pickle.dump(value, pipe)
            pipe.flush()
        except (OSError, ValueError):
            return  # it has just ended

    def _listen(self, inbox: SimpleQueue[tuple[Process, Any]]) -> None:
        pipe = self.child.stdout
        assert pipe is not None
        message: Any = None
        while not isinstance(message, Ended):
            try:
                message = pickle.load(pipe)
            except Exception:  # whatever a process leaves behind that was ended in the middle of a message
                message = Ended(outside=f"it was ended from outside, for want of memory perhaps (code {self.child.wait()})")
            self.is_over = isinstance(message, Ended)
            inbox.put((self, message))
        pipe.close()

    def end(self) -> None:
        """Have the process end, if it has not."""
        self.child.kill()
        self.child.wait()
        with suppress(OSError, ValueError):
            self.child.stdin.close()  # type: ignore[union-attr]


def heard(inbox: SimpleQueue[tuple[Process, Any]], seconds: float = 0.0) -> Iterator[tuple[Process, Any]]:
    """The messages that have come by now; if there are none, the first that comes within `seconds`."""
    try:
        yield inbox.get(timeout=seconds) if seconds else inbox.get_nowait()
        while True:
            yield inbox.get_nowait()
    except Empty:
        return


# In the other process


def main() -> int:
    """Do the task, and say what comes of it."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C reaches the process that started this one, too
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what anybody prints is no message
    task: ProcessTask = pickle.load(sys.stdin.buffer)
    received: set[Any] = set()
    Thread(target=_hear, args=(sys.stdin.buffer, received), daemon=True).start()
    ended = _ended(task, received, lambda message: _say(answers, message))
    _say(answers, ended)
    return 70 if isinstance(ended.error, FaultElsewhere) else 0


def _ended(task: ProcessTask, received: Set[Any], say: Callable[[object], None]) -> Ended:
    module, _, function = task.call.partition(":")
    try:
        for message in getattr(import_module(module), function)(task.argument, Run(task.limits), received):
            say(message)
    except (InputError, LimitExceeded, MemoryError) as error:
        return Ended(error)
    except Exception as error:
        return Ended(FaultElsewhere.caused_by(error))
    return Ended()


def _say(pipe: BinaryIO, message: object) -> None:
    pipe.write(pickle.dumps(message))
    pipe.flush()


def _hear(pipe: Any, received: set[Any]) -> None:
    """Note what is said, until the other side ends, and this one with it."""
    try:
        while True:
            received.add(pickle.load(pipe))
    finally:
        os._exit(1)


if __name__ == "__main__":
    code = import_module(COMMAND).main()  # as a module, so that messages are of the classes that the other side knows
    os._exit(code)  # a thread still waits for standard input, and Python cannot be taken down around it
