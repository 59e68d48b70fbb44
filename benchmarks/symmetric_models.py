"""`python -m benchmarks.symmetric_models`: does symmetry pay? SMV models with like components, checked with it and without.

Each model is looked at in processes of their own, within a limit of CPU time: are there symmetries, how long does it take to
check all properties as usual, and on representatives?
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from pathlib import Path

from benchmarks.reference import COLLECTION
from benchmarks.tabulate import markdown

SYMMETRIES = "import sys, coarsest; print(coarsest.load(sys.argv[1]).symmetries().order)"
CHECK = """
import sys, json, coarsest
report = coarsest.load(sys.argv[1]).check(reduce=sys.argv[2], confirm="never", vacuity=False)
print(json.dumps([answer.verdict.word for answer in report.answers]))
"""
COLUMNS = ("model", "group", "properties", "plain, CPU s", "by symmetry, CPU s", "decided")


def outcome(program: str, limit: int, *arguments: str) -> tuple[str, float]:
    """What a process prints, nothing if it came to its limit; and its CPU time."""

    def bound() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 2))
        resource.setrlimit(resource.RLIMIT_AS, (6000 << 20, 6000 << 20))

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=False,
                          preexec_fn=bound)  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.stdout.strip() if done.returncode == 0 else "", seconds


def row(path: Path, order: str, limit: int) -> list[str]:
    """One model that has symmetries: the same verdicts, or fewer, and the times."""
    (plain, seconds), (reduced, others) = (outcome(CHECK, limit, str(path), word) for word in ("none", "symmetry"))
    verdicts, again = (json.loads(text) if text else [] for text in (plain, reduced))
    differ = [(a, b) for a, b in zip(verdicts, again) if a != b and "unknown" not in (a, b)]
    if differ:
        raise AssertionError(f"{path}: {differ}")
    decided = sum(word != "unknown" for word in again)
    return [
        path.stem, order, str(len(verdicts or again)), f"{seconds:.2f}" if plain else f"> {limit}",
        f"{others:.2f}" if reduced else f"> {limit}", f"{decided} of {len(again)}" if reduced else "",
    ]  # fmt: skip


def main() -> int:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.symmetric_models", description="Does symmetry pay?")
    parser.add_argument("--limit", metavar="SECONDS", type=int, default=20, help="CPU time of one process (default: 20)")
    parser.add_argument("--only", metavar="TEXT", default="", help="only models with this in their names")
    args = parser.parse_args()
    rows, alone = [], 0
    for path in sorted((COLLECTION / "smv").rglob("*.smv")):
        if args.only not in path.stem:
            continue
        order, _ = outcome(SYMMETRIES, args.limit, str(path))
        if order in ("", "1"):
            alone += 1
            continue
        rows.append(row(path, order, args.limit))
        sys.stderr.write(" ".join(rows[-1]) + "\n")
    sys.stdout.write(markdown(COLUMNS, rows, left=1) + f"\n\n{alone} models have no symmetry, or none was shown in time.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
