"""Explicit spaces against the definitions, and what does not depend on machines: bare graphs and counting."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coarsest.errors import LimitExceeded, NameProblem
from coarsest.logic.expr import Expr, Name
from coarsest.lts.csr import Csr
from coarsest.model.machine import Machine, Variable
from coarsest.model.types import Range
from coarsest.run import Event, Limits, Run
from coarsest.space.counting import counting
from coarsest.space.explicit.enumerate import enumerate_machine
from coarsest.space.explicit.explicit import ExplicitSpace
from oracles.brute_force import BruteForce
from random_expressions import Expressions, apply, const
from random_machines import machines, scheduled_machines, seeded_machine
from space_laws import check_space_laws


def labels(machine: Machine, seed: int) -> list[Expr]:
    expressions = Expressions(Random(seed), {v.name: v.type for v in machine.state_variables})
    return [expressions.boolean(3) for _ in range(3)]


@pytest.mark.parametrize("block", range(4))
def test_random_machines(block: int) -> None:
    for seed in range(1000 + block * 25, 1000 + (block + 1) * 25):
        machine = seeded_machine(seed)
        oracle = BruteForce(machine)
        check_space_laws(enumerate_machine(machine, reachable_only=False), oracle, labels(machine, seed))
        reachable = enumerate_machine(machine)
        assert reachable.count(reachable.states) == len(oracle.reachable())
        assert reachable.post(reachable.states) <= reachable.states


@given(machines | scheduled_machines)
@settings(max_examples=20, deadline=None)
def test_random_machines_that_shrink(machine: Machine) -> None:
    check_space_laws(enumerate_machine(machine, reachable_only=False), BruteForce(machine), labels(machine, 0))


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, list[tuple[int, int]], set[int]]:
    """A number of nodes, edges, and a set of nodes."""
    n = draw(st.integers(1, 12))
    node = st.integers(0, n - 1)
    return n, draw(st.lists(st.tuples(node, node))), draw(st.sets(node))


@given(graphs())
def test_images_of_bare_graphs(graph: tuple[int, list[tuple[int, int]], set[int]]) -> None:
    n, edges, chosen = graph
    space = ExplicitSpace.from_edges(n, edges, sorted(chosen), {"odd": [i % 2 == 1 for i in range(n)]})
    members = np.flatnonzero
    assert set(members(space.initial.mask)) == chosen
    assert set(members(space.post(space.initial).mask)) == {b for a, b in edges if a in chosen}
    assert set(members(space.pre(space.initial).mask)) == {a for a, b in edges if b in chosen}
    assert set(members(space.where(apply("not", Name("odd"))).mask)) == set(range(0, n, 2))
    assert space.where(apply("iff", Name("odd"), Name("odd"))) == space.states
    assert space.where(apply("implies", Name("odd"), const(False))) == space.where(apply("not", Name("odd")))


@given(graphs())
def test_graphs_hold_each_edge_once(graph: tuple[int, list[tuple[int, int]], set[int]]) -> None:
    n, edges, _ = graph
    csr = Csr.from_edges(n, [a for a, _ in edges], [b for _, b in edges])
    assert list(zip(csr.sources.tolist(), csr.targets.tolist())) == sorted(set(edges))
    back = csr.transposed
    assert list(zip(back.sources.tolist(), back.targets.tolist())) == sorted({(b, a) for a, b in edges})


def test_edges_must_stay_among_the_nodes() -> None:
    with pytest.raises(ValueError, match="0 to 2"):
        Csr.from_edges(3, [0], [3])


def test_a_graph_without_nodes() -> None:
    space = ExplicitSpace.from_edges(0, [], [])
    assert not space.states
    assert space.post(space.states) == space.empty


def test_a_label_that_is_not_there() -> None:
    space = ExplicitSpace.from_edges(1, [], [0], {"ready": [0]})
    with pytest.raises(NameProblem, match="did you mean 'ready'"):
        space.where(Name("redy"))


def test_labels_tell_true_from_one() -> None:
    kinds = {"b": Variable("b", Range(0, 1))}
    space = enumerate_machine(Machine("m", kinds))
    assert space.count(space.where(apply("=", Name("b"), const(1)))) == 1
    assert space.count(space.where(apply("=", Name("b"), const(True)))) == 0


def counter(size: int) -> Machine:
    step = apply("mod", apply("+", Name("x"), const(1)), const(size))
    kinds = {"x": Variable("x", Range(0, size - 1))}
    return Machine("counter", kinds, initial_values={"x": const(0)}, next_values={"x": step})


def test_enumeration_reports_and_stops_at_limits() -> None:
    events: list[Event] = []
    enumerate_machine(counter(2000), Run(listener=events.append))
    assert len(events) >= 4
    assert {event.task for event in events} == {"enumerate"}
    with pytest.raises(LimitExceeded):
        enumerate_machine(counter(5000), Run(Limits(steps=3)))


@pytest.mark.parametrize("seed", range(10))
def test_counts_are_those_of_the_algorithm(seed: int) -> None:
    machine = seeded_machine(seed)
    space, counts = counting(enumerate_machine(machine, reachable_only=False))
    reached, rounds = space.initial, 0
    while True:
        rounds += 1
        grown = reached | space.post(reached)
        if grown == reached:
            break
        reached = grown
    assert (counts.images, counts.unions, counts.equalities) == (rounds, rounds, rounds)
    assert (counts.intersections, counts.differences) == (0, 0)
    assert space.count(reached) == len(BruteForce(machine).reachable())


def test_backward_reachability_counts_as_in_fisler_and_vardi() -> None:
    """Each of its n iterations costs M + U + D + 2E + I."""
    space, counts = counting(enumerate_machine(counter(9)))
    frontier = explored = space.where(apply("=", Name("x"), const(8)))
    iterations = 0
    while frontier and not frontier & space.initial:
        frontier = space.pre(frontier) - explored
        explored = explored | frontier
        iterations += 1
    assert iterations == 8
    tests = iterations + 1  # the condition of the loop is evaluated once more than its body
    assert str(counts) == f"{iterations}M + {tests}I + {iterations}U + {iterations}D + {2 * tests}E"
