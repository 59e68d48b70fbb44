"""`python -m benchmarks.graphs --whole`: whole processes, from the start of Python to the quotient's file, beside other programs.

The command is `coarsest reduce GRAPH.aut -o SMALL.aut`, without progress, and its output is not there before it starts. Programs
take turns, and the best of some runs counts: other work on a machine makes runs longer, never shorter. Byte code is cached.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

MEASURED = Path(__file__).with_name("measured.py")
FIGURES = ("wall", "cpu", "mebibytes")
OURS, BOA = "ours", "Boa"

Programs = dict[str, list[list[str]]]
"""The processes that a program is, one after the other."""


def whole_rows(args: argparse.Namespace, generate: Callable[[str, int, Path], None]) -> Iterator[dict[str, Any]]:
    """For each graph the best figures of each program."""
    for family in args.family:
        for size in args.size:
            with tempfile.TemporaryDirectory() as folder:
                path, small = Path(folder) / f"{family}.aut", Path(folder) / "small.aut"
                generate(family, size, path)
                programs = _programs(args, path, small)
                runs: dict[str, list[dict[str, float]]] = {name: [] for name in programs}
                for _ in range(args.repeat):
                    for name, processes in programs.items():
                        _remove_all_but(path)
                        runs[name].append(_together([_run(process) for process in processes]))
                best = {name: _best(some) for name, some in runs.items()}
                yield {"family": family, "size": size, "programs": best, "runs": runs}


def _remove_all_but(graph: Path) -> None:
    """No program has to write over what another one, or it itself, has written."""
    for path in graph.parent.iterdir():
        if path != graph:
            path.unlink()


def _best(runs: list[dict[str, float]]) -> dict[str, float]:
    """The least of each figure, and an exit code that is not zero if there is one."""
    least = {figure: min(run[figure] for run in runs) for figure in FIGURES}
    return {**least, "code": next((run["code"] for run in runs if run["code"]), 0)}


def _programs(args: argparse.Namespace, path: Path, small: Path) -> Programs:
    relation = ["--by", "branching-bisimulation"] if args.branching else []
    programs: Programs = {OURS: [[sys.executable, "-m", "coarsest", "reduce", str(path), "-o", str(small), *relation]]}
    if args.boa:
        programs[BOA] = [[args.boa, "convert", str(path)], [args.boa, "nlogn", str(path.with_suffix(".boa"))]]
    for command in args.peer:
        words = shlex.split(command)
        programs[Path(words[0]).name] = [[word.replace("{graph}", str(path)).replace("{small}", str(small)) for word in words]]
    return programs


def _run(process: list[str]) -> dict[str, float]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-I", "-S", str(MEASURED), *process]
    figures: dict[str, float] = json.loads(subprocess.run(command, check=True, capture_output=True, env=environment).stdout)
    return figures


def _together(runs: list[dict[str, float]]) -> dict[str, float]:
    """The figures of processes one after the other."""
    wall, cpu = (sum(run[figure] for run in runs) for figure in ("wall", "cpu"))
    return {"wall": wall, "cpu": cpu, **{figure: max(run[figure] for run in runs) for figure in ("mebibytes", "code")}}


def whole_table(rows: list[dict[str, Any]]) -> str:
    """Wall seconds, CPU seconds and MiB of each program on each graph."""
    names = list(rows[0]["programs"]) if rows else []
    lines = [f"| wall s / CPU s / MiB | {' | '.join(names)} |", "|---|" + "--:|" * len(names)]
    for row in rows:
        cells = [_cell(row["programs"][name]) for name in names]
        lines.append(f"| {row['family']} {row['size']:.0e} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(best: dict[str, float]) -> str:
    return "fails" if best["code"] else f"{best['wall']:.2f} / {best['cpu']:.2f} / {best['mebibytes']:.0f}"
