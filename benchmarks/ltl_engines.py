"""Partitioned against encoded automata, by the number of vertices: `python -m benchmarks.ltl_engines [-o FILE]`.

Every LTL property of the models of the paper, of the shared collection, and of a family whose automata grow (all of k things
happen, each at some time: 2^k vertices) is decided twice, with `--engine partitioned` and with `--engine smc`, each in a process
of its own under a limit on its CPU time. Both have the variables of the system in the order of declaration, an encoded automaton
below them. Seconds are CPU seconds of the check alone, without confirmation: what both share, reading and loading, is left out.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import geometric_mean

ENGINES = ("partitioned", "smc")
COLLECTION = Path(__file__).resolve().parents[2] / "shared" / "benchmarks"
SHARED = (
    "smv/lmcs2006/abp4/abp4.smv", "smv/lmcs2006/prod-cons/prod-cons.smv", "smv/lmcs2006/dme/dme2.smv",
    "smv/lmcs2006/short/short.smv", "smv/lmcs2006/ring/ring.smv", "smv/lmcs2006/mutex/mutex.smv",
    "smv/nusmv-2.6.0-examples/example_irst/gigamax_ltl.smv", "smv/philo/philo_8.smv",
    "scaling/mutex8.smv", "scaling/philosophers8.smv", "scaling/bakery4.smv",
)  # fmt: skip
PAPER = (("dining", 8), ("dining", 20), ("mutex", 10), ("mutex", 20), ("life", 3), ("life", 4))
GROWING = (("dining", 8, range(2, 8)), ("mutex", 9, range(2, 9)))
FEWEST_SECONDS = 0.02
"""Where both took less, nothing can be told."""


def cases() -> Iterator[str]:
    """A model and a property of it: `file:name number` or `family N claim`."""
    for family, n in PAPER:
        for claim in ("safety_holds", "liveness_holds", "safety_fails", "liveness_fails"):
            yield f"paper {family} {n} {claim}"
    for family, n, sizes in GROWING:
        for k in sizes:
            yield f"growing {family} {n} {k}"
    for name in SHARED if COLLECTION.is_dir() else ():
        lines = (COLLECTION / name).read_text(encoding="utf-8").splitlines()
        for number in range(sum(line.lstrip().startswith("LTLSPEC") for line in lines)):
            yield f"shared {name} {number} -"


def point(case: str, engine: str) -> dict[str, object]:
    """Decide one property in this process."""
    from coarsest.api.model import load, loads
    from coarsest.automata.ltl.ltl_to_buchi import ltl_to_buchi
    from coarsest.experiments.sebastiani.models import FAMILIES
    from coarsest.logic.linear.ltl_from_expr import from_expr

    kind, first, second, third = case.split()
    if kind == "shared":
        model = load(COLLECTION / first)
        claim = [p for p in model.properties if p.kind == "ltl"][int(second)]
    else:
        model = loads(FAMILIES[first](int(second)))
        events = [f"F p{i}.{'c' if first == 'mutex' else 'at = eating'}" for i in range(1, 20)]
        wanted = f"!({' & '.join(events[: int(third)])})" if kind == "growing" else ""
        claim = model.formula(wanted) if wanted else next(p for p in model.properties if p.name == third)
    vertices = ltl_to_buchi(from_expr(claim.formula).negation).states
    loads("MODULE main VAR x : boolean; LTLSPEC G F x -> F G x").check(engine=engine)  # loads what is loaded at first use
    begun = time.process_time()
    place = "bottom" if engine == "smc" else "auto"
    (answer,) = model.check(claim, engine=engine, order="declaration", property_variables=place, vacuity=False, confirm="never")
    return {"seconds": time.process_time() - begun, "verdict": answer.verdict.word, "vertices": vertices, **answer.statistics}


def measured(case: str, engine: str, *, seconds: int) -> dict[str, object] | None:
    """The same in another process; None where it passed the limit."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.ltl_engines", "--point", case, engine], capture_output=True, text=True, check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds + 1, seconds + 1)),
    )  # fmt: skip
    if done.returncode < 0:
        return None
    if done.returncode:
        raise RuntimeError(f"{case}, {engine}: {done.stderr[-300:]}")
    found: dict[str, object] = json.loads(done.stdout)
    return found


def table(*, seconds: int, only: str = "") -> str:
    rows: list[tuple[int, float, str]] = []
    for case in (case for case in cases() if case.startswith(only)):
        partitioned, smc = (measured(case, engine, seconds=seconds) for engine in ENGINES)
        if partitioned is None and smc is None:
            continue
        verdicts = {str(found["verdict"]) for found in (partitioned, smc) if found is not None}
        if len(verdicts) > 1:
            raise RuntimeError(f"{case}: the engines disagree")
        spent = [float(str(found["seconds"])) if found is not None else float(seconds) for found in (partitioned, smc)]
        vertices = int(str((partitioned or smc or {})["vertices"]))
        if max(spent) >= FEWEST_SECONDS:
            shown = [f"{cpu:.2f}" if found is not None else f"over {seconds}" for cpu, found in zip(spent, (partitioned, smc))]
            line = f"| {case} | {vertices} | {' | '.join(shown)} | {spent[1] / spent[0]:.2f} |"
            rows.append((vertices, spent[1] / spent[0], line))
            print(line, flush=True)
    lines = ["| vertices | properties | geometric mean of smc / partitioned | partitioned faster |", "|--:|--:|--:|--:|"]
    for low, high in ((1, 2), (3, 4), (5, 8), (9, 16), (17, 32), (33, 64), (65, 128), (129, 1024)):
        ratios = [ratio for vertices, ratio, _ in rows if low <= vertices <= high]
        if ratios:
            faster = sum(ratio > 1 for ratio in ratios)
            lines.append(f"| {low}–{high} | {len(ratios)} | {geometric_mean(ratios):.2f} | {faster} of {len(ratios)} |")
    lines += ["", "| property | vertices | partitioned | smc | smc / partitioned |", "|---|--:|--:|--:|--:|"]
    return "\n".join([*lines, *(line for _, _, line in sorted(rows, key=lambda row: row[0]))]) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, help="write the table there")
    parser.add_argument("--seconds", type=int, default=5, help="CPU time for one check")
    parser.add_argument("--only", default="", metavar="WORDS", help="only cases that begin so: paper, growing, shared, …")
    parser.add_argument("--point", nargs=2, metavar=("CASE", "ENGINE"), help="one check, printed as JSON")
    given = parser.parse_args()
    if given.point:
        print(json.dumps(point(*given.point)))
        return 0
    found = table(seconds=given.seconds, only=given.only)
    print(found, end="")
    if given.output:
        given.output.write_text(found, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
