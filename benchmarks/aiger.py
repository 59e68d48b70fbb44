"""`python -m benchmarks.aiger`: AIGER files with known answers, decided here and by ABC, each within a limit of CPU time.

A contender is a word after `--engine`, or a command of ABC with `abc:` before it. Those of one side are asked one after the other
until one decides, ABC first, and `bmc3`, which proves nothing, only where a violation is known. Every process leaves a line of
JSON in a file, and what is there already is not measured again: a campaign can be stopped and goes on where it was. Small files
come first, and those that ABC does not decide last; with several limits, all files within the first, then what is left.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from math import exp, log
from pathlib import Path
from typing import Any, TextIO

from msgspec import Struct, to_builtins

from benchmarks.execute import Limits, prepare, sample
from benchmarks.reference import COLLECTION, oracles
from benchmarks.tabulate import markdown

ABC = "abc:"
THRESHOLDS = (0.0, 0.5, 3.0)
"""Ratios of CPU time are told for files on which the other side takes at least so many seconds."""


class Line(Struct, frozen=True):
    """What one contender said about one file: "holds", "fails", or nothing; how many of the answers were confirmed."""

    path: str
    by: str
    verdict: str
    cpu: float
    mebibytes: float
    ended: str
    limit: float
    properties: int = 0
    confirmed: int = 0


def asked(by: str, path: str, limits: Limits, abc: str) -> Line:
    """One process."""
    file = str(COLLECTION / path)
    command = [sys.executable, "-m", "coarsest", "check", file, "--engine", by, "--json"]
    if by.startswith(ABC):
        command = [abc, "-c", f"read_aiger {file}; {by.removeprefix(ABC)} -T {limits.seconds:.0f}"]
    with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
        output = Path(folder) / "output"
        result = sample(command, limits, output)
        text = output.read_text(encoding="utf-8", errors="replace")
    words, confirmed = list(result.findings.get("verdicts", ())), result.findings.get("confirmed", 0)
    if by.startswith(ABC):
        words = ["fails"] * len(re.findall("was asserted", text)) or ["holds"] * len(re.findall("Property proved", text))
    word = next((word for word in ("fails", "unknown", "holds") if word in words), "")
    verdict = "" if word == "unknown" else word
    return Line(path, by, verdict, result.cpu, result.mebibytes, result.ended, limits.seconds, len(words), confirmed)


def known_answer(facts: Mapping[str, Any]) -> str:
    """What is published about all properties of a file together."""
    if "justice" in facts:
        return "fails" if "witness" in facts["justice"] else "holds"
    return str(facts["verdict"])


def files_of(kind: str, every: int, first: int) -> dict[str, str]:
    """The files with their answers, small ones first."""
    known = {path: facts for path, facts in oracles().items() if path.startswith("aiger/") and kind in facts}
    paths = sorted(known, key=lambda path: (known[path]["latches"] + known[path]["ands"], path))
    return {path: known_answer(known[path]) for path in paths[first::every]}


class Side(Struct, frozen=True):
    """What the contenders of one side have found, file by file: the first of them that decided, or the last."""

    names: Sequence[str]
    lines: dict[tuple[str, str], Line]

    def line(self, path: str) -> Line | None:
        said = [self.lines[path, name] for name in self.names if (path, name) in self.lines]
        return next((line for line in said if line.verdict), said[-1] if said else None)

    def decided(self, paths: Iterable[str]) -> set[str]:
        return {path for path in paths if (line := self.line(path)) is not None and line.verdict}

    def ask(self, path: str, limit: float, stream: TextIO, names: Iterable[str], abc: str = "") -> None:
        """Ask some contenders about a file, until one decides it; what they said within this limit is not asked again."""
        for name in names:
            line = self.lines.get((path, name))
            if line is None or (not line.verdict and line.limit < limit):
                line = self.lines[path, name] = asked(name, path, Limits(seconds=limit, mebibytes=3000, patience=50), abc)
                stream.write(json.dumps(to_builtins(line)) + "\n")
                stream.flush()
            if line.verdict:
                break


def useful(answer: str, names: Iterable[str]) -> list[str]:
    """The contenders that can find an answer."""
    return [name for name in names if answer == "fails" or name != ABC + "bmc3"]


def summary(known: Mapping[str, str], here: Side, there: Side) -> str:
    """The table, the ratios, and the files that only one side decides."""
    files = [path for path in known if here.line(path) is not None or there.line(path) is not None]
    rows = []
    for word in ("holds", "fails", ""):
        paths = [path for path in files if known[path].startswith(word)]
        ours, theirs = here.decided(paths), there.decided(paths)
        sets = (paths, ours, theirs, ours & theirs, ours - theirs, theirs - ours)
        rows.append([word or "all", *(str(len(some)) for some in sets)])
    columns = ("verdict", "files", " or ".join(here.names), " or ".join(there.names), "both", "only here", "only there")
    ours, theirs = here.decided(files), there.decided(files)
    said = [line for path in ours if (line := here.line(path)) is not None]
    confirmed = f"confirmed: {sum(line.confirmed for line in said)} of {sum(line.properties for line in said)}"
    apart = {"only here": ours - theirs, "only there": theirs - ours, "undecided": set(files) - ours - theirs}
    stems = [f"{title}: {' '.join(sorted(Path(path).stem for path in paths))}" for title, paths in apart.items()]
    wrong = [f"WRONG {line.path}: {line.by} says {line.verdict}" for side in (here, there) for line in side.lines.values()
             if line.by in side.names and line.verdict and line.verdict != known.get(line.path, line.verdict)]  # fmt: skip
    return "\n".join([markdown(columns, rows, left=1), "", *ratios(files, here, there), confirmed, *stems, *wrong])


def ratios(files: Iterable[str], here: Side, there: Side) -> list[str]:
    """How many times as long the first contender of this side takes as the first of the other, where both decide."""
    if not here.names or not there.names:
        return []
    pairs = [(here.lines.get((path, here.names[0])), there.lines.get((path, there.names[0]))) for path in files]
    times = [(one.cpu, other.cpu) for one, other in pairs if one and other and one.verdict and other.verdict]
    texts = []
    for least in THRESHOLDS:
        logs = [log(one / max(other, 0.01)) for one, other in times if other >= least]
        mean = f"{exp(sum(logs) / len(logs)):.2f} ({len(logs)} files)" if logs else "no file"
        texts.append(f"CPU time {here.names[0]} / {there.names[0]} where that takes {least:g} s or more: {mean}")
    return texts


def main() -> int:
    """Measure what is missing, and print what there is."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.aiger", description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--kind", choices=("verdict", "justice"), default="verdict", help="safety (`verdict`) or liveness files")
    parser.add_argument("--ours", nargs="*", default=["ic3", "bmc"], help="engines (default: ic3 bmc)")
    parser.add_argument("--theirs", nargs="*", default=["abc:pdr", "abc:bmc3"], help="of ABC (default: abc:pdr abc:bmc3)")
    parser.add_argument("--abc", default="berkeley-abc", help="the program (default: berkeley-abc)")
    parser.add_argument("--limit", metavar="SECONDS", type=float, nargs="+", default=[60.0], help="CPU time (default: 60)")
    parser.add_argument("--every", metavar="N", type=int, default=1, help="take each n-th file only")
    parser.add_argument("--first", metavar="N", type=int, default=0, help="begin with this file")
    parser.add_argument("--only", metavar="PATTERN", default="", help="files whose path matches a regular expression")
    parser.add_argument("-o", "--output", type=Path, default=Path("benchmarks/results/aiger.jsonl"))
    args = parser.parse_args()
    known = {path: word for path, word in files_of(args.kind, args.every, args.first).items() if re.search(args.only, path)}
    args.output.parent.mkdir(parents=True, exist_ok=True)
    texts = args.output.read_text(encoding="utf-8").splitlines() if args.output.exists() else []
    lines = {(line.path, line.by): line for line in (Line(**json.loads(text)) for text in texts)}
    sides = Side(args.ours, lines), Side(args.theirs, lines)
    prepare()
    with args.output.open("a", encoding="utf-8") as stream:
        for limit in args.limit:
            for path, answer in known.items():
                sides[1].ask(path, limit, stream, useful(answer, args.theirs), args.abc)
                if not args.theirs or path in sides[1].decided([path]):
                    sides[0].ask(path, limit, stream, args.ours)
            for path in known:
                sides[0].ask(path, limit, stream, args.ours)
    table = summary(known, *sides)
    sys.stdout.write(table + "\n")
    return "WRONG" in table


if __name__ == "__main__":
    sys.exit(main())
