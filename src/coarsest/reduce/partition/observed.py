"""A state space as an observer sees it: which states look alike, and which actions can be told apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeAlias

from msgspec import Struct

from coarsest.run import Run
from coarsest.space.space import S, StateSpace, StepPart


class Observed(Struct, Generic[S], frozen=True):
    """`blocks` are disjoint, not empty, and cover the space: states of one block look alike.

    The steps of the space are the union of the steps of its actions; a system without actions has one, the space itself.
    """

    space: StateSpace[S]
    blocks: tuple[S, ...]
    actions: tuple[StepPart[S], ...]
    labels: tuple[S, ...] = ()
    """The sets that the blocks were made of, if they were."""

    @property
    def holds_diagrams(self) -> bool:
        """Are the sets BDDs, and the space not just a view?"""
        return getattr(self.space, "holds_diagrams", False)

    @property
    def holds_formulas(self) -> bool:
        """Are the sets formulas?"""
        return getattr(self.space, "holds_formulas", False)

    @classmethod
    def by(cls, space: StateSpace[S], labels: Sequence[S], actions: Sequence[StepPart[S]] = ()) -> Observed[S]:
        """Two states look alike when they are in the same labels."""
        return cls(space, divide(space, labels), tuple(actions) or (space,), tuple(labels))

    def entering(self, block: S) -> tuple[S, ...]:
        """The states that can enter the block, for each action."""
        return tuple(action.pre(block) for action in self.actions)


def divide(space: StateSpace[S], labels: Sequence[S]) -> tuple[S, ...]:
    """One block for each combination of labels that occurs."""
    blocks = [space.states] if space.states else []
    for label in labels:
        parts = [part for block in blocks for part in (block & label, block - label)]
        blocks = [part for part in parts if part]
    return tuple(blocks)


def split(block: S, splitters: Sequence[S]) -> list[S]:
    """The parts of a block. A splitter contains all states of a part, or none."""
    parts = [block]
    for splitter in splitters:
        finer: list[S] = []
        for part in parts:
            inside = part & splitter
            if not inside or inside == part:
                finer.append(part)
            else:
                finer += (inside, part - inside)
        parts = finer
    return parts


class Snapshot(Struct, Generic[S], frozen=True):
    """A partition on the way: its blocks, and the numbers of those that are known to be accessible and stable."""

    blocks: tuple[S, ...]
    accessible: frozenset[int]
    stable: frozenset[int]
    chosen: S | None = None
    """The block that was looked at last."""


Watcher: TypeAlias = Callable[[Snapshot[S]], None]
"""A watcher is called with each partition that an algorithm goes through."""


def split_until_stable(task: str, observed: Observed[S], run: Run, watch: Watcher[S] | None) -> list[S]:
    """The greatest fixpoint νρ. ρ_init ⊓ split(ρ, ρ): the coarsest stable partition that refines the observed one."""
    blocks = list(observed.blocks)
    while True:
        run.step(task, blocks=len(blocks))
        splitters = [can_enter for block in blocks for can_enter in observed.entering(block)]
        finer = [part for block in blocks for part in split(block, splitters)]
        if watch is not None:
            watch(Snapshot(tuple(finer), frozenset(), frozenset()))
        if len(finer) == len(blocks):
            return blocks
        blocks = finer
