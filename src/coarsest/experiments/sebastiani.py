"""Figures 8 to 11 of Sebastiani et al. 2004, measured again: `python -m coarsest.experiments.sebastiani -o FOLDER`.

Each point is a process of its own, with a limit on its CPU time. A curve ends where a point passes the limit, or where the last
point took so long that the next one would.
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from types import MappingProxyType

from coarsest.experiments.sebastiani_engines import Measured, engines_for, measure
from coarsest.experiments.sebastiani_models import CLAIMS, FAMILIES
from coarsest.experiments.sebastiani_report import Curve, markdown, write_plots

SIZES: Mapping[str, Sequence[int]] = MappingProxyType(
    {"dining": (2, 4, *range(6, 41)), "mutex": (2, 5, 10, 14, *range(20, 201, 10)), "life": range(2, 11)}
)
QUICK = MappingProxyType({"dining": 4, "mutex": 5, "life": 2})
MEBIBYTES = 1500
HOPELESS = 0.4
"""A point that took this part of the limit is the last: the next one would pass it."""
PREPARATION = 5
"""CPU seconds for what is not the engine's: loading Python's modules, reading the model, finding the automaton."""
PATIENCE = 20
"""Wall-clock seconds for each CPU second that is allowed: other work may keep the machine busy."""


def main(arguments: Sequence[str] | None = None) -> int:
    given = _parser().parse_args(arguments)
    if given.point:
        return _point(*given.point, seconds=given.seconds, reorder=given.reorder)
    given.output.mkdir(parents=True, exist_ok=True)
    jobs = [(family, claim, engine) for family in given.family or FAMILIES for claim in CLAIMS for engine in engines_for(claim)]

    def follow(job: tuple[str, str, str]) -> Curve:
        most = min(given.most or max(SIZES[job[0]]), QUICK[job[0]] if given.quick else max(SIZES[job[0]]))
        found = curve(*job, most=most, seconds=given.seconds, reorder=given.reorder)
        print(*job, *(f"{n}:{m.seconds:.2f}" for n, m in found.points.items()), found.ended, flush=True)
        return found

    with ThreadPoolExecutor(given.jobs) as pool:
        curves = list(pool.map(follow, jobs))
    (given.output / "table.md").write_text(markdown(curves), encoding="utf-8")
    (given.output / "points.json").write_text(json.dumps([asdict(c) for c in curves], indent=1) + "\n", encoding="utf-8")
    write_plots(curves, given.output)
    return 0


def curve(family: str, claim: str, engine: str, *, most: int, seconds: float, reorder: bool) -> Curve:
    """Points for growing N, until one of the limits; a verdict other than the paper's is an error of ours."""
    points: dict[int, Measured] = {}
    for n in SIZES[family]:
        if n > most:
            break
        found, trouble = _in_a_process(family, claim, engine, n, seconds=seconds, reorder=reorder)
        if found is None:
            return Curve(family, claim, engine, points, f"N = {n}: {trouble}")
        if found.holds != claim.endswith("holds"):
            raise AssertionError(f"{family} {n}, {claim}, {engine}: the verdict is wrong")
        points[n] = found
        if found.seconds > HOPELESS * seconds:
            return Curve(family, claim, engine, points, "next would pass the limit")
    return Curve(family, claim, engine, points, "largest N asked for")


def _in_a_process(family: str, claim: str, engine: str, n: int, *, seconds: float, reorder: bool) -> tuple[Measured | None, str]:
    command = [sys.executable, "-m", "coarsest.experiments.sebastiani", "--seconds", str(seconds)]
    command += ["--reorder"] if reorder else []
    try:
        done = subprocess.run(
            [*command, "--point", family, claim, engine, str(n)],
            capture_output=True, text=True, check=False, timeout=PATIENCE * seconds + PATIENCE,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return None, "time limit (wall clock)"
    if done.returncode == 0:
        return Measured(**json.loads(done.stdout)), ""
    if done.returncode == -signal.SIGXCPU:
        return None, f"over {seconds:g} s"
    if done.returncode < 0:
        return None, f"killed by {signal.Signals(-done.returncode).name}"  # not the time limit: memory, or a crash
    return None, (done.stderr.strip().splitlines() or ["no reason given"])[-1][:120]


def _point(family: str, claim: str, engine: str, n: str, *, seconds: float, reorder: bool) -> int:
    """The process of one point: its findings as JSON."""
    import resource

    limit = int(seconds) + PREPARATION
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
    found = measure(family, claim, engine, int(n), reorder=reorder, mebibytes=MEBIBYTES)
    print(json.dumps(asdict(found)))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m coarsest.experiments.sebastiani", description=__doc__)
    parser.add_argument("-o", "--output", type=Path, default=Path("results"), help="folder for the table and the plots")
    parser.add_argument("--quick", action="store_true", help="the smallest models only")
    parser.add_argument("--most", type=int, help="largest N")
    parser.add_argument("--seconds", type=float, default=20.0, help="CPU time for one point")
    parser.add_argument("--reorder", action="store_true", help="with dynamic reordering, as `coarsest check` does by default")
    parser.add_argument("--jobs", type=int, default=1, help="points measured at the same time")
    parser.add_argument("--family", action="append", choices=tuple(FAMILIES), help="only these models")
    parser.add_argument("--point", nargs=4, metavar=("FAMILY", "CLAIM", "ENGINE", "N"), help="one point, printed as JSON")
    return parser


if __name__ == "__main__":
    sys.exit(main())
