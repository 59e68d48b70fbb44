"""The table of states against a dictionary, with the compiled kernels and with their twins, which may take turns."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from coarsest._kernels.choose import kernels

VERSIONS = ("compiled", "pure", "in turns")


def versions(name: str) -> list[Any]:
    words = ["compiled", "pure"] if name == "in turns" else [name]
    return [kernels("paths.state_table", 10**6, word) for word in words]


@pytest.mark.parametrize("name", VERSIONS)
@pytest.mark.parametrize("words", [1, 2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_states_are_numbered_as_they_come(name: str, words: int, seed: int) -> None:
    random, turns = Random(seed), versions(name)
    places = 16
    states, table = np.empty((places, words), dtype=np.uint64), np.zeros(2 * places, dtype=np.uint64)
    used, expected = 0, dict[tuple[int, ...], int]()
    for turn in range(30):
        rows = [tuple(random.choice([0, 1, 7, 1 << 63, random.randrange(40)]) for _ in range(words)) for _ in range(20)]
        keys, numbers, at = np.array(rows, dtype=np.uint64).reshape(-1, words), np.empty(20, dtype=np.int64), 0
        while at < len(keys):
            version = turns[turn % len(turns)]
            at, used = version.enter(keys, states, table, used, numbers, at)
            if at < len(keys):
                assert used == min(len(states), 3 * places // 4)
                assert rows[at] not in {tuple(row) for row in states[:used].tolist()}
                places *= 2
                more = np.zeros(2 * places, dtype=np.uint64)
                version.move_over(table, more)
                table, states = more, np.concatenate((states[:used], np.empty((places - used, words), dtype=np.uint64)))
        assert numbers.tolist() == [expected.setdefault(row, len(expected)) for row in rows]
    assert [tuple(row) for row in states[:used].tolist()] == list(expected)


@pytest.mark.parametrize("name", ["compiled", "pure"])
@pytest.mark.parametrize("seed", range(10))
def test_each_target_once(name: str, seed: int) -> None:
    random = Random(seed)
    rows, steps = random.randint(0, 6), random.choice([0, 3, 40, 400])
    pairs = [(random.randrange(rows), random.randrange(random.choice([3, 90]))) for _ in range(steps if rows else 0)]
    sources, targets = (np.array([pair[end] for pair in pairs], dtype=np.int64) for end in (0, 1))
    offsets, gathered = np.empty(rows + 1, dtype=np.int64), np.empty(len(pairs), dtype=np.int32)
    number = versions(name)[0].targets_by_source(sources, targets, offsets, gathered)
    listed = [(row, int(target)) for row in range(rows) for target in gathered[offsets[row] : offsets[row + 1]]]
    assert listed == sorted(set(pairs))
    assert number == len(listed)
