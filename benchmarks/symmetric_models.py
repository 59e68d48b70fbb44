"""`python -m benchmarks.symmetric_models`: does symmetry pay? SMV models with like components, checked with it and without.

Each model is looked at in processes of their own, within a limit of CPU time: are there symmetries, how long does it take to
check all properties as usual, and on representatives? With sets of states as BDDs, and with states that are listed.
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
report = coarsest.load(sys.argv[1]).check(reduce=sys.argv[2], carrier=sys.argv[3], confirm="never", vacuity=False)
print(json.dumps([answer.verdict.word for answer in report.answers]))
"""
WAYS = (("none", "bdd"), ("symmetry", "bdd"), ("none", "explicit"), ("symmetry", "explicit"))
COLUMNS = ("model", "group", "properties", "plain, CPU s", "by symmetry, CPU s", "listed, CPU s", "listed by symmetry, CPU s")


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
    verdicts: list[list[str]] = []
    times: list[str] = []
    for way in WAYS:
        text, seconds = outcome(CHECK, limit, str(path), *way)
        words = json.loads(text) if text else []
        decided = all(word != "unknown" for word in words)
        verdicts.append(words)
        times.append(f"{seconds:.2f}{'' if decided else ' (not all)'}" if text else f"> {limit}")
    for words in verdicts:
        differ = [(a, b) for a, b in zip(verdicts[0], words) if a != b and "unknown" not in (a, b)]
        if differ:
            raise AssertionError(f"{path}: {differ}")
    return [f"{path.parent.name}/{path.stem}", order, str(max(map(len, verdicts))), *times]


def rows_in(kept: Path | None) -> dict[str, list[str]]:
    """What was measured before, by the path of the model; nothing is said of one that has no symmetry."""
    if kept is None or not kept.exists():
        return {}
    return dict(json.loads(line) for line in kept.read_text(encoding="utf-8").splitlines())


def main() -> int:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.symmetric_models", description="Does symmetry pay?")
    parser.add_argument("--limit", metavar="SECONDS", type=int, default=20, help="CPU time of one process (default: 20)")
    parser.add_argument("--only", metavar="TEXT", default="", help="only models with this in their paths")
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, help="keep rows there (.jsonl), and go on where it ended")
    args = parser.parse_args()
    rows = rows_in(args.output)
    for path in sorted((COLLECTION / "smv").rglob("*.smv")):
        name = str(path.relative_to(COLLECTION))
        if args.only in name and name not in rows:
            order, _ = outcome(SYMMETRIES, args.limit, str(path))
            rows[name] = [] if order in ("", "1") else row(path, order, args.limit)
            sys.stderr.write(" ".join([name, *rows[name]]) + "\n")
            if args.output is not None:
                with args.output.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([name, rows[name]]) + "\n")
    shown = [row for row in rows.values() if row]
    alone = len(rows) - len(shown)
    sys.stdout.write(markdown(COLUMNS, shown, left=1) + f"\n\n{alone} models have no symmetry, or none was shown in time.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
