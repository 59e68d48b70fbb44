"""Deterministic graphs are reduced by simulation without the preorder: to the same graph, and with confirmed evidence."""

from random import Random

import numpy as np
import pytest

from coarsest.lts.compare.confirm_reduction import confirm_reduction
from coarsest.lts.labelled import Graph
from coarsest.lts.simulation import smallest_bustan_grumberg
from coarsest.lts.simulation.smallest_bustan_grumberg import minimise_by_simulation
from coarsest.options.option import Confirm


def deterministic_graph(random: Random) -> Graph:
    """Perhaps with states that cannot be reached, and with several transitions to bisimilar states."""
    states = random.randrange(2, 30)
    edges = {(random.randrange(states), random.randrange(3)): random.randrange(states) for _ in range(2 * states)}
    rows = [(source, action, target) for (source, action), target in edges.items()]
    labels = [random.randrange(5) == 0 for _ in range(states)]
    return Graph.from_edges(states, *zip(*rows), labels=labels, action_names=("a", "b", "i"), label_names=("", "p"))


@pytest.mark.parametrize("ready", [False, True])
def test_the_preorder_would_give_the_same(ready: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    smaller = 0
    for seed in range(80):
        graph = deterministic_graph(Random(seed))
        for keep in (False, True):
            quick = minimise_by_simulation(graph, ready=ready, keep_unreachable=keep)
            assert quick.algorithm != "ranzato-tapparo"
            assert confirm_reduction(graph, quick, when=Confirm.ALWAYS)
            with monkeypatch.context() as patched:
                patched.setattr(smallest_bustan_grumberg, "is_deterministic", lambda graph: False)
                slow = minimise_by_simulation(graph, ready=ready, keep_unreachable=keep)
            assert slow.algorithm == "ranzato-tapparo"
            for name in ("offsets", "actions", "targets", "initial", "labels"):
                assert np.array_equal(getattr(quick.graph, name), getattr(slow.graph, name)), (seed, name)
            assert np.array_equal(quick.state_of, slow.state_of)
            smaller += quick.graph.states < graph.states
    assert smaller > 40


def test_two_initial_states_may_be_below_each_other() -> None:
    graph = Graph.from_edges(4, [0, 1, 1], [0, 0, 1], [2, 2, 3], initial=[0, 1], action_names=("a", "b"))
    assert minimise_by_simulation(graph).graph.initial.tolist() == [0]
    assert minimise_by_simulation(graph).algorithm == "ranzato-tapparo"
