"""Running a command in this process or under supervision, and publishing its findings, however it ended."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TextIO, cast

from coarsest.cli.frame.command import Command
from coarsest.cli.frame.ledger import SUPERVISED, Ending, Ledger, Message
from coarsest.cli.frame.publish import Screen
from coarsest.cli.process.lookout import INTERRUPTED, Lookout
from coarsest.cli.process.progress import JsonLines, Progress
from coarsest.errors import LimitExceeded
from coarsest.memory_use import MEBIBYTE, asking_is_cheap, end_helpers, family_of, memory_limit, memory_of, most_mebibytes
from coarsest.phases import CLOCK

WRITTEN = ("output", "certificate", "save_order")
"""The options that name files to write."""


def execute(command: Command, args: Namespace, argv: Sequence[str], started: float) -> int:
    """Run a command from its arguments to its exit code."""
    described = os.environ.pop(SUPERVISED, None)
    if described is not None:
        from coarsest.cli.process.worker import begin

        supervisor = begin(described)
        args.screen = supervisor.screen
        return _work(command, args, Ledger(supervisor.channel.tell, started=supervisor.started))
    args.screen = Screen.of_standard_output()
    if command.talks(args):
        command.run(args, Ledger(started=started))
        return 0
    if not any(getattr(args, name, None) for name in WRITTEN):
        return _Owner(command, args, started).execute(argv)
    with _patient_output():
        return _Owner(command, args, started).execute(argv)


class _Patient:
    """A stream that ignores a closed pipe, so that files are completed."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        try:
            return self._stream.write(text)
        except BrokenPipeError:
            self._forget()
            return len(text)

    def flush(self) -> None:
        try:
            self._stream.flush()
        except BrokenPipeError:
            self._forget()

    def _forget(self) -> None:
        """Discard the buffer and everything that is written later."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self._stream.fileno())
        os.close(nowhere)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def _patient_output() -> Iterator[None]:
    """Within this context, a closed pipe on standard output does not end the work."""
    before = sys.stdout
    sys.stdout = cast("TextIO", _Patient(before))
    try:
        yield
    finally:
        sys.stdout = before


def _supervision_is_wanted(args: Namespace) -> bool:
    """Limits are hard only under supervision; CUDD needs it because it blocks Ctrl-C."""
    limited = getattr(args, "timeout", None) is not None or getattr(args, "memory", None) is not None
    return limited or getattr(args, "bdd", "") == "cudd"


def _work(command: Command, args: Namespace, ledger: Ledger) -> int:
    """The work of a supervised process."""
    try:
        command.run(args, ledger)
    except (LimitExceeded, MemoryError) as error:
        ledger.record(because=_limit(error))
    ledger.record(code=0, phases=dict(CLOCK.seconds))
    return 0


class _Owner:
    """The process that owns standard output."""

    def __init__(self, command: Command, args: Namespace, started: float) -> None:
        self._command = command
        self._args = args
        self._ledger = Ledger(self._react, started=started)
        self._progress = Progress(self._ledger, quiet=args.quiet, verbose=args.verbose)
        self._most = most_mebibytes(None) * MEBIBYTE if asking_is_cheap() and hasattr(args, "memory") else None

    def execute(self, argv: Sequence[str]) -> int:
        if _supervision_is_wanted(self._args):
            from coarsest.cli.process.supervise import supervise

            ending = supervise(argv, self._args, self._ledger, self._progress.tick, plans=self._command.plans)
            CLOCK.add(self._ledger.phases or {})
        else:
            ending = self._work_here()
        if self._ledger.because is not None:
            ending = Ending(self._ledger.because, 3)
        with self._progress.hidden():
            if ending.because is None and ending.code is not None:
                return ending.code  # the worker has reported the error
            return self._conclude(ending)

    def _work_here(self) -> Ending:
        try:
            with Lookout(self._tick, self._end):
                self._command.run(self._args, self._ledger)
        except KeyboardInterrupt:
            return Ending("the run was interrupted", INTERRUPTED)
        except (LimitExceeded, MemoryError) as error:
            return Ending(_limit(error), 3)
        finally:
            with self._progress.hidden():
                pass
        return Ending()

    def _conclude(self, ending: Ending) -> int:
        try:
            code = self._command.conclude(self._args, self._ledger, ending.because)
        except ImportError:
            if ending.code != INTERRUPTED:
                raise
            sys.stderr.write("interrupted\n")  # an interrupted import of a library cannot always be repeated
            return INTERRUPTED
        return code if ending.code is None else ending.code

    def _react(self, message: Message) -> None:
        """Publish a message at once."""
        if "decided" in message:
            with self._progress.hidden():
                self._command.follow(self._args, self._ledger)
        if isinstance(sys.stderr, JsonLines):
            _publish_to_programs(message, sys.stderr)
            return
        sys.stdout.write(message.get("printed", ""))
        text = message.get("complaint", "")
        if "warning" in message and (message["hollow"] or not self._args.quiet):
            text += f"{message['shown']}\n"
        if text:
            with self._progress.hidden():
                sys.stderr.write(text)
                sys.stderr.flush()

    def _tick(self) -> Ending | None:
        """Show progress, and watch the memory: commands with limits have a default limit on it."""
        self._progress.tick()
        if self._most is None or memory_of(family_of(os.getpid())) <= self._most:
            return None
        return Ending(f"{memory_limit(None)} was reached", 3)

    def _end(self, ending: Ending) -> None:
        """Publish the findings and end the process, because the main thread does not return."""
        end_helpers(os.getpid())
        code = 70
        try:
            with self._progress.hidden():
                code = self._conclude(ending)
            sys.stdout.flush()
        finally:
            os._exit(code)


def _publish_to_programs(message: Message, programs: JsonLines) -> None:
    """Publish a message at once, as JSON."""
    sys.stdout.write(message.get("printed", ""))
    if "warning" in message:
        programs.say("warning", text=message["warning"])
    programs.write(message.get("complaint", ""))
    answer = message.get("decided", {}).get("object", {})
    if "verdict" in answer:
        facts = {key: answer[key] for key in ("name", "kind", "formula", "verdict", "confirmed", "reason", "seconds")}
        programs.say("verdict", index=message["decided"]["index"], **facts)


def _limit(error: LimitExceeded | MemoryError) -> str:
    return str(error) if isinstance(error, LimitExceeded) else "memory ran out"
