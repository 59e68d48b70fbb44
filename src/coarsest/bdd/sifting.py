"""Group sifting between operations.

Reference: Rudell 1993, "Dynamic variable ordering for ordered binary decision diagrams"; groups: Panda, Somenzi 1995.
Symbols:   a group is a list of variables that stay together, e.g. the current and the next value of a bit.
Invariant: after each group the order is the one with the fewest nodes of all places that were tried for it.
Deviates:  steps exchange whole neighbouring groups; OxiDD clears its apply cache at every step, so the places are tried in a
           second manager with a tiny cache, and only the best move of each group is repeated in the real one; effort is bounded
           by the nodes touched, not by time, so that results can be reproduced.
Cost:      per group at most two walks over the order; each step touches the nodes of two groups.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from coarsest import tuning
from coarsest.bdd.protocol import OutOfNodes

if TYPE_CHECKING:
    from oxidd.bcdd import BCDDFunction

    from coarsest.bdd.oxidd import OxiddManager
    from coarsest.bdd.oxidd_twin import Twin



class Reordering(Struct):
    """When a manager reorders by itself (in `tidy`), and how much it may spend on it."""

    functions: Callable[[], Iterable[BCDDFunction]] = tuple
    """The functions that matter: orders are tried on them alone, if they are much of what there is."""
    groups: Sequence[Sequence[int]] = ()
    """Variables that stay together while they are neighbours; all others go alone."""
    threshold: int = 5_000
    """Reorder for the first time when this many nodes are live after a collection."""
    long_run: int | None = None
    """Once so many nodes have been created, a third of the threshold is enough."""
    growth: float = 2.0
    """Reorder again when the nodes have grown by this factor since the last time."""
    effort: int = 30_000_000
    """Nodes that may be touched in one reordering; ten million take a second or two."""
    share: float = 0.3
    """Nodes that may be touched for each node created since the last time: enough to see whether it pays, which is rewarded."""
    most_nodes: int = 500_000
    """Not tried with more nodes than this."""
    done: int = 0
    """How many reorderings were made."""

    def is_due(self, live: int, created: int) -> bool:
        """Are there nodes enough to reorder for the first time?"""
        is_long = self.long_run is not None and created >= self.long_run
        return live >= (self.threshold // 3 if is_long else self.threshold)


class Move(NamedTuple):
    """A group moves within the list of groups."""

    start: int
    end: int
    nodes: int
    """How many there are afterwards."""


def reorder(manager: OxiddManager, reordering: Reordering, *, effort: int | None = None) -> int:
    """Sift the groups of a manager once, those with most nodes first.

    Returns the effort that was spent, less the reward for what was saved.
    """
    from coarsest.bdd.oxidd_twin import twin_of

    manager.collect()
    if not 0 < manager.live_nodes <= min(reordering.most_nodes, manager.capacity // tuning.SIFTING_ROOM):
        return 0
    twin = _twin_of_some(manager, reordering)
    is_whole = twin is None
    if twin is None:
        twin = twin_of(manager)
    if twin is None:
        return 0
    reordering.done += 1
    groups = adjacent_groups(manager.order, reordering.groups)
    arrangement = Arrangement(twin.manager, list(groups), reordering.effort if effort is None else effort)
    allowed = arrangement.effort
    nodes = arrangement.nodes
    moves = sift(arrangement, twin.level_sizes)
    if arrangement.nodes <= tuning.ORDER_WORTH_SETTING * nodes and is_whole:
        _ = all(_repeat(manager, groups, move) for move in moves)  # until there is no room
    elif arrangement.nodes <= tuning.ORDER_WORTH_SETTING * nodes:
        _take_over(manager, arrangement.groups)
    return allowed - arrangement.effort


def _twin_of_some(manager: OxiddManager, reordering: Reordering) -> Twin | None:
    """The twin of the functions that matter, if these are much of what there is: far cheaper than a twin of all nodes."""
    from coarsest.bdd.oxidd_twin import twin_of_functions

    twin = twin_of_functions(manager, list(reordering.functions()))
    return twin if twin is not None and twin.manager.live_nodes >= tuning.NODES_THAT_MATTER * manager.live_nodes else None


def adjacent_groups(order: Sequence[int], groups: Sequence[Sequence[int]]) -> list[list[int]]:
    """The groups from the top of the order down; what is not in a group, or in one that is not together now, goes alone.

    >>> adjacent_groups([3, 2, 0, 1, 4], [[0, 1], [2, 3], [4, 1]])
    [[3, 2], [0, 1], [4]]
    """
    level = {variable: i for i, variable in enumerate(order)}
    group_from: dict[int, list[int]] = {}
    taken: set[int] = set()
    for group in groups:
        members = sorted(group, key=level.__getitem__)
        together = members and level[members[-1]] - level[members[0]] == len(members) - 1
        if together and taken.isdisjoint(members):
            group_from[members[0]] = members
            taken.update(members)
    return [group_from.get(variable, [variable]) for variable in order if variable in group_from or variable not in taken]


class Arrangement:
    """The groups of a manager in their present order."""

    def __init__(self, manager: OxiddManager, groups: list[Sequence[int]], effort: int) -> None:
        self.manager, self.groups, self.effort = manager, groups, effort
        self.nodes = manager.live_nodes

    def sift(self, start: int) -> int:
        """Try the places of one group, the nearer end first, and leave it at the best; returns its place."""
        best, fewest = start, self.nodes
        steps = (-1, 1) if start < len(self.groups) // 2 else (1, -1)
        place = start
        for step in steps:
            while 0 <= place + step < len(self.groups) and self.nodes <= tuning.SIFTING_GROWTH * fewest:
                self._exchange(min(place, place + step))
                place += step
                if self.nodes < fewest:
                    best, fewest = place, self.nodes
            back = start if step == steps[0] else best
            while place != back:
                step = 1 if back > place else -1
                self._exchange(min(place, place + step))
                place += step
        return best

    def _exchange(self, upper: int) -> None:
        """Exchange the groups at a place and the next one."""
        groups = self.groups
        self.manager.exchange(groups[upper], groups[upper + 1])
        groups[upper], groups[upper + 1] = groups[upper + 1], groups[upper]
        self.nodes = self.manager.live_nodes
        self.effort -= 2 * self.nodes // len(groups) + 50


def sift(arrangement: Arrangement, level_sizes: Sequence[int]) -> list[Move]:
    """Move each group to its best place, as long as the effort lasts. Returns the moves that were made."""
    sizes = []
    level = 0
    for group in arrangement.groups:
        sizes.append(sum(level_sizes[level : level + len(group)]))
        level += len(group)
    largest_first = sorted(range(len(sizes)), key=lambda place: -sizes[place])
    moves = []
    for group in [arrangement.groups[place] for place in largest_first]:
        if arrangement.effort < 0:
            break
        start, before = arrangement.groups.index(group), arrangement.nodes
        try:
            end = arrangement.sift(start)
        except OutOfNodes:
            break
        # No more is to be saved than what is left.
        reward = tuning.SIFTING_REWARD * (before - arrangement.nodes)
        arrangement.effort = min(arrangement.effort + reward, tuning.SIFTING_REWARD * arrangement.nodes)
        if end != start:
            moves.append(Move(start, end, arrangement.nodes))
    return moves


def _take_over(manager: OxiddManager, groups: Sequence[Sequence[int]]) -> None:
    """Set the order that is good for some functions, unless it is bad for the others: then it stays as it was."""
    before, nodes = manager.order, manager.live_nodes
    with suppress(OutOfNodes):
        manager.set_order([variable for group in groups for variable in group], most_nodes=int(tuning.SIFTING_GROWTH * nodes))
        if manager.live_nodes > nodes:
            manager.set_order(before)


def _repeat(manager: OxiddManager, groups: list[list[int]], move: Move) -> bool:
    """Make a move that was found in the twin; False if there is no room for it."""
    low, high = min(move.start, move.end), max(move.start, move.end)
    cut = low + 1 if move.start < move.end else high
    upper = [variable for group in groups[low:cut] for variable in group]
    lower = [variable for group in groups[cut : high + 1] for variable in group]
    try:
        manager.exchange(upper, lower, nodes_after=move.nodes)
    except OutOfNodes:
        return False
    groups.insert(move.end, groups.pop(move.start))
    return True
