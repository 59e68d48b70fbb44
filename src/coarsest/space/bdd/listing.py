"""The states of a symbolic set, one by one: each has a number, its rank among the bit strings of the set.

Reference: the rank of an assignment is found on the way from the root: where a bit is 1, all assignments with 0 come before.
Symbols:   –
Invariant: at each level, there is one row for each way from the root to there that leads to an assignment; none is in vain.
Deviates:  –
Cost:      Python visits each node of a function once; all else is done on arrays, one pass over the rows for each variable.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coarsest.bdd.protocol import Manager
from coarsest.encode.layout import Layout, value_of
from coarsest.logic.expr import Value
from coarsest.model.machine import Variable
from coarsest.run import Run
from coarsest.space.bdd.symbolic import SymbolicSet, SymbolicSpace
from coarsest.space.decision_rows import decided

Numbers = NDArray[np.int64]


class _Nodes(NamedTuple):
    """A function as arrays. Node 0 is false, node 1 true; `depth` is the place of the node's variable among those that count."""

    depth: Numbers
    then: Numbers
    otherwise: Numbers
    root: int

    @classmethod
    def of(cls, manager: Manager[Any], function: Any, variables: Iterable[int]) -> _Nodes:
        """All of the function's variables must be among `variables`, which come from the top down."""
        place = {variable: i for i, variable in enumerate(variables)}
        number = {manager.false: 0, manager.true: 1}
        rows = [(len(place), 0, 0), (len(place), 1, 1)]
        inner: list[tuple[int, Any, Any]] = []
        waiting = [function]
        while waiting:
            node = waiting.pop()
            if node in number:
                continue
            children = manager.children(node)
            assert children is not None
            number[node] = len(number)
            inner.append((place[children[0]], children[1], children[2]))
            waiting += children[1:]
        rows += [(depth, number[then], number[otherwise]) for depth, then, otherwise in inner]
        depth, then, otherwise = np.array(rows, dtype=np.int64).T.copy()
        return cls(depth, then, otherwise, number[function])

    def first_row(self) -> Numbers:
        """The root, unless no way leads from there."""
        return np.array([self.root] if self.root else [], dtype=np.int64)

    def counts(self) -> Numbers:
        """How many assignments of the variables from the node's own on make it true; there must be less than 2^62 of the root."""
        counts = [0] * len(self.depth)
        counts[1] = 1
        depth, then, otherwise = self.depth.tolist(), self.then.tolist(), self.otherwise.tolist()
        for node in sorted(range(2, len(depth)), key=lambda i: -depth[i]):
            high, low = then[node], otherwise[node]
            here = depth[node] + 1
            counts[node] = (counts[high] << depth[high] - here) + (counts[low] << depth[low] - here)
        return np.array(counts, dtype=np.int64)


class Listing:
    """The states of a set with their numbers 0, 1, …"""

    def __init__(self, space: SymbolicSpace[Any], states: SymbolicSet[Any]) -> None:
        self.space = space
        self._manager: Manager[Any] = space.manager
        self.number = space.count(states)
        self._bits, self._after = _in_order(space.layout, self._manager, space.bits)
        self._nodes = _Nodes.of(self._manager, states.function, self._bits)
        self._counts = self._nodes.counts()

    def numbers(self, states: SymbolicSet[Any]) -> Numbers:
        """The numbers of some of the states, in increasing order."""
        nodes = _Nodes.of(self._manager, states.function, self._bits)
        at = nodes.first_row()
        rank = _Ranks(self, len(at))
        for place in range(len(self._bits)):
            at, kept, ones = _branch(nodes, at, place)
            rank.descend(place, kept, ones)
        return rank.sum

    def steps(self, relation: Any, run: Run) -> tuple[Numbers, Numbers]:
        """The numbers of source and target of each step of a relation between the states."""
        mentioned = {*self._bits, *self._after.values()}
        variables = [variable for variable in self._manager.order if variable in mentioned]
        nodes = _Nodes.of(self._manager, relation, variables)
        at = nodes.first_row()
        source, target = _Ranks(self, len(at)), _Ranks(self, len(at))
        place = {variable: i for i, variable in enumerate(self._bits)}
        now_of = {after: now for now, after in self._after.items()}
        for level, variable in enumerate(variables):
            run.step("list", states=self.number, steps=len(at))
            at, kept, ones = _branch(nodes, at, level)
            if variable in now_of:
                source.keep(kept)
                target.descend(place[now_of[variable]], kept, ones)
            else:
                source.descend(place[variable], kept, ones)
                if variable in self._after:
                    target.keep(kept)
                else:  # a frozen variable: the same before and after
                    target.descend(place[variable], kept, ones)
        return source.sum, target.sum

    def set(self, numbers: Numbers) -> SymbolicSet[Any]:
        """The states with these numbers, which are in increasing order."""
        if not len(numbers):
            return self.space.empty
        bits = self._unranked(numbers)
        if len(numbers) == 1:
            return self.space.set(self.space.cube(dict(zip(self._bits, bits[0].tolist()))))
        manager = self._manager

        def test(place: int, low: Any, high: Any) -> Any:
            return manager.ite(manager.var(self._bits[place]), high, low)

        return self.space.set(decided(bits, (manager.false, manager.true), test))

    def column(self, variable: Variable) -> tuple[Numbers, list[Value]]:
        """The values that a variable has in the states, and which of them it has in each, by its place among them."""
        places = {bit: place for place, bit in enumerate(self._bits)}
        bits = self._all_bits[:, [places[bit] for bit in self.space.layout.slots[variable.name].now]]
        width = bits.shape[1]
        packed = bits @ (np.int64(1) << np.arange(width)) if width < 63 else np.packbits(bits, axis=1)
        _, examples, codes = np.unique(packed, axis=0, return_index=True, return_inverse=True)
        numbers = [sum(1 << place for place, bit in enumerate(row) if bit) for row in bits[examples].tolist()]
        return codes.reshape(-1), [value_of(variable.type, number) for number in numbers]

    @cached_property
    def _all_bits(self) -> NDArray[np.bool_]:
        return self._unranked(np.arange(self.number, dtype=np.int64))

    def _unranked(self, numbers: Numbers) -> NDArray[np.bool_]:
        bits = np.empty((len(numbers), len(self._bits)), dtype=np.bool_)
        nodes, rest = self._nodes, numbers.copy()
        at = np.full(len(numbers), nodes.root, dtype=np.int64)
        for place in range(len(self._bits)):
            low, before = self._below(at, place)
            ones = bits[:, place] = rest >= before
            rest -= np.where(ones, before, 0)
            at = np.where(ones & (nodes.depth[at] == place), nodes.then[at], low)
        return bits

    def _below(self, at: Numbers, place: int) -> tuple[Numbers, Numbers]:
        """Where one is after a 0, and how many states are there."""
        nodes = self._nodes
        low = np.where(nodes.depth[at] == place, nodes.otherwise[at], at)
        return low, self._counts[low] << (nodes.depth[low] - place - 1) * (low != 0)


def _in_order(layout: Layout, manager: Manager[Any], bits: Iterable[int]) -> tuple[list[int], dict[int, int]]:
    level = {variable: i for i, variable in enumerate(manager.order)}
    ordered = sorted(bits, key=level.__getitem__)
    after = {bit: layout.after_of_now[bit] for bit in ordered if bit in layout.after_of_now}
    levels = [level[after.get(bit, bit)] for bit in ordered]
    assert levels == sorted(levels), "bits and their copies after a step are in the same order"
    return ordered, after


def _branch(nodes: _Nodes, at: Numbers, level: int) -> tuple[Numbers, Numbers, NDArray[np.bool_]]:
    """Both values of a variable for each row: the node after it, the row it comes from, and the value; in vain ones left out."""
    here = nodes.depth[at] == level
    both = np.stack((np.where(here, nodes.otherwise[at], at), np.where(here, nodes.then[at], at)), axis=1).reshape(-1)
    kept = np.flatnonzero(both)
    return both[kept], kept >> 1, (kept & 1).astype(np.bool_)


class _Ranks:
    """For each row, the node of the listed set that its bits have led to, and how many states come before it so far."""

    def __init__(self, listing: Listing, rows: int) -> None:
        self._listing = listing
        self._at = np.full(rows, listing._nodes.root, dtype=np.int64)
        self.sum = np.zeros(rows, dtype=np.int64)

    def keep(self, rows: Numbers) -> None:
        """Some rows, repeated where they branch."""
        self._at, self.sum = self._at[rows], self.sum[rows]

    def descend(self, place: int, rows: Numbers, ones: NDArray[np.bool_]) -> None:
        """Some rows, with the next bit."""
        self.keep(rows)
        nodes, at = self._listing._nodes, self._at
        low, before = self._listing._below(at, place)
        self.sum = self.sum + np.where(ones, before, 0)
        self._at = np.where(ones & (nodes.depth[at] == place), nodes.then[at], low)
