"""`python -m benchmarks.simulations`: simulation, branching bisimulation and comparisons of explicit graphs, as commands.

Every measurement is a process `coarsest reduce` or `coarsest compare`, from start to exit, on graphs of the VLTS suite where the
collection is present and on generated ones, with kernels that have been compiled before. Reductions are measured without the
confirmation of the result, as most of these graphs are too large for it to be done unasked; comparisons are always confirmed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.execute import Limits, Measurement, measure, prepare
from benchmarks.suite import Case

RESULTS = Path(__file__).parent / "results"
COLLECTION = Path(__file__).parents[2] / "shared" / "benchmarks" / "lts"
VLTS = ("vasy_0_1", "cwi_1_2", "vasy_1_4", "vasy_5_9", "vasy_8_24", "vasy_8_38", "vasy_18_73", "vasy_25_25")
RELATIONS = ("bisimulation", "branching-bisimulation", "simulation", "ready-simulation", "traces")
BRANCHING = ("branching-bisimulation", "branching-bisimulation-divergence")
TARGETS = {("vasy_18_73", "simulation"): 3.0, ("brothers", "simulation"): 60.0, ("scattered", "simulation"): 20.0}


def main() -> int:
    """Measure what was asked for, print a table, and keep the unrounded values."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.simulations", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", default="", metavar="WORDS", help="cases whose name contains this")
    parser.add_argument("--repeat", type=int, default=3, help="processes for each case at most; the median counts (default: 3)")
    parser.add_argument("--seconds", type=float, default=120.0, help="CPU seconds for one process (default: 120)")
    args = parser.parse_args()
    RESULTS.mkdir(exist_ok=True)
    prepare()
    limits = Limits(seconds=args.seconds, mebibytes=12_000, repeat=args.repeat)
    found = []
    path = RESULTS / f"simulations-{time.strftime('%Y-%m-%d-%H%M%S')}.jsonl"
    with tempfile.TemporaryDirectory() as folder, path.open("x", encoding="utf-8") as stream:
        _warm_up(Path(folder))
        for case in _cases(Path(folder)):
            if args.only in f"{case.group} {case.model} {case.task}":
                found.append(measure(case, limits))
                stream.write(json.dumps(_row(found[-1])) + "\n")
                stream.flush()
                sys.stderr.write(f"{case.group} {case.model} {case.task}: {found[-1].cpu:.2f} s\n")
    sys.stdout.write(_table(found) + "\n")
    return 0


def _warm_up(folder: Path) -> None:
    """Have the kernels compiled."""
    path = folder / "warm.aut"
    _make("warm", path)
    for by in ("simulation", *BRANCHING):
        measure(_reduction(path, by), Limits(seconds=600.0, repeat=1))
    for by in RELATIONS:
        measure(_comparison(path, path, by), Limits(seconds=600.0, repeat=1))


def _cases(folder: Path) -> Iterator[Case]:
    files = [path for name in VLTS if (path := COLLECTION / f"{name}.aut").exists()]
    brothers = _make("brothers", folder / "brothers.aut")
    for path in [*files, brothers, _make("scattered", folder / "scattered.aut")]:
        yield _reduction(path, "simulation")
    for by in BRANCHING:
        for path in files:
            yield _reduction(path, by)
    large = _make("philo", folder / "philo.aut")
    for path in [*(path for path in files if path.stem == "vasy_18_73"), large]:
        yield from _comparisons(path, folder)


def _reduction(path: Path, by: str) -> Case:
    arguments = ("reduce", "--by", by, "--no-confirm", "--json")
    return Case(model=path.stem, task=by, group="reduce", arguments=arguments, path=path, target=TARGETS.get((path.stem, by)))


def _comparisons(path: Path, folder: Path) -> Iterator[Case]:
    """With the quotient, which is related; and with a graph in which the last transition has another action."""
    for name in ("quotient", "changed"):
        other = _make(name, folder / f"{path.stem}-{name}.aut", path)
        for by in RELATIONS if path.stem in VLTS else RELATIONS[:2]:
            yield _comparison(path, other, by)


def _comparison(first: Path, second: Path, by: str) -> Case:
    arguments = ("compare", str(second), "--by", by, "--json")
    return Case(model=f"{first.stem}, {second.stem}", task=by, group="compare", arguments=arguments, path=first)


def _make(name: str, path: Path, source: Path | None = None) -> Path:
    """A graph, written by a process of its own: what it needs of memory is not counted for those that follow."""
    arguments = [name, str(path), *([] if source is None else [str(source)])]
    subprocess.run([sys.executable, "-m", "benchmarks.related_graphs", *arguments], check=True)
    return path


def _row(found: Measurement) -> dict[str, Any]:
    case = found.case
    samples = [{"ended": one.ended, "cpu": one.cpu, "wall": one.wall, "mebibytes": one.mebibytes} for one in found.samples]
    return {"group": case.group, "model": case.model, "task": case.task, "findings": dict(found.findings), "samples": samples}


def _table(found: list[Measurement]) -> str:
    lines = ["| | graph | relation | found | CPU s | target | MiB |", "|---|---|---|---|--:|--:|--:|"]
    for one in found:
        case = one.case
        target = "" if case.target is None else f"{case.target:g}"
        cells = [case.group, case.model, case.task, _said(one), f"{one.cpu:.2f}", target, f"{one.mebibytes:.0f}"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _said(found: Measurement) -> str:
    if found.ended != "complete":
        return found.ended
    facts = found.findings
    if found.case.group == "reduce":
        return f"{facts['states']['before']:,} -> {facts['states']['after']:,} states"
    return "related" if facts["related"] else f"not related, depth {facts['depth']}"


if __name__ == "__main__":
    sys.exit(main())
