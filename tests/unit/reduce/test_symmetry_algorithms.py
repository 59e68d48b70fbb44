"""The algorithms of Barner and Grumberg, one at a time."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

import coarsest
from coarsest.reduce.symmetry.closing import sigma_step
from coarsest.reduce.symmetry.group.detect import detected
from coarsest.reduce.symmetry.group.movers import mover
from coarsest.reduce.symmetry.group.orbits import count_orbits
from coarsest.reduce.symmetry.group.permutation import permutation
from coarsest.reduce.symmetry.hints_barner_grumberg import hints_sym
from coarsest.reduce.symmetry.iterative_barner_grumberg import iterative_sym
from coarsest.reduce.symmetry.orbit_relation_jha import orbit_to_xi
from coarsest.reduce.symmetry.representative_relation import create_xi
from coarsest.reduce.symmetry.smallest import Thinning, smallest_states
from coarsest.reduce.symmetry.subsets import densest, heavy_branch
from coarsest.reduce.symmetry.symmetry_mc_barner_grumberg import symmetry_mc
from coarsest.run import Run
from coarsest.space.bdd.build import build

TOGGLES = """
MODULE main
VAR a : array 1..5 of boolean; IVAR i : 1..5;
INIT !a[1] & !a[2] & !a[3] & !a[4] & !a[5];
TRANS (next(a[1]) <-> (i = 1) xor a[1]) & (next(a[2]) <-> (i = 2) xor a[2]) & (next(a[3]) <-> (i = 3) xor a[3])
  & (next(a[4]) <-> (i = 4) xor a[4]) & (next(a[5]) <-> (i = 5) xor a[5]);
"""
PERMUTED = [
    permutation({f"a[{i}]": f"a[{i + 1}]", f"a[{i + 1}]": f"a[{i}]"}, {"i": {i: i + 1, i + 1: i}}) for i in range(1, 5)
]


@pytest.fixture(scope="module")
def toggles() -> Any:
    return build(coarsest.loads(TOGGLES).machine)


def movers(space: Any) -> list[Any]:
    return [mover(space, one) for one in PERMUTED]


def on(space: Any, *numbers: int) -> Any:
    return space.state({f"a[{i}]": i in numbers for i in range(1, 6)})


def test_a_closure_is_all_states_with_as_many_toggles_on(toggles: Any) -> None:
    closed = sigma_step(toggles, on(toggles, 2, 4), movers(toggles), Run())
    assert closed.complete and toggles.count(closed.states) == 10


def test_a_closure_may_be_stopped_before_its_end(toggles: Any) -> None:
    """Each round adds to what there is, and what is missing is told."""
    sizes = []
    for rounds in (1, 2, 3, 9):
        closed = sigma_step(toggles, on(toggles, 4, 5), movers(toggles), Run(), rounds=rounds)
        sizes.append(toggles.count(closed.states))
        assert closed.complete == (rounds == 9)
    assert sizes == sorted(sizes) and sizes[0] < 10 and sizes[-1] == 10


def test_representatives_on_the_fly(toggles: Any) -> None:
    """One more toggle on with each layer: all states with that many are met at once, or only the smallest of them."""
    every = symmetry_mc(toggles, toggles.empty, movers(toggles), Run())
    assert toggles.count(every.representatives) == 32 and every.path is None and every.closed
    thin = symmetry_mc(toggles, toggles.empty, movers(toggles), Run(), thin=Thinning(toggles, PERMUTED))
    assert toggles.count(thin.representatives) == 6
    assert sigma_step(toggles, thin.representatives, movers(toggles), Run()).states == toggles.states


def test_a_violation_is_a_path_of_the_model(toggles: Any) -> None:
    bad = toggles.where(coarsest.loads(TOGGLES).formula("count(a[1], a[2], a[3], a[4], a[5]) >= 4").formula)
    for thin in (lambda states: states, Thinning(toggles, PERMUTED)):
        path = symmetry_mc(toggles, bad, movers(toggles), Run(), thin=thin).path
        assert path is not None and len(path) == 5
        assert path[0] <= toggles.initial and path[-1] <= bad
        assert all(after <= toggles.post(before) for before, after in pairwise(path))


def test_what_is_left_out_at_first_is_expanded_later(toggles: Any) -> None:
    for cut in (heavy_branch, densest):

        def under(waiting: Any, cut: Any = cut) -> Any:
            return cut(toggles, waiting, 3)

        explored = symmetry_mc(toggles, toggles.empty, movers(toggles), Run(), under=under)
        assert sigma_step(toggles, explored.representatives, movers(toggles), Run()).states == toggles.states


def test_hints_are_followed_one_after_another(toggles: Any) -> None:
    """First only states where at most the first two toggles are on, then all: the same orbits in the end."""
    hint = toggles.where(coarsest.loads(TOGGLES).formula("!a[3] & !a[4] & !a[5]").formula)
    for once in (False, True):
        explored = hints_sym(toggles, toggles.empty, movers(toggles), [hint], Run(), once=once)
        assert explored.layers[0].under <= hint and not explored.layers[-1].under <= hint
        assert sigma_step(toggles, explored.representatives, movers(toggles), Run()).states == toggles.states


# The representative relation


def pairs(space: Any, xi: Any, states: list[Any]) -> set[tuple[int, int]]:
    return {(a, b) for a, one in enumerate(states) for b, other in enumerate(states) if other <= xi.states(one)}


def listed(space: Any) -> list[Any]:
    left, states = space.states, []
    while left:
        states.append(space.pick(left))
        left = left - states[-1]
    return states


def test_xi_relates_representatives_and_their_orbits(toggles: Any) -> None:
    """Definition 2.15, whatever the representatives are."""
    states = listed(toggles)
    sizes = [sum(map(bool, toggles.describe(state).values())) for state in states]
    rep = on(toggles, 1) | on(toggles, 3) | on(toggles, 2, 5)
    xi = create_xi(toggles, PERMUTED, rep, Run())
    assert xi.complete
    chosen = [number for number, state in enumerate(states) if state <= rep]
    assert pairs(toggles, xi, states) == {(a, b) for a in chosen for b in range(len(states)) if sizes[a] == sizes[b]}
    assert xi.representatives(on(toggles, 4)) == on(toggles, 1) | on(toggles, 3)
    assert not xi.representatives(on(toggles))


def test_fewer_representatives_have_a_smaller_relation(toggles: Any) -> None:
    """Lemma 8.1, and with a limit a part of the relation."""
    few, more = on(toggles, 1), on(toggles, 1) | on(toggles, 3, 4)
    small, large = (create_xi(toggles, PERMUTED, rep, Run()) for rep in (few, more))
    assert toggles.manager.included(small.relation, large.relation)
    cut = create_xi(toggles, PERMUTED, more, Run(), limit=toggles.size(more))
    assert not cut.complete and toggles.manager.included(cut.relation, large.relation) and cut.relation != large.relation


def test_the_smallest_states_represent_every_orbit_once(toggles: Any) -> None:
    """By the orbit relation, and without it: the generators exchange neighbours."""
    rep = smallest_states(toggles, PERMUTED)
    assert toggles.count(rep) == 6
    by_orbits = orbit_to_xi(toggles, PERMUTED, Run())
    assert by_orbits.relation == create_xi(toggles, PERMUTED, rep, Run()).relation


def test_orbits_are_counted_both_ways(toggles: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert count_orbits(toggles, toggles.states, PERMUTED, Run()) == 6
    monkeypatch.setattr("coarsest.tuning.GROUP_ELEMENTS", 1)
    assert count_orbits(toggles, toggles.states, PERMUTED, Run()) == 6


@pytest.mark.parametrize("limit", [1, 10, 100_000])
def test_the_relation_may_be_built_a_part_at_a_time(toggles: Any, limit: int) -> None:
    rep = smallest_states(toggles, PERMUTED)
    iterated = iterative_sym(toggles, toggles.empty, PERMUTED, Run(), rep=rep, limit=limit)
    assert iterated.rings is None
    assert sigma_step(toggles, iterated.reached, movers(toggles), Run()).states == toggles.states
    bad = on(toggles, 1, 2, 3, 4, 5)
    assert iterative_sym(toggles, bad, PERMUTED, Run(), rep=rep, limit=limit).rings is not None


def test_representatives_of_more_nodes_than_the_limit_are_not_put_beside_themselves(toggles: Any) -> None:
    rep = smallest_states(toggles, PERMUTED)
    xi = create_xi(toggles, PERMUTED, rep, Run(), limit=1)
    assert not xi.complete and xi.relation == rep.function
    some = toggles.pick(rep)
    assert xi.states(some) == xi.representatives(some) == some
    assert xi.representatives(toggles.states) == rep


# Liveness

TWO_CYCLES = """
MODULE main
VAR side : {left, right}; phase : {first, second, never};
INIT phase = first;
TRANS (phase = first & next(phase) = second & next(side) != side) | (phase = second & next(phase) = first & next(side) = side);
-- symmetry: swap side: left right
"""


def test_a_cycle_of_orbits_need_not_be_one_of_representatives() -> None:
    """Figure 6: there is a representative of each orbit, and the step between two of them leads elsewhere."""
    model = coarsest.loads(TWO_CYCLES)
    formula = "AF phase = never"
    missed = model.check(formula, reduce="symmetry", algorithm="live-rep", representatives="smallest")[0]
    assert missed.verdict.word == "unknown" and missed.statistics["representatives"] == 2
    for algorithm in ("sigma-step", "create-xi", "orbit-to-xi"):
        answer = model.check(formula, reduce="symmetry", algorithm=algorithm, representatives="smallest")[0]
        assert answer.verdict.word == "fails" and answer.confirmed
    first = model.check(formula, reduce="symmetry", algorithm="live-rep")[0]
    assert first.verdict.word == "fails" and first.confirmed


def test_detection_sees_the_sides() -> None:
    machine = coarsest.loads(TWO_CYCLES.replace("-- symmetry", "-- none")).machine
    assert detected(machine, Run()) == [permutation({}, {"side": {"left": "right", "right": "left"}})]
