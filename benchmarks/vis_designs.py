"""`python -m benchmarks.vis_designs`: the designs of the VIS suite with their property files, and what becomes of them.

Every property file is checked with its design and fairness file in a process of its own, within a limit of CPU time for the whole
file. The verdicts are compared with those that the authors wrote beside their formulas.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.reference import COLLECTION
from benchmarks.tabulate import markdown

CHECK = """
import os, sys, coarsest
from coarsest.errors import InputError
from coarsest.run import Limits, Run
design, properties, fairness, seconds, confirm = sys.argv[1:]
try:
    files = {"properties": [properties], "fairness": [fairness] if fairness else []}
    model = coarsest.load(design).with_files(**files)
    for answer in model.answers(run=Run(Limits(seconds=float(seconds), mebibytes=2500)), confirm=confirm):
        print(answer.verdict.word, flush=True)
except InputError as error:
    print("refused", str(error).replace(chr(10), " "))
"""
DESIGN_OF = {
    "Bpb/bpb": "bpbs", "Elevator/elevator": "elevator1-4", "Rether/rether": "retherRTF", "Bakery/nonatomic": "good_bakery",
    "FPMult/FPMultL1": "FPMultLTL1", "Param/Bakery/bakery": "bakery1", "Param/Hrglass/hrglass": "hrglass8",
    "Param/Lock/lock": "lock5", "Param/TreeArb/treearb": "treearb4",
}  # fmt: skip
"""Property files that are not named as their designs: those of families, and some others."""

COLUMNS = ("kind", "formulas", "as annotated", "otherwise", "undecided", "refused")


def design_of(path: str) -> Path:
    stem = str(Path(path).relative_to("vis").with_suffix(""))
    return (COLLECTION / path).with_name(f"{DESIGN_OF.get(stem, Path(stem).name)}.v")


def fairness_of(path: str) -> Path | None:
    """The fairness file of a property file: its own, that of its design, or that of the family whose number it has."""
    own = COLLECTION / path
    family = own.with_name(own.stem.rstrip("0123456789"))
    return next((fair for base in (own, design_of(path), family) if (fair := base.with_suffix(".fair")).is_file()), None)


def verdicts(path: str, limit: float, confirm: str) -> list[str]:
    """What becomes of each formula of a file, as far as the time goes; or one word of refusal."""
    properties, design, fair = COLLECTION / path, design_of(path), fairness_of(path)

    def bound() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 3))

    command = [sys.executable, "-c", CHECK, str(design), str(properties), str(fair or "")]
    command += [str(10 * limit), confirm]
    environment = {**os.environ, "COARSEST_DEBUG": "1"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=bound, env=environment)
    lines = done.stdout.split("\n")[:-1]
    if done.returncode not in (0, -signal.SIGXCPU, -signal.SIGKILL):
        lines.append(f"broken {done.stderr.strip().splitlines()[-1:]}")
    return lines


def is_annotated(facts: dict[str, Any]) -> bool:
    return any(claim["verdict"] is not None for claim in facts["properties"])


def main() -> int:
    """Measure and print the table, then what was refused and what is not as annotated."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.vis_designs", description="Check the VIS Verilog suite.")
    parser.add_argument("--limit", metavar="SECONDS", type=float, default=10.0, help="CPU time for one file (default: 10)")
    parser.add_argument("--only", metavar="TEXT", default="", help="only property files with this in their names")
    parser.add_argument("--confirm", default="never", help="as of the command `check` (default: never)")
    args = parser.parse_args()
    oracles = json.loads((COLLECTION / "oracles.json").read_text(encoding="utf-8"))
    counts: Counter[tuple[str, str]] = Counter()
    notes: list[str] = []
    paths = [path for path, facts in oracles.items() if path.startswith("vis/") and args.only in path and is_annotated(facts)]
    for path in sorted(paths, key=lambda path: design_of(path).stat().st_size):
        before = counts.copy()
        lines = verdicts(path, args.limit, args.confirm)
        if lines and lines[-1].split(" ")[0] in ("refused", "broken"):
            notes.append(f"{path}: {lines[-1]}")
        for number, claim in enumerate(oracles[path]["properties"]):
            if claim["verdict"] is None:
                continue
            word = lines[number].split(" ")[0] if number < len(lines) else "unknown"
            if lines and lines[0].startswith("refused"):
                word = "refused"
            outcome = "as annotated" if word == claim["verdict"] else word if word in ("unknown", "refused") else "otherwise"
            counts[claim["kind"], outcome] += 1
            if outcome == "otherwise":
                notes.append(f"{path} {number + 1}: {word}, annotated {claim['verdict']}: {claim['formula'][:90]}")
                print(notes[-1], file=sys.stderr)
        print(path, dict(counts - before), file=sys.stderr, flush=True)
    outcomes = ("as annotated", "otherwise", "unknown", "refused")
    rows = []
    for kind in ("ctl", "ltl", "inv"):
        numbers = [counts[kind, outcome] for outcome in outcomes]
        rows.append([kind, str(sum(numbers)), *map(str, numbers)])
    print(markdown(COLUMNS, rows, left=1))
    print("\n".join(notes))
    return 0


if __name__ == "__main__":
    sys.exit(main())
