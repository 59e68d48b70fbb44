"""The lemmas of Fisler and Vardi 1999, and the lower bounds of its section 6, on random total systems with one initial state."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from coarsest.check.invariants import invariant_by_bouajjani_fernandez_halbwachs as bfh
from coarsest.check.invariants import invariant_by_lee_yannakakis as ly
from coarsest.check.invariants import invariant_by_paige_tarjan as pt
from coarsest.check.invariants.measured_invariant import MEASURED, ON_THE_FLY, Measured, measure_invariant
from coarsest.logic.expr import Name
from coarsest.run import Run
from coarsest.space.bdd.build import build
from coarsest.space.counting import counting
from coarsest.space.explicit.enumerate import enumerate_machine
from coarsest.space.explicit.explicit import ExplicitSpace
from random_machines import random_condition, seeded_machine

BLOCKS = 6
SYSTEMS = 100
"""In each block."""


def random_system(seed: int) -> ExplicitSpace:
    """Every state has a successor, and state 0 alone is initial; paths may be long, and there may be no bad states."""
    random = Random(seed)
    n = random.randint(1, 24)
    edges = set()
    chain = random.random() < 0.5
    for state in range(n):
        degree = random.choice([1, 1, 1, 2, 3])
        near = [t for t in range(state - 1, state + 3) if 0 <= t < n]
        edges |= {(state, random.choice(near) if chain else random.randrange(n)) for _ in range(degree)}
    bad = random.sample(range(n), random.choice([0, 1, 1, 1, 2, max(1, n // 4)]) if n > 2 else random.randint(0, 1))
    return ExplicitSpace.from_edges(n, sorted(edges), [0], {"good": sorted(set(range(n)) - set(bad))})


def measured(space: Any) -> dict[str, Measured[Any]]:
    good = space.where(Name("good"))
    return {engine: measure_invariant(engine, space, good, Run()) for engine in MEASURED}


def reachable_bad_distance(space: ExplicitSpace) -> int | None:
    """By hand: how far the nearest bad state is."""
    good = space.labels["good"]
    after: dict[int, list[int]] = {s: space.graph.successors(s).tolist() for s in range(space.graph.nodes)}
    ring, seen, distance = {0}, {0}, 0
    while ring:
        if any(not good[s] for s in ring):
            return distance
        ring = {t for s in ring for t in after[s]} - seen
        seen |= ring
        distance += 1
    return None


@pytest.mark.parametrize("block", range(BLOCKS))
def test_lemmas(block: int) -> None:
    verdicts = set()
    for seed in range(block * SYSTEMS, (block + 1) * SYSTEMS):
        space = random_system(seed)
        found = measured(space)
        distance = reachable_bad_distance(space)
        for engine, one in found.items():
            assert one.holds == (distance is None), (seed, engine)
            check_evidence(space, one, distance, engine)
        verdicts.add(distance is None)
        check_sets(space, found)
        check_iterations(found)
        check_bounds(space, found)
    assert verdicts == {True, False}


def check_evidence(space: ExplicitSpace, found: Measured[Any], distance: int | None, engine: str) -> None:
    good = space.where(Name("good"))
    if distance is None:
        inductive = found.inductive
        assert space.initial <= inductive and inductive <= good and space.post(inductive) <= inductive
        return
    assert found.path is not None
    assert found.path[0] <= space.initial and not found.path[-1] & good
    for before, after in zip(found.path, found.path[1:]):
        assert after <= space.post(before)
    if not engine.startswith("paige"):
        assert len(found.path) == distance + 1


def check_sets(space: ExplicitSpace, found: dict[str, Measured[Any]]) -> None:
    """Lemmas 4 and 10: the rings of LY and BFH are the frontiers F_i of BR; hence BS_i = G_i is the complement of S_i."""
    frontiers = found["backward"].rings
    for engine in ("lee-yannakakis", "bouajjani-fernandez-halbwachs"):
        one = found[engine]
        for i in range(min(one.iterations + 1, len(frontiers), len(one.rings))):
            if engine == "lee-yannakakis" and i > one.iterations:
                break
            if i < len(one.rings) - (not one.holds) or engine != "lee-yannakakis":
                assert one.rings[i] == frontiers[i], (engine, i)


def check_iterations(found: dict[str, Measured[Any]]) -> None:
    n = found["backward"].iterations
    ly, by_bfh = found["lee-yannakakis"].iterations, found["bouajjani-fernandez-halbwachs"].iterations
    assert ly == max(0, n - 1)  # lemma 7
    assert by_bfh == n or (n == 0 and by_bfh <= 1)  # lemma 13
    assert found["paige-tarjan"].iterations >= n  # lemma 24
    assert found["paige-tarjan-splitting-marked"].iterations >= n


def check_bounds(space: ExplicitSpace, found: dict[str, Measured[Any]]) -> None:
    """The lower bounds of section 6, by kind of operation."""
    n = found["backward"].iterations
    at_least(found["backward"], images=n, unions=n, differences=n, equalities=2 * n, intersections=n)
    m, by_ly = max(0, n - 1), found["lee-yannakakis"]
    at_least(by_ly, images=5 * m + by_ly.outside, intersections=4 * m, differences=3 * m, equalities=4 * m)
    blocks = (n * n + 3 * n) // 2
    at_least(
        found["bouajjani-fernandez-halbwachs"], images=blocks + found["bouajjani-fernandez-halbwachs"].outside,
        intersections=blocks, equalities=2 * blocks, differences=n,
    )  # fmt: skip
    for engine in ("paige-tarjan", "paige-tarjan-splitting-marked"):
        at_least(found[engine], images=2 * n, differences=n, intersections=n, equalities=n)


def at_least(found: Measured[Any], **bounds: int) -> None:
    for kind, bound in bounds.items():
        assert found.facts[kind] >= bound, (kind, found)
    assert found.facts["images"] <= 10 * (found.iterations + 2) ** 3  # the bounds are not met by waste


def test_backward_reachability_costs_exactly_its_bound() -> None:
    for seed in range(200):
        found = measured(random_system(seed))["backward"]
        assert found.counts.images == found.counts.unions == found.iterations


def test_at_most_one_block_is_unmarked() -> None:
    """Lemmas 12 and 16."""
    for seed in range(300):
        space = random_system(seed)
        for split_marked in (False, True):
            check = pt._Check(space, space.where(Name("good")), split_marked=split_marked)
            while check.compounds:
                check._iterate()
                unmarked = [block for block in check.blocks if not block.marked]
                assert len(unmarked) <= 1
                assert check.unmarked == (unmarked[0].states if unmarked else space.empty)
        good = bfh.Block(space.where(Name("good")), False)
        bad = bfh.Block(space.states - good.states, True)
        parts = bfh.split(space, good, [good, bad] if bad.states else [good])
        assert sum(not part.marked for part in parts) <= 1


def test_a_violation_that_the_figure_would_miss() -> None:
    """A good block whose states can all stay and leave, or only leave, is no reason to stop with nothing marked."""
    for edges in ([(0, 0), (0, 1), (1, 1)], [(0, 1), (1, 1)], [(0, 1), (1, 0)]):
        space = ExplicitSpace.from_edges(2, edges, [0], {"good": [0]})
        assert not any(found.holds for found in measured(space).values())


@pytest.mark.parametrize("block", range(4))
def test_machines_with_many_initial_and_stuck_states(block: int) -> None:
    """Verdicts agree on both carriers, and so do the iterations, except where ties between sets of equal size are broken."""
    for seed in range(block * 30, (block + 1) * 30):
        machine = seeded_machine(seed, state_bits=4)
        good = random_condition(Random(seed), machine, inputs=False)
        spaces = [build(machine), enumerate_machine(machine, reachable_only=False)]
        found = [{engine: measure_invariant(engine, s, s.where(good), Run()) for engine in MEASURED} for s in spaces]
        assert len({one.holds for by_engine in found for one in by_engine.values()}) == 1, seed
        for engine in ("forward", "backward", "lee-yannakakis", "bouajjani-fernandez-halbwachs"):
            assert found[0][engine].iterations == found[1][engine].iterations, (seed, engine)
        for space, by_engine in zip(spaces, found):
            for one in by_engine.values():
                if one.path is not None:
                    assert one.path[0] <= space.initial and not one.path[-1] & space.where(good)
                    assert all(b <= space.post(a) for a, b in zip(one.path, one.path[1:]))


def test_images_outside_of_splitting(monkeypatch: pytest.MonkeyPatch) -> None:
    """LY takes them before its first iteration, BFH anywhere but in its function `split`."""
    split, inside = bfh.split, [0]

    def watched(space: Any, block: Any, partition: Any) -> Any:
        before = space.counts.images
        parts = split(space, block, partition)
        inside[0] += space.counts.images - before
        return parts

    monkeypatch.setattr(bfh, "split", watched)
    for seed in range(200):
        space, counts = counting(random_system(seed))
        good, images = space.where(Name("good")), list[int]()
        noting = Run(listener=lambda _, images=images, counts=counts: images.append(counts.images))
        by_ly = ly.check_invariant(space, good, noting)
        assert by_ly.outside == [*images, counts.images][0]
        inside[0], before = 0, counts.images
        assert bfh.check_invariant(space, good, Run()).outside == counts.images - before - inside[0]


def test_counting_changes_nothing() -> None:
    space = random_system(3)
    counted, _ = counting(space)
    plain = bfh.check_invariant(space, space.where(Name("good")), Run())
    assert bfh.check_invariant(counted, counted.where(Name("good")), Run()).holds == plain.holds
    assert set(ON_THE_FLY) < set(MEASURED)
