"""Symbolic signatures on arrays: little room, much to forget, and systems that do not lend themselves to it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from benchmarks.generate import FAMILIES

import coarsest
from coarsest._kernels.choose import kernels
from coarsest.errors import LimitExceeded
from coarsest.reduce.bisimulation import signatures_blom_orzan, signatures_on_arrays
from coarsest.reduce.bisimulation.signatures_on_arrays import LISTS, SignatureNodes
from coarsest.reduce.partition.observation import observe
from coarsest.reduce.partition.observed import Observed
from coarsest.reduce.partition.partition import Partition, TooManyBlocks
from coarsest.run import Limits, Run
from coarsest.space.bdd.build import build


def observed(family: str = "philosophers", size: int = 3, seen: str = "p0 = eat", order: Any = None) -> Observed[Any]:
    model = coarsest.loads(FAMILIES[family](size).text([]))
    observation = observe(model.machine, model.observed([seen]))
    space = build(observation.machine)
    if order is not None:
        space.manager.set_order(order(space))
    return Observed.by(space, observation.sets(space, Run()))


def classes(run: Run | None = None, **options: Any) -> Partition[Any]:
    return signatures_blom_orzan.minimise(observed(**options), run or Run())


def shape(found: Partition[Any]) -> tuple[Any, ...]:
    return len(found), sorted(found.looks), len(found.edges), len(found.initial)


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """On arrays from the first round, though the kernels may have to be compiled."""
    monkeypatch.setattr("coarsest.tuning.NODES_BEFORE_ARRAYS", -1)
    monkeypatch.setattr(signatures_blom_orzan, "has_library", lambda: True)


def test_nobody_waits_for_the_compiler_where_little_is_left_to_do(at_once: None, monkeypatch: pytest.MonkeyPatch) -> None:
    expected, begun = shape(classes()), list[int]()
    monkeypatch.setattr(signatures_blom_orzan, "has_library", lambda: False)
    on_arrays = signatures_blom_orzan.Rounds.on_arrays
    monkeypatch.setattr(signatures_blom_orzan.Rounds, "on_arrays", lambda *args: begun.append(1) or on_arrays(*args))
    assert shape(classes()) == expected and not begun
    monkeypatch.setattr(signatures_blom_orzan, "NODES_WORTH_COMPILING", -1)
    assert shape(classes()) == expected and begun


@pytest.mark.parametrize(
    ("family", "size", "seen"), [("philosophers", 4, "p0 = eat"), ("mutex", 4, "p0 = c"), ("bakery", 3, "p0 = crit")]
)
def test_as_on_diagrams(family: str, size: int, seen: str, monkeypatch: pytest.MonkeyPatch) -> None:
    small = classes(family=family, size=size, seen=seen)
    monkeypatch.setattr("coarsest.tuning.NODES_BEFORE_ARRAYS", -1)
    monkeypatch.setattr(signatures_blom_orzan, "has_library", lambda: True)
    on_arrays = classes(family=family, size=size, seen=seen)
    assert shape(on_arrays) == shape(small)
    assert len(small) > 20
    assert all(example <= states for example, states in zip(on_arrays.examples, on_arrays.classes, strict=True))


def test_little_room(at_once: None, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = shape(classes())
    monkeypatch.setattr(signatures_on_arrays, "FIRST_SIZE", 4)
    monkeypatch.setattr(signatures_on_arrays, "AT_ONCE", 50)
    assert shape(classes()) == expected


def test_all_is_forgotten_after_each_round(at_once: None, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = shape(classes())
    collections = []
    collect = SignatureNodes.collect
    monkeypatch.setattr(SignatureNodes, "is_large", property(lambda _: True))
    monkeypatch.setattr(SignatureNodes, "collect", lambda nodes, *roots: collections.append(roots) or collect(nodes, *roots))
    assert shape(classes()) == expected
    assert len(collections) > 3


@pytest.mark.parametrize("what", ["no room", "other order"])
def test_diagrams_instead(what: str, at_once: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be done on arrays is done as before."""
    expected = shape(classes())
    rest: list[Any] = []
    on_arrays = signatures_blom_orzan.Rounds.on_arrays
    monkeypatch.setattr(signatures_blom_orzan.Rounds, "on_arrays", lambda *a: rest.append(on_arrays(*a)) or rest[-1])

    def next_values_backwards(space: Any) -> list[int]:
        after = sorted(space.step.after, reverse=True)
        return [place for place in space.manager.order if place not in after] + after

    if what == "no room":
        monkeypatch.setattr(signatures_on_arrays, "FIRST_SIZE", 4)
        monkeypatch.setattr(signatures_on_arrays, "MOST_ENTRIES", 10)
    found = classes(order=next_values_backwards if what == "other order" else None)
    assert shape(found) == expected
    assert rest == [None]


def test_too_many_blocks(at_once: None) -> None:
    with pytest.raises(TooManyBlocks):
        signatures_blom_orzan.minimise(observed(), Run(), most_blocks=5)


def test_limits_hold_within_a_round(at_once: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signatures_on_arrays, "AT_ONCE", 5)
    with pytest.raises(LimitExceeded):
        classes(run=Run(Limits(steps=30)))


@pytest.mark.parametrize("choice", ["compiled", "pure"])
def test_the_parts_by_hand(choice: str) -> None:
    """One bit, x at level 0 and x' at level 1, and a step by action 1 from 0 to 1, and by actions 1 and 2 from 1 to 1."""
    kernel = kernels("diagrams.signatures", 0, choice)
    keys, table, counts = np.zeros(99, dtype=np.uint64), np.zeros(512, dtype=np.uint64), np.array([1, 0, 999])
    keys[0] = LISTS << 52 | (1 << 26) - 1
    levels, children = np.array([1, 1, 0], dtype=np.int32), np.array([7, 8, 7, 10, 0, 2], dtype=np.int32)
    results = np.array([-1, -2, -1, -2, -1, -2, -2, -2, -3, -2, -4, -2], dtype=np.int32)
    results[7] = 0
    starts, actions = np.array([0, 1, 3]), np.array([1, 1, 2], dtype=np.int32)
    assert kernel.entered(levels, children, results, starts, actions, keys, table, counts) == 0
    blocks = np.array([0, 0, 0], dtype=np.int32)
    tree = np.array([[0, 1, 2, -1, 0], [LISTS, -1, -1, 0, 0], [LISTS, -1, -1, 0, 1]], dtype=np.int32)
    assert kernel.rebuilt(np.array([0, 1, 2]), tree, np.array([0, 5, 7], dtype=np.int32), blocks, keys, table, counts) == 0
    after, buffer = np.array([1, -1], dtype=np.int32), np.zeros(9, dtype=np.int32)
    root = kernel.signatures(int(results[4]), int(blocks[0]), after, 3, buffer, keys, table, counts)
    members, rows = np.zeros((9, 2), dtype=np.int32), np.zeros((9, 5), dtype=np.int32)
    assert kernel.pairs(root, int(blocks[0]), keys, np.zeros(64, dtype=np.uint64), members, rows) == 3

    def numbers(at: int) -> list[int]:
        return [int(keys[at]) & (1 << 26) - 1, *numbers(int(keys[at]) >> 26 & (1 << 26) - 1)] if at else []

    assert [(numbers(one), numbers(other)) for one, other in members[1:3].tolist()] == [([22], [5]), ([23, 22], [7])]
    assert rows[:3, 0].tolist() == [0, LISTS, LISTS]
