"""Large graphs in tables, made by DuckDB itself and minimised: `python -m benchmarks.edge_tables doubled 10000000 --memory 700`.

In the family *random* every state has four transitions with random actions (of three) to random states; almost surely no two
states are bisimilar. In *doubled* every state has a twin that makes the same steps, to the same state or to its twin: there are
almost surely half as many classes as states.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

DEGREE = 4
RANDOM = """
    SELECT i // 4 AS source, 'abc'[1 + CAST(hash(2 * i + 1) % 3 AS INTEGER)] AS action,
           CAST(hash(2 * i) % {states} AS BIGINT) AS target
    FROM range({states} * 4) AS row(i)"""
# Transition i + 4 * half of a twin is transition i again, but for which of two twins it leads to.
DOUBLED = """
    SELECT i // 4 AS source, 'abc'[1 + CAST(hash(2 * (i % (4 * half)) + 1) % 3 AS INTEGER)] AS action,
           CAST(hash(2 * (i % (4 * half))) % half + hash(-i) % 2 * half AS BIGINT) AS target
    FROM (SELECT i, {states} // 2 AS half FROM range({states} * 4) AS row(i))"""
FAMILIES = {"random": RANDOM, "doubled": DOUBLED}


def write(family: str, transitions: int, path: str) -> int:
    """Write a graph; the number of its states."""
    import duckdb

    states = transitions // DEGREE // 2 * 2
    with duckdb.connect() as connection:
        connection.execute(f"COPY ({FAMILIES[family].format(states=states)}) TO '{path}' (FORMAT parquet)")
    return states


def measure(path: str, memory: int | None, scratch: str) -> str:
    """Minimise in a process of its own: classes, CPU seconds of all processes, peak of memory."""
    command = [sys.executable, "-m", "coarsest", "reduce", path, "--engine", "duckdb", "--json", "--scratch", scratch]
    started = time.monotonic()
    child = subprocess.Popen([*command, *([] if memory is None else ["--memory", str(memory)])], stdout=subprocess.PIPE)
    assert child.stdout is not None
    facts = json.loads(child.stdout.read())
    _, _, used = os.wait4(child.pid, 0)
    classes = facts["states"]["after"]
    after = f"{classes:,} classes in {facts['statistics']['rounds']} rounds" if classes is not None else facts["reason"]
    wall = time.monotonic() - started
    return f"{after}: {used.ru_utime + used.ru_stime:.1f} s of CPU, {wall:.1f} s, {used.ru_maxrss / 1024:.0f} MiB"


def main() -> None:
    """Write a table and minimise it, or only write it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("family", choices=FAMILIES)
    parser.add_argument("transitions", type=int)
    parser.add_argument("--memory", type=int, metavar="MIB")
    parser.add_argument("--scratch", metavar="DIR", help="directory with room")
    parser.add_argument("--write", metavar="FILE", help="write the table there, and nothing more")
    args = parser.parse_args()
    if args.write is not None:
        print(f"{write(args.family, args.transitions, args.write):,} states")
        return
    with tempfile.TemporaryDirectory(dir=args.scratch) as folder:
        path = os.path.join(folder, "edges.parquet")
        states = write(args.family, args.transitions, path)
        print(f"{args.family}, {args.transitions:,} transitions, {states:,} states -> {measure(path, args.memory, folder)}")


if __name__ == "__main__":
    main()
