"""Graphs in tables: certificates, wrong input, limits, scratch files, and the command."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from coarsest.api import tables
from coarsest.api.results import Sizes
from coarsest.api.tables import reduce_files
from coarsest.cli.app import main
from coarsest.errors import FileProblem, InputError, LimitExceeded, ModelProblem, NameProblem, Unsupported
from coarsest.formats.aut.write import write
from coarsest.lts.labelled import Graph
from coarsest.lts.minimise.minimise import minimise
from coarsest.lts.tables.confirm_by_sql import Files, classes_that_could_be_one, objections
from coarsest.lts.tables.in_duckdb import DuckDB
from coarsest.lts.tables.minimise import minimise_tables, open_database
from coarsest.lts.tables.tables import EdgeTable, StateTable
from coarsest.run import Limits, Run
from tables_of_graphs import write_table, write_tables

ROWS = [("home", "open", "list"), ("list", "back", "home"), ("shop", "open", "list"), ("list", "open", "item")]


def edge_file(folder: Path, rows: Any = ROWS, columns: tuple[str, ...] = ("source", "action", "target")) -> str:
    path = folder / "links.csv"
    path.write_text("\n".join(",".join(map(str, row)) for row in [columns, *rows]) + "\n", encoding="utf-8")
    return str(path)


def run_main(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["reduce", *words])
    seen = capsys.readouterr()
    return code, seen.out, seen.err


def test_command_writes_table_partition_and_facts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small, classes = tmp_path / "small.csv", tmp_path / "classes.csv"
    code, out, _ = run_main(capsys, edge_file(tmp_path), "--json", "-o", str(small), "--partition", str(classes))
    facts = json.loads(out)
    assert code == 0
    assert facts["states"] == {"before": 4, "after": 3}
    assert facts["transitions"] == {"before": 4, "after": 3}
    assert (facts["relation"], facts["algorithm"], facts["engine"]) == ("bisimulation", "signature-rounds", "duckdb")
    assert facts["confirmed"] is True
    assert small.read_text().split() == ["source,action,target", "home,open,list", "list,back,home", "list,open,item"]
    assert classes.read_text().split() == ["state,class", "home,home", "item,item", "list,list", "shop,home"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["classes.csv", "links.csv", "small.csv"]


def test_graph_file_is_that_of_the_kernels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    random = Random(7)
    rows = [(random.randrange(40), random.randrange(2), random.randrange(40)) for _ in range(90)]
    graph = Graph.from_edges(40, *zip(*rows), action_names=("a", "b"))
    edges, _ = write_tables(graph, tmp_path)
    code, _, _ = run_main(capsys, edges.paths[0], "--initial", "0", "-o", str(tmp_path / "small.aut"))
    assert code == 0
    assert (tmp_path / "small.aut").read_text() == write(minimise(graph).graph)


def test_several_files_by_a_pattern_and_other_column_names(tmp_path: Path) -> None:
    for number, row in enumerate(ROWS):
        write_table(pa.table({"from": [row[0]], "to": [row[2]]}), tmp_path / f"part-{number}.parquet")
    edges = EdgeTable((str(tmp_path / "part-*.parquet"),), "from", None, "to")
    report = reduce_files(edges, partition=str(tmp_path / "classes.parquet"))
    assert (report.states, report.transitions) == (Sizes(4, 3), Sizes(4, 3))


def test_table_of_states(tmp_path: Path) -> None:
    """Labels keep states apart; states without transitions count; what has no label has the empty one."""
    edges = EdgeTable((edge_file(tmp_path),))
    listed = tmp_path / "states.csv"
    listed.write_text("state,label\nshop,red\nlonely,red\n", encoding="utf-8")
    assert reduce_files(edges, StateTable((str(listed),))).states.after == 5
    listed.write_text("state\nlonely\n", encoding="utf-8")
    assert reduce_files(edges, StateTable((str(listed),))).states.after == 3


def confirmation(tmp_path: Path) -> tuple[duckdb.DuckDBPyConnection, Files, Files]:
    edges = Files((edge_file(tmp_path),), {"source": "source", "action": "action", "target": "target"})
    states = tmp_path / "states.csv"
    states.write_text("state,label\nhome,white\nshop,white\nlist,grey\nlonely,\n", encoding="utf-8")
    return duckdb.connect(), edges, Files((str(states),), {"state": "state", "label": "label"})


RIGHT = {"home": "h", "shop": "h", "list": "l", "item": "i", "lonely": "i"}
WRONG: dict[str, list[tuple[str, str]]] = {
    "not stable": [*RIGHT.items(), ("list", "i")],
    "different labels": [*RIGHT.items(), ("list", "h")],
    "state missing": [pair for pair in RIGHT.items() if pair[0] != "item"],
    "state without transitions missing": [pair for pair in RIGHT.items() if pair[0] != "lonely"],
    "unknown state": [*RIGHT.items(), ("office", "i")],
    "no class": [*RIGHT.items(), ("item", "")],
    "all in one": [(state, "x") for state in RIGHT],
    "deadlock among others": [*RIGHT.items(), ("item", "h"), ("lonely", "h")],
    "twice": [*RIGHT.items(), ("again", "h")],
}


def partition_file(folder: Path, pairs: list[tuple[str, str]], *, twice: bool = False) -> Files:
    rows = list(dict(pairs).items()) if not twice else [("home" if state == "again" else state, name) for state, name in pairs]
    path = folder / "partition.csv"
    path.write_text("state,class\n" + "".join(f"{state},{name}\n" for state, name in rows), encoding="utf-8")
    return Files((str(path),))


def test_right_partition_confirms(tmp_path: Path) -> None:
    connection, edges, states = confirmation(tmp_path)
    right = partition_file(tmp_path, list(RIGHT.items()))
    assert objections(connection, edges, right, states) == []
    assert classes_that_could_be_one(connection, edges, right, states) == 0


@pytest.mark.parametrize("kind", WRONG)
def test_wrong_partitions_are_rejected(tmp_path: Path, kind: str) -> None:
    connection, edges, states = confirmation(tmp_path)
    assert objections(connection, edges, partition_file(tmp_path, WRONG[kind], twice=kind == "twice"), states)


def test_finer_partition_is_a_bisimulation_but_not_the_coarsest(tmp_path: Path) -> None:
    connection, edges, states = confirmation(tmp_path)
    finer = partition_file(tmp_path, [*RIGHT.items(), ("shop", "s")])
    assert objections(connection, edges, finer, states) == []
    assert classes_that_could_be_one(connection, edges, finer, states) == 1


def test_random_results_confirm(tmp_path: Path) -> None:
    random = Random(3)
    rows = [(random.randrange(300), random.randrange(2), random.randrange(300)) for _ in range(450)]
    graph = Graph.from_edges(300, *zip(*rows), action_names=("a", "b"))
    edges, _ = write_tables(graph, tmp_path)
    classes = tmp_path / "classes.parquet"
    reduce_files(edges, partition=str(classes))
    files = Files(edges.paths, {"source": "source", "action": "action", "target": "target"}), Files((str(classes),))
    assert objections(duckdb.connect(), *files) == []
    assert classes_that_could_be_one(duckdb.connect(), *files) == 0


def test_command_confirm(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, edges, states = confirmation(tmp_path)
    words = [edges.paths[0], str(tmp_path / "partition.csv"), "--states", states.paths[0], "--coarsest", "--json"]
    cases = {"right": [*RIGHT.items()], "finer": [*RIGHT.items(), ("shop", "s")], "wrong": WRONG["not stable"]}
    reasons = {}
    for kind, pairs in cases.items():
        partition_file(tmp_path, pairs)
        code = main(["confirm", *words])
        facts = json.loads(capsys.readouterr().out)
        assert facts["accepted"] is (code == 0)
        reasons[kind] = facts["reason"]
    assert reasons["right"] is None
    assert reasons["finer"] == "1 classes could be merged into others"
    assert "lack a transition" in reasons["wrong"] or "different labels" in reasons["wrong"]


BAD_TABLES: dict[str, tuple[Any, type[Exception], str]] = {
    "no column": (pa.table({"source": [1], "kind": ["a"], "target": [2]}), NameProblem, "has no column 'action'"),
    "empty cell": (pa.table({"source": [1, None], "action": ["a", "a"], "target": [2, 3]}), ModelProblem, "1 row has no sou"),
    "fractions": (pa.table({"source": [1.5], "action": ["a"], "target": [2]}), Unsupported, "values of type float64"),
}


@pytest.mark.parametrize("kind", BAD_TABLES)
def test_wrong_tables(tmp_path: Path, kind: str) -> None:
    table, error, message = BAD_TABLES[kind]
    write_table(table, tmp_path / "edges.parquet")
    with pytest.raises(error, match=message), open_database() as database:
        minimise_tables(database, EdgeTable((str(tmp_path / "edges.parquet"),)))


BAD_TEXTS: dict[str, tuple[str, str]] = {
    "empty": ("", "' is empty"),
    "short": ("source,action,target\n0,a,1\n\n1,a\n", "line 4: 2 values in this row, 3 columns in the first"),
    "long": ('source;action;target\n0;"a\nb";1\n1;a;0;2\n', "line 4: 4 values in this row"),
    "quote": ('source,action,target\n0,a,1\n1,"b\n', "after line 2"),
    "no names": ("0,a,1\n", "has no column 'source'"),
    "one hole": ("source,action,target\n0,a,1\n1,a,\n", r"1 row has no target \(line 3\)"),
    "holes": ("source,action,target\n0,a,1\n1,,2\n,,2\n", r"2 rows have no action \(the first in line 3\)|1 row has no source"),
}


@pytest.mark.parametrize("kind", BAD_TEXTS)
def test_wrong_rows_are_named(tmp_path: Path, kind: str) -> None:
    text, message = BAD_TEXTS[kind]
    (tmp_path / "edges.csv").write_text(text)
    with pytest.raises(InputError, match=message), open_database() as database:
        minimise_tables(database, EdgeTable((str(tmp_path / "edges.csv"),)))


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "edges.csv").write_bytes(b"source,action,target\n0,\xff,1\n")
    with pytest.raises(InputError, match="not text in UTF-8"), open_database() as database:
        minimise_tables(database, EdgeTable((str(tmp_path / "edges.csv"),)))


def test_file_that_is_no_table(tmp_path: Path) -> None:
    (tmp_path / "edges.parquet").write_text("nothing of the kind")
    with pytest.raises(InputError), open_database() as database:
        minimise_tables(database, EdgeTable((str(tmp_path / "edges.parquet"),)))
    with pytest.raises(FileProblem, match="no such file"), open_database() as database:
        minimise_tables(database, EdgeTable((str(tmp_path / "nowhere.parquet"),)))


def test_state_with_two_labels(tmp_path: Path) -> None:
    (tmp_path / "states.csv").write_text("state,label\nhome,red\nhome,blue\n")
    with pytest.raises(ModelProblem, match="two labels"):
        reduce_files(EdgeTable((edge_file(tmp_path),)), StateTable((str(tmp_path / "states.csv"),)))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--columns", "source"], "--columns names two or three columns"),
        (["--initial", "hom", "-o", "small.aut"], "there is no state 'hom'"),
        (["-o", "small.aut"], "a graph file needs an initial state"),
        (["-o", "small.doc"], "cannot be written as 'small.doc'"),
        (["--partition", "classes.txt"], "is not known by its name"),
        (["--algorithm", "paige-tarjan"], "not for graphs in tables"),
        (["--scratch", "nowhere"], "cannot use 'nowhere' for intermediate tables"),
    ],
)
def test_wrong_usage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: list[str], message: str
) -> None:
    path = edge_file(tmp_path)
    monkeypatch.chdir(tmp_path)
    code, out, err = run_main(capsys, path, *words)
    assert (code, out) == (2, "")
    assert message in err


def test_time_limit_stops_the_engine_within_a_statement() -> None:
    run, started = Run(Limits(seconds=0.3)), time.process_time()
    with pytest.raises(LimitExceeded, match="time limit"), open_database(run=run) as database, database.stoppable():
        database.connection.raw_sql("SELECT sum(hash(range)) FROM range(1000000000000)").fetchall()
    assert time.process_time() - started < 60


@pytest.mark.parametrize("disk", ["0MiB", "1GiB"])
def test_memory_that_is_too_small_is_made_up_by_the_disk(tmp_path: Path, disk: str) -> None:
    edges = str(tmp_path / "edges.parquet")
    rows = "SELECT i // 2 AS source, hash(i) % 2 AS action, hash(-i) % 300000 AS target FROM range(600000) r(i)"
    duckdb.sql(rows).write_parquet(edges)
    database = DuckDB(tmp_path, Run(), threads=1)
    database.connection.raw_sql(f"SET memory_limit = '32MiB'; SET max_temp_directory_size = '{disk}'")
    try:
        if disk == "0MiB":
            with pytest.raises(LimitExceeded, match="out of memory or disk"):
                minimise_tables(database, EdgeTable((edges,)))
        else:
            assert minimise_tables(database, EdgeTable((edges,))).source.states == 300000
    finally:
        database.close()


def test_scratch_vanishes_with_a_killed_process(tmp_path: Path) -> None:
    script = (
        "from coarsest.lts.tables.scratch import Scratch; import sys, time\n"
        "with Scratch(sys.argv[1]) as folder:\n"
        "    (folder / 'large').write_text('x'); print(folder, flush=True); time.sleep(600)"
    )
    child = subprocess.Popen([sys.executable, "-c", script, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    folder = Path(child.stdout.readline().strip())
    assert (folder / "large").exists()
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    child.stdout.close()
    for _ in range(6000):
        if not folder.exists():
            break
        time.sleep(0.1)
    assert not folder.exists()


@pytest.mark.parametrize("moment", ["minimise_tables", "confirm_files"])
@pytest.mark.parametrize("change", ["more rows", "nothing that is a table", "no file"])
def test_a_table_that_changes_while_it_is_read(
    moment: str, change: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = edge_file(tmp_path)
    before = getattr(tables, moment)

    def changed_meanwhile(*args: Any, **options: Any) -> Any:
        if change == "no file":
            os.unlink(path)
        else:
            edge_file(tmp_path, [*ROWS, ("item", "open", "shop")] if change == "more rows" else [("\0",)])
        return before(*args, **options)

    monkeypatch.setattr(tables, moment, changed_meanwhile)
    code, _, err = run_main(capsys, path)
    assert code == 2 and f"'{path}' has changed while it was read" in err


@pytest.mark.parametrize("read", ["links.csv", "l*.csv"])
def test_a_table_that_is_read_again_is_not_written_to(read: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = edge_file(tmp_path)
    text = Path(path).read_text()
    code, _, err = run_main(capsys, str(tmp_path / read), "-o", path)
    assert code == 2 and "would overwrite a file that is read" in err and Path(path).read_text() == text
