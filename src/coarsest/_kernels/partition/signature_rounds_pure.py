"""Rounds of signature refinement in plain Python: the twin of `signature_rounds`, which says what the arguments are."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from typing import Any

Array = Any


def refine_rounds(
    offsets: Array, actions: Array, targets: Array, back_offsets: Array, back_actions: Array, back_sources: Array,
    internal: int, block: Array, parent: Array, level: Array, waiting: Array, counters: Array, budget: int,
) -> bool:  # fmt: skip
    """Refine until nothing is waiting, or until about `budget` transitions have been looked at. Returns whether it is
    finished."""
    rounds = _Rounds(offsets, actions, targets, back_offsets, back_actions, back_sources, internal, block, parent, level)
    rounds.blocks, dirty_count, rounds.number = (int(count) for count in counters[:3])
    dirty = waiting[:dirty_count].tolist()
    while dirty and rounds.work < budget:
        dirty = rounds.once(dirty)
    block[:] = rounds.block
    parent[: rounds.blocks] = rounds.parent
    level[: rounds.blocks] = rounds.level
    waiting[: len(dirty)] = dirty
    counters[:] = rounds.blocks, len(dirty), rounds.number, counters[3] + rounds.work
    return not dirty


class _Rounds:
    def __init__(self, offsets: Array, actions: Array, targets: Array, back_offsets: Array, back_actions: Array,
                 back_sources: Array, internal: int, block: Array, parent: Array, level: Array) -> None:  # fmt: skip
        self.forward = _lists(offsets, actions, targets)
        self.backward = _lists(back_offsets, back_actions, back_sources)
        self.internal = internal
        self.block: list[int] = block.tolist()
        self.blocks = 0
        known = max(self.block, default=-1) + 1
        self.parent: list[int] = parent[:known].tolist()
        self.level: list[int] = level[:known].tolist()
        self.members: dict[int, set[int]] = defaultdict(set)
        for state, number in enumerate(self.block):
            self.members[number].add(state)
        self.number = 0
        self.work = 0

    def once(self, dirty: list[int]) -> list[int]:
        """One round: all blocks are split by the partition as it was before. Gives the states whose signatures change by it."""
        self.number += 1
        affected = self._affected(dirty)
        splits = [(number, self._groups(number, states)) for number, states in affected.items()]
        moved: list[int] = []
        for number, groups in splits:
            moved += self._split(number, groups)
        return self._disturbed(moved)

    def _affected(self, dirty: list[int]) -> dict[int, list[int]]:
        """The dirty states and those with inert paths to them, by block; in a block, targets of inert transitions first."""
        seen = {state for state in dirty if len(self.members[self.block[state]]) > 1}
        stack = list(seen) if self.internal >= 0 else []
        while stack:
            state = stack.pop()
            for action, source in self.backward[state]:
                if action == self.internal and self.block[source] == self.block[state] and source not in seen:
                    seen.add(source)
                    stack.append(source)
        found: dict[int, list[int]] = defaultdict(list)
        for state in sorted(seen):
            found[self.block[state]].append(state)
        return found

    def _groups(self, number: int, affected: list[int]) -> list[set[int]]:
        """The block by signatures; the states that are not affected are one group, if there are any, and the first."""
        signatures: dict[int, frozenset[tuple[int, int]]] = {}
        clean = self.members[number].difference(affected)
        clean_signature: frozenset[tuple[int, int]] | None = None
        groups: dict[frozenset[tuple[int, int]], set[int]] = defaultdict(set)
        for state in affected:
            signature: set[tuple[int, int]] = set()
            self.work += len(self.forward[state]) + 1
            for action, target in self.forward[state]:
                if action != self.internal or self.block[target] != number:
                    signature.add((action, self.block[target]))
                elif target in signatures:
                    signature |= signatures[target]
                else:
                    clean_signature = clean_signature or self._at_bottom(target, number)
                    signature |= clean_signature
            signatures[state] = frozenset(signature)
            groups[signatures[state]].add(state)
        return [*([clean] if clean else []), *groups.values()]

    def _at_bottom(self, state: int, number: int) -> frozenset[tuple[int, int]]:
        """The signature that all states which are not affected share: that of one without inert transitions."""
        while True:
            inert = [t for action, t in self.forward[state] if action == self.internal and self.block[t] == number]
            if not inert:
                return frozenset((action, self.block[target]) for action, target in self.forward[state])
            state = inert[0]

    def _split(self, number: int, groups: list[set[int]]) -> list[int]:
        """The largest group keeps the number of the block; the states of the others move."""
        largest = max(range(len(groups)), key=lambda place: (len(groups[place]), -place))
        moved: list[int] = []
        for place, group in enumerate(groups):
            if place == largest:
                self.members[number] = group
                continue
            self.members[self.blocks] = group
            self.parent.append(number)
            self.level.append(self.number)
            for state in group:
                self.block[state] = self.blocks
            self.blocks += 1
            moved += sorted(group)
        return moved

    def _disturbed(self, moved: list[int]) -> list[int]:
        """States with a transition to one that moved, and states that moved away from the target of an inert transition."""
        dirty: dict[int, None] = {}
        for state in moved:
            for action, source in self.backward[state]:
                if action != self.internal or self.block[source] != self.block[state]:
                    dirty[source] = None
            if self.internal >= 0 and any(self._lost(state, action, target) for action, target in self.forward[state]):
                dirty[state] = None
            self.work += len(self.backward[state]) + 1
        return [state for state in dirty if len(self.members[self.block[state]]) > 1]

    def _lost(self, state: int, action: int, target: int) -> bool:
        """Was the transition inert before this round, and is it no more?"""
        if action != self.internal or self.block[state] == self.block[target]:
            return False
        return self.parent[self.block[state]] == self._before(target)

    def _before(self, state: int) -> int:
        number = self.block[state]
        return self.parent[number] if self.level[number] == self.number else number


def _lists(offsets: Array, actions: Array, others: Array) -> list[list[tuple[int, int]]]:
    pairs = list(zip(actions.tolist(), others.tolist()))
    ends = offsets.tolist()
    return [pairs[begin:end] for begin, end in pairwise(ends)]
