"""`python -m benchmarks.preimages`: preimages by each method on circuits, and by the choice between them.

The numbers in `space/bdd/relation/choice.py` were chosen looking at the circuits of the first group, and before anybody looked at
the second. From each of some sets of states (properties, outputs and latches of the circuit) a search goes backwards, a number of
rings at most. Measured is the CPU time from the encoded step to the last set, the relation built on the way: the least of up to
twenty times, until half a second is spent.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
from collections.abc import Iterator, Mapping

from benchmarks.reference import COLLECTION
from benchmarks.tabulate import markdown

FIXED = ("monolithic", "clustered", "functions")
HWMCC = "aiger/hwmcc08"
FITTED = (
    *(f"circuits/bench/s{n}.bench" for n in ("400", "444", "641", "713", "820", "832", "953", "1488", "1494")),
    *(f"circuits/blif/{name}.blif" for name in ("mult16a", "mult16b", "s526", "sbc")),
    *(f"{HWMCC}/{name}.aig" for name in ("bj08vendingcycle", "pdtvisheap03", "pdtvisminmax0", "pdtvishuffman0", "pdtvistimeout1",
                                         "pdtvisvending00", "pdtvisgigamax0", "kenflashp02", "pdtvismiim0", "kenoopp1",
                                         "eijkS1238", "visemodel", "pdtvisbufferalloc", "ringp0", "pdtvispeterson", "counterp0",
                                         "shortp0", "mutexp0neg", "cmugigamax", "pdtvisgigamax2")),
)  # fmt: skip
TESTED = (
    *(f"circuits/bench/s{n}.bench" for n in ("208", "298", "344", "382", "386", "420.1", "510", "838.1", "1196")),
    "circuits/blif/mm4a.blif",
    *(f"{HWMCC}/{name}.aig" for name in ("pdtvisgray0", "nusmvsyncarb5p2", "neclaftp5001", "bj08aut1", "pdtpmsarbiter",
                                         "vis4arbitp1", "srg5ptimo", "pdtvistwo0", "texasifetch1p1", "texastwoprocp1",
                                         "prodconspold1", "pdtvistictactoe00", "abp4pold", "viselevatorp1", "brpptimo", "dme3p1",
                                         "nusmvreactorp1", "pdtpmss1269b", "bj08amba2g1")),
)  # fmt: skip
"""One of each further family, taken before any of them was measured."""
LONG_ENOUGH = 0.01
"""Seconds of the best method below which circuits are not compared one by one: a command takes ten times as long to start."""

PROGRAM = """
import json, sys, time
import coarsest
from coarsest.logic.expr import Apply, Name
from coarsest.options.methods import BuildOptions
from coarsest.run import Limits, Run
from coarsest.search.reachability import BreadthFirst
from coarsest.space.bdd.build import build, choose_image_method

path, method, rings, targets = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
model = coarsest.load(path, format="blif:zero" if path.endswith("blif") else None)
machine = model.machine


def measure():
    run = Run(Limits(mebibytes=2000))
    space = build(machine, run, BuildOptions(relation="functions", reorder=False))
    goals = [Apply("not", (claim.formula,)) for claim in model.properties if claim.kind.value == "invariant"][:targets]
    goals += [Name(name) for name in [*machine.outputs][:targets]]
    latches = [variable.name for variable in machine.state_variables]
    goals += [Name(name) for name in latches[:: max(1, len(latches) // targets)][:targets]]
    starts = [space.initial, *(space.forget(space.where(goal), machine.input_variables) for goal in goals)]
    began = time.thread_time()
    space.relation = choose_image_method(space.step, method, run)
    states, preimages = 0, 0
    for start in starts:
        search = BreadthFirst(space, start, backwards=True)
        while not search.complete and len(search.rings) < rings:
            search.advance(run)
            preimages += 1
        states += space.count(search.reached)
    return time.thread_time() - began, preimages, states


best, spent = measure(), 0.0
for _ in range(19):
    spent += best[0]
    if spent > 0.5:
        break
    best = min(best, measure())
print(json.dumps(best))
"""


def outcome(path: str, method: str, args: argparse.Namespace) -> tuple[float, int, int] | None:
    """Seconds, preimages and states; None beyond the limit."""
    command = [sys.executable, "-c", PROGRAM, str(COLLECTION / path), method, str(args.rings), str(args.targets)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=args.limit)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode != 0:
        sys.stderr.write(f"{path} {method}\n{done.stderr[-400:]}\n")
        return None
    seconds, preimages, states = json.loads(done.stdout)
    return seconds, preimages, states


def rows(paths: tuple[str, ...], args: argparse.Namespace) -> Iterator[tuple[str, Mapping[str, float]]]:
    """The seconds of each circuit that some method decides, the limit for those that do not."""
    for path in paths:
        outcomes = {method: outcome(path, method, args) for method in (*FIXED, "auto")}
        answers = {measured[1:] for measured in outcomes.values() if measured is not None}
        if len(answers) > 1:
            raise SystemExit(f"WRONG {path}: {outcomes}")
        if answers:
            yield path, {method: args.limit if one is None else one[0] for method, one in outcomes.items()}
            sys.stderr.write(f"{path} {outcomes}\n")


def mean(ratios: list[float]) -> float:
    """The geometric one."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else 1.0


def main() -> int:
    """Print a table for each group, and what the choice comes to."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.preimages", description="Compare preimages on circuits.")
    parser.add_argument("--limit", metavar="SECONDS", type=float, default=20.0, help="for one circuit and method (default: 20)")
    parser.add_argument("--rings", metavar="N", type=int, default=25, help="preimages of each set at most (default: 25)")
    parser.add_argument("--targets", metavar="N", type=int, default=6, help="sets of each kind (default: 6)")
    parser.add_argument("--only", choices=("fitted", "tested"), nargs="+", default=("fitted", "tested"))
    args = parser.parse_args()
    for group, paths in {"fitted": FITTED, "tested": TESTED}.items():
        if group not in args.only:
            continue
        measured = dict(rows(paths, args))
        worst = {path: seconds["auto"] / min(seconds[m] for m in FIXED) for path, seconds in measured.items()}
        lines = [[path.rpartition("/")[2], *(_told(seconds[m], args.limit) for m in (*FIXED, "auto")), f"{worst[path]:.2f}"]
                 for path, seconds in measured.items()]  # fmt: skip
        means = [f"{mean([one[m] / min(one[f] for f in FIXED) for one in measured.values()]):.2f}" for m in (*FIXED, "auto")]
        lines.append(["geometric mean, by the best", *means, ""])
        sys.stdout.write(f"{group}\n\n{markdown(('circuit', *FIXED, 'auto', 'auto by best'), lines, left=1)}\n")
        long = {path: worst[path] for path, one in measured.items() if min(one[m] for m in FIXED) >= LONG_ENOUGH}
        if long:
            path = max(long, key=lambda one: long[one])
            sys.stdout.write(f"\nworst of the {len(long)} that take {LONG_ENOUGH:g} s: {path}, {long[path]:.2f}\n\n")
    return 0


def _told(seconds: float, limit: float) -> str:
    return f"> {limit:g}" if seconds >= limit else f"{seconds:.4f}"


if __name__ == "__main__":
    sys.exit(main())
