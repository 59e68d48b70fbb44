"""What Fisler and Vardi 1999 prove of each iteration: early termination does what the minimisers do, and marks what BR explores.

Random total systems with one initial state; the frontiers F_i are computed here, with Python's sets, from figure 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from test_fisler_vardi import random_system

from coarsest.check.invariants import invariant_by_bouajjani_fernandez_halbwachs as bfh
from coarsest.check.invariants import invariant_by_lee_yannakakis as ly
from coarsest.check.invariants import invariant_by_paige_tarjan as pt
from coarsest.logic.expr import Name
from coarsest.reduce.bisimulation import bouajjani_fernandez_halbwachs, lee_yannakakis, paige_tarjan
from coarsest.reduce.partition.observed import Observed, Snapshot
from coarsest.run import Run
from coarsest.space.explicit.explicit import ExplicitSet, ExplicitSpace

States = frozenset[int]
SYSTEMS = range(400)


class System:
    """A random system, and what backward reachability explores of it when nothing stops it."""

    def __init__(self, seed: int) -> None:
        self.space: ExplicitSpace = random_system(seed)
        self.good = self.space.where(Name("good"))
        self.observed = Observed.by(self.space, [self.good])
        graph = self.space.graph
        self.after = {state: frozenset(graph.successors(state).tolist()) for state in range(graph.nodes)}
        self.frontiers = [members(self.space.states - self.good)]
        while self.frontiers[-1]:
            self.frontiers.append(self.before(self.frontiers[-1]) - self.explored(len(self.frontiers) - 1))
        self.holds = 0 not in self.explored(len(self.frontiers))

    def before(self, states: Iterable[int]) -> States:
        """`pre` of the paper."""
        return frozenset(state for state, after in self.after.items() if after & frozenset(states))

    def explored(self, i: int) -> States:
        """S_i: the frontiers F_0 to F_i."""
        return frozenset().union(*self.frontiers[: i + 1])

    def stable(self, block: States, splitter: States) -> bool:
        inside = block & self.before(splitter)
        return not inside or inside == block


def members(states: ExplicitSet) -> States:
    return frozenset(states.mask.nonzero()[0].tolist())


def partition(blocks: Iterable[ExplicitSet]) -> set[States]:
    return {members(block) for block in blocks if block}


def systems() -> Iterator[System]:
    return map(System, SYSTEMS)


def test_lee_yannakakis_stops_early_on_the_same_way() -> None:
    """Lemma 9: partitions are the same after each split; no second block is reachable where the property holds."""
    lengths = set()
    for system in systems():
        snapshots: list[Snapshot[ExplicitSet]] = []
        lee_yannakakis.minimise(system.observed, Run(), snapshots.append)
        early = ly.check_invariant(system.space, system.good, Run())
        rings = early.rings if system.holds else early.rings[:-1]
        for i in range(1, early.iterations + 1):
            block = system.space.states - system.space.where(Name("good"))
            for ring in rings[1 : i + 1]:
                block = block | ring
            assert partition(snapshots[i - 1].blocks) == partition([*rings[: i + 1], system.space.states - block])
            if system.holds:
                assert len(snapshots[i - 1].accessible) == 1
        if system.holds:
            assert len(snapshots) == early.iterations
            lengths.add(early.iterations)
    assert len(lengths) > 3


def test_bouajjani_fernandez_halbwachs_stops_early_on_the_same_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lemmas 11 and 12 at every iteration; lemma 15: the same partitions, and nothing stable before the end."""
    partitions: list[list[bfh.Block[ExplicitSet]]] = []
    split = bfh.split

    def watched(
        space: ExplicitSpace, block: bfh.Block[ExplicitSet], blocks: list[bfh.Block[ExplicitSet]]
    ) -> list[bfh.Block[ExplicitSet]]:
        partitions.append(blocks)
        return split(space, block, blocks)

    monkeypatch.setattr(bfh, "split", watched)
    lengths = set()
    for system in systems():
        partitions.clear()
        bfh.check_invariant(system.space, system.good, Run())
        for i, blocks in enumerate(partitions):
            assert [block.marked for block in blocks] == [False] + [True] * (len(blocks) - 1)
            assert members(blocks[0].states) == frozenset(system.after) - system.explored(i)  # G_i, by lemmas 4 and 10
            for block in blocks[1:]:
                assert members(block.states) <= system.explored(len(system.frontiers))
        if not system.holds:
            continue
        snapshots: list[Snapshot[ExplicitSet]] = []
        bouajjani_fernandez_halbwachs.minimise(system.observed, Run(), snapshots.append)
        assert len(snapshots) == len(partitions)
        for snapshot, blocks in zip(snapshots, partitions[1:]):
            assert partition(snapshot.blocks) == partition(block.states for block in blocks)
            assert len(snapshot.accessible) == 1 and not snapshot.stable
        assert len(snapshots[-1].stable) == 1
        lengths.add(len(snapshots))
    assert len(lengths) > 3


@pytest.mark.parametrize("split_marked", [False, True])
def test_paige_tarjan_marks_what_backward_reachability_explores(split_marked: bool) -> None:
    """Lemmas 17 to 23, at every iteration."""
    lengths = set()
    for system in systems():
        check = pt._Check(system.space, system.good, split_marked=split_marked)
        i = 0
        while check.compounds:
            i += 1
            before = Unmarked(check)
            before.at_the_start(system, i)
            compound = next(iter(check.compounds))
            whole, parts = members(compound.states), list(compound.parts)
            check._iterate()
            (splitter,) = [part for part in parts if part not in compound.parts and part.home is not compound]
            after = Unmarked(check)
            after.at_the_end(system, i, members(splitter.home.states), whole)
            if before.compound is compound and after.states:
                assert after.states <= system.before(whole)  # lemma 20
        lengths.add(i)
    assert len(lengths) > 3


class Unmarked:
    """U_i, the block of X that it is in, and the blocks of Q."""

    def __init__(self, check: pt._Check[ExplicitSet]) -> None:
        self.blocks = check.blocks
        unmarked = [block for block in check.blocks if not block.marked and block.states]
        self.states = members(unmarked[0].states) if unmarked else frozenset()
        self.compound = unmarked[0].home if unmarked else None

    def at_the_start(self, system: System, i: int) -> None:
        if self.compound is None:
            return
        for block in self.blocks:
            if block.marked and block.home is self.compound:
                assert members(block.states) <= system.explored(i - 1)  # lemma 21
        if i < len(system.frontiers) and system.frontiers[i] and self._is_stable(system):
            assert not system.holds  # lemma 23

    def at_the_end(self, system: System, i: int, splitter: States, compound: States) -> None:
        for block in self.blocks:
            if block.marked:
                assert members(block.states) <= system.explored(len(system.frontiers))  # lemma 17
        if self.compound is None:
            return
        assert system.stable(self.states, splitter) and system.stable(self.states, compound - splitter)  # lemma 18
        for block in self.blocks:
            if block.marked and block.home is not self.compound:
                assert system.stable(self.states, members(block.states))  # lemma 19
        assert frozenset(system.after) - system.explored(i) <= self.states  # lemma 22

    def _is_stable(self, system: System) -> bool:
        return all(system.stable(self.states, members(block.states)) for block in self.blocks)


@pytest.mark.parametrize("split_marked", [False, True])
def test_paige_tarjan_refines_what_it_leaves_when_it_stops_early(split_marked: bool) -> None:
    """Lemma 26."""
    coarser = 0
    for system in systems():
        if not system.holds:
            continue
        check = pt._Check(system.space, system.good, split_marked=split_marked)
        assert check.verdict(Run()).holds
        early = partition(block.states for block in check.blocks)
        final = paige_tarjan.minimise(system.observed, Run())
        classes = partition([*final.classes, *final.others])
        assert all(any(block <= whole for whole in early) for block in classes)
        coarser += len(early) < len(classes)
    assert split_marked or coarser
