"""The same text runs on Spark and on DuckDB, and finds the same classes; run by `test_relational_spark`."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from coarsest.lts.minimise.classes import bisimulation_classes
from coarsest.lts.tables.minimise import minimise_tables, open_database
from random_graph_pairs import random_silent_graph
from random_labelled_graphs import random_labelled_graph
from tables_of_graphs import least_members, together, write_tables


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """One thread, no compilation of plans: these graphs are tiny."""
    from pyspark.sql import SparkSession

    folder = tmp_path_factory.mktemp("spark")
    options = {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "1",
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.local.dir": str(folder / "spill"),
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    }
    builder = SparkSession.builder.master("local[1]")
    for name, value in options.items():
        builder = builder.config(name, value)
    made = builder.getOrCreate()
    yield made
    made.stop()


@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
def test_spark_finds_the_same_partition(session: Any, tmp_path: Path, suffix: str) -> None:
    random = Random(11)
    two_names = [random_silent_graph(random, actions=("a", "i", "tau")) for _ in range(10)]
    whole = together([*two_names, *(random_labelled_graph(random) for _ in range(30))])
    naming = int if suffix == ".parquet" else "state {:04}".format
    tables = write_tables(whole, tmp_path, suffix=suffix, naming=naming)
    found = {}
    for name in ("spark", "duckdb"):
        with open_database(name, session=session if name == "spark" else None) as database:
            reduced = minimise_tables(database, *tables)
            rows = database.rows(reduced.named_partition().order_by("state"))
            edges = database.rows(reduced.named_edges())
            steps = sorted((row["source"], row["action"], row["target"]) for row in edges)
            reduced.write_partition(str(tmp_path / f"{name}.csv"))
            found[name] = [(row["state"], row["class"]) for row in rows], steps, reduced.rounds
    assert found["spark"] == found["duckdb"]
    assert {action for _, action, _ in found["spark"][1]} == {"a", "b", "c", "i"}
    assert (tmp_path / "spark.csv").read_text() == (tmp_path / "duckdb.csv").read_text()
    classes = [name for _, name in found["spark"][0]]
    assert least_members(classes) == least_members(bisimulation_classes(whole).class_of.tolist())


def test_an_own_session_leaves_ctrl_c_as_it_was() -> None:
    before = signal.getsignal(signal.SIGINT)
    with open_database("spark") as database:
        assert signal.getsignal(signal.SIGINT) is before
        assert database.count(database.put_rows("rows", {"number": [1, 2]}, {"number": "int64"})) == 2
    assert signal.getsignal(signal.SIGINT) is before
