"""`python -m benchmarks.vis_designs`: the designs of the VIS suite with their property files, and what becomes of them.

Every property file is checked with its design and fairness file in a process of its own, within a limit of CPU time for each
formula. The verdicts are compared with those that the authors wrote beside their formulas.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.reference import COLLECTION
from benchmarks.tabulate import markdown

CHECK = """
import signal, sys, coarsest
from coarsest.errors import InputError
from coarsest.run import Limits, Run
design, properties, fairness, seconds, confirm, *numbers = sys.argv[1:]
def begin():
    signal.setitimer(signal.ITIMER_PROF, float(seconds))  # CPU time; nobody handles the signal, so that it ends the process
begin()
try:
    files = {"properties": [properties], "fairness": [fairness] if fairness else []}
    model = coarsest.load(design).with_files(**files)
    claims = [model.properties[int(number)] for number in numbers]
    for answer in model.answers(*claims, run=Run(Limits(mebibytes=2500)), confirm=confirm):
        print(answer.verdict.word, flush=True)
        begin()
except InputError as error:
    print("refused", str(error).replace(chr(10), " "))
"""
DESIGN_OF = {
    "Bpb/bpb": "bpbs", "Elevator/elevator": "elevator1-4", "Rether/rether": "retherRTF", "Bakery/nonatomic": "good_bakery",
    "FPMult/FPMultL1": "FPMultLTL1", "Param/Bakery/bakery": "bakery1", "Param/Hrglass/hrglass": "hrglass8",
    "Param/Lock/lock": "lock5", "Param/TreeArb/treearb": "treearb4",
}  # fmt: skip
"""Property files that are not named as their designs: those of families, and some others."""

OF_ANOTHER = {"Rether/rether.ctl": (range(40, 42), "retherSQO"), "Rether/rether.ltl": (range(31, 33), "retherSQO")}
"""Formulas, by their numbers from zero, of which their authors say that they are about another design."""

UNSTATED = {"Coherence/coherence.ctl": 9, "Coherence/coherence.ltl": 9}
"""Formulas without a verdict: the word FAILS in these files belongs to the formula before, and this one stands there twice."""

DISPUTED = {"Vsa16/vsa16a": range(5, 8), "Bakery/nonatomic": range(1)}
"""Formulas, by their numbers from zero, that are false though their authors say PASS. Those of vsa16a are about three of the
seven bits of a function code, and an instruction with another code leaves what the one before has computed; Yosys reads the
design so, too. In good_bakery, a step takes a ticket and notes all others at once: of two tickets, one is known to both."""

COLUMNS = ("kind", "formulas", "as annotated", "disputed", "otherwise", "undecided", "refused")


def design_of(path: str) -> Path:
    stem = str(Path(path).relative_to("vis").with_suffix(""))
    return (COLLECTION / path).with_name(f"{DESIGN_OF.get(stem, Path(stem).name)}.v")


def fairness_of(path: str) -> Path | None:
    """The fairness file of a property file: its own, that of its design, or that of the family whose number it has."""
    own = COLLECTION / path
    family = own.with_name(own.stem.rstrip("0123456789"))
    return next((fair for base in (own, design_of(path), family) if (fair := base.with_suffix(".fair")).is_file()), None)


def verdicts(path: str, design: Path, numbers: Sequence[int], limit: float, confirm: str) -> list[str]:
    """What becomes of each of these formulas of a file, or one word of refusal. After one that takes too long, the process
    is ended, and another goes on with the next."""
    properties, fair = COLLECTION / path, fairness_of(path)
    words: list[str] = []
    while len(words) < len(numbers):
        command = [sys.executable, "-c", CHECK, str(design), str(properties), str(fair or ""), str(limit), confirm]
        command += [str(number) for number in numbers[len(words) :]]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "COARSEST_DEBUG": "1"})
        words += done.stdout.split("\n")[:-1]
        if done.returncode in (-signal.SIGPROF, -signal.SIGKILL):
            words.append("unknown")
        elif done.returncode != 0:
            words.append(f"broken {done.returncode} {done.stderr.strip().splitlines()[-1:]}")
        elif words[-1].startswith("refused"):
            break
    return words


def annotated(path: str, facts: dict[str, Any]) -> dict[Path, list[int]]:
    """The numbers of the formulas with verdicts, by the designs that these are about."""
    name = str(Path(path).relative_to("vis"))
    others, other = OF_ANOTHER.get(name, ((), ""))
    stated = [n for n, claim in enumerate(facts["properties"]) if claim["verdict"] is not None and n != UNSTATED.get(name)]
    own = design_of(path)
    about = {own: [n for n in stated if n not in others], own.with_name(f"{other}.v"): [n for n in stated if n in others]}
    return {design: numbers for design, numbers in about.items() if numbers}


def main() -> int:
    """Measure and print the table, then what was refused and what is not as annotated."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.vis_designs", description="Check the VIS Verilog suite.")
    parser.add_argument("--limit", metavar="SECONDS", type=float, default=10.0, help="CPU time for one formula (default: 10)")
    parser.add_argument("--only", metavar="TEXT", default="", help="only property files with this in their names")
    parser.add_argument("--confirm", default="never", help="as of the command `check` (default: never)")
    args = parser.parse_args()
    oracles = json.loads((COLLECTION / "oracles.json").read_text(encoding="utf-8"))
    counts: Counter[tuple[str, str]] = Counter()
    notes: list[str] = []
    tasks = [
        (path, design, numbers)
        for path, facts in oracles.items() if path.startswith("vis/") and args.only in path
        for design, numbers in annotated(path, facts).items()
    ]  # fmt: skip
    for path, design, numbers in sorted(tasks, key=lambda task: task[1].stat().st_size):
        before = counts.copy()
        words = verdicts(path, design, numbers, args.limit, args.confirm)
        notes += [f"{path}: {word}" for word in words if word.startswith(("refused", "broken"))]
        refused = words[0].startswith("refused")
        for place, number in enumerate(numbers):
            claim = oracles[path]["properties"][number]
            word = "refused" if refused else words[place].split(" ")[0] if place < len(words) else "unknown"
            outcome = "as annotated" if word == claim["verdict"] else word if word in ("unknown", "refused") else "otherwise"
            if outcome == "otherwise" and number in DISPUTED.get(str(Path(path).relative_to("vis").with_suffix("")), ()):
                outcome = "disputed"
            counts[claim["kind"], outcome] += 1
            if outcome == "otherwise":
                notes.append(f"{path} {number + 1}: {word}, annotated {claim['verdict']}: {claim['formula'][:90]}")
        undecided = [number + 1 for number, word in zip(numbers, words) if word == "unknown"]
        print(path, dict(counts - before), *undecided, file=sys.stderr, flush=True)
    _print(counts, notes)
    return 0


def _print(counts: Counter[tuple[str, str]], notes: Sequence[str]) -> None:
    rows = []
    for kind in ("ctl", "ltl", "inv"):
        numbers = [counts[kind, outcome] for outcome in ("as annotated", "disputed", "otherwise", "unknown", "refused")]
        rows.append([kind, str(sum(numbers)), *map(str, numbers)])
    print(markdown(COLUMNS, rows, left=1))
    print("\n".join(notes))


if __name__ == "__main__":
    sys.exit(main())
