"""The coarsest stable partition: its classes, and the steps between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic

from msgspec import Struct

from coarsest.reduce.partition.observed import Observed
from coarsest.space.space import S


class Partition(Struct, Generic[S], frozen=True):
    """The classes that contain a reachable state; unreachable states that behave alike may be in them, too."""

    classes: Sequence[S]
    initial: tuple[int, ...]
    """Numbers of the classes that contain an initial state."""
    edges: tuple[tuple[int, int, int], ...]
    """Source, action and target of each step between classes, in increasing order."""
    looks: tuple[int, ...]
    """For each class, the number of the observed block that it is a part of."""
    others: tuple[S, ...] = ()
    """Blocks without a reachable state."""
    examples: Sequence[S] = ()
    """One state of each class."""

    def __len__(self) -> int:
        return len(self.classes)


class TooManyBlocks(Exception):
    """There are more blocks than the caller allows."""


def partition_of(observed: Observed[S], classes: Sequence[S], others: Sequence[S] = ()) -> Partition[S]:
    """The partition with these accessible classes. As they are stable, one state of a class shows the steps of all."""
    space = observed.space
    edges = []
    examples = [space.pick(states) for states in classes]
    for source, example in enumerate(examples):
        for number, action in enumerate(observed.actions):
            after = action.post(example)
            for target, states in enumerate(classes):
                if not after:
                    break
                if after & states:
                    edges.append((source, number, target))
                    after = after - states
    initial = [number for number, states in enumerate(classes) if states & space.initial]
    order = breadth_first(initial, edges)
    examples = [examples[number] for number in order]
    looks = tuple(next(i for i, block in enumerate(observed.blocks) if example <= block) for example in examples)
    in_order = [classes[number] for number in order]
    return Partition(in_order, *renumbered(order, initial, edges), looks, tuple(others), examples)


def breadth_first(initial: Sequence[int], edges: Sequence[tuple[int, int, int]]) -> list[int]:
    """The numbers of the classes in the order in which a search from the initial ones meets them."""
    after: dict[int, list[int]] = {}
    for source, _, target in edges:
        after.setdefault(source, []).append(target)
    order = list(initial)
    reached = set(order)
    for number in order:
        for target in after.get(number, ()):
            if target not in reached:
                reached.add(target)
                order.append(target)
    return order


def renumbered(
    order: Sequence[int], initial: Sequence[int], edges: Sequence[tuple[int, int, int]]
) -> tuple[tuple[int, ...], tuple[tuple[int, int, int], ...]]:
    """The initial classes and the edges, where class order[i] gets the number i."""
    new = {number: i for i, number in enumerate(order)}
    moved = sorted((new[source], action, new[target]) for source, action, target in edges)
    return tuple(sorted(new[number] for number in initial)), tuple(moved)


def accessible_classes(observed: Observed[S], blocks: Sequence[S]) -> tuple[list[S], list[S]]:
    """The classes of a stable partition that contain a reachable state, and the others."""
    space = observed.space
    waiting = [number for number, block in enumerate(blocks) if block & space.initial]
    reached = set(waiting)
    while waiting:
        after = space.post(space.pick(blocks[waiting.pop()]))
        for number, block in enumerate(blocks):
            if number not in reached and after & block:
                reached.add(number)
                waiting.append(number)
    return [blocks[n] for n in sorted(reached)], [block for n, block in enumerate(blocks) if n not in reached]


class Lazy(Sequence[S]):
    """A sequence whose items are made when they are used: there may be many, and few of them are."""

    def __init__(self, length: int, find: Callable[[int], S]) -> None:
        self._length = length
        self._find = find

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self._length))]
        if not -self._length <= index < self._length:
            raise IndexError(index)
        return self._find(index % self._length)
