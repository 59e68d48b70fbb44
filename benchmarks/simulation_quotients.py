"""`python -m benchmarks.simulation_quotients`: models by simulation, each by each algorithm in a process of its own, by CPU time.

Models of a million states and more, of which an observer sees little; and the structure M_5 of Bustan's thesis. A cell is the CPU
seconds of the process and the most BDD nodes that it held. The classes and what is left of them are those of the default, and all
algorithms that end must find the same.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks.minimisers import Outcome, run
from benchmarks.observed_models import ObservedModel, few_classes, machines, parity, pipeline, queue
from benchmarks.tabulate import markdown
from coarsest.experiments.bustan_models import family, states_of

WAYS = ("splitters", "partition", "reach-then-refine", "bisimulation-first", "relation")
REDUCE = """
import json, sys, coarsest
path, observe, by, algorithm = sys.argv[1:]
small = coarsest.load(path).reduce(observe=[observe], by=by, algorithm=algorithm, count=False, confirm=False)
classes = len(small.reduction.ordered) if by == "simulation" else small.states
print(json.dumps({"classes": classes, "left": small.states, "edges": small.transitions, "nodes": small.statistics["peak_nodes"]}))
"""


def models() -> list[ObservedModel]:
    """The smaller ones are there so that every algorithm ends on something."""
    return [
        *few_classes(),
        ObservedModel("queue3x4", queue(3, 4), "words > 0 & slot0 = 0ud4_7", 4369),
        ObservedModel("pipeline3x4", pipeline(3, 4), "valid2 & data2 = 0ud4_7", 9265),
        ObservedModel("parity64", parity(64), "odd", 2.0**64),
        ObservedModel("machines64", machines(64), "broken", 2.0**64),
        ObservedModel("M_4", family(4), "a", states_of(4)),
        ObservedModel("M_5", family(5), "a", float(states_of(5))),
    ]


def cell(outcome: Outcome) -> str:
    """Seconds, and nodes in thousands."""
    if outcome.found is None:
        return str(outcome)
    return f"{outcome.seconds:.2f} ({int(str(outcome.found['nodes'])) / 1000:.0f}k)"


def table(limit: float, only: str) -> str:
    """A row for each model."""
    columns = ("model", "states", "by bisimulation", "classes", "left", "auto", *WAYS)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for model in models():
            if only not in model.name:
                continue
            path = str(Path(folder) / f"{model.name}.smv")
            Path(path).write_text(model.text, encoding="utf-8")
            fine = run(REDUCE, path, model.observed, "bisimulation", "auto", limit=limit)
            default, *others = (run(REDUCE, path, model.observed, "simulation", way, limit=limit) for way in ("auto", *WAYS))
            left = {(one.found["left"], one.found["edges"]) for one in (default, *others) if one.found is not None}
            if len(left) > 1:
                raise AssertionError(f"{model.name}: {left}")
            facts = [str((one.found or {}).get(key, f"> {limit:.0f} s")) for one, key in
                     ((fine, "classes"), (default, "classes"), (default, "left"))]  # fmt: skip
            rows.append([model.name, f"{model.states:.2g}", *facts, *map(cell, (default, *others))])
            sys.stderr.write(f"{' | '.join(rows[-1])}\n")
    return markdown(columns, rows, left=1)


def main() -> int:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.simulation_quotients", description="Models by simulation.")
    parser.add_argument("--limit", metavar="SECONDS", type=float, default=60.0, help="CPU time of one process (default: 60)")
    parser.add_argument("--only", metavar="WORD", default="", help="models with this in their name")
    args = parser.parse_args()
    sys.stdout.write(f"{table(args.limit, args.only)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
