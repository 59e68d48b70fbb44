"""Graphs from other formats and from the data of other libraries."""

from pathlib import Path
from random import Random

import networkx
import numpy as np
import pytest
from scipy.sparse import coo_matrix

import coarsest
from coarsest import tuning
from coarsest.api.graph import Graph
from coarsest.errors import InputError
from coarsest.formats import graph_to_pieces
from coarsest.formats.ba.read import parse
from coarsest.lts.relations import names

COLLECTION = Path(__file__).parents[4] / "shared" / "benchmarks" / "automata"


def edges(graph: Graph) -> set[tuple[int, str, int]]:
    rows = zip(graph.sources.tolist(), graph.actions.tolist(), graph.targets.tolist())
    return {(source, graph.action_names[action], target) for source, action, target in rows}


def test_ba(tmp_path: Path) -> None:
    path = tmp_path / "a.ba"
    path.write_text("[s0]\n[s1]\na,[s0]->[s1]\n\nb,[s1]->[s2]\nb,[s0]->[s2]\n[s2]\n")
    graph = coarsest.read_graph(path)
    assert edges(graph) == {(0, "a", 1), (1, "b", 2), (0, "b", 2)}
    assert graph.initial.tolist() == [0, 1]
    assert [graph.label_names[label] for label in graph.labels] == ["", "", "accepting"]
    graph.write(tmp_path / "b.ba")
    again = coarsest.read_graph(tmp_path / "b.ba")
    assert edges(again) == edges(graph)
    assert again.labels.tolist() == graph.labels.tolist()


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("", "x.ba:1:1", "empty"),
        ("[0]\na,[0]>[1]\nb[1]->[1]\n", "x.ba:2:1", "expected a state or a transition"),
        ("[0]\n  a,[0]->\n", "x.ba:2:3", "expected a transition"),
        ("[0]\na,[0]->[1]\n[1]\na,[1]->[1]\n", "x.ba:4:1", "after the accepting states"),
    ],
)
@pytest.mark.parametrize("choice", ["pure", "compiled"])
def test_wrong_ba(text: str, place: str, words: str, choice: str) -> None:
    with pytest.raises(InputError) as caught:
        parse(text.encode(), "x.ba", choice=choice)
    assert str(caught.value).startswith(place)
    assert words in str(caught.value)


def ba_by_lines(text: str) -> tuple[list[str], list[tuple[str, str, str]], list[str]]:
    """From the description of the format: initial states, transitions, accepting states."""
    initial, rows, accepting = [], [], []
    for line in filter(None, (line.strip() for line in text.split("\n"))):
        if "->" in line:
            letter, ends = line.split(",", 1)
            tail, head = ends.split("->")
            rows.append((tail.strip(), letter.strip(), head.strip()))
        else:
            (accepting if rows else initial).append(line)
    everyone = [*initial, *(row[0] for row in rows), *(row[2] for row in rows)]
    return initial, rows, accepting or everyone


NAMES = ("[0]", "q,1]", "p q", "ä", "[1,2]", "-", ">", "[x-]", "0", "1")
LETTERS = ("a", "b c", "i", "a->b", "é", "\x1b")


@pytest.mark.parametrize("choice", ["pure", "compiled"])
def test_ba_of_all_kinds(choice: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuning, "TEXT_SLICE", 40)
    for seed in range(60):
        random = Random(seed)
        names = [name for name in NAMES if "," not in name or name.startswith("[")]
        names += [f"[{number}]" for number in range(1500 if seed == 0 else 5)]  # more names than there is room for at first
        letters = [*LETTERS, *(f"l{number}" for number in range(100 if seed == 0 else 0))]
        lines = random.sample(names, random.randrange(3))
        count = 4000 if seed == 0 else random.randint(1, 20)
        lines += [f"{random.choice(letters)},{random.choice(names)}->{random.choice(names)}" for _ in range(count)]
        lines += random.sample(names, random.randrange(3))
        text = "".join(f"{random.choice(['', ' ', chr(9)])}{line}{random.choice(['', ' ', chr(13)])}\n" for line in lines)
        text = text.replace(",", " , ") if random.random() < 0.2 and "[1,2]" not in text else text
        text = text if random.random() < 0.5 else "\n".join(text.split("\n\n")).rstrip("\n")
        initial, rows, accepting = ba_by_lines(text)
        states = dict.fromkeys([*initial, *(end for row in rows for end in row[::2]), *accepting])
        order = {name: number for number, name in enumerate(states)}
        graph = parse(text.encode(), choice=choice)
        assert edges(graph) == {(order[tail], letter, order[head]) for tail, letter, head in rows}
        assert graph.initial.tolist() == sorted(order[state] for state in initial or [rows[0][0]])
        seen = [graph.label_names[label] == "accepting" for label in graph.labels.tolist()]
        assert seen == [name in accepting for name in states]
        again = parse(b"".join(graph_to_pieces(graph, "x.ba")), choice=choice)
        assert len(edges(again)) == len(edges(graph))


def test_ba_twins_agree_on_damaged_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """Either both read the same, or both complain of the same place in the same words."""
    monkeypatch.setattr(tuning, "TEXT_SLICE", 30)
    whole = b"\xef\xbb\xbf[0]\n[s 1]\na,[0]->[s 1]\n\n b , [s 1] -> [0]\r\nc,[0]->x\nx\n[0]\n"
    problems = 0
    for seed in range(400):
        random = Random(seed)
        data = bytearray(whole)
        for _ in range(random.randint(1, 3)):
            place = random.randrange(len(data))
            data[place : place + random.randrange(2)] = random.choice([b"", b",", b"->", b"\n", b"\xff", b"[", b" ", b"a,b->c\n"])
        said = []
        for choice in ("pure", "compiled"):
            try:
                graph = parse(bytes(data), "x.ba", choice=choice)
                said.append((edges(graph), graph.labels.tolist(), graph.initial.tolist(), graph.action_names))
            except InputError as error:
                said.append(error.diagnostic.show())
                problems += 1
        assert said[0] == said[1], bytes(data)
    assert 50 < problems < 700


@pytest.mark.parametrize(
    ("graph", "words"),
    [
        (Graph.from_edges(2, [0], [0], [1]), "without actions"),
        (Graph.from_edges(2, [0], [0], [1], initial=[], action_names=("a",)), "without initial states"),
        (Graph.from_edges(2, [0], [0], [1], action_names=("a,b",)), "the action `a,b`"),
        (Graph.from_edges(2, [0], [0], [1], action_names=(" a",)), "the action ` a`"),
        (Graph.from_edges(2, [0], [0], [1], action_names=("a",), labels=[0, 0], label_names=("", "accepting")),
         "all states would become accepting"),
        (Graph.from_edges(2, [], [], [], labels=[0, 1], label_names=("", "accepting")), "cannot distinguish"),
        (Graph.from_edges(2, [0], [0], [1], action_names=("a",), labels=[0, 1], label_names=("", "p")), "no labels of states"),
    ],
)
def test_what_ba_cannot_say(graph: Graph, words: str) -> None:
    """It would be read as something else."""
    with pytest.raises(InputError, match=words):
        b"".join(graph_to_pieces(graph, "x.ba"))


def test_hoa(tmp_path: Path) -> None:
    path = tmp_path / "a.hoa"
    path.write_text(
        'HOA: v1\nStates: 2\nStart: 0\nAP: 2 "p" "q"\nAcceptance: 1 Inf(0)\n--BODY--\n'
        "State: 0\n[0&1] 1 {0}\n[!(!0|!1)] 0\nState: 1\n[t] 1\n--END--\n"
    )
    assert edges(coarsest.read_graph(path)) == {(0, "p & q {0}", 1), (0, "p & q", 0), (1, "true", 1)}


@pytest.mark.skipif(not COLLECTION.exists(), reason="shared benchmarks not present")
def test_automata_of_the_collection_are_read() -> None:
    paths = [path for folder in (COLLECTION / "ba").iterdir() for path in sorted(folder.glob("*.ba"))[:3]]
    assert paths
    for path in paths:
        graph = coarsest.read_graph(path)
        small = graph.reduce().graph
        assert 0 < small.states <= graph.states, path
        b"".join(graph_to_pieces(small, "x.ba"))


def test_tables_and_matrices() -> None:
    table = {"from": ["x", "y", "y"], "by": ["a", "b", "b"], "to": ["y", "x", "x"]}
    graph = Graph.from_table(table, columns=("from", "by", "to"), initial=["y"])
    assert (edges(graph), graph.initial.tolist()) == ({(0, "a", 1), (1, "b", 0)}, [1])
    pandas = pytest.importorskip("pandas")
    assert edges(Graph.from_table(pandas.DataFrame(table), columns=("from", "by", "to"))) == edges(graph)
    pyarrow = pytest.importorskip("pyarrow")
    assert edges(Graph.from_table(pyarrow.table(table), columns=("from", "by", "to"))) == edges(graph)
    with pytest.raises(ValueError, match="no column 'source'; it has from, by, to"):
        Graph.from_table(table)
    matrix = coo_matrix(([1, 1, 1], ([0, 1, 2], [1, 2, 0])), shape=(3, 3))
    assert edges(Graph.from_scipy(matrix)) == {(0, "", 1), (1, "", 2), (2, "", 0)}
    assert Graph.from_scipy(matrix).reduce().graph.states == 1
    assert Graph.from_scipy(matrix, labels=["p", "q", "q"]).reduce().graph.states == 3


def test_networkx() -> None:
    given = networkx.MultiDiGraph()
    given.add_node("p", label="start")
    given.add_edge("p", "q", label="a")
    given.add_edge("p", "q", label="b")
    graph = Graph.from_networkx(given, initial=["q"])
    assert (edges(graph), graph.initial.tolist(), graph.label_names) == ({(0, "a", 1), (0, "b", 1)}, [1], ("start", ""))
    assert edges(Graph.from_networkx(graph.to_networkx())) == edges(graph)
    assert edges(Graph.from_networkx(networkx.path_graph(2))) == {(0, "", 1), (1, "", 0)}


def test_arrays_of_all_kinds(tmp_path: Path) -> None:
    np.save(tmp_path / "sources.npy", np.array([0, 1, 1], dtype=np.uint16))
    sources = np.load(tmp_path / "sources.npy", mmap_mode="r")
    graph = Graph.from_edges(2, sources, [0, 0, 0], np.array([1, 0, 0]))
    assert edges(graph) == {(0, "", 1), (1, "", 0)}
    assert Graph.from_edges(1, [], [], []).reduce().graph.states == 1
    for wrong in (([0, 2], [0, 0], [0, 0]), ([0], [1], [0]), ([0], [0], [-1]), ([0.5], [0], [0]), ([0, 0], [0], [0])):
        with pytest.raises(ValueError):
            Graph.from_edges(2, *wrong)
    with pytest.raises(ValueError, match="initial state"):
        Graph.from_edges(2, [0], [0], [1], initial=[2])
    with pytest.raises(ValueError, match="label"):
        Graph.from_edges(2, [0], [0], [1], labels=[0, 1])


def test_reduce_says_what_it_cannot() -> None:
    graph = Graph.from_edges(2, [0], [0], [1])
    with pytest.raises(InputError, match="not reduced by 'trace'"):
        graph.reduce(by="trace")
    with pytest.raises(InputError, match="not for explicit graphs"):
        graph.reduce(algorithm="hopcroft")
    with pytest.raises(InputError, match="one algorithm"):
        graph.reduce(by="simulation", algorithm="valmari")


def test_reduce_by_other_relations() -> None:
    graph = Graph.from_edges(4, [0, 0, 1, 3], [0, 1, 1, 1], [1, 2, 2, 2], action_names=("i", "a"))
    sizes = {relation: graph.reduce(by=relation).graph.states for relation in names(reducing=True)}
    assert sizes == {
        "bisimulation": 3, "branching-bisimulation": 2, "branching-bisimulation-divergence": 2, "weak-bisimulation": 2,
        "weak-bisimulation-divergence": 2, "simulation": 3, "finite-simulation": 3, "ready-simulation": 3,
        "coupled-simulation": 2, "weak-simulation": 2,
        "traces": 3, "weak-traces": 2, "direct": 3, "delay": 3,
    }  # fmt: skip
