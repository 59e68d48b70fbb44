"""`python -m benchmarks.preimages`: preimages by each method on circuits, and by the choice between them.

The groups are those with which earlier rules were made and tested; the rule of `space/bdd/relation/choice.py` was made with half
of the circuits of each group. From some sets of states
(properties, outputs and latches of the circuit) a search goes backwards, a number of rings at most. Measured is the CPU time
from the encoded step to the last set, the relation built on the way. All methods take turns in one process, each until it has
taken 50 ms, three times at least if it takes less than a second; the median counts.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median

from benchmarks.reference import COLLECTION
from benchmarks.tabulate import markdown

FIXED = ("monolithic", "clustered", "functions")
METHODS = (*FIXED, "auto")
HWMCC = "aiger/hwmcc08"
FITTED = (
    *(f"circuits/bench/s{n}.bench" for n in ("208", "298", "344", "382", "386", "400", "420.1", "444", "510", "641", "713", "820",
                                             "832", "838.1", "953", "1196", "1488", "1494")),
    *(f"circuits/blif/{name}.blif" for name in ("mm4a", "mult16a", "mult16b", "s526", "sbc")),
    *(f"{HWMCC}/{name}.aig" for name in ("bj08vendingcycle", "pdtvisheap03", "pdtvisminmax0", "pdtvishuffman0", "pdtvistimeout1",
                                         "pdtvisvending00", "pdtvisgigamax0", "kenflashp02", "pdtvismiim0", "kenoopp1",
                                         "eijkS1238", "visemodel", "pdtvisbufferalloc", "ringp0", "pdtvispeterson", "counterp0",
                                         "shortp0", "mutexp0neg", "cmugigamax", "pdtvisgigamax2", "pdtvisgray0",
                                         "nusmvsyncarb5p2", "neclaftp5001", "bj08aut1", "vis4arbitp1", "pdtvistwo0",
                                         "texasifetch1p1", "viselevatorp1")),
)  # fmt: skip
"""Those of the first choice of numbers."""
LOOKED_AT = (
    "circuits/bench/s349.bench",
    *(f"circuits/blif/{name}.blif" for name in ("mm9b", "mult32a", "mult32b")),
    *(f"{HWMCC}/{name}.aig" for name in ("bjrb07amba2andenv", "eijkS208", "pdtvisbakery3", "pdtviscoherence1", "pdtviseisenberg0",
                                         "pdtvisrethersqo1", "pdtvistwoall0", "viscoherencep1")),
    *(f"aiger/hwmcc11-live/{name}.aig" for name in ("cuabq2mf", "cucnt10", "cujc12", "culock")),
    "aiger/hwmcc11-single/pdtpmsudc8.aig",
    "circuits/bench/s1423.bench",
    *(f"{HWMCC}/{name}.aig" for name in ("neclabakery001", "nusmvguidancep1", "pdtpmscoherence", "pdtpmsretherrtf", "pdtvisbpb0",
                                         "pdtvisns2p0", "prodconsp0", "visprodcellp01")),
    "aiger/hwmcc11-single/pdtswvibs8x8p0.aig",
)  # fmt: skip
"""Those that the first numbers were tested with. What was lost there was looked at, and the numbers chosen anew."""
TESTED = (
    *(f"{HWMCC}/{name}.aig" for name in ("pdtvistictactoe00", "srg5ptimo", "texastwoprocp1", "pdtpmsarbiter", "pdtvisminmaxr0",
                                         "pdtvisretherrtf1", "bj08amba2g1", "nusmvsyncarb10p2", "eijkS298", "eijkS386",
                                         "eijkS420", "eijkS820", "kenflashp12", "abp4p2ff", "kenoopp2",
                                         "pdtpmsbufferalloc", "pdtpmsheap", "pdtpmstimeout")),
    *(f"aiger/hwmcc11-live/{name}.aig" for name in ("cucnt12", "lmcs06counter0", "lmcs06mutex0", "lmcs06ring0", "lmcs06short1")),
    *(f"aiger/hwmcc11-single/{name}.aig" for name in ("6s3", "pdtswvqis10x6p0", "pdtswvroz10x6p1")),
)  # fmt: skip
"""One of each family of at most 100 latches that is in neither, and some other circuits of theirs; listed before any of them was
measured."""
LAST = tuple(f"{HWMCC}/{name}.aig" for name in ("eijkS349", "bj08amba3g1", "kenflashp13", "eijkS382", "eijkS444", "pdtvistwo1",
                                                "pdtvisminmaxr1", "pdtvisretherrtf2", "eijkS526", "bj08vsar6", "nusmvreactorp1",
                                                "neclaftp5002", "viselevatorp2", "kenflashp03"))  # fmt: skip
"""Measured when nothing was changed any more."""
HELD_OUT = (
    *(f"{HWMCC}/{name}.aig" for name in (
        "bj08amba2g3f1", "bj08amba2g82", "eijkS208c", "kenflashp01", "kenflashp14", "nusmvguidancep2", "nusmvguidancep9",
        "pdtviscoherence4", "pdtviscoherence5", "pdtvisgigamax1", "pdtvisgigamax4", "pdtvisheap04", "pdtvisheap12",
        "pdtvishuffman1", "pdtvishuffman6", "pdtvismiim2", "pdtvismiim6", "pdtvisminmax2", "pdtvisminmaxr3",
        "pdtvistictactoe01", "pdtvistictactoe12", "pdtvistimeout2", "pdtvistimeout3", "pdtvisvending01", "pdtvisvending09",
        "texasifetch1p4", "texasifetch1p8", "viscoherencep2", "viscoherencep5", "viselevatorp3", "visprodcellp03",
        "visprodcellp22")),
    *(f"vis/{name}.v" for name in (
        "Bpb/bpbs", "Cube/cube", "Cube/cubeAbs", "Elevator/elevator1-4", "Elevator/ely1-3", "FPMult/FPMultFixed",
        "FPMult/FPMultLTL1", "FourByFour/luckySeven", "FourByFour/two", "HourGlass/ghg", "MinMax/minMaxR",
        "NullModem/nullModem", "NullModem/nullModemLTL1", "Philo/nosel", "Soap/shampoo", "Soap/soap", "Swap/swap",
        "SyncArb/syncarb", "TreeArb/4-arbit", "Unidec/unidec", "UsbPhy/usb_rx_phy", "Vending/vending", "VsaR/vsaR")),
    "aiger/hwmcc11-single/pdtswvroz8x8p1.aig", "aiger/lmcs2006-aiger19/srg5/srg5.aig", "blif-mv/mchyper/good_bakery.atom.aag",
    "blif-mv/mchyper/good_bakery.plain2.aag", "blif-mv/mchyper/huff.aag",
)  # fmt: skip
"""Of all circuits of the collection that are in no other group and that clusters are through with in 5 ms to 3 s, the first and
the last of each family. Listed by that one method before the numbers were chosen for the last time."""
LISTED_BY_HASH = (
    *(f"{HWMCC}/{name}.aig" for name in (
        "bj08amba2g3f2", "bjrb07amba3andenv", "eijkS1423", "kenflashp04", "nusmvguidancep5", "nusmvreactorp3", "pdtpmsgigamax",
        "pdtpmss1269b", "pdtvisfifos", "pdtvisheap08", "pdtvismiim5", "pdtvisns3p11", "pdtvisrethersqo2", "pdtvistictactoe06",
        "pdtvistwoall2", "pdtvisvending08", "pdtvisvsar27", "srg5ptimonegnv", "texastwoprocp5")),
    *(f"vis/{name}.v" for name in (
        "Abp/abp", "Am2901/am2901", "Amp/amp", "CRC/vcrc32_8", "Coherence/coherence", "Cups/cups", "DAIO/daio_receiver",
        "Dcnew/dcnew", "Ethernet/ethernet.define.112", "FIFOs/FIFOs", "FPMult/FPMult", "FourByFour/luckySevenONE",
        "Gigamax/gigamax", "Hanoi/newHanoi", "Param/Arbiter/arbiter3", "Param/Bakery/bakery9", "Param/Drop/drop8",
        "Param/Elevator/elevator1-3", "Param/Hrglass/hrglass10", "Param/Lock/lock6", "Param/MinMax/minMax16",
        "Param/Philo/philo64", "Param/Vending/vending5", "Pong/ball", "ReqAck/reqAck", "Silver-mau/controlvis", "Slider/slider",
        "Soap/soapLTL4", "Sppinterf/sppinterf", "TicTacToe/ticTacToe", "Torch/cp0/cp0control", "Torch/decexec/BdecSE1",
        "Torch/extint/extIntControl", "Torch/regfile/ABypassCtrl", "TreeArb/simple8", "Unidec/ex2")),
    "aiger/hwmcc11-live/lmcs06counter1.aig", "aiger/hwmcc11-single/bob9234spec5neg.aig",
    "aiger/hwmcc11-single/pdtvsarmultip26.aig", "aiger/lmcs2006-aiger19/brp/brp.aig",
    "aiger/lmcs2006-aiger19/counter/counter.aig", "blif-mv/mchyper/good_bakery.atom.nondet.aag", "blif-mv/mchyper/huff.v",
    "blif-mv/mvsis/cod.mv", "circuits/blif/s382.blif",
)  # fmt: skip
"""Of all circuits of the collection that are in no other group: one of each family, the first by the SHA-256 of its path that is
encoded in 25 s and has 10 to 200 state bits; of the families the first ones by that. Listed before anything else was measured of
them."""
GROUPS = {"fitted": FITTED, "looked at": LOOKED_AT, "tested": TESTED, "last": LAST, "held out": HELD_OUT,
          "by hash": LISTED_BY_HASH}  # fmt: skip
FLOOR, BOUND = 0.005, 1.3
"""Seconds that do not matter: a command takes twenty times as long to start. The choice should not take more than so many times
what the best method takes."""
START = 0.1
"""Seconds that a command takes to start."""
WALL_SECONDS = 90
"""A circuit that is not through by then, most of the time because it takes so long to be encoded, has no turn."""

PROGRAM = """
import json, signal, sys, time
from contextlib import suppress
import coarsest
from coarsest.errors import TypeProblem
from coarsest.logic.expr import Apply, Name
from coarsest.options.methods import BuildOptions
from coarsest.run import Limits, Run
from coarsest.search.reachability import BreadthFirst
from coarsest.space.bdd.build import build, choose_image_method

path, limit, rings, targets, methods = sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), sys.argv[5:]
model = coarsest.load(path, format="blif:zero" if path.endswith("blif") else None)
machine = model.machine


def measure(method):
    run = Run(Limits(mebibytes=2000))
    space = build(machine, run, BuildOptions(relation="functions", reorder=False))
    goals = [Apply("not", (claim.formula,)) for claim in model.properties if claim.kind.value == "invariant"][:targets]
    goals += [Name(name) for name in [*machine.outputs][:targets]]
    starts = [space.initial]
    for goal in goals:
        with suppress(TypeProblem):  # an output of more than one bit
            starts.append(space.forget(space.where(goal), machine.input_variables))
    latches = [variable.name for variable in machine.state_variables]
    for latch in latches[:: max(1, len(latches) // targets)][:targets]:
        starts.append(space.set(space.manager.var(space.layout.slots[latch].now[0])))
    signal.setitimer(signal.ITIMER_REAL, limit)  # the end of this process, wherever it is; timers of CPU time make clocks slow
    began = time.process_time()
    space.relation = choose_image_method(space.step, method, run)
    states, preimages = 0, 0
    for start in starts:
        search = BreadthFirst(space, start, backwards=True)
        while not search.complete and len(search.rings) < rings:
            search.advance(run)
            preimages += 1
        states += space.count(search.reached)
    seconds = time.process_time() - began
    signal.setitimer(signal.ITIMER_REAL, 0)
    return seconds, preimages, states


taken = {method: [] for method in methods}
while methods:
    for method in list(methods):
        print(json.dumps([method]), flush=True)
        seconds, *answer = measure(method)
        print(json.dumps([method, seconds, *answer]), flush=True)
        taken[method].append(seconds)
        if sum(taken[method]) >= (0.05 if len(taken[method]) >= 3 else 1.0):
            methods.remove(method)
"""


def outcomes(path: str, args: argparse.Namespace) -> dict[str, float]:
    """The seconds of each method, the limit for those that take more; nothing if no method is through."""
    seconds: dict[str, list[float]] = {method: [] for method in METHODS}
    answers: dict[str, list[int]] = {}
    left = list(METHODS)
    while left:
        numbers = [f"{args.limit}", f"{args.rings}", f"{args.targets}"]
        command = [sys.executable, "-c", PROGRAM, str(COLLECTION / path), *numbers, *left]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=WALL_SECONDS)
        except subprocess.TimeoutExpired:
            sys.stderr.write(f"{path}: no turn\n")
            return {}
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        for method, taken, *answer in (line for line in lines if len(line) > 1):
            seconds[method].append(taken)
            answers[method] = answer
        if done.returncode == 0:
            break
        if not lines:
            sys.stderr.write(f"{path}\n{done.stderr[-300:]}\n")
            return {}
        over = lines[-1][0]
        left = [method for method in left if method != over and not (seconds[method] and sum(seconds[method]) >= 1.0)]
        seconds[over] = [args.limit]
    if len({tuple(answer) for answer in answers.values()}) > 1:
        raise SystemExit(f"WRONG {path}: {answers}")
    return {method: median(seconds[method]) for method in METHODS} if answers else {}


def rows(paths: tuple[str, ...], args: argparse.Namespace) -> Iterator[tuple[str, Mapping[str, float]]]:
    """Of each circuit that some method is through with; what is in the file is not measured again."""
    file = Path(args.output) if args.output else None
    earlier = dict(map(json.loads, file.read_text().splitlines())) if file is not None and file.exists() else {}
    for path in paths:
        if path not in earlier:
            earlier[path] = outcomes(path, args)
            sys.stderr.write(f"{path} {earlier[path]}\n")
            if file is not None:
                with file.open("a") as stream:
                    stream.write(json.dumps([path, earlier[path]]) + "\n")
        if earlier[path] and min(earlier[path].values()) < args.limit:
            yield path, earlier[path]


def mean(ratios: list[float]) -> float:
    """The geometric one."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else 1.0


def main() -> int:
    """Print a table for each group, and what the choice comes to."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.preimages", description="Compare preimages on circuits.")
    parser.add_argument("--limit", metavar="SECONDS", type=float, default=20.0, help="for one circuit and method (default: 20)")
    parser.add_argument("--rings", metavar="N", type=int, default=25, help="preimages of each set at most (default: 25)")
    parser.add_argument("--targets", metavar="N", type=int, default=6, help="sets of each kind (default: 6)")
    parser.add_argument("--only", choices=GROUPS, nargs="+", default=GROUPS)
    parser.add_argument("-o", "--output", metavar="FILE.jsonl", help="keep what was measured there, and go on from there")
    args = parser.parse_args()
    for group, paths in GROUPS.items():
        if group in args.only:
            sys.stdout.write(f"{group}\n\n{_table(dict(rows(paths, args)), args.limit)}\n")
    return 0


def _table(measured: Mapping[str, Mapping[str, float]], limit: float) -> str:
    best = {path: min(seconds[m] for m in FIXED) for path, seconds in measured.items()}
    lines = [[path.rpartition("/")[2], *(_told(seconds[m], limit) for m in METHODS), f"{seconds['auto'] / best[path]:.2f}"]
             for path, seconds in measured.items()]  # fmt: skip
    for more in (0.0, FLOOR, START):
        by_best = {m: [(one[m] + more) / (best[path] + more) for path, one in measured.items()] for m in METHODS}
        within = sum(ratio <= BOUND for ratio in by_best["auto"])
        told = f"{max(by_best['auto'], default=1.0):.2f} at most, {within} of {len(measured)} within {BOUND}"
        what = f"geometric mean, by the best, with {1000 * more:g} ms more for each"
        lines.append([what, *(f"{mean(ratios):.2f}" for ratios in by_best.values()), told])
    return markdown(("circuit (ms)", *FIXED, "auto", "auto by best"), lines, left=1)


def _told(seconds: float, limit: float) -> str:
    milliseconds = 1000 * seconds
    return f"> {1000 * limit:g}" if seconds >= limit else f"{milliseconds:.{2 if milliseconds < 10 else 0}f}"


if __name__ == "__main__":
    sys.exit(main())
