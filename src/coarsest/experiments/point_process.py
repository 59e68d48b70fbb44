"""Points measured, each in a process of its own with a limit on its CPU time and its memory."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any, Final, Literal

from coarsest.errors import InputError, LimitExceeded
from coarsest.experiments.points import Point, PointOutcome
from coarsest.memory_use import MEBIBYTE, asking_is_cheap, can_be_asked, end_helpers, family_of, memory_of
from coarsest.run import Limits, Run

START = "import sys; sys.path[:] = PATH; from coarsest.experiments.point_process import answer; answer(*sys.argv[1:])"
LOOK_EVERY: Final = 0.02
LOOK_SELDOM: Final = 0.5
"""Seconds between two looks, also where it takes a program to ask for the memory of another."""
PATIENCE: Final = 10
"""Wall-clock seconds for each CPU second that is allowed: other work may keep the machine busy."""
STARTING: Final = 30
"""Wall-clock seconds that a process may take in addition, however little it is allowed."""


def measure_points(
    paper: str, points: Sequence[Point], limits: Limits, *, jobs: int = 1, ended_series: Sequence[str] = ()
) -> Iterator[PointOutcome]:
    """The outcomes as they come, `jobs` processes at a time. Those still at work are ended when nobody wants to know."""
    waiting, working = list(points), list[_Child]()
    ended = set(ended_series)
    try:
        while waiting or working:
            for point in [point for point in waiting if point.series in ended]:
                waiting.remove(point)
                yield _outcome(paper, point, limits, ended="a smaller one passed the limit", limit="before")
            busy = {child.point.series for child in working} - {""}
            following = next((point for point in waiting if point.series not in busy), None)
            if following is not None and len(working) < jobs:
                waiting.remove(following)
                working.append(_Child(paper, following, limits))
                continue
            for child in list(working):
                outcome = child.look()
                if outcome is not None:
                    working.remove(child)
                    ended |= {child.point.series} - {""} if outcome.limit is not None else set()
                    yield outcome
            time.sleep(LOOK_EVERY if asking_is_cheap() else LOOK_SELDOM)
    finally:
        for child in working:
            child.end()


class _Child:
    """One point at work. What it prints goes to a file that is closed when it has ended."""

    def __init__(self, paper: str, point: Point, limits: Limits) -> None:
        self.paper, self.point, self.limits = paper, point, limits
        self._output = tempfile.TemporaryFile()  # noqa: SIM115
        self._started = time.monotonic()
        command = [sys.executable, "-c", START.replace("PATH", repr(sys.path)), point.measure]
        command += [json.dumps(point.plain_arguments), str(limits.seconds), str(limits.mebibytes), str(os.getpid())]
        self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self._output, stderr=subprocess.STDOUT)

    def look(self) -> PointOutcome | None:
        """The outcome, if there is one by now."""
        code = self._process.poll()
        limit: Literal["time", "memory"] | None = None
        if code is None:
            limit = self._limit_passed()
            if limit is None:
                return None
        elif hasattr(signal, "SIGPROF") and code == -signal.SIGPROF:
            limit = "time"
        printed = self._printed()
        self.end()
        if limit is not None:
            most = f"{self.limits.seconds:g} s" if limit == "time" else f"{self.limits.mebibytes} MiB"
            return _outcome(self.paper, self.point, self.limits, ended=f"over {most}", limit=limit)
        return _outcome(self.paper, self.point, self.limits, **_answer(printed, code or 0))

    def end(self) -> None:
        if self._process.poll() is None:
            end_helpers(self._process.pid)
        self._process.kill()
        self._process.wait()
        self._output.close()

    def _limit_passed(self) -> Literal["time", "memory"] | None:
        seconds, mebibytes = self.limits.seconds, self.limits.mebibytes
        if seconds is not None and time.monotonic() - self._started > PATIENCE * seconds + STARTING:
            return "time"
        if mebibytes is not None and can_be_asked() and memory_of(family_of(self._process.pid)) > mebibytes * MEBIBYTE:
            return "memory"
        return None

    def _printed(self) -> list[str]:
        self._output.seek(0)
        return self._output.read().decode(errors="replace").strip().splitlines()


def _answer(printed: Sequence[str], code: int) -> dict[str, Any]:
    """What a process said that ended by itself: its answer, or the last line of its complaints."""
    if code == 0 and printed:
        answer: dict[str, Any] = json.loads(printed[-1])
        return answer
    return {"ended": printed[-1][:200] if printed else f"the process ended with code {code}"}


def _outcome(paper: str, point: Point, limits: Limits, **answer: Any) -> PointOutcome:
    return PointOutcome(
        paper=paper, point=point.name, measure=point.measure, arguments=point.plain_arguments,
        seconds=limits.seconds or 0.0, mebibytes=limits.mebibytes or 0, **answer,
    )  # fmt: skip


def answer(measure: str, arguments: str, seconds: str, mebibytes: str, parent: str) -> None:
    """In the process of a point: measure, and print what was found as the last line."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, float(seconds))  # CPU time, and the default is to end the process
    threading.Thread(target=_stay_in_touch, args=(int(parent),), daemon=True).start()
    module, _, function = measure.partition(":")
    said: dict[str, Any]
    try:
        run = Run(Limits(mebibytes=int(mebibytes)))
        said = {"facts": dict(getattr(import_module(module), function)(**json.loads(arguments), run=run))}
    except LimitExceeded as error:
        said = {"ended": str(error), "limit": "memory" if error.limit in ("memory", "nodes") else "time"}
    except InputError as error:
        said = {"ended": error.diagnostic.message}
    except MemoryError:
        said = {"ended": "memory ran out", "limit": "memory"}
    print(json.dumps(said), flush=True)


def _stay_in_touch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)
