"""Rounds over arrays give the classes of the kernels, whatever is long, short, few or many; the exact check is exact."""

from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from coarsest._kernels.arrays import gpu, rows
from coarsest._kernels.arrays.gpu import is_stable
from coarsest._kernels.arrays.rounds import coarsest_partition
from coarsest._kernels.arrays.rows import NUMPY, Arrays
from coarsest._kernels.progress import GAVE_UP
from coarsest.errors import InputError, Unsupported
from coarsest.lts.labelled import Graph
from coarsest.lts.minimise import refiners
from coarsest.lts.minimise.classes import bisimulation_classes
from random_labelled_graphs import random_labelled_graph

SMALL = Arrays(np, 3, 0)
"""Pieces of three transitions, and no round that is not worth it."""


def graph_of(seed: int) -> Graph:
    return random_labelled_graph(Random(seed), states=(8, 30, 200)[seed % 3])


def refined(graph: Graph, by: Arrays, seed: int = 0) -> tuple[int, list[int]]:
    blocks, progress = graph.labels.copy(), np.zeros(8, dtype=np.int64)
    number = coarsest_partition(graph.offsets, graph.actions, graph.targets, blocks, progress, seed, by)
    return number, blocks.tolist()


@pytest.mark.parametrize(("few", "short", "word"), [(1 / 3, 16, 64), (2.0, 16, 64), (2.0, 2, 8), (0.5, 1, 64), (0.0, 3, 64)])
def test_classes_are_those_of_the_kernels(few: float, short: int, word: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coarsest.tuning.ROUNDS_MOVED_PART", few)
    monkeypatch.setattr(rows, "SHORT_ROW", short)
    monkeypatch.setattr(rows, "KEY_BITS", word)
    for seed in range(60):
        graph = graph_of(seed)
        expected = bisimulation_classes(graph, algorithm="valmari", choice="pure")
        for by in (NUMPY._replace(worth_a_round=0), SMALL):
            assert refined(graph, by, seed) == (expected.number, expected.class_of.tolist()), seed


def test_a_partition_that_was_given_up_is_on_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coarsest.tuning.ROUNDS_MOVED_PART", 2.0)
    monkeypatch.setattr("coarsest.tuning.ROUNDS_OF_FEW_STATES", 0)
    given_up = 0
    for seed in range(60):
        graph = graph_of(seed)
        expected = bisimulation_classes(graph, algorithm="valmari", choice="pure")
        number, blocks = refined(graph, NUMPY)
        pairs = set(zip(blocks, expected.class_of.tolist()))
        assert len(pairs) == expected.number, "every class lies in one block"
        assert len({(block, label) for block, label in zip(blocks, graph.labels.tolist())}) == len(set(blocks))
        given_up += number == GAVE_UP
        handed_over = bisimulation_classes(graph, algorithm="rounds")
        assert handed_over.class_of.tolist() == expected.class_of.tolist()
    assert given_up > 10


def test_the_check_is_that_of_the_definition() -> None:
    verdicts = set()
    for seed in range(150):
        random, graph = Random(seed), graph_of(seed)
        blocks = np.array([random.randrange(3) for _ in range(graph.states)], dtype=np.int32)
        if seed % 2:
            blocks = bisimulation_classes(graph, choice="pure").class_of.copy()
            if seed % 4 == 1:
                blocks[blocks == blocks.max()] = 0
        blocks = np.unique(blocks, return_inverse=True)[1].astype(np.int32)
        signatures: dict[int, set[tuple[int, int]]] = {}
        expected = True
        for state in range(graph.states):
            row = slice(graph.offsets[state], graph.offsets[state + 1])
            pairs = set(zip(graph.actions[row].tolist(), blocks[graph.targets[row]].tolist()))
            expected = expected and signatures.setdefault(int(blocks[state]), pairs) == pairs
        for by in (NUMPY, SMALL):
            arrays = graph.offsets, rows.narrowed(graph.actions), graph.targets, blocks
            assert is_stable(by, *arrays, int(blocks.max()) + 1) == expected, seed
        verdicts.add(expected)
    assert verdicts == {True, False}


@pytest.fixture
def numpy_as_gpu(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """What is asked of CuPy, answered by NumPy."""
    memory = SimpleNamespace(free=1 << 30)
    monkeypatch.setattr(gpu, "trouble", lambda: None)
    monkeypatch.setattr(gpu, "bytes_free", lambda: memory.free)
    functions = {**{name: getattr(np, name) for name in dir(np) if not name.startswith("__")}, "asnumpy": np.copy}
    functions["asarray"] = np.array
    monkeypatch.setattr(gpu, "arrays", lambda: Arrays(SimpleNamespace(**functions), 64, 0))
    return memory


def test_on_a_gpu_a_collision_is_noticed(numpy_as_gpu: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> None:
    salts: list[int] = []
    tries = 0

    def colliding(action: Any, block: Any, salt: Any) -> Any:
        salts.append(int(salt))
        return rows.pair_hash(action, block, salt) * np.uint64(len(set(salts)) > 1)

    by = gpu.arrays()._replace(pair_hash=colliding)
    monkeypatch.setattr(gpu, "arrays", lambda: by)
    for seed in range(20):
        salts.clear()
        graph = graph_of(seed)
        classes = bisimulation_classes(graph, engine="gpu")
        assert classes.class_of.tolist() == bisimulation_classes(graph, choice="pure").class_of.tolist()
        assert (classes.engine, classes.algorithm) == ("gpu", "rounds")
        tries += len(set(salts)) == 2
    assert tries > 10


def test_without_memory_the_processor_goes_on(numpy_as_gpu: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(*_: Any, **__: Any) -> int:
        raise MemoryError

    monkeypatch.setattr(gpu, "refine_there", exhausted)
    graph = graph_of(2)
    classes = bisimulation_classes(graph, engine="gpu")
    assert classes.class_of.tolist() == bisimulation_classes(graph, choice="pure").class_of.tolist()
    assert (classes.engine, classes.algorithm) == (None, "signatures")


def test_who_is_asked(numpy_as_gpu: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = graph_of(2)
    assert not bisimulation_classes(graph, engine="gpu").warnings
    assert bisimulation_classes(graph).engine is None
    monkeypatch.setattr("coarsest.tuning.GPU_TRANSITIONS", 1)
    assert bisimulation_classes(graph).engine == "gpu"
    assert bisimulation_classes(graph, engine="cpu").engine is None
    assert bisimulation_classes(graph, algorithm="valmari").engine is None
    numpy_as_gpu.free = 1000
    assert bisimulation_classes(graph).warnings == ()
    classes = bisimulation_classes(graph, engine="gpu")
    assert classes.engine is None
    (warning,) = classes.warnings
    assert warning.endswith("GiB on the GPU, and 0.0 are free: the processor reduces it")
    monkeypatch.setattr(gpu, "trouble", lambda: "there is no GPU")
    assert bisimulation_classes(graph).engine is None
    with pytest.raises(Unsupported, match="there is no GPU"):
        bisimulation_classes(graph, engine="gpu")


def test_what_a_gpu_is_not_for() -> None:
    with pytest.raises(InputError, match="the algorithm 'valmari' is not for a GPU"):
        refiners.require_engine("gpu", "bisimulation", "valmari")
    with pytest.raises(InputError, match="only the processor reduces graphs by simulation"):
        refiners.require_engine("gpu", "simulation", "auto")
