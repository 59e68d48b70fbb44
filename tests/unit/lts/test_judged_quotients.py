"""The kernel that judges quotients, its twin, and the judge of partitions agree, on right claims and on spoilt ones."""

from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from coarsest._kernels.choose import kernels
from coarsest.api.graph import minimise_by
from coarsest.formats.aut.read import parse
from coarsest.lts.certificates import PartitionCertificate
from coarsest.lts.judge.confirm_graphs import confirm_comparison
from coarsest.lts.judge.partitions import confirm_partition
from coarsest.lts.labelled import Graph

Numbers = NDArray[np.signedinteger[Any]]


def _random_graph(random: Random) -> Graph:
    states = random.choice([1, 3, 6, 12])
    share = random.choice([0.2, 0.5, 0.8])
    rows = sorted(
        (random.randrange(states), "tau" if random.random() < share else random.choice("ab"), random.randrange(states))
        for _ in range(round(states * random.choice([0.7, 1.5, 3])))
    )
    lines = [f"({source}, {name}, {target})" for source, name, target in rows]
    return parse("\n".join([f"des (0, {len(rows)}, {states})", *lines]).encode())


def _spoilt(random: Random, state_of: Numbers, small: Graph) -> tuple[Numbers, Graph]:
    """Another function, or another quotient whose rows are in order."""
    state_of, kind = state_of.copy(), random.randrange(3)
    if kind == 0:
        state_of[random.randrange(len(state_of))] = random.randrange(-1, small.states)
        return state_of, small
    rows = set(zip(small.sources.tolist(), small.actions.tolist(), small.targets.tolist()))
    if kind == 1 and rows:
        rows.discard(random.choice(sorted(rows)))
    else:
        action = random.randrange(len(small.action_names)) if small.action_names else 0
        rows.add((random.randrange(small.states), action, random.randrange(small.states)))
    sources, actions, targets = np.array(sorted(rows), dtype=np.int32).reshape(-1, 3).T.copy()
    offsets = np.searchsorted(sources, np.arange(small.states + 1)).astype(np.int32)
    return state_of, Graph(offsets, actions, targets, small.initial, small.labels, small.action_names)


def _judged_elsewhere(graph: Graph, small: Graph, state_of: Numbers, by: str) -> bool:
    """By the judge of partitions, of both graphs side by side."""
    if (state_of < 0).any():
        return False
    blocks = np.concatenate([state_of, np.arange(small.states)]).astype(np.int64)
    return confirm_comparison(graph, small, PartitionCertificate(by, blocks), confirm_partition).accepted


@pytest.mark.parametrize("by", ["bisimulation", "branching-bisimulation"])
@pytest.mark.parametrize("seed", range(150))
def test_judges_agree(seed: int, by: str) -> None:
    random = Random(seed)
    graph = _random_graph(random)
    names = graph.action_names
    reduced = minimise_by(by, graph, keep_unreachable=True)
    right: tuple[Numbers, Graph] = np.asarray(reduced.state_of, dtype=np.int32), reduced.graph
    internal = names.index("tau") if by != "bisimulation" and "tau" in names else -1
    for state_of, small in [right, *(_spoilt(random, *right) for _ in range(6))]:
        ranks = np.array([list(small.action_names).index(name) if name in small.action_names else 99 for name in names], np.int32)
        columns = graph.offsets, graph.actions, graph.targets, ranks, internal, state_of
        answers = {
            bool(kernels("judge.quotients", 0, choice).is_quotient(*columns, small.offsets, small.actions, small.targets))
            for choice in ("pure", "compiled")
        }
        assert len(answers) == 1
        assert small is not right[1] or state_of is not right[0] or answers == {True}
        if (state_of >= 0).all():
            expected = _judged_elsewhere(graph, small, state_of, by)
            first, second = int(graph.initial[0]), int(small.initial[0])
            assert answers == {expected} or (state_of[first] != second and not expected)


def test_rows_must_be_in_order() -> None:
    one = np.array([0], np.int32)
    for actions, targets, expected in (([0, 1], [0, 0], False), ([1, 0], [0, 0], False), ([0], [0], True), ([0], [1], False)):
        rows = np.array([0, len(actions)], np.int32), np.array(actions, np.int32), np.array(targets, np.int32)
        graph = np.array([0, 1], np.int32), one, one
        for choice in ("pure", "compiled"):
            judge = kernels("judge.quotients", 0, choice)
            assert bool(judge.is_quotient(*graph, one, -1, one, *rows)) is expected
