"""Unknown bits against sets of states, on memories of growing size: `python -m benchmarks.ternary [-o FILE]`.

A word is stored at an unknown address, other addresses are written to for any time, and it is read: the graph `remembers` of
examples/memory.ag. Each point is a process of its own, with a limit on its CPU time; seconds are CPU seconds of that process.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

SIZES = (8, 16, 32, 64, 128, 256)
GRAPH = """GRAPH remembers
VERTEX before INITIAL
VERTEX store          ANT write & address = where & input = what
VERTEX elsewhere      ANT !(write & address = where)
VERTEX load   FINAL   ANT address = where                    CONS output = what
EDGE before -> {before, store}, {store, elsewhere} -> {elsewhere, load}
"""
WAYS = {
    "sets of states": (),
    "unknown bits": ("--abstraction", "ternary", "--precise", "write", "--precise", "address"),
}


def memory(words: int, width: int) -> str:
    """A memory with one port."""
    lines = ["MODULE main", f"IVAR write : boolean; address : 0..{words - 1}; input : word[{width}];"]
    lines += [f"FROZENVAR where : 0..{words - 1}; what : word[{width}];"]
    lines += [f"VAR cell : array 0..{words - 1} of word[{width}];", "DEFINE output := cell[address];", "ASSIGN"]
    lines += [f"next(cell[{i}]) := write & address = {i} ? input : cell[{i}];" for i in range(words)]
    return "\n".join(lines) + "\n"


def point(words: int, width: int, options: tuple[str, ...], *, seconds: int) -> str:
    """CPU seconds and the peak of BDD nodes, or why there are none."""
    with tempfile.TemporaryDirectory() as folder:
        model, graph = Path(folder, "memory.smv"), Path(folder, "memory.ag")
        model.write_text(memory(words, width), encoding="utf-8")
        graph.write_text(GRAPH, encoding="utf-8")
        command = [sys.executable, "-m", "coarsest", "gste", str(model), str(graph), "--json", "--no-confirm", *options]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            command, capture_output=True, text=True, check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds)),
        )  # fmt: skip
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if done.returncode != 0:
        return f"over {seconds} s" if used > 0.9 * seconds else f"ended with {done.returncode}"
    (found,) = json.loads(done.stdout)["properties"]
    return f"{used:.1f} s, {found['statistics']['peak_nodes']:,} nodes"


def table(sizes: tuple[int, ...], width: int, *, seconds: int) -> str:
    lines = [f"| words of {width} bits | {' | '.join(WAYS)} |", f"|--:|{'--:|' * len(WAYS)}"]
    given_up: set[str] = set()
    for words in sizes:
        cells = []
        for name, options in WAYS.items():
            cells.append("–" if name in given_up else point(words, width, options, seconds=seconds))
            given_up |= {name} if cells[-1].startswith("over") else set()
        lines.append(f"| {words} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, help="write the table there")
    parser.add_argument("--seconds", type=int, default=60, help="CPU time for one point")
    parser.add_argument("--width", type=int, default=8, help="bits of a word")
    parser.add_argument("--most", type=int, default=max(SIZES), help="words of the largest memory")
    given = parser.parse_args()
    found = table(tuple(n for n in SIZES if n <= given.most), given.width, seconds=given.seconds)
    print(found, end="")
    if given.output:
        given.output.write_text(found, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
