"""`python -m benchmarks.modular_parts`: a design of independent parts, reduced one by one and at once, by the clock.

The design has N components that do not read each other: each counts, when it may, and shows when it is at zero, so that no two of
its states are equivalent, and it takes as many rounds as it has states to find that. Both ways take turns, each in a process of
its own; the median counts. Use a machine with as many free cores as there are processes.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from statistics import median

from benchmarks.tabulate import markdown

PROGRAM = """
import sys
from resource import RUSAGE_CHILDREN, getrusage
from time import monotonic, process_time
from benchmarks.modular_parts import design
import coarsest
from coarsest.logic.expr import Name
from coarsest.options.methods import BuildOptions
from coarsest.reduce.modular.algorithms import REDUCERS, atoms_of, parts_of
from coarsest.reduce.modular.at_once import at_once
from coarsest.reduce.modular.improved_bustan_grumberg import one_by_one
from coarsest.reduce.modular.view import machine_of
from coarsest.run import Run
from coarsest.space.bdd.build import build

parts, states, each = int(sys.argv[1]), int(sys.argv[2]), {"one by one": one_by_one, "at once": at_once}[sys.argv[3]]
run = Run()
machine = coarsest.loads(design(parts, states)).machine
space = build(machine, run, BuildOptions(relation="clustered", reorder=False))
labels = [space.set(space.encoder.constraint(Name(f"c{k}.zero"))) for k in range(parts)]
began, work = monotonic(), process_time()
whole = machine_of(space, labels, run)
atoms = atoms_of(space, whole)
small = REDUCERS["improved"](whole, atoms, parts_of(space, whole, atoms, "instances"), run, each)
beside = getrusage(RUSAGE_CHILDREN)
print(monotonic() - began, process_time() - work, beside.ru_utime + beside.ru_stime, small.machine.states)
"""


def design(parts: int, states: int) -> str:
    """So many counters of so many states each."""
    instances = "".join(f"  c{k} : counter(go{k});\n" for k in range(parts))
    inputs = "".join(f"  go{k} : boolean;\n" for k in range(parts))
    return f"""MODULE main
IVAR
{inputs}VAR
{instances}
MODULE counter(go)
VAR
  at : 0..{states - 1};
ASSIGN
  init(at) := 0;
  next(at) := go ? (at + 1) mod {states} : at;
DEFINE
  zero := at = 0;
"""


def seconds(parts: int, states: int, way: str) -> list[float]:
    """By the clock, of CPU time, and of CPU time in other processes; without the start of the process."""
    command = [sys.executable, "-c", PROGRAM, str(parts), str(states), way]
    *taken, classes = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    if int(classes) != states**parts:
        raise SystemExit(f"WRONG: {classes} states of {parts} parts of {states}, {way}")
    return list(map(float, taken))


def main() -> int:
    """Print a table with a row for each number of parts."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.modular_parts", description="Reduce independent parts.")
    parser.add_argument("--parts", metavar="N", type=int, nargs="+", default=[2, 4, 8])
    parser.add_argument("--states", metavar="N", type=int, default=2048, help="of each part (default: 2048)")
    parser.add_argument("--repeat", metavar="N", type=int, default=3)
    args = parser.parse_args()
    rows = []
    for parts in args.parts:
        taken: dict[str, list[list[float]]] = {"one by one": [], "at once": []}
        for _ in range(args.repeat):
            for way, times in taken.items():
                times.append(seconds(parts, args.states, way))
        for way, times in taken.items():
            rows.append([f"{parts} of {args.states} states, {way}", *(f"{median(one):.2f}" for one in zip(*times, strict=True))])
    sys.stdout.write(markdown(("parts", "by the clock", "CPU here", "CPU beside"), rows, left=1))
    sys.stdout.write(f"\n{os.cpu_count()} cores\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
