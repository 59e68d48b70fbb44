"""Graphs as arrays of NumPy and as tables: written and read back, and what is wrong is said."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from coarsest.cli.app import main
from coarsest.errors import InputError, Unsupported
from coarsest.files import Contents
from coarsest.formats import read_graph, write_graph
from coarsest.formats.npz.arrays import pieces, read
from coarsest.lts.labelled import Graph
from random_graph_pairs import random_silent_graph

ODD = ('say "x, y"', "tau", "with blanks; and semicolons", "ünïcode, too")
GRAPH = Graph.from_edges(3, [0, 1, 1, 2], [0, 1, 2, 3], [1, 2, 0, 0], action_names=ODD)


def content(graph: Graph) -> list[Any]:
    columns = graph.offsets, graph.actions, graph.targets, graph.initial, graph.labels
    return [*(column.tolist() for column in columns), graph.action_names, graph.label_names]


def test_arrays_are_read_back(tmp_path: Path) -> None:
    for seed in range(60):
        graph = random_silent_graph(Random(seed))
        write_graph(graph, tmp_path / "graph.npz")
        assert content(read_graph(tmp_path / "graph.npz")) == content(graph)


def arrays(**columns: Any) -> Contents:
    file = BytesIO()
    np.savez(file, **columns)
    return Contents("graph.npz", file.getvalue())


def test_columns_are_enough() -> None:
    graph = read(arrays(sources=[1, 0], actions=[2, 0], targets=[0, 1]))
    assert graph.states == 2
    assert graph.initial.tolist() == [0]
    assert graph.action_names == ("0", "1", "2")
    assert read(arrays(sources=[0], actions=[0], targets=[4])).action_names == ("",)
    assert read(arrays(sources=[0], actions=[0], targets=[1], states=9)).states == 9


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"sources": [0], "targets": [0]}, "no array 'actions'"),
        ({"actions": [0], "targets": [0]}, "neither an array 'sources' nor an array 'offsets'"),
        ({"offsets": [0, 2], "actions": [0], "targets": [0]}, "offsets must grow from 0 to the number of transitions"),
        ({"offsets": [[0, 1]], "actions": [0], "targets": [0]}, "offsets must grow from 0"),
        ({"offsets": [0, 2, 1], "actions": [0], "targets": [0]}, "offsets must grow from 0"),
        ({"sources": [0], "actions": [0], "targets": [-1]}, "leaves the states"),
        ({"sources": [0.5], "actions": [0], "targets": [1]}, "given by their numbers"),
        ({"sources": [0, 1], "actions": [0], "targets": [1]}, "lists of one length"),
        ({"sources": ["a"], "actions": [0], "targets": [1]}, "graph.npz"),
        ({"sources": [0], "actions": [0], "targets": [1], "initial": [7]}, "initial state"),
        ({"sources": [0], "actions": [0], "targets": [1], "labels": [0]}, "one label for each state"),
        ({"sources": [0], "actions": [3], "targets": [1], "action_names": ["a"]}, "not one of the 1 named"),
    ],
)
def test_wrong_arrays(columns: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(arrays(**columns))


ONE = {"sources": [0], "actions": [0], "targets": [0]}


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({**ONE, "actions": [10**8]}, "the numbers go up to 100,000,000, but there are no action_names"),
        ({**ONE, "labels": [10**8]}, "the numbers go up to 100,000,000, but there are no label_names"),
        ({**ONE, "targets": [10**9]}, "1,000,000,001 states, and 1 transitions"),
        ({**ONE, "states": 10**9}, "1,000,000,000 states, and 1 transitions"),
        ({**ONE, "actions": np.zeros(10**6)}, "arrays up to 'actions' take 8,000,008"),
        ({**ONE, "initial": np.zeros(10**6)}, "up to 'initial'"),
        ({"offsets": np.zeros(10**6), "actions": [], "targets": []}, "up to 'offsets'"),
        ({**ONE, "action_names": np.array(["a" * 10**6])}, "up to 'action_names'"),
    ],
)
def test_a_small_file_does_not_take_much_memory(columns: dict[str, Any], message: str) -> None:
    """What is refused is not read before; what nobody asks for is not read at all."""
    file = BytesIO()
    np.savez_compressed(file, **columns)
    with pytest.raises(InputError, match=message):
        read(Contents("graph.npz", file.getvalue()))
    file = BytesIO()
    np.savez_compressed(file, **ONE, nobody=np.zeros(10**6))
    assert read(Contents("graph.npz", file.getvalue())).states == 1


def test_broken_files() -> None:
    whole = b"".join(pieces(GRAPH))
    random = Random(0)
    for cut in [0, 1, 2, *(random.randrange(len(whole)) for _ in range(60))]:
        with pytest.raises(InputError):
            read(Contents("cut.npz", whole[:cut]))
    for _ in range(200):
        broken = bytearray(whole)
        broken[random.randrange(len(whole))] ^= 1 << random.randrange(8)
        try:
            assert read(Contents("broken.npz", bytes(broken))).states >= 0
        except InputError as error:
            assert "broken.npz" in str(error)


@pytest.mark.parametrize("ending", ["parquet", "csv", "tsv"])
def test_tables_are_read_back(ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_graph(GRAPH, tmp_path / "graph.aut")
    small, again = tmp_path / f"small.{ending}", tmp_path / "again.aut"
    assert main(["reduce", str(tmp_path / "graph.aut"), "-o", str(small)]) == 0
    assert main(["reduce", str(small), "--initial", "0", "-o", str(again)]) == 0
    assert main(["compare", str(tmp_path / "graph.aut"), str(again)]) == 0
    assert sorted(read_graph(again).action_names) == sorted(ODD)
    assert main(["convert", str(tmp_path / "graph.aut"), str(small)]) == 0
    capsys.readouterr()


def test_tables_have_no_labels(tmp_path: Path) -> None:
    graph = Graph.from_edges(2, [0], [0], [1], labels=[0, 1], label_names=("p", "q"))
    with pytest.raises(Unsupported, match="no labels on states"):
        write_graph(graph, tmp_path / "graph.parquet")
    write_graph(Graph.from_edges(2, [0], [0], [1]), tmp_path / "graph.csv")
    assert (tmp_path / "graph.csv").read_text().splitlines()[0].replace('"', "") == "source,target"
