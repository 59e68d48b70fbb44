"""Calls in a process of their own."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from queue import SimpleQueue
from time import sleep
from typing import Any

from coarsest.errors import FaultElsewhere, LimitExceeded
from coarsest.processes import COMMAND, Ended, Process, ProcessTask, heard, limits_left
from coarsest.run import Limits, Run


def doubled(number: int, run: Run, told: set[Any]) -> Iterator[tuple[int, int, Limits]]:
    run.step("doubling")
    print("what is printed is no message")
    yield 2 * number, os.getpid(), run.limits


def endless(_: None, run: Run, told: set[Any]) -> Iterator[object]:
    while 7 not in told:
        run.step("nothing")
        sleep(0.01)
    yield "seven"


def too_large(_: None, run: Run, told: set[Any]) -> Iterator[object]:
    yield "before"
    raise LimitExceeded("nodes", "there is no room")


def faulty(_: None, run: Run, told: set[Any]) -> Iterator[object]:
    yield from [1 // 0]


def killed(_: None, run: Run, told: set[Any]) -> Iterator[object]:
    os._exit(9)
    yield


def started(call: str, argument: Any = None, run: Run | None = None) -> tuple[Process, SimpleQueue[tuple[Process, Any]]]:
    inbox: SimpleQueue[tuple[Process, Any]] = SimpleQueue()
    return Process(f"{__name__}:{call}", argument, limits_left(run or Run()), inbox), inbox


def messages(call: str, argument: Any = None, run: Run | None = None) -> list[Any]:
    process, inbox = started(call, argument, run)
    found: list[Any] = []
    try:
        while not (found and isinstance(found[-1], Ended)):
            found += [message for _, message in heard(inbox, 60.0)]
        assert process.is_over
        return found
    finally:
        process.end()


def test_another_process_gives_the_result() -> None:
    run = Run(Limits(seconds=1000.0, nodes=7, steps=1))
    (number, process, limits), ended = messages("doubled", 21, run)
    assert number == 42 and process != os.getpid() and ended == Ended()
    assert limits.nodes == 7 and limits.steps is None and limits.seconds is not None and limits.seconds < 1000


def test_limits_end_it_and_come_back_as_they_are() -> None:
    (ended,) = messages("endless", run=Run(Limits(seconds=0.05)))
    assert isinstance(ended.error, LimitExceeded) and ended.error.limit == "time"
    before, ended = messages("too_large")
    assert before == "before" and str(ended.error) == "there is no room"


def test_a_fault_comes_with_its_traceback() -> None:
    (ended,) = messages("faulty")
    assert isinstance(ended.error, FaultElsewhere) and "ZeroDivisionError" in str(ended.error)
    (ended,) = messages("killed")
    assert "ended from outside" in ended.outside and "(code 9)" in ended.outside


def test_it_hears_what_it_is_told_later() -> None:
    process, inbox = started("endless")
    try:
        assert not list(heard(inbox, 0.05))
        process.send(7)
        assert next(heard(inbox, 60.0))[1] == "seven"
    finally:
        process.end()


def test_it_is_ended() -> None:
    process, inbox = started("endless")
    process.end()
    assert process.child.returncode != 0
    assert "ended from outside" in next(heard(inbox, 60.0))[1].outside


def test_it_ends_with_its_parent() -> None:
    task = ProcessTask(f"{__name__}:endless", None, Limits())
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", COMMAND]
    done = subprocess.run(command, input=pickle.dumps(task), capture_output=True, check=False, timeout=60, env=environment)
    assert (done.returncode, done.stdout) == (1, b"")
