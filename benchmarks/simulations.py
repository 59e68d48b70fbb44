"""`python -m benchmarks.simulations`: simulation, branching bisimulation and comparisons of explicit graphs, as commands.

Every measurement is a process `coarsest reduce` or `coarsest compare`, from start to exit, on graphs of the VLTS suite where the
collection is present and on generated ones, with kernels that have been compiled before. Reductions are measured without the
confirmation of the result, as most of these graphs are too large for it to be done unasked; comparisons are always confirmed.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.execute import Limits, Measurement, measure, prepare
from benchmarks.graph_families import FAMILIES
from benchmarks.suite import Case
from coarsest.graph.labelled import Graph

RESULTS = Path(__file__).parent / "results"
COLLECTION = Path(__file__).parents[2] / "shared" / "benchmarks" / "lts"
VLTS = ("vasy_0_1", "cwi_1_2", "vasy_1_4", "vasy_5_9", "vasy_8_24", "vasy_8_38", "vasy_18_73", "vasy_25_25")
RELATIONS = ("bisimulation", "branching-bisimulation", "simulation", "ready-simulation", "language")
BRANCHING = ("branching-bisimulation", "branching-bisimulation-divergence")
TARGETS = {("vasy_18_73", "simulation"): 3.0, ("brothers", "simulation"): 60.0}
PATTERN, COPIES = 1000, 103
LARGE = 10**6
WARM_UP = 20_000


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
    _write(_family("random", WARM_UP), path)
    for by in ("simulation", *BRANCHING):
        measure(_reduction(path, by), Limits(seconds=600.0, repeat=1))
    for by in RELATIONS:
        measure(_comparison(path, path, by), Limits(seconds=600.0, repeat=1))


def _cases(folder: Path) -> Iterator[Case]:
    files = [path for name in VLTS if (path := COLLECTION / f"{name}.aut").exists()]
    brothers = folder / "brothers.aut"
    _write(brothers_of(PATTERN, COPIES), brothers)
    for path in [*files, brothers]:
        yield _reduction(path, "simulation")
    for by in BRANCHING:
        for path in files:
            yield _reduction(path, by)
    large = folder / "philo.aut"
    _write(_family("philo", LARGE), large)
    for path in [*(path for path in files if path.stem == "vasy_18_73"), large]:
        yield from _comparisons(path, folder)


def _reduction(path: Path, by: str) -> Case:
    arguments = ("reduce", "--by", by, "--no-confirm", "--json")
    return Case(model=path.stem, task=by, group="reduce", arguments=arguments, path=path, target=TARGETS.get((path.stem, by)))


def _comparisons(path: Path, folder: Path) -> Iterator[Case]:
    """With the quotient, which is related; and with a graph in which one of the last transitions has another action."""
    from coarsest.formats.graphs import read_graph
    from coarsest.graphs import minimise_by

    graph = read_graph(path)
    others = {"quotient": minimise_by("bisimulation", graph).graph, "changed": _changed(graph)}
    for name, other in others.items():
        file = folder / f"{path.stem}-{name}.aut"
        _write(other, file)
        for by in RELATIONS if graph.transitions < LARGE // 2 else RELATIONS[:2]:
            yield _comparison(path, file, by)


def _comparison(first: Path, second: Path, by: str) -> Case:
    arguments = ("compare", str(second), "--by", by, "--json")
    return Case(model=f"{first.stem}, {second.stem}", task=by, group="compare", arguments=arguments, path=first)


def _changed(graph: Graph) -> Graph:
    actions = graph.actions.copy()
    actions[-1] = (actions[-1] + 1) % len(graph.action_names)
    return Graph(graph.offsets, actions, graph.targets, graph.initial, graph.labels, graph.action_names, graph.label_names)


def brothers_of(pattern: int, copies: int) -> Graph:
    """Many states that are simulation equivalent and not bisimilar: copies of a random pattern, in which every copy has, beside
    each transition, perhaps one to a state that can do less (a little brother)."""
    from coarsest.graph.merge import merged
    from coarsest.reduce.graph_simulation.preorder_ranzato_tapparo import simulation_preorder
    from coarsest.run import Run

    random = np.random.default_rng(1)
    sources = np.repeat(np.arange(pattern), 2)
    targets = np.minimum(sources + random.integers(1, 40, len(sources)), pattern - 1)
    base = Graph.from_edges(pattern, sources, random.integers(0, 2, len(sources)), targets, action_names=("a", "b"))
    order = simulation_preorder(base, Run())
    base = merged(base, order.block)
    above = order.matrix()
    rows = base.sources, base.actions, base.targets
    parts = []
    for copy in range(copies):
        parts.append([rows[0] * copies + copy, rows[1], rows[2] * copies + random.integers(0, copies, base.transitions)])
        less = np.array([random.choice(np.flatnonzero(above[:, target])) for target in rows[2]])
        chosen = random.random(base.transitions) < 0.5
        head = less * copies + random.integers(0, copies, base.transitions)
        parts.append([column[chosen] for column in (rows[0] * copies + copy, rows[1], head)])
    columns = [np.concatenate(column) for column in zip(*parts)]
    everyone = np.arange(base.states * copies)
    first = np.full(len(everyone), len(everyone))  # has a step to every state, so that all of them count
    columns = [np.append(*pair) for pair in zip(columns, (first, np.full(len(everyone), 2), everyone))]
    return Graph.from_edges(len(everyone) + 1, *columns, initial=[len(everyone)], action_names=("a", "b", "go"))


def _family(name: str, size: int) -> Graph:
    edges = FAMILIES[name](size)
    return Graph.from_edges(edges.states, edges.sources, edges.actions, edges.targets, action_names=edges.names)


def _write(graph: Graph, path: Path) -> None:
    from coarsest.formats.graphs import write_graph

    write_graph(graph, path)


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
