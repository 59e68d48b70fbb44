"""`python -m benchmarks.lustre_programs`: programs of the Kind 2 collections, and what becomes of them.

Each program is read and all its properties are checked in a process of its own, within a limit of CPU time. The verdicts are
compared with those that are published. Programs that are not read are counted by what they were refused for.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import subprocess
import sys
from collections import Counter

from benchmarks.reference import COLLECTION
from benchmarks.tabulate import markdown

FOLDERS = ("kind2-FMCAD08/Bool", "kind2-FMCAD08/Int", "kind2-regression/success", "kind2-regression/falsifiable")
CHECK = """
import sys, coarsest
from coarsest.errors import InputError
from coarsest.run import Limits, Run
path, seconds, carrier = sys.argv[1:]
try:
    model = coarsest.load(path)
    if not model.properties:
        print("no property")
    else:
        found = {answer.verdict.word for answer in model.check(run=Run(Limits(seconds=float(seconds))), carrier=carrier)}
        print(next(word for word in ("fails", "unknown", "holds") if word in found))
except InputError as error:
    print("refused", error.diagnostic.message)
"""
COLUMNS = ("programs of", "number", "read", "with properties", "decided as published", "otherwise", "undecided")


def check(path: str, limit: float, carrier: str) -> str:
    """The verdict on all properties together, or why there is none."""

    def bound() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (2 * int(limit) + 2, 2 * int(limit) + 4))

    command = [sys.executable, "-c", CHECK, str(COLLECTION / path), str(limit), carrier]
    done = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=bound)
    if done.returncode > 0:
        raise AssertionError(f"{path}\n{done.stderr}")
    return done.stdout.strip() if done.returncode == 0 else "unknown"


def main() -> int:
    """Measure and print the table, then what was refused and what is not as published."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lustre_programs", description="Check the programs of Kind 2.")
    parser.add_argument("--limit", metavar="SECONDS", type=float, default=5.0, help="CPU time for one program (default: 5)")
    parser.add_argument("--only", choices=FOLDERS, nargs="+", default=FOLDERS, help="some of the folders")
    parser.add_argument("--carrier", default="auto", help="as of the command `check` (default: auto)")
    args = parser.parse_args()
    oracles = json.loads((COLLECTION / "oracles.json").read_text(encoding="utf-8"))
    known = {path: facts["verdict"] for path, facts in oracles.items() if path.startswith("lustre/")}
    rows, refused, wrong = [], Counter[str](), list[str]()
    for folder in args.only:
        paths = [path for path in sorted(known) if path.startswith(f"lustre/{folder}/")]
        found = {path: check(path, args.limit, args.carrier) for path in paths}
        read = {path: word for path, word in found.items() if not word.startswith("refused")}
        claims = {path: word for path, word in read.items() if word != "no property"}
        decided = {path: word for path, word in claims.items() if word != "unknown"}
        bad = [f"{path}: {word}, published: {known[path]}" for path, word in decided.items() if word != known[path]]
        counts = (paths, read, claims, [path for path in decided if decided[path] == known[path]], bad)
        rows.append([folder, *(str(len(some)) for some in counts), str(len(claims) - len(decided))])
        refused.update(_general(word) for word in found.values() if word.startswith("refused"))
        wrong += bad
    sys.stdout.write(markdown(COLUMNS, rows, left=1) + "\n\n")
    sys.stdout.writelines(f"{number:4}  {why}\n" for why, number in refused.most_common())
    sys.stdout.writelines(f"WRONG {line}\n" for line in wrong)
    return bool(wrong)


def _general(message: str) -> str:
    """The message without what is special about the program."""
    return re.sub(r"`[^`]*`", "`…`", message.removeprefix("refused "))


if __name__ == "__main__":
    sys.exit(main())
