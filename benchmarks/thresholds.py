"""`python -m benchmarks.thresholds`: what every number of the table of thresholds is worth.

Each number is halved and doubled, one at a time, for each command of a sample that reads it. Counted work and output repeat, so
one run tells whether they change. Only where they do not, CPU time is measured, in turns with the usual value. A number that
changes neither work nor output, nor the time of any command by three per cent, does not earn its row. Numbers that no command of
the sample reads are listed apart: nothing is known about them.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import pickle
import re
import resource
import shlex
import sys
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from math import log
from pathlib import Path
from statistics import median
from types import ModuleType

from msgspec import Struct

from coarsest import tuning
from coarsest.cli.app import main as coarsest
from coarsest.run import Meter
from coarsest.tuning import TABLE, Threshold

ROOT = Path(__file__).parents[1]
COLLECTION = ROOT.parent / "shared" / "benchmarks"
COMMANDS = (
    *(f"check --no-race {path}" for path in (
        "examples/mutex.smv", "examples/elevator.smv", "examples/philosophers.smv", "examples/caches.smv", "examples/memory.smv",
        "examples/bakery.smv", "examples/arbiter.v", "examples/watch.lus", "examples/parking.prog",
        "examples/elevator.smv --engine ic3", "examples/mutex.smv --reduce bisimulation", "examples/mutex.smv --carrier explicit",
        "examples/caches.smv --reduce symmetry", "COLLECTION/slow/zebra.smv",
        "COLLECTION/smv/nusmv-2.6.0-examples/smv-dist/dme2.smv",
        "COLLECTION/smv/nusmv-2.6.0-examples/smv-dist/gigamax.smv", "COLLECTION/aiger/hwmcc08/cmugigamax.aig",
        "COLLECTION/aiger/hwmcc08/pdtvisheap08.aig", "COLLECTION/aiger/hwmcc08/eijkS208.aig")),
    "reduce examples/philosophers.smv", "reduce examples/coffee_or_tea.aut", "reduce examples/elevator.smv --algorithm rounds",
    "compare examples/coffee_or_tea.aut examples/coffee_by_luck.aut", "compare examples/two_cells.aut examples/buffer.aut",
    "gste examples/memory.smv examples/memory.ag", "automaton 'G F a -> G F b'", "reach examples/philosophers.smv",
)  # fmt: skip
WORTH = 0.03
"""A number that changes the time of no command by this share is not worth its row."""


class Outcome(Struct, frozen=True):
    """One run of a command: the numbers that it read, and what it took and printed."""

    rows: frozenset[str]
    work: float
    seconds: float
    output: str


class _Recorder(ModuleType):
    """The table, which notes who is asked for."""

    rows: set[str]

    def __getattribute__(self, name: str) -> object:
        if name.isupper():
            super().__getattribute__("rows").add(name)
        return super().__getattribute__(name)


def outcome(words: Sequence[str], *settings: str) -> Outcome:
    """What a command does with other values, in a process that is forked from this one: starting Python is not measured."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException), os.fdopen(writer, "wb") as answer:
            pickle.dump(_here(words, settings), answer)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as answer:
        text = answer.read()
    os.waitpid(child, 0)
    return Outcome(frozenset(), 0.0, 0.0, "no answer") if not text else pickle.loads(text)


def _here(words: Sequence[str], settings: Sequence[str]) -> Outcome:
    tuning.change(settings)
    work = [0.0]
    add = Meter.add

    def counted(self: Meter, amount: float, steps: int = 0) -> None:
        work[0] += amount
        add(self, amount, steps)

    Meter.add = counted  # type: ignore[method-assign]
    tuning.rows = set()  # type: ignore[attr-defined]
    tuning.__class__ = _Recorder
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed), contextlib.suppress(SystemExit):
        coarsest(list(words))
    used = resource.getrusage(resource.RUSAGE_SELF)
    output = re.sub(r"\d+\.\d+ s|\d+ MiB", "", printed.getvalue())
    return Outcome(frozenset(tuning.rows & TABLE.keys()), work[0], used.ru_utime + used.ru_stime, output)  # type: ignore[attr-defined]


def values(row: Threshold) -> Iterator[float]:
    """Half and double the usual value, as far as the range allows."""
    kind = type(row.value)
    tried = {min(max(kind(row.value * factor), row.low), row.high) for factor in (0.5, 2)}
    yield from sorted(tried - {row.value})


def effect(row: Threshold, commands: Sequence[tuple[Sequence[str], Outcome]], repeat: int) -> str:
    """What halving and doubling a number changes; empty if nothing."""
    settings = [f"{row.name}={type(row.value)(value)}" for value in values(row)]
    for setting in settings:
        for words, usual in commands:
            changed = outcome(words, setting)
            if changed.output != usual.output:
                return f"{setting} changes the output of {shlex.join(words)}"
            if abs(changed.work - usual.work) > WORTH * usual.work:
                return f"{setting}: {changed.work / usual.work:.2f} times the work of {shlex.join(words)}"
    for setting in settings:
        for words, _ in commands:
            pairs = [(outcome(words, setting).seconds, outcome(words).seconds) for _ in range(repeat)]
            ratio = median(mine / usual for mine, usual in pairs) if pairs else 1.0
            if abs(log(ratio)) > log(1 + WORTH):
                return f"{setting}: {ratio:.2f} times the CPU time of {shlex.join(words)}"
    return ""


def main() -> int:
    """Try the numbers that are asked for, and print a line for each."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.thresholds", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these numbers; patterns such as 'MOST_*' are understood")
    parser.add_argument("--repeat", metavar="N", type=int, default=5, help="runs where time is measured (default: 5)")
    asked = parser.parse_args()
    os.chdir(ROOT)
    there = [words for words in map(_words, COMMANDS) if all(Path(word).exists() for word in words if "." in word)]
    commands = [(words, outcome(words)) for words in there]
    unread = []
    for name, row in TABLE.items():
        if asked.names and not any(fnmatch(name, pattern) for pattern in asked.names):
            continue
        readers = [(words, usual) for words, usual in commands if name in usual.rows]
        if not readers:
            unread.append(name)
            continue
        sys.stdout.write(f"{name}: {effect(row, readers, asked.repeat) or f'nothing, in {len(readers)} commands'}\n")
        sys.stdout.flush()
    sys.stdout.write(f"read by no command of the sample: {' '.join(unread)}\n")
    return 0


def _words(command: str) -> list[str]:
    return [word.replace("COLLECTION", str(COLLECTION)) for word in shlex.split(command)]


if __name__ == "__main__":
    raise SystemExit(main())
