"""`python -m benchmarks.minimisers`: the minimisers compared, each model and algorithm in a process of its own, by CPU time.

Four tables. *Few classes*: models of a million states and more with at most a hundred classes. *Many classes*: signatures
against the best of Lee–Yannakakis, Bouajjani–Fernandez–Halbwachs and Paige–Tarjan. *Examples*: what comes with the package, by
its outputs or properties. *Sigref's models*, where they are present: signatures beside the CPU seconds of SigrefMC with one
worker. `reduce` as it is by default is compared with enumerating the states one by one and minimising the graph.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from msgspec import Struct

from benchmarks.generate import FAMILIES
from benchmarks.observed_models import few_classes
from benchmarks.tabulate import markdown

ROOT = Path(__file__).resolve().parents[1]
XLTS = ROOT.parent / "shared" / "benchmarks" / "lts" / "xlts"
SIGREF = {"kanban02": 0.7, "swp_2_2-b": 1.2, "brp_3_3_3-b": 3.8, "hesselink_2-b": 4.0}
"""CPU seconds of SigrefMC with one worker, where they are known."""
LARGEST_XLTS = "kanban03"
OTHERS = ("lee-yannakakis", "bouajjani-fernandez-halbwachs", "paige-tarjan")
MANY = (
    ("bakery", 4, "p0 = crit"), ("bakery", 5, "p0 = crit"), ("bakery", 6, "p0 = crit"),
    ("philosophers", 5, "p0 = eat"), ("philosophers", 6, "p0 = eat"), ("philosophers", 7, "p0 = eat"),
    ("mutex", 5, "p0 = c"), ("mutex", 6, "p0 = c"), ("mutex", 8, "p0 = c"),
)  # fmt: skip
EXAMPLES = ("*.smv", "*.prog", "*.lus")


class Outcome(Struct, frozen=True):
    """CPU seconds of a process, and what it printed; None if it was ended at the limit, or refused to begin."""

    seconds: float
    found: dict[str, object] | None
    refused: bool = False

    def __str__(self) -> str:
        if self.refused:
            return "–"
        return f"{self.seconds:.2f}" if self.found is not None else f"> {self.seconds:.0f}"


def run(code: str, *arguments: str, limit: float) -> Outcome:
    """A Python program in a process of its own, which prints a JSON object."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)

    def bound() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit), int(limit) + 2))

    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, preexec_fn=bound)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if done.returncode > 0 and "Unsupported" not in done.stderr and "InputError" not in done.stderr:
        raise AssertionError(done.stderr)
    return Outcome(seconds, json.loads(done.stdout) if done.returncode == 0 else None, done.returncode > 0)


REDUCE = """
import json, sys, coarsest
path, observe, algorithm = sys.argv[1:]
small = coarsest.load(path).reduce(observe=[observe] if observe else [], algorithm=algorithm, count=False, confirm=False)
print(json.dumps({"classes": small.states, "edges": small.transitions, "algorithm": small.algorithm}))
"""
ENUMERATE = """
import json, sys, coarsest
import numpy as np
from coarsest.lts.labelled import Graph
from coarsest.reduce.partition.observation import observe
from coarsest.reduce.partition.observed import Observed
from coarsest.lts.minimise.classes import bisimulation_classes
from coarsest.run import Run
from coarsest.space.explicit.enumerate import enumerate_machine
path, seen = sys.argv[1:]
model = coarsest.load(path)
observation = observe(model.machine, model.observed([seen] if seen else []))
space = enumerate_machine(observation.machine)
labels = np.zeros(space.graph.nodes, dtype=np.int64)
blocks = Observed.by(space, observation.sets(space, Run())).blocks
for number, block in enumerate(blocks):
    labels[block.mask] = number
edges = space.graph.sources, np.zeros(space.graph.edges, dtype=np.int32), space.graph.targets
graph = Graph.from_edges(space.graph.nodes, *edges, labels=labels, label_names=tuple(map(str, range(len(blocks)))))
found = bisimulation_classes(graph)
print(json.dumps({"states": graph.states, "classes": found.number, "edges": len(found.targets)}))
"""
REACH = """
import json, sys, coarsest
print(json.dumps({"states": coarsest.load(sys.argv[1]).reach().states}))
"""
SIGNATURES = """
import json, sys
from pathlib import Path
from benchmarks.xlts import XltsSpace
from coarsest.reduce.bisimulation.signatures_blom_orzan import minimise
from coarsest.run import Run
space = XltsSpace(Path(sys.argv[1]))
found = minimise(space.observed(), Run())
print(json.dumps({"states": space.count(space.states), "classes": len(found), "edges": len(found.edges)}))
"""


def main() -> int:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.minimisers", description="Compare the minimisers.")
    parser.add_argument("--limit", metavar="SECONDS", type=float, default=60.0, help="CPU time of one process (default: 60)")
    parser.add_argument("--sigref", metavar="FOLDER", type=Path, default=XLTS, help="where Sigref's models are")
    parser.add_argument("--only", choices=("few", "many", "examples", "sigref"), help="one of the tables")
    args = parser.parse_args()
    tables = {"few": few, "many": many, "examples": examples, "sigref": partial(sigref, args.sigref)}
    for name, make in tables.items():
        if args.only in (None, name):
            sys.stdout.write(f"{make(args.limit)}\n\n")
            sys.stdout.flush()
    return 0


def few(limit: float) -> str:
    """Models with few classes: directly, beside all others."""
    facts, times = ("model", "observed", "states", "classes"), ("reduce", "enumerate + minimise", "reduce/enumerate")
    columns = (*facts, "signatures", *OTHERS[:2], *times)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for model in few_classes():
            path = str(Path(folder) / f"{model.name}.smv")
            Path(path).write_text(model.text, encoding="utf-8")
            default = run(REDUCE, path, model.observed, "auto", limit=limit)
            others = [run(REDUCE, path, model.observed, name, limit=limit) for name in ("signatures", *OTHERS[:2])]
            by_hand = run(ENUMERATE, path, model.observed, limit=limit)
            classes = str((default.found or {}).get("classes", ""))
            times = map(str, (*others, default, by_hand))
            rows.append([model.name, model.observed, f"{model.states:.2g}", classes, *times, share(default, by_hand)])
    return markdown(columns, rows, left=2)


def many(limit: float) -> str:
    """Models with many classes: signatures against the others."""
    facts = ("model", "observed", "states", "classes")
    times = ("best/signatures", "reduce", "enumerate + minimise", "reduce/enumerate")
    columns = (*facts, "signatures", *OTHERS, *times)
    rows = []
    too_slow: set[tuple[str, str]] = set()
    with tempfile.TemporaryDirectory() as folder:
        for family, size, observed in MANY:
            path = str(Path(folder) / f"{family}{size}.smv")
            Path(path).write_text(FAMILIES[family](size).text([]), encoding="utf-8")
            reached = run(REACH, path, limit=limit)
            fast = run(REDUCE, path, observed, "signatures", limit=limit)
            others = []
            for name in OTHERS:  # what is too slow for a smaller model is not tried on a larger one
                if (family, name) not in too_slow:
                    others.append(run(REDUCE, path, observed, name, limit=limit))
                    too_slow |= {(family, name)} if others[-1].found is None else set()
                else:
                    others.append(Outcome(limit, None))
            default, by_hand = run(REDUCE, path, observed, "auto", limit=limit), run(ENUMERATE, path, observed, limit=limit)
            finished = [one.seconds for one in others if one.found is not None]
            ratio = f"{min(finished) / fast.seconds:.1f}" if finished else f"> {limit / fast.seconds:.1f}"
            states, classes = ((one.found or {}).get(key, "") for one, key in ((reached, "states"), (fast, "classes")))
            rows.append([
                f"{family}{size}", observed, str(states), str(classes), str(fast), *map(str, others), ratio, str(default),
                str(by_hand), share(default, by_hand),
            ])  # fmt: skip
    return markdown(columns, rows, left=2)


def share(direct: Outcome, by_hand: Outcome) -> str:
    """How long the default takes, enumerating being 1."""
    if direct.found is None or by_hand.refused:
        return ""
    if by_hand.found is not None and any(direct.found[key] != by_hand.found[key] for key in ("classes", "edges")):
        raise AssertionError(f"{direct.found} is not {by_hand.found}")
    return f"{'< ' if by_hand.found is None else ''}{direct.seconds / by_hand.seconds:.2f}"


def examples(limit: float) -> str:
    """What comes with the package, by its outputs or properties."""
    columns = ("model", "states", "classes", "reduce", "enumerate + minimise", "reduce/enumerate")
    rows = []
    for path in sorted(path for pattern in EXAMPLES for path in (ROOT / "examples").glob(pattern)):
        default, by_hand = run(REDUCE, str(path), "", "auto", limit=limit), run(ENUMERATE, str(path), "", limit=limit)
        facts = [str((one.found or {}).get(key, "")) for one, key in ((by_hand, "states"), (default, "classes"))]
        rows.append([path.name, *facts, str(default), str(by_hand), share(default, by_hand)])
    return markdown(columns, rows, left=1)


def sigref(folder: Path, limit: float) -> str:
    """The symbolic models that come with Sigref, by strong bisimulation."""
    columns = ("model", "states", "classes", "transitions", "signatures", "SigrefMC")
    rows = []
    paths = [*sorted(folder.glob("*-b.bdd")), *(path for path in sorted(folder.glob("*.xlts")) if path.stem <= LARGEST_XLTS)]
    for path in paths:
        found = run(SIGNATURES, str(path), limit=limit)
        facts = [str((found.found or {}).get(key, "")) for key in ("states", "classes", "edges")]
        rows.append([path.stem, *facts, str(found), str(SIGREF.get(path.stem, ""))])
    return markdown(columns, rows, left=1) if rows else "Sigref's models are not present."


if __name__ == "__main__":
    sys.exit(main())
