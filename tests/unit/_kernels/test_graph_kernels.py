"""Each kernel and its twin give the same arrays."""

from importlib import import_module
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coarsest._kernels import choose, library
from coarsest._kernels.choose import kernels
from coarsest.formats.aut.read import parse
from coarsest.formats.aut.write import pieces
from coarsest.lts.labelled import Graph
from random_labelled_graphs import random_labelled_graph

TWINS = (
    "judge.quotients", "text.aut_lines", "text.aut_text", "text.ba_text", "csr", "partition.numbering", "partition.quotient",
    "partition.signatures", "partition.valmari", "partition.silent_components", "paths.closures", "paths.product",
    "paths.saturation", "paths.unions", "games.attractor", "games.positions", "paths.state_table",
)  # fmt: skip


@pytest.mark.parametrize("name", TWINS)
def test_twins_have_the_same_functions(name: str) -> None:
    compiled, pure = (import_module(f"coarsest._kernels.{name}{suffix}") for suffix in ("", "_pure"))
    for function in vars(compiled).values():
        own = hasattr(function, "py_func") and function.py_func.__module__ == compiled.__name__
        if own and not function.py_func.__name__.startswith("_"):
            twin = getattr(pure, function.py_func.__name__)
            assert twin.__code__.co_varnames[: twin.__code__.co_argcount] == function.py_func.__code__.co_varnames[
                : function.py_func.__code__.co_argcount
            ]
            assert twin.__doc__ == function.py_func.__doc__


def test_small_graphs_take_the_pure_path_and_all_do_without_a_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choose, "_missed", set())  # What is missed here is no advice for the commands of later tests.
    monkeypatch.setattr(library, "library", lambda: None)
    assert kernels("csr", 10**6).__name__.endswith("csr_pure")
    monkeypatch.setattr(library, "library", lambda: "a library")
    assert kernels("csr", 0, "compiled").__name__.endswith("csr")
    assert kernels("csr", 999).__name__.endswith("csr_pure")
    assert kernels("csr", 1000).__name__.endswith("csr")


LABELS = st.sampled_from(["a", '"b"', "i", '"c, d"', "e,f", '"say "x", then"', "G !1, 2", '""', "'", "ü", '"', "(1", "a)"])
GAPS, ENDS = st.sampled_from(["", " ", "\t"]), st.sampled_from(["\n", "\r\n", "\n\n"])
LINES = st.tuples(st.integers(0, 12), LABELS, st.integers(0, 12), GAPS, ENDS)
BROKEN = st.one_of(st.just(""), st.text("(),0a\" \n", max_size=12))


@settings(max_examples=150, deadline=None)
@given(st.lists(LINES, max_size=8), BROKEN, st.integers(0, 9), st.integers(1, 4))
def test_twins_read_the_same_lines(lines: list[tuple[int, str, int, str, str]], rest: str, room: int, names: int) -> None:
    text = "".join(f"{gap}({gap}{s},{gap}{label}{gap},{t}{gap}){gap}{end}" for s, label, t, gap, end in lines) + rest
    data = np.frombuffer(text.encode(), dtype=np.uint8)
    answers = []
    for choice in ("pure", "compiled"):
        columns = [np.zeros(room, dtype=np.int32) for _ in range(3)]
        places, found = np.zeros((names, 2), dtype=np.int64), np.zeros(2, dtype=np.int64)
        reached = kernels("text.aut_text", 0, choice).parse_lines(data, 0, len(data), 12, *columns, places, found)
        answers.append((reached, found.tolist(), places.tolist(), *(column[: found[0]].tolist() for column in columns)))
    assert answers[0] == answers[1], text


@pytest.mark.parametrize("seed", range(30))
def test_what_is_written_is_read_again(seed: int) -> None:
    graph = random_labelled_graph(Random(seed), states=200)
    graph = Graph(graph.offsets, graph.actions, graph.targets, graph.initial[:1], np.zeros_like(graph.labels), graph.action_names)
    texts = [b"".join(pieces(graph, choice=choice)) for choice in ("pure", "compiled")]
    assert texts[0] == texts[1]
    for choice in ("pure", "compiled"):
        again = parse(texts[0], choice=choice)
        names = [again.action_names[action] for action in again.actions]
        assert names == [graph.action_names[action] for action in graph.actions]
        assert again.offsets.tolist() == graph.offsets.tolist()
        assert again.targets.tolist() == graph.targets.tolist()


def test_text_is_written_in_small_pieces_too() -> None:
    graph = random_labelled_graph(Random(1), states=50)
    labels, label_offsets = np.frombuffer(b"bac", dtype=np.uint8), np.array([0, 1, 2, 3])
    for choice in ("pure", "compiled"):
        kernel = kernels("text.aut_lines", 0, choice)
        text, reached, whole = np.empty(100, dtype=np.uint8), np.zeros(2, dtype=np.int64), b""
        while reached[1] < graph.transitions:
            used = kernel.write_lines(graph.offsets, graph.actions, graph.targets, labels, label_offsets, text, reached)
            whole += text[:used].tobytes()
        rows = zip(graph.sources.tolist(), graph.actions.tolist(), graph.targets.tolist())
        assert whole.decode() == "".join(f"({s}, {'bac'[a]}, {t})\n" for s, a, t in rows)


def test_numbers_of_all_lengths_are_written() -> None:
    targets = sorted({min(10**length + step, 2**31 - 1) for length in range(11) for step in (-1, 0, 1)})
    offsets = np.array([0, 1, 3, len(targets)], dtype=np.int32)
    labels, label_offsets = np.frombuffer(b'"a""bcdefghijklmnopq"', dtype=np.uint8), np.array([0, 3, 21])
    actions = np.array([place % 2 for place in range(len(targets))], dtype=np.int32)
    texts = []
    for choice in ("pure", "compiled"):
        text, reached = np.empty(4096, dtype=np.uint8), np.zeros(2, dtype=np.int64)
        columns = offsets, actions, np.array(targets, dtype=np.int32), labels, label_offsets
        texts.append(text[: kernels("text.aut_lines", 0, choice).write_lines(*columns, text, reached)].tobytes())
    assert texts[0] == texts[1]
    assert texts[0].count(b"\n") == len(targets)


def test_names_of_all_lengths_are_told_apart() -> None:
    """Names that differ in their length, their last byte, or one somewhere in the middle, with signs that may end a label."""
    names = [("ab,c)(\"d" * 5)[:length] + end for length in range(36) for end in ("x", "y", "\0")]
    names += ["m" * at + "n" + "m" * (30 - at) for at in range(31)]
    text = "".join(f'({at % 7}, "{name}", {at % 5})\n' for at, name in enumerate(names + names)).encode()
    answers = []
    for choice in ("pure", "compiled"):
        columns = [np.zeros(2 * len(names), dtype=np.int32) for _ in range(3)]
        places, found = np.zeros((len(names), 2), dtype=np.int64), np.zeros(2, dtype=np.int64)
        data = np.frombuffer(text, dtype=np.uint8)
        reached = kernels("text.aut_text", 0, choice).parse_lines(data, 0, len(data), 7, *columns, places, found)
        answers.append((reached, found.tolist(), places.tolist(), *(column.tolist() for column in columns)))
    assert answers[0] == answers[1]
    assert answers[0][:2] == (len(text), [2 * len(names), len(names)])


@pytest.mark.parametrize("seed", range(20))
def test_rows_and_numbers(seed: int) -> None:
    random = Random(seed)
    graph = random_labelled_graph(random, states=150)
    arrays = graph.offsets, graph.actions, graph.targets
    blocks = np.array([random.randrange(5) for _ in range(graph.states)], dtype=np.int32)
    blocks[:5] = np.arange(5)[: len(blocks)]
    chosen = np.arange(int(blocks.max()) + 1, dtype=np.int32)
    ranks = np.array([2, 0, 1], dtype=np.int32)
    answers = []
    for choice in ("pure", "compiled"):
        quotient, numbering = kernels("partition.quotient", 0, choice), kernels("partition.numbering", 0, choice)
        rows = tuple(np.zeros(size, dtype=np.int32) for size in (len(chosen) + 1, graph.transitions, graph.transitions))
        quotient.block_rows(*arrays, ranks, blocks, chosen, *rows)
        used = rows[0][-1]
        deviation = quotient.first_deviation(*arrays, ranks, blocks, chosen, rows[0], rows[1][:used], rows[2][:used], -1)
        firsts = np.empty(len(chosen), dtype=np.int32)
        quotient.first_members(blocks, firsts)
        searches = []
        for keep in (False, True):
            numbers, order = np.zeros(graph.states, dtype=np.int32), np.zeros(graph.states, dtype=np.int32)
            reached = numbering.breadth_first(graph.offsets, graph.targets, graph.initial, numbers, order, keep)
            searches += [reached, numbers.tolist(), order[:reached].tolist()]
        answers.append([[row[:used].tolist() for row in rows], deviation >= 0, firsts.tolist(), searches])
    assert answers[0] == answers[1]


@pytest.mark.parametrize(("actions", "states"), [(1, 1), (2, 3000), (3000, 2), (5000, 5000)])
def test_long_rows_are_put_in_order(actions: int, states: int) -> None:
    """Among them rows that are alike, and rows with numbers of more than one digit."""
    random = Random(states)
    row = [(random.randrange(actions), random.randrange(states)) for _ in range(700)]
    others = random.sample(row, 700), [*row[:600], *row[:100]], row[:400]
    rows = [row, *others, *([] for _ in range(max(0, states - 4)))][: max(states, 4)]
    offsets = np.cumsum([0, *map(len, rows)]).astype(np.int32)
    pairs = np.array([pair for some in rows for pair in some], dtype=np.int32)
    blocks, ranks = np.zeros(len(rows), dtype=np.int32), np.array(random.sample(range(actions), actions), dtype=np.int32)
    blocks[:states] = random.sample(range(states), states)
    answers = []
    for choice in ("pure", "compiled"):
        kernel, chosen = kernels("partition.quotient", 0, choice), np.arange(4, dtype=np.int32)
        results = np.zeros(5, np.int32), np.zeros(len(pairs), np.int32), np.zeros(len(pairs), np.int32)
        kernel.block_rows(offsets, pairs[:, 0].copy(), pairs[:, 1].copy(), ranks, blocks, chosen, *results)
        answers.append([column.tolist() for column in results])
    assert answers[0] == answers[1]
    assert answers[0][0][2] == 2 * answers[0][0][1]


@pytest.mark.parametrize("labels", [1, 3])
@pytest.mark.parametrize("seed", range(20))
def test_successors_are_put_in_order(seed: int, labels: int) -> None:
    """A root with many successors, of which more and more can be told apart, and those of others."""
    random = Random(seed)
    states = random.choice([30, 300])
    edges = [(0, 0, target) for target in range(states)]
    edges += [(random.randrange(states), random.choice([0, 2]), random.randrange(states)) for _ in range(states * 3 // 2)]
    graph = Graph.from_edges(states, *zip(*edges), action_names=("a", "b", "c"))
    first = np.array(random.sample(range(states), 3), dtype=np.int32)
    answers = []
    for choice in ("pure", "compiled"):
        targets, initial, hashes = graph.targets.copy(), first.copy(), (np.arange(states) * 7 % labels).astype(np.uint64)
        tell_apart = kernels("partition.numbering", 0, choice).tell_apart
        tell_apart(graph.offsets, graph.actions, targets, initial, hashes, 20 * states)
        answers.append((targets.tolist(), initial.tolist(), hashes.tolist()))
    assert answers[0] == answers[1]


@pytest.mark.parametrize("seed", range(30))
def test_strong_components(seed: int) -> None:
    graph = random_labelled_graph(Random(seed), states=12)
    found = []
    for choice in ("pure", "compiled"):
        component = np.zeros(graph.states, dtype=np.int32)
        every = np.ones(graph.transitions, dtype=np.bool_)
        number = kernels("partition.silent_components", 0, choice).components(graph.offsets, graph.targets, every, component)
        assert number == len(set(component.tolist()))
        found.append(component.tolist())
    reach = np.eye(graph.states, dtype=bool)
    for _ in range(graph.states):
        for source, target in zip(graph.sources, graph.targets):
            reach[source] |= reach[target]
    for component in found:
        for s in range(graph.states):
            for t in range(graph.states):
                assert (component[s] == component[t]) == bool(reach[s, t] and reach[t, s])
                assert not reach[s, t] or component[s] >= component[t]


@pytest.mark.parametrize("seed", range(20))
def test_what_leads_from_one_component_to_another(seed: int) -> None:
    graph = random_labelled_graph(Random(seed), states=12)
    answers = []
    for choice in ("pure", "compiled"):
        kernel = kernels("partition.silent_components", 0, choice)
        silent, component = np.empty(graph.transitions, dtype=np.bool_), np.empty(graph.states, dtype=np.int32)
        some = kernel.mark_action(graph.actions, 1, silent)
        number = kernels("partition.silent_components", 0, "pure").components(graph.offsets, graph.targets, silent, component)
        columns, has_cycle = np.empty((3, graph.transitions), dtype=np.int32), np.zeros(number, dtype=np.bool_)
        arrays = graph.offsets, graph.actions, graph.targets, silent, component, columns, has_cycle
        left, counted = kernel.outer_transitions(*arrays)
        answers.append((some, silent.tolist(), columns[:, :left].tolist(), has_cycle.tolist(), counted))
    assert answers[0] == answers[1]
