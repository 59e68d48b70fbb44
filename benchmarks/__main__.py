"""`python -m benchmarks`: measure, print a table, keep the unrounded values in benchmarks/results/."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatch
from pathlib import Path

from benchmarks.execute import Limits, Measurement, measure, prepare
from benchmarks.option_table import option_cases, option_table
from benchmarks.suite import Case, cases
from benchmarks.tabulate import as_line, seconds, summary, table, totals

RESULTS = Path(__file__).parent / "results"
EXAMPLES = """examples:
  python -m benchmarks --quick
  python -m benchmarks --only 'philosophers* ctl' --limit 120
  python -m benchmarks --options"""


def main() -> int:
    """Run the benchmarks that were asked for."""
    args = _parser().parse_args()
    chosen = option_cases() if args.options else cases()
    chosen = [case for case in chosen if _is_wanted(case, args)]
    if not chosen:
        sys.stderr.write("no case is chosen: see --list for their names\n")
        return 2
    if args.list:
        sys.stdout.write("".join(f"{case.name}\n" for case in chosen))
        return 0
    prepare()
    measured = list(_keep(_measured(chosen, args), len(chosen)))
    text = option_table(measured) if args.options else f"{table(measured)}\n\n{totals(measured)}"
    sys.stdout.write(f"{text}\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Measure coarsest; each case runs in a process of its own.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--quick", action="store_true", help="only the cases with a target and a few more, once each")
    parser.add_argument("--only", metavar="PATTERN", action="append", help="only cases with such a 'model task': 'dme* reach'")
    parser.add_argument("--limit", metavar="SECONDS", type=float, default=20.0, help="CPU time of one process (default: 20)")
    parser.add_argument("--memory", metavar="MIB", type=int, default=8000, help="memory of one process (default: 8000)")
    parser.add_argument("--repeat", metavar="N", type=int, help="processes per case (default: 1, or 3 where there is a target)")
    parser.add_argument("--jobs", metavar="N", type=int, default=1, help="processes at a time: more than 1 disturbs (default: 1)")
    parser.add_argument("--options", action="store_true", help="compare the options of a sample of models instead")
    parser.add_argument("--list", action="store_true", help="list the cases and measure nothing")
    return parser


def _is_wanted(case: Case, args: argparse.Namespace) -> bool:
    if args.only:
        return any(fnmatch(f"{case.model} {case.task}", pattern) or fnmatch(case.model, pattern) for pattern in args.only)
    return case.quick or not args.quick


def _measured(chosen: list[Case], args: argparse.Namespace) -> Iterator[Measurement]:
    def one(case: Case) -> Measurement:
        repeat = args.repeat or (1 if args.quick or case.target is None else 3)
        return measure(case, Limits(seconds=args.limit, mebibytes=args.memory, repeat=repeat))

    with ThreadPoolExecutor(max_workers=args.jobs) as pool:
        yield from pool.map(one, chosen)


def _keep(measured: Iterable[Measurement], number: int) -> Iterator[Measurement]:
    """Write each measurement to the results as soon as it is known, and say so."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{time.strftime('%Y-%m-%d-%H%M%S')}.jsonl"
    with path.open("x", encoding="utf-8") as stream:
        for index, measurement in enumerate(measured, start=1):
            stream.write(as_line(measurement) + "\n")
            stream.flush()
            text = f"{measurement.case.name}: {seconds(measurement.cpu)} s, {summary(measurement)}"
            sys.stderr.write(f"[{index}/{number}] {text}\n")
            yield measurement
    sys.stderr.write(f"unrounded: {os.path.relpath(path)}\n")


if __name__ == "__main__":
    sys.exit(main())
