"""Large graphs as tables, made by DuckDB itself: `python -m benchmarks.edge_tables doubled 100000000 edges.parquet`.

In the family *random* every state has four transitions with random actions (of three) to random states; almost surely no two
states are bisimilar. In *doubled* every state has a twin that makes the same steps, to the same state or to its twin: there are
almost surely half as many classes as states.
"""

from __future__ import annotations

import sys

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
    sql = FAMILIES[family].format(states=states)
    with duckdb.connect() as connection:
        connection.execute(f"COPY ({sql}) TO '{path}' (FORMAT parquet)")
    return states


if __name__ == "__main__":
    family, transitions, path = sys.argv[1:]
    print(f"{write(family, int(transitions), path):,} states")
