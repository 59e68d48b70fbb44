"""Relational rounds find the same classes as the definition and the kernels, whatever the hashes and the names of states are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from coarsest.formats import read_graph
from coarsest.lts.labelled import Graph
from coarsest.lts.minimise.classes import bisimulation_classes
from coarsest.lts.minimise.minimise import minimise
from coarsest.lts.tables import minimise as relational
from coarsest.lts.tables import signature_rounds
from coarsest.lts.tables.database import Database
from coarsest.lts.tables.in_duckdb import DuckDB
from coarsest.lts.tables.minimise import ReducedTables, minimise_tables, open_database
from coarsest.lts.tables.signature_rounds import TableRounds
from coarsest.run import Event, Run
from oracles.graph_relations import bisimulation_levels
from random_labelled_graphs import random_labelled_graph
from tables_of_graphs import least_members, together, write_tables

BENCHMARKS = Path(__file__).resolve().parents[3] / "shared" / "benchmarks" / "lts"


@pytest.fixture
def database() -> Iterator[Database]:
    with open_database("duckdb") as opened:
        yield opened


def partition(reduced: ReducedTables) -> dict[Any, Any]:
    return {row["state"]: row["class"] for row in reduced.database.rows(reduced.named_partition())}


def expected(graph: Graph) -> dict[int, int]:
    return dict(enumerate(least_members(bisimulation_classes(graph).class_of.tolist())))


def same_graph(one: Graph, other: Graph) -> bool:
    arrays = ("offsets", "actions", "targets", "initial", "labels")
    names = one.action_names == other.action_names and one.label_names == other.label_names
    return names and all(getattr(one, array).tolist() == getattr(other, array).tolist() for array in arrays)


def used_only(graph: Graph) -> Graph:
    """Without actions and labels that never occur: a table does not know them."""
    used, actions = np.unique(graph.actions, return_inverse=True)
    seen, labels = np.unique(graph.labels, return_inverse=True)
    return Graph.from_edges(
        graph.states, graph.sources, actions, graph.targets, initial=graph.initial, labels=labels,
        action_names=tuple(graph.action_names[action] for action in used) or ("",),
        label_names=tuple(graph.label_names[label] for label in seen) or ("",),
    )  # fmt: skip


def many(seed: int, number: int, **options: Any) -> list[Graph]:
    random = Random(seed)
    return [random_labelled_graph(random, **options) for _ in range(number)]


def test_definition_and_kernels(database: Database, tmp_path: Path) -> None:
    """200 graphs side by side in one table: within each, the classes of the definition; over all, those of the kernels."""
    graphs = many(1, 200)
    whole = used_only(together(graphs))
    reduced = minimise_tables(database, *write_tables(whole, tmp_path))
    found = partition(reduced)
    assert found == expected(whole)
    shift = 0
    for graph in graphs:
        alike = bisimulation_levels(graph)[-1]
        for s in range(graph.states):
            for t in range(graph.states):
                assert (found[shift + s] == found[shift + t]) == ((s, t) in alike)
        shift += graph.states
    assert reduced.classes == len(set(found.values()))
    assert same_graph(reduced.graph(), minimise(whole).graph)


def test_quotient_of_one_graph_is_that_of_the_kernels(tmp_path: Path) -> None:
    for seed in range(6):
        graph = used_only(many(seed, 1, states=30)[0])
        with open_database("duckdb") as database:
            reduced = minimise_tables(database, *write_tables(graph, tmp_path))
            assert same_graph(reduced.graph(), minimise(graph).graph)
            steps = {(row["source"], row["action"], row["target"]) for row in database.rows(reduced.named_edges())}
        least = expected(graph)
        rows = zip(graph.sources.tolist(), graph.actions.tolist(), graph.targets.tolist())
        assert steps == {(least[s], graph.action_names[a], least[t]) for s, a, t in rows}


class Deceived(DuckDB):
    """With hashes of two bits, most collisions happen."""

    def hash(self, code: Any) -> Any:
        return super().hash(code) & 3


def test_collisions_do_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = together(many(2, 60))
    checks: list[bool] = []
    decide = relational.quotient

    def watched(*arguments: Any) -> Any:
        found = decide(*arguments)
        checks.append(found.stable)
        return found

    monkeypatch.setattr(relational, "quotient", watched)
    database = Deceived(tmp_path, Run())
    try:
        assert partition(minimise_tables(database, *write_tables(whole, tmp_path))) == expected(whole)
    finally:
        database.close()
    assert checks[-1] and not checks[0]  # the check of stability has found a collision, and the rounds went on


def test_blocks_are_renamed_before_their_numbers_grow_too_large(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = together([chain(6), *many(4, 20)])
    monkeypatch.setattr(signature_rounds, "LARGEST", 4 * whole.states * len(whole.action_names))
    rename = TableRounds._make_room
    bounds: list[int] = []

    def watched(self: TableRounds) -> None:
        rename(self)
        bounds.append(self.next_number)

    monkeypatch.setattr(TableRounds, "_make_room", watched)
    assert partition(minimise_tables(database, *write_tables(whole, tmp_path))) == expected(whole)
    assert sorted(bounds) != bounds  # numbers have become smaller at least once


def chain(length: int) -> Graph:
    return Graph.from_edges(length + 1, range(length), [0] * length, range(1, length + 1), action_names=("a",))


@pytest.mark.parametrize("after", [1, 3, 1000])
def test_the_rest_handed_over_to_the_kernels(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    monkeypatch.setattr("coarsest.tuning.TABLE_ROUNDS", after)
    whole = together([chain(12), *many(3, 20), chain(9)])
    reduced = minimise_tables(database, *write_tables(whole, tmp_path))
    assert partition(reduced) == expected(whole)
    assert reduced.rounds == after if after < 10 else reduced.rounds > 10


def test_all_is_handed_over_where_it_fits(database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coarsest.tuning.TABLE_KERNEL_TRANSITIONS", 0)
    whole = together([chain(12), *many(3, 20), chain(9)])
    reduced = minimise_tables(database, *write_tables(whole, tmp_path))
    assert (partition(reduced), reduced.rounds) == (expected(whole), 0)
    monkeypatch.setattr("coarsest.tuning.TABLE_BYTES", 10**12)
    reduced = minimise_tables(database, *write_tables(whole, tmp_path))
    assert partition(reduced) == expected(whole) and reduced.rounds > 3


def test_many_rounds_end_in_memory(database: Database, tmp_path: Path) -> None:
    graph = chain(300)
    reduced = minimise_tables(database, *write_tables(graph, tmp_path))
    assert reduced.classes == 301
    assert reduced.rounds < 20


def test_largest_part_keeps_its_number_and_dirty_states_are_few(tmp_path: Path) -> None:
    """In a chain with a long tail of bisimilar loops, a round moves one state."""
    moved: list[int] = []
    loops = Graph.from_edges(40, range(40), [0] * 40, range(40), action_names=("a",))
    whole = together([chain(8), loops])
    with open_database("duckdb", Run(listener=lambda event: moved.extend(_moved(event)))) as database:
        assert partition(minimise_tables(database, *write_tables(whole, tmp_path))) == expected(whole)
    assert moved == [1] * 9 + [0]


def _moved(event: Event) -> list[int]:
    return [int(event.facts["moved"])] if "moved" in event.facts else []


NAMINGS = {
    "negative": lambda state: -1 - state,
    "large": lambda state: 2**55 + 7 * state,
    "texts": lambda state: f"state {state:03}",
    "quotes": lambda state: f"it's \"{state:03}\", é",
    "digits": lambda state: f"{state:03}",  # numbers only at first sight: 007 is not 7
}


@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
@pytest.mark.parametrize("naming", NAMINGS)
def test_names_of_states(database: Database, tmp_path: Path, naming: str, suffix: str) -> None:
    graph = many(5, 1, states=12)[0]
    reduced = minimise_tables(database, *write_tables(graph, tmp_path, suffix=suffix, naming=NAMINGS[naming]))
    name = NAMINGS[naming]
    found = partition(reduced)
    assert set(found) == {name(state) for state in range(graph.states)}
    numbers = [found[name(state)] for state in range(graph.states)]
    assert least_members(numbers) == list(expected(graph).values())
    assert all(found[leader] == leader and leader == min(s for s in found if found[s] == leader) for leader in set(numbers))


@pytest.mark.parametrize("name", ["vasy_0_1", "cwi_1_2"])
def test_graphs_from_practice(database: Database, tmp_path: Path, name: str) -> None:
    path = BENCHMARKS / f"{name}.aut"
    if not path.exists():
        pytest.skip("shared benchmarks not present")
    graph = read_graph(path)
    edges, _ = write_tables(graph, tmp_path)
    reduced = minimise_tables(database, edges, initial=("0",))
    assert same_graph(reduced.graph(), minimise(graph).graph)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(10))
def test_thousands_of_graphs(database: Database, tmp_path: Path, seed: int) -> None:
    whole = used_only(together(many(100 + seed, 200, states=12)))
    reduced = minimise_tables(database, *write_tables(whole, tmp_path))
    assert partition(reduced) == expected(whole)
    assert same_graph(reduced.graph(), minimise(whole).graph)
