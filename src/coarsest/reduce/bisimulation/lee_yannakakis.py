"""Minimise online: search the reachable blocks through one state of each, and split only blocks that the search has found.

Reference: Lee, Yannakakis 1992; Fisler, Vardi 1999, figures 3 and 4.
Symbols:   a block ⟨B, p⟩ is a `_Block` with `states` B and `representative` p; marked means that it has one.
Invariant: a representative is reachable; the edges of a searched block are the actions of its representative with the blocks they
           enter; a searched block that is not in `queue` is stable.
Deviates:  many initial states: each block that has some begins with one of them as representative. Every edge has an action.
           The edge of line 30 is added whether or not the block was marked before, as the text means it.
Cost:      per split at most 2 images and preimages for each edge that leaves or enters the block; blocks without a
           representative are never split.
"""

from __future__ import annotations

from typing import Generic

from msgspec import Struct, field

from coarsest.reduce.partition.observed import Observed, Snapshot, Watcher
from coarsest.reduce.partition.partition import Partition, partition_of
from coarsest.run import Run
from coarsest.space.space import S


class _Block(Struct, Generic[S], eq=False):
    states: S
    representative: S | None = None
    leaving: dict[tuple[int, _Block[S]], None] = field(default_factory=dict)
    """The actions of the representative, each with a block that it can enter by that action."""
    entering: dict[tuple[int, _Block[S]], None] = field(default_factory=dict)
    """The same edges, from their other ends."""


def minimise(observed: Observed[S], run: Run, watch: Watcher[S] | None = None) -> Partition[S]:
    """The classes that contain a reachable state."""
    return _Minimisation(observed, run, watch).partition()


class _Minimisation(Generic[S]):
    def __init__(self, observed: Observed[S], run: Run, watch: Watcher[S] | None) -> None:
        self.observed = observed
        self.space = observed.space
        self.run = run
        self.watch = watch
        self.blocks: list[_Block[S]] = [_Block(states) for states in observed.blocks]
        self.stack: list[_Block[S]] = []
        self.queue: dict[_Block[S], None] = {}
        for block in self.blocks:  # (1), (2)
            self._mark(block, block.states & self.space.initial)

    def partition(self) -> Partition[S]:
        while self.stack or self.queue:
            if self.stack:
                self._search(self.stack.pop())
            else:
                block = next(iter(self.queue))
                del self.queue[block]
                self._split(block)
                if self.watch is not None:
                    self.watch(self._snapshot(block))
        marked = [block.states for block in self.blocks if block.representative is not None]
        others = [block.states for block in self.blocks if block.representative is None]
        return partition_of(self.observed, marked, others)

    def _mark(self, block: _Block[S], reachable: S) -> None:
        """Give the block one of the reachable states as its representative, unless it has one or there is none."""
        if block.representative is None and reachable:
            block.representative = self.space.pick(reachable)
            self.stack.append(block)

    def _search(self, block: _Block[S]) -> None:  # (5)
        self.run.step("lee-yannakakis", blocks=len(self.blocks), stack=len(self.stack), queue=len(self.queue))
        assert block.representative is not None
        for number, action in enumerate(self.observed.actions):
            after = action.post(block.representative)
            uncovered = action.post(block.states)  # (8)
            for other in self.blocks:  # (9)
                entered = after & other.states
                if not entered:
                    continue
                if not block.states <= action.pre(other.states):  # (10)
                    self.queue[block] = None
                self._mark(other, entered)  # (11)
                self._add_edge(block, number, other)  # (12)
                uncovered = uncovered - other.states  # (13)
            if uncovered:  # (15)
                self.queue[block] = None

    def _split(self, block: _Block[S]) -> None:  # (17)
        self.run.step("lee-yannakakis", blocks=len(self.blocks), stack=len(self.stack), queue=len(self.queue))
        alike = self._like_the_representative(block)  # (20)
        rest = _Block(block.states - alike)  # (21)
        if not rest.states:
            return
        block.states = alike  # (22)
        self.blocks.append(rest)  # (23)
        self._mark(rest, rest.states & self.space.initial)
        for number, source in list(block.entering):  # (24)
            action = self.observed.actions[number]
            assert source.representative is not None
            if self._divides(action.pre(block.states), source) or self._divides(action.pre(rest.states), source):  # (25)
                self.queue[source] = None
            after = action.post(source.representative)
            if not after & block.states:  # (26)
                del block.entering[number, source], source.leaving[number, block]
            entered = after & rest.states
            if entered:  # (27)
                self._mark(rest, entered)  # (28), (29)
                self._add_edge(source, number, rest)  # (30)

    def _like_the_representative(self, block: _Block[S]) -> S:
        """The states of the block that can enter the same blocks as its representative, by each action (figure 4)."""
        alike = block.states  # (34)
        for number, action in enumerate(self.observed.actions):
            elsewhere = action.post(block.states)  # (35)
            for edge, other in block.leaving:  # (36)
                if edge == number:
                    alike = alike & action.pre(other.states)  # (37)
                    elsewhere = elsewhere - other.states  # (38)
            if elsewhere:
                alike = alike - action.pre(elsewhere)  # (39)
        return alike

    def _divides(self, can_enter: S, block: _Block[S]) -> bool:
        inside = block.states & can_enter
        return bool(inside) and inside != block.states

    def _add_edge(self, source: _Block[S], number: int, target: _Block[S]) -> None:
        source.leaving[number, target] = None
        target.entering[number, source] = None

    def _snapshot(self, current: _Block[S]) -> Snapshot[S]:
        numbered = enumerate(self.blocks)
        accessible = frozenset(i for i, block in numbered if block.representative is not None)
        waiting = {*self.queue, *self.stack}
        stable = frozenset(i for i in accessible if self.blocks[i] not in waiting)
        return Snapshot(tuple(block.states for block in self.blocks), accessible, stable, current.states)
