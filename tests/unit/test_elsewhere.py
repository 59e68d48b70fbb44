"""Calls in a process of their own."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from time import sleep
from typing import Any

from coarsest.elsewhere import Elsewhere, Task
from coarsest.errors import LimitExceeded
from coarsest.run import Limits, Run


def doubled(number: int, run: Run) -> tuple[int, int, Limits]:
    run.step("doubling")
    return 2 * number, os.getpid(), run.limits


def endless(_: None, run: Run) -> None:
    while True:
        run.step("nothing")
        sleep(0.01)


def too_large(_: None, run: Run) -> None:
    raise LimitExceeded("nodes", "there is no room")


def outcome(call: str, argument: Any = None, run: Run | None = None) -> Any:
    away = Elsewhere(f"{__name__}:{call}", argument, run or Run())
    try:
        away.wait(60)
        assert away.is_over
        return away.result()
    finally:
        away.end()


def test_another_process_gives_the_result() -> None:
    run = Run(Limits(seconds=1000.0, nodes=7, steps=1))
    number, process, limits = outcome("doubled", 21, run)
    assert number == 42 and process != os.getpid()
    assert limits.nodes == 7 and limits.steps is None and limits.seconds is not None and limits.seconds < 1000


def test_limits_end_it_without_a_result() -> None:
    assert outcome("endless", run=Run(Limits(seconds=0.05))) is None
    assert outcome("too_large") is None


def test_it_is_ended() -> None:
    away = Elsewhere(f"{__name__}:endless", None, Run())
    away.wait(0.05)
    assert not away.is_over and away.result() is None
    away.end()
    assert away.process.returncode != 0


def test_it_ends_with_its_parent() -> None:
    task = Task(f"{__name__}:endless", None, Limits(), parent=-1)
    command = [sys.executable, "-m", "coarsest.elsewhere"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, input=pickle.dumps(task), capture_output=True, check=False, timeout=60, env=environment)
    assert (done.returncode, done.stdout) == (1, b"")
