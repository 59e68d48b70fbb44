"""`python -m benchmarks.buchi_reductions`: sizes and times of reduced Büchi automata, beside those of Spot and Reduce.

Every measurement is a process `coarsest reduce FILE --by words --lookahead K`, from start to exit, with kernels that have been
compiled before and without the comparison of all words, which is hard for such automata. The last ones are random automata with
two letters, 1.5 transitions for each state and letter, and half of the states accepting.

With `--sums`, every automaton of every folder beside RABIT's examples is reduced, in one process, and the states are summed up by
folder; those that take longer than a limit stay as they are, and are counted.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import process_time
from typing import NamedTuple

from coarsest.api.automata import read_automaton
from coarsest.errors import LimitExceeded
from coarsest.run import Limits, Run

COLLECTION = Path(__file__).parents[2] / "shared" / "benchmarks" / "automata" / "ba" / "rabit-examples"


class Case(NamedTuple):
    """A file, how it is reduced, and the states that others leave."""

    path: Path
    by: str = "words"
    lookahead: int = 0
    spot: int | None = None
    """Of `autfilt -B --small --high`."""
    reduce: int | None = None
    """Of Reduce with a lookahead of 12."""


KNOWN = (
    Case(COLLECTION / "test1.ba", lookahead=12, spot=185, reduce=4),
    Case(COLLECTION / "phils.1.1.c.ba", spot=134, reduce=134),
    Case(COLLECTION / "fischer.3.c.ba", spot=10, reduce=10),
    Case(COLLECTION / "fischer.3.2.c.ba", spot=131),
    Case(COLLECTION / "bakery.2.c.ba", spot=690, reduce=643),
    Case(COLLECTION / "bakery.1.c.ba"),
    Case(COLLECTION / "phils.2.c.ba"),
    Case(COLLECTION / "x1.ba", spot=486),
)


def main() -> int:
    """Reduce every automaton once, and print a line for each."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.buchi_reductions", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", default="", metavar="WORDS", help="files whose name contains this")
    parser.add_argument("--sums", action="store_true", help="all automata, summed up by folder")
    parser.add_argument("--seconds", type=float, default=30, help="with --sums, the limit of each automaton")
    args = parser.parse_args()
    if args.sums:
        _sum_up(args.only, args.seconds)
        return 0
    row = "{:<18} {:<6} {:>3} {:>8} {:>8} {:>8} {:>8} {:>6} {:>6}\n"
    sys.stdout.write(row.format("file", "by", "K", "states", "smaller", "edges", "CPU s", "Spot", "Reduce"))
    with tempfile.TemporaryDirectory() as folder:
        for case in (*KNOWN, *_random_cases(Path(folder))):
            if args.only in case.path.name and case.path.exists():
                _measure(case)  # kernels may have to be compiled
                before, after, edges, seconds = _measure(case)
                others = ["" if states is None else states for states in (case.spot, case.reduce)]
                shown = (case.path.name, case.by, case.lookahead or "", before, after, edges, f"{seconds:.2f}")
                sys.stdout.write(row.format(*shown, *others))
                sys.stdout.flush()
    return 0


def _sum_up(only: str, seconds: float) -> None:
    row = "{:<24} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}\n"
    sys.stdout.write(row.format("folder", "automata", "states", "by delay", "by words", "left", "CPU s"))
    for folder in sorted(path for path in COLLECTION.parent.iterdir() if path.is_dir() and only in path.name):
        files, started = sorted(folder.glob("*.ba")), process_time()
        before, delay, words, left = map(sum, zip(*(_sizes(path, seconds) for path in files)))
        spent = f"{process_time() - started:.0f}"
        sys.stdout.write(row.format(folder.name, len(files), before, delay, words, left, spent))
        sys.stdout.flush()


def _sizes(path: Path, seconds: float) -> tuple[int, int, int, bool]:
    """The states before and after, by delay and by words; and whether a limit was reached."""
    automaton = read_automaton(path)
    sizes, late = [automaton.states], False
    for by in ("delay", "words"):
        try:
            smaller = automaton.reduce(by=by, confirm="never", run=Run(Limits(seconds=seconds))).facts.states.after
        except LimitExceeded:
            smaller, late = sizes[-1], True
        sizes.append(smaller)
    return sizes[0], sizes[1], sizes[2], late


def _measure(case: Case) -> tuple[int, int, int, float]:
    command = [sys.executable, "-m", "coarsest", "reduce", str(case.path), "--by", case.by, "--lookahead", str(case.lookahead)]
    started = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([*command, "--confirm", "never", "--json"], capture_output=True, text=True, check=True)
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    facts = json.loads(done.stdout)
    seconds = ended.ru_utime + ended.ru_stime - started.ru_utime - started.ru_stime
    return facts["states"]["before"], facts["states"]["after"], facts["transitions"]["after"], seconds


def _random_cases(folder: Path) -> Iterator[Case]:
    for states in (1000, 10_000):
        path = folder / f"random-{states}.ba"
        path.write_text(_random_text(Random(1), states), encoding="utf-8")
        yield Case(path, by="delay")


def _random_text(random: Random, states: int) -> str:
    lines = ["[0]"]
    for letter in "ab":
        for _ in range(states * 3 // 2):
            lines.append(f"{letter},[{random.randrange(states)}]->[{random.randrange(states)}]")
    lines += [f"[{state}]" for state in range(states) if random.random() < 0.5]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
