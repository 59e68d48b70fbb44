"""`python -m benchmarks.graphs`: explicit graphs, from Aldébaran text to the quotient's text, by family and size.

Every measurement is a process of its own that first reduces a small graph, so that the kernels are loaded (and, the first time
ever, compiled); `start` is the CPU time until then. The rest is CPU time of all threads. With `--boa PROGRAM`, Boa reads and
refines the same file (it writes no quotient). With `--whole`, whole processes are measured: see `graph_processes`.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.graph_families import FAMILIES
from benchmarks.graph_processes import OURS, whole_rows, whole_table

RESULTS = Path(__file__).parent / "results"
SIZES = (10**4, 10**5, 10**6, 10**7)
WARM_UP = 30_000
STAGES = ("read", "refine", "quotient", "write")

BOA = {
    ("random", 10**6): 0.70, ("sparse", 10**6): 1.55, ("grid", 10**6): 0.39, ("chain", 10**6): 0.97, ("tree", 10**6): 0.26,
    ("product", 10**6): 0.62, ("philo", 10**6): 0.59, ("random", 10**7): 16.3, ("sparse", 10**7): 19.1, ("grid", 10**7): 4.6,
    ("chain", 10**7): 8.5, ("tree", 10**7): 3.3, ("product", 10**7): 7.6, ("philo", 10**7): 14.2,
}  # fmt: skip
"""CPU seconds of Boa, text to binary and refinement, on another machine with two cores, for graphs of the same families but not
the same files (the trees had far fewer classes). `--boa` measures it on ours."""


def main() -> int:
    """Measure what was asked for, print a table, and keep the unrounded values."""
    args = _parser().parse_args()
    if args.one:
        sys.stdout.write(json.dumps(_measure(Path(args.one), branching=args.branching)) + "\n")
        return 0
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"graphs-{time.strftime('%Y-%m-%d-%H%M%S')}.jsonl"
    rows = []
    with path.open("x", encoding="utf-8") as stream:
        for row in whole_rows(args, _generate) if args.whole else _rows(args):
            stream.write(json.dumps(row) + "\n")
            stream.flush()
            seconds = row["programs"][OURS]["cpu"] if args.whole else row["cpu"]
            sys.stderr.write(f"{row['family']} {row['size']:,}: {seconds:.3f} s\n")
            rows.append(row)
    sys.stdout.write(whole_table(rows) + "\n" if args.whole else _table(rows) + "\n\n" + _exponents(rows) + "\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.graphs", description="Measure the reduction of explicit graphs.")
    parser.add_argument("--family", nargs="+", choices=FAMILIES, default=list(FAMILIES), help="default: all")
    parser.add_argument("--size", nargs="+", type=lambda text: int(float(text)), default=list(SIZES), help="default: 1e4 to 1e7")
    parser.add_argument("--repeat", type=int, default=3, help="processes for each graph; the median counts (default: 3)")
    parser.add_argument("--branching", action="store_true", help="reduce by branching bisimulation")
    parser.add_argument("--boa", metavar="PROGRAM", help="measure Boa on the same files")
    parser.add_argument("--whole", action="store_true", help="whole processes from text to the quotient's file; the best counts")
    text = "with --whole, another program: {graph} and {small} stand for files (may be given again)"
    parser.add_argument("--peer", metavar="COMMAND", action="append", default=[], help=text)
    parser.add_argument("--one", metavar="FILE", help=argparse.SUPPRESS)
    return parser


def _rows(args: argparse.Namespace) -> Iterator[dict[str, Any]]:
    for family in args.family:
        for size in args.size:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / f"{family}.aut"
                _generate(family, size, path)
                command = [sys.executable, "-m", "benchmarks.graphs", "--one", str(path)]
                command += ["--branching"] if args.branching else []
                found = [json.loads(subprocess.run(command, check=True, capture_output=True).stdout) for _ in range(args.repeat)]
                found.sort(key=lambda one: one["cpu"])
                row = {"family": family, "size": size, **found[len(found) // 2]}
                if args.boa:
                    row["boa_here"] = statistics.median(_boa(args.boa, path) for _ in range(args.repeat))
                yield row


def _generate(family: str, size: int, path: Path) -> None:
    import numpy as np

    from coarsest.formats import write_graph
    from coarsest.lts.labelled import Graph, gathered

    edges = FAMILIES[family](size)
    columns = (np.asarray(column, dtype=np.int32) for column in (edges.sources, edges.actions, edges.targets))
    labels = np.zeros(edges.states, dtype=np.int32)
    write_graph(Graph(*gathered(edges.states, *columns), labels[:1], labels, edges.names), path)


def _measure(path: Path, *, branching: bool) -> dict[str, Any]:
    """In a process of its own: one reduction, after a small one."""
    from coarsest.formats import read_graph, write_graph
    from coarsest.lts.branching.branching_bisimulation import branching_classes
    from coarsest.lts.minimise.classes import bisimulation_classes
    from coarsest.lts.minimise.quotient import quotient
    from coarsest.run import Run

    clock = [time.process_time()]

    def stages(source: Path) -> dict[str, Any]:
        clock[:] = [time.process_time()]
        graph = read_graph(source)
        clock.append(time.process_time())
        whole, classes = graph, None
        if branching:
            collapsed, classes = branching_classes(graph, Run())
            whole = collapsed.graph
        classes = classes or bisimulation_classes(graph)
        clock.append(time.process_time())
        small, _ = quotient(whole, classes, keep_unreachable=True)
        clock.append(time.process_time())
        write_graph(small, source.with_suffix(".small.aut"))
        clock.append(time.process_time())
        return {"states": graph.states, "transitions": graph.transitions, "classes": small.states, "algorithm": classes.algorithm}

    warm = path.with_suffix(".warm.aut")
    _generate("taumix" if branching else "random", WARM_UP, warm)
    _ = stages(warm)
    start = clock[-1]
    wall = time.monotonic()
    facts = stages(path)
    spent = {stage: after - before for stage, before, after in zip(STAGES, clock, clock[1:])}
    cpu, wall = clock[-1] - clock[0], time.monotonic() - wall
    return {**facts, **spent, "cpu": cpu, "wall": wall, "start": start, "mebibytes": _peak_memory()}


def _peak_memory() -> float:
    """Of this process alone: what the system calls its maximum may be that of the process that started it."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
        return int(status.split("VmHWM:")[1].split()[0]) / 1024
    except (OSError, IndexError):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _boa(program: str, path: Path) -> float:
    """CPU seconds of reading and refining."""
    before = os.times()
    subprocess.run([program, "convert", path], check=True, capture_output=True)
    subprocess.run([program, "nlogn", path.with_suffix(".boa")], check=True, capture_output=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def _table(rows: list[dict[str, Any]]) -> str:
    head = ["family", "transitions", "classes", *STAGES, "CPU s", "Boa", "Boa here", "MiB"]
    lines = ["| " + " | ".join(head) + " |", "|---|" + "--:|" * (len(head) - 1)]
    for row in rows:
        peer = BOA.get((row["family"], row["size"]))
        cells = [row["family"], f"{row['transitions']:,}", f"{row['classes']:,}", *(f"{row[stage]:.3f}" for stage in STAGES)]
        cells += [f"**{row['cpu']:.2f}**", "" if peer is None else f"{peer:.2f}"]
        cells += [f"{row['boa_here']:.2f}" if "boa_here" in row else "", f"{row['mebibytes']:.0f}"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _exponents(rows: list[dict[str, Any]]) -> str:
    """How the time grows: the slope of a line through the logarithms, from 10^5 transitions on."""
    lines = []
    for family in dict.fromkeys(row["family"] for row in rows):
        points = [(math.log(row["transitions"]), math.log(row["cpu"])) for row in rows if row["family"] == family]
        points = [point for point in points if point[0] > math.log(5e4)]
        if len(points) > 1:
            lines.append(f"{family}: time grows as m^{statistics.linear_regression(*zip(*points)).slope:.2f}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
