"""Running cases: each in a fresh process, with its CPU time, wall-clock time, peak memory and findings.

CPU time is user and system time of the process and its children, as the operating system reports it at the end; it does not
depend much on what else the machine does, wall-clock time does. The peak memory is that of the largest process of them, and
never less than that of the measuring process (about 20 MiB), from which they descend. Python finds the package compiled, as
it does after an installation, whatever the environment says about writing bytecode.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import Any

from msgspec import Struct, field

from benchmarks.suite import Case

COMPLETE = (0, 1, 3)
"""Exit codes: everything holds, something fails, something is unknown."""

MEBIBYTE = 1 << 20
LOOK_EVERY = 0.05
ENOUGH_CPU = 5.0
"""Once the repetitions of a case have taken so many seconds, there are no more of them."""


class Limits(Struct, frozen=True, kw_only=True):
    """For one process: seconds of CPU time (and a few times as much by the clock), mebibytes of memory; the most repetitions."""

    seconds: float = 20.0
    mebibytes: int = 8000
    patience: int = 4
    """On a busy machine, the clock may go on for so many times the limit of CPU time."""
    repeat: int = 3


class Sample(Struct, frozen=True, kw_only=True):
    """One process. `ended` is "complete", "time limit", "memory limit", or "exit" and a code."""

    ended: str
    cpu: float
    wall: float
    mebibytes: float
    findings: Mapping[str, Any] = field(default_factory=dict)


class Measurement(Struct, frozen=True, kw_only=True):
    """All the processes of one case, and the medians."""

    case: Case
    samples: tuple[Sample, ...]

    @property
    def ended(self) -> str:
        return next((sample.ended for sample in self.samples if sample.ended != "complete"), "complete")

    @property
    def cpu(self) -> float:
        return median(sample.cpu for sample in self.samples)

    @property
    def wall(self) -> float:
        return median(sample.wall for sample in self.samples)

    @property
    def mebibytes(self) -> float:
        return max(sample.mebibytes for sample in self.samples)

    @property
    def findings(self) -> Mapping[str, Any]:
        return self.samples[0].findings


def prepare() -> None:
    """Have every module compiled before anything is measured."""
    subprocess.run(
        [sys.executable, "-c", "import compileall, coarsest; compileall.compile_dir(coarsest.__path__[0], quiet=2)"],
        env=_environment(), check=True,
    )  # fmt: skip


def measure(case: Case, limits: Limits) -> Measurement:
    """Run a case as often as it is worth, in the order of its repetitions."""
    with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
        command = _command(case, Path(folder))
        samples: list[Sample] = []
        while len(samples) < limits.repeat and sum(sample.cpu for sample in samples) < ENOUGH_CPU:
            samples.append(sample(command, limits, Path(folder) / "output"))
            if samples[-1].ended != "complete":
                break
    return Measurement(case=case, samples=tuple(samples))


def _command(case: Case, folder: Path) -> list[str]:
    model = case.path
    if case.text is not None:
        model = folder / f"{case.model.replace(' ', '-')}.smv"
        model.write_text(case.text, encoding="utf-8")
    first, *rest = case.arguments
    return [sys.executable, "-m", "coarsest", first, *([str(model)] if model is not None else []), *rest]


def sample(command: list[str], limits: Limits, output: Path) -> Sample:
    """One process, whose standard output goes into a file."""
    with output.open("wb") as stream:
        started = time.perf_counter()
        child = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=stream, stderr=subprocess.DEVNULL, env=_environment()
        )  # fmt: skip
        guard = _Guard(child, limits)
        guard.start()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)  # its number is not given away while the guard may use it
        wall = time.perf_counter() - started
        guard.stop()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    ended = guard.reached or ("complete" if child.returncode in COMPLETE else f"exit {child.returncode}")
    return Sample(
        ended=ended,
        cpu=usage.ru_utime + usage.ru_stime,
        wall=wall,
        mebibytes=_peak(usage) / MEBIBYTE,
        findings=_findings(output) if ended == "complete" else {},
    )


def _environment() -> dict[str, str]:
    """Ours, but with compiled modules."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def _peak(usage: resource.struct_rusage) -> int:
    """Bytes; Linux counts in kibibytes."""
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


class _Guard(threading.Thread):
    """Ends a process that takes too long or too much memory."""

    def __init__(self, child: subprocess.Popen[bytes], limits: Limits) -> None:
        super().__init__(name="guard", daemon=True)
        self.reached: str | None = None
        self._child = child
        self._limits = limits
        self._over = threading.Event()

    def run(self) -> None:
        started = time.monotonic()
        while not self._over.wait(LOOK_EVERY):
            cpu, memory = _used(self._child.pid)
            if cpu > self._limits.seconds or time.monotonic() - started > self._limits.patience * self._limits.seconds:
                return self._end("time limit")
            if memory > self._limits.mebibytes * MEBIBYTE:
                return self._end("memory limit")
        return None

    def stop(self) -> None:
        self._over.set()
        self.join()

    def _end(self, reason: str) -> None:
        if not self._over.is_set():
            self.reached = reason
            os.kill(self._child.pid, signal.SIGKILL)


def _used(process: int) -> tuple[float, int]:
    """Seconds of CPU time that a process and those below it have had, and the most bytes of memory that one of them has now.

    Zero where the system does not say.
    """
    try:
        after_name = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        ticks, pages = sum(map(int, after_name[11:15])), int(after_name[21])
        below = [int(child) for tasks in Path(f"/proc/{process}/task").glob("*/children") for child in tasks.read_text().split()]
    except (OSError, IndexError, ValueError):
        return 0.0, 0
    parts = [(ticks / os.sysconf("SC_CLK_TCK"), pages * resource.getpagesize()), *map(_used, below)]
    return sum(seconds for seconds, _ in parts), max(size for _, size in parts)


def _findings(output: Path) -> dict[str, Any]:
    """What the program said: states and diameter, or how many properties have which verdict; and the most nodes it had."""
    try:
        said = json.loads(output.read_bytes())
    except ValueError:  # such as the version
        return {}
    found = {key: said[key] for key in ("states", "diameter", "seconds", "related", "depth", "phases") if key in said}
    if "properties" in said:
        found["verdicts"] = [answer["verdict"] for answer in said["properties"]]
        found["seconds_of_properties"] = [answer["seconds"] for answer in said["properties"]]
        found["confirmed"] = sum(answer["confirmed"] for answer in said["properties"])
    found["peak_nodes"] = said.get("statistics", {}).get("peak_nodes")
    return found
