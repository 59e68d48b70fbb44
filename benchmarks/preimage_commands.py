"""`python -m benchmarks.preimage_commands`: whole commands that search backwards, by each image method and by the choice between.

`coarsest reach FILE --towards CONDITION -q --relation METHOD`, from the start of the process to its end: CPU seconds, and those
of the clock. Of each circuit the methods take turns, up to three times if they take less than a second, and the median counts; a
method is stopped when it takes three times what the best fixed one took.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from time import monotonic

from benchmarks.preimages import BOUND, FIXED, mean
from benchmarks.reference import COLLECTION
from benchmarks.tabulate import markdown

METHODS = ("clustered", "functions", "auto", "monolithic")
"""In this order, so that those that are quick most of the time come first."""
LOOKED_AT = {
    "aiger/hwmcc08/nusmvguidancep4.aig": "output_0",
    "vis/UsbPhy/usb_phy.v": "RxValid_o",
    "aiger/hwmcc08/kenflashp09.aig": "output_0",
    "aiger/hwmcc08/viscoherencep3.aig": "!(!output_0)",
    "aiger/hwmcc11-single/pdtvsarmultip25.aig": "!(!output_0)",
    "vis/Ethernet/ethernet.define.212.v": "FT0.sendbt = 0ud2_3",
    "vis/Rether/retherRTF.v": "rlease",
    "aiger/hwmcc08/pdtvisvsar03.aig": "output_0",
    "vis/Rether/retherSQO.v": "res[1]",
    "vis/Param/Vending/vending4.v": "v.l10 = 0ud2_3",
    "vis/Param/Philo/philo32.v": "ph13.self = HUNGRY",
    "aiger/hwmcc11-single/pdtvsarmultip19.aig": "output_0",
    "vis/RCU/rcu.v": "ctr[0]",
    "aiger/hwmcc08/pdtvisns3p13.aig": "!(!output_0)",
    "aiger/lmcs2006-aiger19/short/short.aig": "AIGER_NOT_state_a_0",
    "aiger/hwmcc08/pdtvisns2p1.aig": "output_0",
    "circuits/blif/s444.blif": "G119",
    "circuits/blif/s1196.blif": "G546",
    "blif-mv/mchyper/huff.mv": "ci",
    "vis/Param/TreeArb/treearb16.v": "C0_5.processedRight",
    "vis/Param/Hrglass/hrglass16.v": "failed",
    "aiger/hwmcc08/kenflashp10.aig": "output_0",
    "aiger/hwmcc08/pdtvisrethersqo3.aig": "!(!output_0)",
    "vis/Jam/jam.v": "done",
    "vis/Soap/soapLTL1.v": "fair",
    "aiger/hwmcc08/nusmvguidancep8.aig": "output_0",
    "vis/MinMax/product.v": "mmr.last = 0ud8_255",
    "circuits/bench/s1238.bench": "G550",
    "vis/Tcp/snd.v": "seg_val",
    "aiger/hwmcc08/pdtvisvending03.aig": "output_0",
    "vis/Huffman/huff.v": "encoder.character = 0ud8_255",
    "aiger/hwmcc08/irstdme5.aig": "output_0",
    "vis/Torch/ldsto/storeBufferCtrl.v": "SeqConflict_v1m",
    "aiger/lmcs2006-aiger19/dme/dme3.aig": "_o_ORACLE35",
    "vis/Param/Drop/drop64.v": "ph9.self = HUNGRY",
    "aiger/hwmcc08/pdtvisblackjack3.aig": "!(!output_0)",
    "vis/Arbiter/arbiter.v": "clientC.req",
    "vis/Arbiter/arbiter_bug.v": "controllerC.pass_token",
    "aiger/hwmcc08/pdtvisheap09.aig": "output_0",
}
"""Circuits and conditions that an earlier rule was made with."""
HELD_OUT = {
    "aiger/hwmcc08/pdtvistictactoe04.aig": "!(!output_0)",
    "vis/Param/Vending/vending6.v": "v.change = QUARTER",
    "vis/Param/Bakery/bakery6.v": "pc[1] = L11",
    "vis/Param/Hrglass/hrglass12.v": "done",
    "aiger/hwmcc08/pdtvisvending06.aig": "output_0",
    "aiger/hwmcc08/bj08amba2g62.aig": "output_0",
    "vis/Scheduler/scheduler.v": "cell6.state = READY_B",
    "circuits/bench/s5378.bench": "n3104gat",
    "aiger/hwmcc11-live/lmcs06ring1.aig": "LTL_1_SPECF_8",
    "vis/Param/Elevator/elevator1-4.v": "main_control.up_floor_buttons[3] = OFF",
    "vis/Elevator/ely2-4.v": "e1.buttons[3] = OFF",
    "aiger/hwmcc08/pdtvisvsar14.aig": "output_0",
    "vis/Torch/decexec/AdecSE1.v": "BNEnext_s1e",
    "circuits/blif/s1423.blif": "G729",
    "vis/Tcp/tcp.v": "tcp_snd.sender.send_state = SND_IDLE",
    "aiger/hwmcc08/bj08amba3g62.aig": "!(!output_0)",
    "vis/Solitaire/solitaireVL.v": "S8 = empty",
    "vis/Torch/cp0/cp0IntEncoder.v": "SeqExcept_v2",
    "vis/Miim/vMiim.v": "Busy",
    "vis/Param/Lock/lock7.v": "open",
    "aiger/hwmcc11-single/pdtswvqis8x8p0.aig": "output_0",
    "aiger/hwmcc08/pdtvistictactoe10.aig": "output_0",
    "vis/Param/Drop/drop16.v": "ph7.self = HUNGRY",
    "circuits/blif/s641.blif": "G94",
    "vis/Vsa16/vsa16a.v": "wr",
    "vis/Torch/ifetch/IFetchControl.v": "WriteData_s2",
    "vis/Rrobin/rrobinltl.v": "fair",
    "aiger/hwmcc08/visprodcellp07.aig": "!(!output_0)",
    "vis/Param/TreeArb/treearb12.v": "P4.req = release",
    "aiger/hwmcc08/texasifetch1p5.aig": "output_0",
    "vis/Field/field5.v": "board[23]",
    "vis/Philo/philo.v": "ph9.state = 0ud2_3",
    "vis/Torch/ldsto/ldStoCtrl.v": "valid_s1m",
    "blif-mv/mvsis/elc.mv": "continue<2>",
    "vis/Dekker/dekker.v": "pc[0] = L6",
    "vis/Soap/soapLTL3.v": "fair",
    "aiger/hwmcc08/pdtpmssyncarb.aig": "output_0",
    "circuits/blif/s400.blif": "YLW2",
    "vis/Nim/all.v": "winning",
    "vis/Cordic/vcordic.v": "theta.first = 0ud16_65535",
}
"""Measured once, before a small relation was joined beside functions. These lists are from one: all circuits of the collection
that are in no group of `preimages.py`, in the order of the SHA-256 of `preimages ` and the path, two of a family at most, that
are encoded in 6 s and have 10 to 200 state bits; they take turns to be in the first and in the second. The condition is the
violation of an invariant, an output or, where there is none, a value of a latch, by a hash, too."""
LAST = {
    "vis/Param/Vending/vending8.v": "deposit = QUARTER",
    "aiger/hwmcc08/bj08amba3g82.aig": "output_0",
    "aiger/hwmcc11-single/pdtvsarmultip28.aig": "!(!output_0)",
    "aiger/hwmcc11-single/pdtvsarmultip07.aig": "output_0",
    "aiger/hwmcc08/pdtvisns3p19.aig": "output_0",
    "aiger/hwmcc08/pdtvisvsar24.aig": "output_0",
    "aiger/hwmcc08/pdtvisvsar31.aig": "output_0",
    "aiger/hwmcc08/kenflashp07.aig": "!(!output_0)",
    "vis/Param/Elevator/elevator1-5.v": "e1.door = CLOSING",
    "aiger/hwmcc08/bj08amba2g3f3.aig": "output_0",
    "vis/Param/Elevator/elevator2-3.v": "e2.buttons[1] = OFF",
    "aiger/hwmcc08/pdtvisns3p08.aig": "output_0",
    "aiger/hwmcc08/nusmvguidancep7.aig": "output_0",
    "aiger/hwmcc08/pdtvistictactoe03.aig": "!(!output_0)",
    "aiger/hwmcc08/pdtvisvending04.aig": "output_0",
    "aiger/hwmcc08/pdtvisvending07.aig": "output_0",
    "vis/TreeArb/eight.v": "C0_1.prevLeft",
    "vis/Param/TreeArb/treearb8.v": "C1_1.processedRight",
    "aiger/hwmcc08/pdtvistictactoe08.aig": "!(!output_0)",
    "vis/Param/Hrglass/hrglass8.v": "failed",
    "vis/Sampleq/twoQ.v": "q0.writehead = 0ud2_3",
    "blif-mv/mchyper/huffenc.mv": "character<1>_output",
    "vis/UsbPhy/usb_tx_phy.v": "tx_ready",
    "aiger/hwmcc11-single/bob9234spec7neg.aig": "!(!output_0)",
    "vis/Peterson/peterson.v": "self",
    "aiger/hwmcc08/pdtvishuffman2.aig": "!(!output_0)",
    "vis/Rgraph/rgraph.v": "o",
    "vis/Param/Arbiter/arbiter7.v": "clientG.req",
    "vis/Param/Vending/vending3.v": "m.balance = 0ud5_31",
    "vis/Param/Philo/philo16.v": "ph10.self = HUNGRY",
    "vis/Ethernet/ethernet.define.312.v": "FT0.done_Jam",
    "aiger/hwmcc08/pdtvisretherrtf4.aig": "output_0",
    "vis/Param/Arbiter/arbiter9.v": "ackC",
    "aiger/hwmcc08/eijkS208o.aig": "!(!output_0)",
}
"""The next of that list, again two of a family at most, encoded in 5 s. Measured once, before what is to come counted as spent,
and before composition was split to the last node."""
LATEST = {
    "aiger/hwmcc08/pdtvisvsar20.aig": "output_0",
    "aiger/hwmcc11-single/pdtvsarmultip17.aig": "!(!output_0)",
    "aiger/hwmcc08/pdtvisvsar13.aig": "!(!output_0)",
    "aiger/hwmcc11-single/pdtvsarmultip18.aig": "output_0",
    "vis/Elevator/ely3-4.v": "e2.door = CLOSING",
    "aiger/hwmcc08/pdtvisns3p05.aig": "output_0",
    "vis/Param/Elevator/elevator1-6.v": "main_control.down_floor_buttons[3] = OFF",
    "aiger/hwmcc08/pdtvisns3p04.aig": "output_0",
    "aiger/hwmcc08/pdtvisvending05.aig": "output_0",
    "vis/ExampleS/exampleS.v": "r_st = B",
    "vis/Torch/cp0/tlbControl.v": "ICMiss_s1",
    "vis/Vlunc/vlunc.v": "regIn = 0ud8_255",
    "aiger/hwmcc08/pdtvisheap11.aig": "!(!output_0)",
    "circuits/blif/s298.blif": "G117",
    "vis/Param/Vending/vending7.v": "deposit = QUARTER",
    "vis/FourByFour/twoAll.v": "b[6] = 0ud3_7",
    "aiger/hwmcc08/pdtvisheap10.aig": "!(!output_0)",
    "aiger/lmcs2006-aiger19/dme/dme5.aig": "e-2_o_b_o_out",
    "vis/TreeArb/8-arbit.v": "G1.C2.holdToken = myFALSE",
    "vis/Tcp/rcv.v": "rcv_ack",
    "aiger/hwmcc08/pdtpmsrethersqo.aig": "!(!output_0)",
    "vis/Chameleon/chameleon.v": "stable",
    "aiger/hwmcc08/pdtvisblackjack4.aig": "output_0",
    "circuits/blif/s344.blif": "P0",
    "aiger/hwmcc08/pdtviscoherence2.aig": "output_0",
    "vis/Heap/heap.v": "empty",
}
"""The next again. Measured once, with the rule as it is, and nothing was changed since."""
GROUPS = {"looked at": LOOKED_AT, "held out": HELD_OUT, "last": LAST, "latest": LATEST}
SLOW = 0.25
"""Seconds of the best fixed method from which on it is more than the start of the command."""
AGAIN, TURNS = 1.0, 3
"""What took fewer seconds has another turn, so many in all."""
MORE, LEAST_MORE = 3.0, 1.0
"""How many times as long as the best other method a method may take, and how many seconds longer in any case."""


def once(path: str, condition: str, method: str, limit: float) -> tuple[float, float, str] | None:
    """CPU seconds, seconds of the clock, and what was said; nothing if it takes more, or fails."""
    command = [sys.executable, "-m", "coarsest", "reach", str(COLLECTION / path), "-q", "--towards", condition]
    command += ["--relation", method, *(["--format", "blif:zero"] if path.endswith(".blif") else [])]
    before, began = getrusage(RUSAGE_CHILDREN), monotonic()
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=limit)
    except subprocess.TimeoutExpired:
        return None
    after = getrusage(RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    states = done.stdout.partition("nodes")[0]  # how many nodes they have depends on the order of variables
    return (seconds, monotonic() - began, states) if done.returncode == 0 else None


def outcomes(path: str, condition: str, limit: float) -> dict[str, tuple[float, float] | None]:
    """The seconds of each method; nothing for those that take too long."""
    taken: dict[str, list[tuple[float, float]] | None] = {method: [] for method in METHODS}
    answers, best = set(), limit
    for _ in range(TURNS):
        for method in METHODS:
            earlier = taken[method]
            if earlier is None or sum(seconds for seconds, _ in earlier) > AGAIN:
                continue
            outcome = once(path, condition, method, min(limit, max(MORE * best, best + LEAST_MORE)))
            if outcome is None:
                taken[method] = None
                continue
            earlier.append(outcome[:2])
            answers.add(outcome[2])
            best = min(best, outcome[1]) if method in FIXED else best
    if len(answers) > 1:
        raise SystemExit(f"WRONG {path}: {answers}")
    return {method: (median(cpu for cpu, _ in runs), median(clock for _, clock in runs)) if runs else None
            for method, runs in taken.items()}  # fmt: skip


def measured(circuits: Mapping[str, str], limit: float, file: Path | None) -> dict[str, dict[str, tuple[float, float] | None]]:
    """Of each circuit; what is in the file is not measured again."""
    earlier = dict(map(json.loads, file.read_text().splitlines())) if file is not None and file.exists() else {}
    for path, condition in circuits.items():
        if path not in earlier:
            earlier[path] = outcomes(path, condition, limit)
            sys.stderr.write(f"{path} {earlier[path]}\n")
            if file is not None:
                with file.open("a") as stream:
                    stream.write(json.dumps([path, earlier[path]]) + "\n")
    return {path: earlier[path] for path in circuits}


def table(outcome: Mapping[str, Mapping[str, tuple[float, float] | None]], limit: float, clock: int) -> str:
    """Of the circuits that some method is through with: seconds, by the best fixed method."""
    seconds = {path: {m: one[clock] for m, one in methods.items() if one is not None} for path, methods in outcome.items()}
    best = {path: min((one[m] for m in FIXED if m in one), default=limit) for path, one in seconds.items()}
    lines = []
    for path, one in seconds.items():
        ratio = f"{one['auto'] / best[path]:.2f}" if "auto" in one else f"> {MORE:g}"
        if one:
            lines.append([path, *(f"{one[m]:.2f}" if m in one else ">" for m in (*FIXED, "auto")), ratio])
    for least in (0.0, SLOW):
        chosen = [path for path, one in seconds.items() if one and best[path] >= least]
        # Who was stopped is taken to need what it was stopped at, so that means are lower bounds.
        by_best = {m: [seconds[p].get(m, min(limit, MORE * best[p])) / best[p] for p in chosen] for m in (*FIXED, "auto")}
        within = sum(ratio <= BOUND for ratio in by_best["auto"])
        told = f"{max(by_best['auto'], default=1.0):.2f} at most, {within} of {len(chosen)} within {BOUND}"
        what = f"geometric mean by the best, of {len(chosen)} that take {least:g} s or more"
        lines.append([what, *(f"{mean(ratios):.2f}" for ratios in by_best.values()), told])
    return markdown(("circuit", *FIXED, "auto", "auto by best"), lines, left=1)


def main() -> int:
    """Print two tables for each group."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.preimage_commands", description="Compare searches backwards.")
    parser.add_argument("--limit", metavar="SECONDS", type=float, default=12.0, help="for one command (default: 12)")
    parser.add_argument("--only", choices=GROUPS, nargs="+", default=GROUPS)
    parser.add_argument("-o", "--output", metavar="FILE.jsonl", help="keep what was measured there, and go on from there")
    args = parser.parse_args()
    file = Path(args.output) if args.output else None
    for group in args.only:
        outcome = measured(GROUPS[group], args.limit, file)
        for clock, what in enumerate(("CPU seconds", "seconds by the clock")):
            sys.stdout.write(f"{group}, {what}\n\n{table(outcome, args.limit, clock)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
