"""Figures 8 to 11 of Sebastiani et al. 2004, measured again: `python -m coarsest.experiments.sebastiani -o FOLDER`.

Each curve, one engine on one property over growing N, is a process of its own, with a limit on the CPU time of each point. A
curve ends where a point passes the limit, or where the last point took so long that the next one would.
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import MappingProxyType

import msgspec
from msgspec import to_builtins

from coarsest.experiments.sebastiani_engines import ENGINES, Measured, measure
from coarsest.experiments.sebastiani_models import CLAIMS, FAMILIES
from coarsest.experiments.sebastiani_report import Curve, markdown, write_plots

SIZES: Mapping[str, Sequence[int]] = MappingProxyType(
    {
        "dining": (2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64),
        "mutex": (2, 4, 6, 8, 10, 12, 14, 16, 20, 24, 30, 40, 50, 60),
        "life": (2, 3, 4, 5, 6, 7, 8),
        "lift": (2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20, 24, 32, 40),
    }
)
QUICK = MappingProxyType({"dining": 4, "mutex": 4, "life": 2, "lift": 4})
MEBIBYTES = 1500
HOPELESS = 0.4
"""A point that took this part of the limit is the last: the next one would pass it."""
PREPARATION = 3
"""CPU seconds for what is not the engine's: loading Python's modules, reading the model, finding the automaton."""
PATIENCE = 60
"""Wall-clock seconds for each CPU second that is allowed: other work may keep the machine busy."""


class OtherCurve(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Another checker on one property."""

    family: str
    claim: str
    checker: str
    seconds: dict[int, float]
    ended: str


def main(arguments: Sequence[str] | None = None) -> int:
    given = _parser().parse_args(arguments)
    most = {name: min(given.most or max(sizes), QUICK[name] if given.quick else max(sizes)) for name, sizes in SIZES.items()}
    if given.curve:
        family, claim, engine = given.curve
        return _points(family, claim, engine, most=most[family], seconds=given.seconds)
    given.output.mkdir(parents=True, exist_ok=True)
    jobs = [(family, claim, engine) for family in given.family or FAMILIES for claim in CLAIMS for engine in ENGINES]

    def follow(job: tuple[str, str, str]) -> Curve:
        found = curve(*job, most=most[job[0]], seconds=given.seconds)
        print(*job, *(f"{n}:{m.seconds:.2f}" for n, m in found.points.items()), found.ended, flush=True)
        return found

    with ThreadPoolExecutor(given.jobs) as pool:
        curves = list(pool.map(follow, jobs))
    curves += beside(given.beside, {curve.family for curve in curves}) if given.beside else []
    (given.output / "table.md").write_text(markdown(curves), encoding="utf-8")
    (given.output / "points.json").write_text(json.dumps([to_builtins(c) for c in curves], indent=1) + "\n", encoding="utf-8")
    write_plots(curves, given.output)
    return 0


def curve(family: str, claim: str, engine: str, *, most: int, seconds: float) -> Curve:
    """Points for growing N, until one of the limits; a verdict other than the paper's is an error of ours."""
    command = [sys.executable, "-m", "coarsest.experiments.sebastiani", "--seconds", str(seconds), "--most", str(most)]
    try:
        done = subprocess.run(
            [*command, "--curve", family, claim, engine],
            capture_output=True, text=True, check=False, timeout=PATIENCE * seconds * 4,
        )  # fmt: skip
        output, trouble = done.stdout, _trouble(done, seconds)
    except subprocess.TimeoutExpired as late:
        output, trouble = (late.stdout or b"").decode(), "time limit (wall clock)"
    points = dict(_read(output))
    for n, found in points.items():
        if found.holds != claim.endswith("holds"):
            raise AssertionError(f"{family} {n}, {claim}, {engine}: the verdict is wrong")
    tried = [n for n in SIZES[family] if n <= most and n not in points]
    if trouble and tried:
        return Curve(family, claim, engine, points, f"N = {tried[0]}: {trouble}")
    return Curve(family, claim, engine, points, "next would pass the limit" if tried else "largest N asked for")


def beside(file: Path, families: Collection[str]) -> list[Curve]:
    """What another checker took for the same models, measured elsewhere: seconds for each N."""
    curves = []
    for other in msgspec.json.decode(file.read_bytes(), type=list[OtherCurve]):
        if other.family in families:
            holds = other.claim.endswith("holds")
            points = {n: Measured(holds=holds, seconds=seconds) for n, seconds in other.seconds.items()}
            curves.append(Curve(other.family, other.claim, other.checker, points, other.ended))
    return curves


def _trouble(done: subprocess.CompletedProcess[str], seconds: float) -> str:
    """Why the process ended, unless it was done."""
    if done.returncode == 0:
        return ""
    if done.returncode == -signal.SIGXCPU:
        return f"over {seconds:g} s"
    if done.returncode < 0:
        return f"killed by {signal.Signals(-done.returncode).name}"  # not the time limit: memory, or a crash
    return (done.stderr.strip().splitlines() or ["no reason given"])[-1][:120]


def _read(output: str) -> Iterator[tuple[int, Measured]]:
    for line in output.splitlines():
        point = json.loads(line)
        yield point.pop("n"), Measured(**point)


def _points(family: str, claim: str, engine: str, *, most: int, seconds: float) -> int:
    """The process of one curve: its points as lines of JSON. The smallest model makes Python load what the engine needs."""
    import resource

    measure(family, claim, engine, 2)
    for n in SIZES[family]:
        if n > most:
            break
        limit = int(time.process_time() + seconds + PREPARATION) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
        found = measure(family, claim, engine, n, mebibytes=MEBIBYTES)
        print(json.dumps({"n": n, **to_builtins(found)}), flush=True)
        if found.seconds > HOPELESS * seconds:
            break
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m coarsest.experiments.sebastiani", description=__doc__)
    parser.add_argument("-o", "--output", type=Path, default=Path("results"), help="folder for the table and the plots")
    parser.add_argument("--quick", action="store_true", help="the smallest models only")
    parser.add_argument("--most", type=int, help="largest N")
    parser.add_argument("--seconds", type=float, default=20.0, help="CPU time for one point")
    parser.add_argument("--jobs", type=int, default=1, help="curves measured at the same time")
    parser.add_argument("--family", action="append", choices=tuple(FAMILIES), help="only these models")
    parser.add_argument("--beside", type=Path, metavar="FILE", help="what another checker took, to be shown beside ours")
    parser.add_argument("--curve", nargs=3, metavar=("FAMILY", "CLAIM", "ENGINE"), help="the points of one curve, as JSON")
    return parser


if __name__ == "__main__":
    sys.exit(main())
