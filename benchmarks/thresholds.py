"""`python -m benchmarks.thresholds`: what every number of the table of thresholds is worth.

Each number is halved and doubled, one at a time, and a sample of commands is run with each value by `--tune`, next to the same
command with the usual value. A number that changes no command by three per cent does not earn its row.
"""

from __future__ import annotations

import argparse
import shlex
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatch
from math import log
from pathlib import Path

from msgspec import Struct

from benchmarks.execute import Limits, prepare, sample
from coarsest import tuning
from coarsest.tuning import TABLE, Threshold

ROOT = Path(__file__).parents[1]
COLLECTION = ROOT.parent / "shared" / "benchmarks"
COMMANDS = (
    "check examples/mutex.smv",
    "check examples/elevator.smv",
    "check examples/philosophers.smv",
    "check COLLECTION/smv/nusmv-2.6.0-examples/guidance/guidance.smv",
    "check COLLECTION/smv/nusmv-2.6.0-examples/smv-dist/dme1.smv",
    "check COLLECTION/aiger/hwmcc08/139442p0.aig",
    "check COLLECTION/aiger/hwmcc08/cmugigamax.aig",
    "check examples/elevator.smv --engine ic3",
    "check examples/mutex.smv --reduce bisimulation",
    "reduce examples/philosophers.smv",
    "reduce examples/coffee_or_tea.aut",
    "compare examples/coffee_or_tea.aut examples/coffee_by_luck.aut",
    "gste examples/memory.smv examples/memory.ag",
    "automaton 'G F a -> G F b'",
)
WORTH = 0.03
"""A number that changes the time of no command by this share is not worth its row."""


class Effect(Struct, frozen=True):
    """The largest change of a command's time that a value of a threshold makes: its CPU time over that with the usual value."""

    row: Threshold
    value: float
    ratio: float
    command: str


def values(row: Threshold) -> Iterator[float]:
    """Half and double the usual value, as far as the range allows."""
    kind = type(row.value)
    tried = {min(max(kind(row.value * factor), row.low), row.high) for factor in (0.5, 2)}
    yield from sorted(tried - {row.value})


def cpu(words: Sequence[str], settings: Iterable[str], limits: Limits, output: Path) -> float:
    """CPU seconds of one command: the least of a few runs, for other work on the machine only ever adds to them."""
    command = [sys.executable, "-m", "coarsest", *words, *(word for setting in settings for word in ("--tune", setting))]
    return min(sample(command, limits, output).cpu for _ in range(limits.repeat))


def effects(rows: Iterable[Threshold], commands: Sequence[Sequence[str]], limits: Limits) -> Iterator[Effect]:
    """For each value that is tried, the command that changes most."""
    with tempfile.TemporaryDirectory(prefix="thresholds-") as folder:
        output = Path(folder) / "output"
        usual = {tuple(words): cpu(words, (), limits, output) for words in commands}
        for row in rows:
            for value in values(row):
                setting = f"{row.name}={type(row.value)(value)}"
                ratios = {words: cpu(words, [setting], limits, output) / before for words, before in usual.items()}
                most = max(ratios, key=lambda words: abs(log(ratios[words])))
                yield Effect(row, value, ratios[most], " ".join(most))


def main() -> int:
    """Try the numbers that are asked for, and print a line for each value."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.thresholds", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these numbers; patterns such as 'MOST_*' are understood")
    parser.add_argument("--limit", metavar="SECONDS", type=float, default=20.0, help="CPU time of one command (default: 20)")
    parser.add_argument("--repeat", metavar="N", type=int, default=3, help="runs of each command (default: 3)")
    asked = parser.parse_args()
    rows = [row for name, row in tuning.TABLE.items() if not asked.names or any(fnmatch(name, each) for each in asked.names)]
    commands = [words for words in map(_words, COMMANDS) if all(Path(word).exists() for word in words if "." in word)]
    prepare()
    limits = Limits(seconds=asked.limit, repeat=asked.repeat)
    by_row: dict[str, list[float]] = {}
    for effect in effects(rows, commands, limits):
        by_row.setdefault(effect.row.name, []).append(effect.ratio)
        sys.stdout.write(f"{effect.row.name}={effect.value:g}: {effect.ratio:.2f} times the CPU time of {effect.command}\n")
    idle = [name for name, ratios in by_row.items() if all(abs(log(ratio)) < log(1 + WORTH) for ratio in ratios)]
    sys.stdout.write(f"{len(idle)} of {len(TABLE)} numbers change no command by {WORTH:.0%}: {' '.join(idle)}\n")
    return 0


def _words(command: str) -> list[str]:
    return [word.replace("COLLECTION", str(COLLECTION)) for word in shlex.split(command)]


if __name__ == "__main__":
    raise SystemExit(main())
