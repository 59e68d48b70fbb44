"""`i` and `tau` are one action on every path: a graph is related to its quotient, and both names give the classes of one."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from campaigns import blocks
from coarsest.api.graph import minimise_by
from coarsest.api.tables import confirm_files
from coarsest.formats import read_graph, write_graph
from coarsest.lts.compare.compare_graphs import compare_graphs
from coarsest.lts.labelled import Graph
from coarsest.lts.minimise.classes import bisimulation_classes
from coarsest.lts.minimise.minimise import minimise
from coarsest.lts.relations import names, relations
from coarsest.lts.tables.minimise import minimise_tables, open_database
from command_lines import Runner
from oracles.graph_relations import bisimulation_levels
from random_graph_pairs import random_silent_graph
from tables_of_graphs import least_members, together, write_tables

NAMES = (("a", "i", "tau"), ("tau", "a", "i"), ("a", "tau", "tau", "i"), ("a", "a", "i", "tau"))
SEEDS = range(120)
SMALL = 'des (0, 4, 5)\n(0, "a", 1)\n(0, "a", 2)\n(1, i, 3)\n(2, "tau", 4)\n'


@cache
def graphs() -> list[Graph]:
    """Random graphs in which the internal action has both its names, and other names may occur twice."""
    return [random_silent_graph(Random(seed), states=9, actions=NAMES[seed % len(NAMES)]) for seed in SEEDS]


def in_one_word(graph: Graph) -> Graph:
    """The graph with the internal action called `i` alone."""
    words = tuple("i" if name == "tau" else name for name in graph.action_names)
    names = tuple(dict.fromkeys(words))
    actions = [names.index(words[action]) for action in graph.actions.tolist()]
    return Graph.from_edges(
        graph.states, graph.sources, actions, graph.targets, initial=graph.initial, labels=graph.labels, action_names=names,
        label_names=graph.label_names,
    )  # fmt: skip


@pytest.mark.parametrize("choice", ["pure", "compiled"])
@pytest.mark.parametrize("algorithm", ["auto", "signatures", "valmari"])
def test_classes_are_those_of_the_definition(algorithm: str, choice: str) -> None:
    for graph in graphs():
        related = bisimulation_levels(graph)[-1]
        expected = [min(t for t in range(graph.states) if (s, t) in related) for s in range(graph.states)]
        found = bisimulation_classes(graph, algorithm=algorithm, choice=choice)
        assert least_members(found.class_of.tolist()) == expected


@pytest.mark.parametrize("by", names(reducing=True))
@pytest.mark.parametrize("block", blocks(3, by_day=1))
def test_a_graph_is_related_to_its_quotient_and_no_larger_by_two_names(by: str, block: int) -> None:
    shrunk = 0
    for graph in graphs()[block::3]:
        small = minimise_by(by, graph).graph
        assert compare_graphs(graph, small, by=by).related
        one_word = minimise_by(by, in_one_word(graph)).graph
        assert (small.states, small.transitions) == (one_word.states, one_word.transitions)
        assert len({"i", "tau"} & set(small.action_names)) <= 1
        shrunk += small.states < graph.states
    assert shrunk > 10


@pytest.mark.parametrize("by", names())
def test_the_names_tell_nothing_apart(by: str) -> None:
    for graph in graphs():
        assert compare_graphs(graph, in_one_word(graph), by=by).related


def test_tables(tmp_path: Path) -> None:
    whole = together(graphs())
    tables = write_tables(whole, tmp_path)
    with open_database("duckdb") as database:
        reduced = minimise_tables(database, *tables)
        rows = database.rows(reduced.named_partition().order_by("state"))
        reduced.write_partition(str(tmp_path / "classes.parquet"))
        words = {row["action"] for row in database.rows(reduced.named_edges())}
    classes = bisimulation_classes(whole)
    assert least_members([row["class"] for row in rows]) == least_members(classes.class_of.tolist())
    assert words == {"a", "i"}
    assert confirm_files(tables[0], str(tmp_path / "classes.parquet"), tables[1], coarsest=True) == []


def test_a_partition_that_tells_the_names_apart_is_not_the_coarsest(tmp_path: Path) -> None:
    (tmp_path / "edges.csv").write_text("source,action,target\n0,i,1\n2,tau,1\n")
    (tmp_path / "fine.csv").write_text("state,class\n0,0\n1,1\n2,2\n")
    (tmp_path / "coarse.csv").write_text("state,class\n0,0\n1,1\n2,0\n")
    from coarsest.lts.tables.tables import EdgeTable

    edges = EdgeTable((str(tmp_path / "edges.csv"),))
    assert confirm_files(edges, str(tmp_path / "coarse.csv"), coarsest=True) == []
    assert confirm_files(edges, str(tmp_path / "fine.csv"), coarsest=True) == ["1 classes could be merged into others"]


@pytest.mark.parametrize("suffix", ["aut", "ba"])
def test_files(run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str) -> None:
    monkeypatch.chdir(tmp_path)
    write_graph(read_graph(_written(tmp_path / "small.aut")), f"small.{suffix}")
    for by in names(reducing=True):
        if relations()[by].fair and suffix == "ba":  # by these, automata are reduced, of which only the words count
            continue
        assert run("reduce", f"small.{suffix}", "--by", by, "-o", f"q.{suffix}").code == 0
        assert run("compare", f"small.{suffix}", f"q.{suffix}", "--by", by).code == 0
        expected = 2 if relations()[by].internal else 3
        assert read_graph(f"q.{suffix}").states == expected


def _written(path: Path) -> Path:
    path.write_text(SMALL)
    return path


def test_names_that_only_look_like_the_internal_action(run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A proposition of an automaton, or a variable of a model, that is called `i` can be seen."""
    monkeypatch.chdir(tmp_path)
    for name in ("i", "tau"):
        text = f'HOA: v1 States: 1 Start: 0 AP: 1 "{name}" Acceptance: 0 t --BODY-- State: 0 [0] 0 --END--'
        Path(f"{name}.hoa").write_text(text)
    assert run("compare", "i.hoa", "tau.hoa", "--by", "traces").code == 1
    assert run("compare", "i.hoa", "i.hoa", "--by", "traces").code == 0
    Path("model.smv").write_text("MODULE main VAR i : boolean; ASSIGN init(i) := TRUE; next(i) := !i;")
    assert run("reduce", "model.smv", "--observe", "i", "-o", "model.aut").code == 0
    assert run("compare", "model.smv", "model.aut", "--observe", "i").code == 0
    assert run("reduce", "model.aut", "--by", "branching-bisimulation", "-o", "small.aut").code == 0
    assert read_graph("small.aut").states == 2


def test_the_quotient_does_not_depend_on_which_name_comes_first() -> None:
    graph = Graph.from_edges(3, [0, 0], [0, 1], [1, 2], action_names=("tau", "i"))
    turned = replace(graph, action_names=("i", "tau"))
    assert minimise(graph).graph.action_names == minimise(turned).graph.action_names == ("i",)
