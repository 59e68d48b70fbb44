"""`python -m benchmarks.circuits`: circuits of ISCAS'89 and of hardware model checking competitions, and what becomes of them.

Each file is read in a process of its own, within a limit of CPU time: of BENCH and BLIF the reachable states are counted, of
AIGER files the properties are checked. What comes out is compared with what is published.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Mapping
from typing import Any

from benchmarks.reference import COLLECTION
from benchmarks.tabulate import markdown

REACH = """
import sys, coarsest
reach = coarsest.load(sys.argv[1], format="blif:zero" if sys.argv[1].endswith("blif") else None).reach(**eval(sys.argv[2]))
print(reach.states, reach.diameter - 1, reach.statistics.get("peak_nodes", ""))
"""
CHECK = """
import sys, coarsest
words = {answer.verdict.word for answer in coarsest.load(sys.argv[1]).check(**eval(sys.argv[2]))}
print(next(word for word in ("fails", "unknown", "holds") if word in words))
"""
READ = "import sys, coarsest; print(len(coarsest.load(sys.argv[1]).machine.state_variables))"
COLUMNS = ("files", "number", "as published", "otherwise", "undecided", "CPU s")


def outcome(program: str, path: str, options: Mapping[str, Any], limit: float, memory: int) -> tuple[str, float]:
    """What a process prints about a file (nothing, if it came to a limit), and its CPU time."""

    def bound() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit), int(limit) + 2))
        resource.setrlimit(resource.RLIMIT_AS, (memory << 20, memory << 20))

    command = [sys.executable, "-c", program, str(COLLECTION / path), repr(dict(options))]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=bound)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if done.returncode > 0 and "MemoryError" not in done.stderr and "LimitExceeded" not in done.stderr:
        sys.stderr.write(f"{path}\n{done.stderr[-600:]}\n")
    return (done.stdout.strip() if done.returncode == 0 else ""), seconds


def expected(facts: Mapping[str, Any]) -> str:
    """What is published of a file: its states and depth, or the verdict on all its properties together."""
    if "verdict" in facts:
        return str(facts["verdict"])
    if "reachable" in facts:
        return f"{facts['reachable']} {facts['depth']}"
    return "fails" if "witness" in facts.get("justice", ()) else "holds" if "justice" in facts else ""


def groups(oracles: Mapping[str, Any], latches: int) -> dict[str, tuple[str, list[str]]]:
    """The programs and files of each line of the table."""
    circuits = [path for path in sorted(oracles) if path.startswith("circuits/")]
    aiger = [path for path in sorted(oracles) if path.startswith("aiger/") and oracles[path]["latches"] <= latches]
    safety = [path for path in aiger if "verdict" in oracles[path]]
    return {
        "reachable states": (REACH, circuits),
        f"safety, up to {latches} latches": (CHECK, safety),
        f"justice, up to {latches} latches": (CHECK, [path for path in aiger if "justice" in oracles[path]]),
    }


def main() -> int:
    """Measure and print the table; a line for each file goes to standard error."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.circuits", description="Check circuits with known answers.")
    parser.add_argument("--limit", metavar="SECONDS", type=float, default=20.0, help="CPU time for one file (default: 20)")
    parser.add_argument("--memory", metavar="MIB", type=int, default=6000, help="address space for one file (default: 6000)")
    parser.add_argument("--every", metavar="N", type=int, default=1, help="take each n-th file only")
    parser.add_argument("--latches", metavar="N", type=int, default=100, help="AIGER files with at most so many (default: 100)")
    parser.add_argument("--only", choices=("reachable", "safety", "justice", "read"), nargs="+", default=("reachable", "safety"))
    parser.add_argument("--options", default="{}", help="keywords for `reach` and `check`, as a Python dictionary")
    args = parser.parse_args()
    oracles = json.loads((COLLECTION / "oracles.json").read_text(encoding="utf-8"))
    rows, wrong = [], []
    for title, (program, paths) in groups(oracles, args.latches).items():
        if title.split(",")[0].split()[0] not in args.only:
            continue
        counts, began = {"as": 0, "otherwise": 0, "undecided": 0}, time.process_time()
        total = 0.0
        for path in paths[:: args.every]:
            text, seconds = outcome(program, path, json.loads(args.options), args.limit, args.memory)
            found = "" if text == "unknown" else " ".join(text.split()[: 2 if program is REACH else 1])
            word = "undecided" if not found else "as" if found == expected(oracles[path]) else "otherwise"
            counts[word] += 1
            total += seconds
            wrong += [f"{path}: {found}, published: {expected(oracles[path])}"] if word == "otherwise" else []
            sys.stderr.write(f"{path} {text or '-'} {seconds:.1f}\n")
        rows.append([title, str(sum(counts.values())), *map(str, counts.values()), f"{total + time.process_time() - began:.0f}"])
    if "read" in args.only:
        files = [path for folder in ("circuits", "aiger") for path in sorted((COLLECTION / folder).rglob("*.*"))
                 if path.suffix in (".bench", ".blif", ".aag", ".aig")]  # fmt: skip
        found = [outcome(READ, str(path), {}, args.limit, args.memory)[0] for path in files[:: args.every]]
        rows.append(["all, read", str(len(found)), str(sum(map(bool, found))), "", str(sum(not one for one in found)), ""])
    sys.stdout.write(markdown(COLUMNS, rows, left=1) + "\n")
    sys.stdout.writelines(f"WRONG {line}\n" for line in wrong)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
