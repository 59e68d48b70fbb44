"""Strongly connected components of inert transitions: those that they never leave, and states from which they never end.

Reference: Tarjan 1972, Depth-first search and linear graph algorithms.
Symbols:   a component is named by one of its states.
Invariant: a component is closed after all others that it leads to.
Deviates:  –
Cost:      linear in states and inert transitions, in Python: a checker shares no kernels with what it checks.
"""

from __future__ import annotations

from array import array
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Column = NDArray[np.signedinteger[Any]]


class InertComponents(Struct, frozen=True, eq=False, dict=True):
    """The component of each state, whether it is never left (`last`), and whether inert transitions from it can go on for ever.
    In `closed`, a component comes after those that it leads to."""

    component: Column
    last: NDArray[np.bool_]
    diverges: NDArray[np.bool_]
    closed: Column


def inert_components(states: int, tails: Column, heads: Column) -> InertComponents:
    """The components of inert transitions from `tails` to `heads`.

    >>> found = inert_components(4, np.array([0, 1, 2, 1]), np.array([1, 2, 1, 3]))
    >>> found.component.tolist(), found.last.tolist(), found.diverges.tolist()
    ([0, 1, 1, 3], [False, False, False, True], [True, True, True, False])
    """
    in_order = heads if (tails[1:] >= tails[:-1]).all() else heads[np.argsort(tails, kind="stable")]
    ends = np.cumsum(np.bincount(tails, minlength=states)) if states else np.zeros(0, dtype=np.int64)
    search = _Search(_numbers(np.append(0, ends)), _numbers(in_order))
    del in_order, ends
    for state in _numbers(np.unique(tails)):
        search.visit(state)
    component = np.frombuffer(search.component, dtype=search.component.typecode)
    last = np.ones(states, dtype=np.bool_)
    last[component[tails[component[tails] != component[heads]]]] = False
    roots = np.array(search.order, dtype=component.dtype)
    alone = np.ones(states, dtype=np.bool_)
    alone[roots] = False
    closed = np.concatenate([np.flatnonzero(alone).astype(component.dtype), roots])
    return InertComponents(component, last[component], np.frombuffer(search.diverges, dtype=np.bool_), closed)


def _numbers(column: Column) -> array[int]:
    """Numbers for Python in as little memory as in NumPy, which is a tenth of that of lists."""
    kind = "i" if len(column) < 2**31 and int(column.max(initial=0)) < 2**31 and array("i").itemsize == 4 else "q"
    return array(kind, np.ascontiguousarray(column, dtype=kind).tobytes())


class _Search:
    def __init__(self, offsets: array[int], heads: array[int]) -> None:
        states = len(offsets) - 1
        self._offsets, self._heads = offsets, heads
        self._number = _numbers(np.zeros(states, dtype=np.int32))  # states are numbered from 1 on as they are found, others are 0
        self._last = 0
        self._open: list[int] = []
        self._closed = bytearray(states)
        self.component = _numbers(np.arange(states))
        self.order = array("q")
        self.diverges = bytearray(states)

    def visit(self, first: int) -> None:
        """Search from a state, unless the search has been there, and close all components on the way."""
        if self._number[first]:
            return
        heads, offsets, number, closed = self._heads, self._offsets, self._number, self._closed
        path = [(first, offsets[first])]
        lowest = [self._find(first)]
        while path:
            state, edge = path.pop()
            if edge == offsets[state + 1]:
                low = lowest.pop()
                if low == number[state]:
                    self._close(state)
                elif lowest[-1] > low:
                    lowest[-1] = low
                continue
            path.append((state, edge + 1))
            target = heads[edge]
            if not number[target]:
                lowest.append(self._find(target))
                path.append((target, offsets[target]))
            elif not closed[target] and lowest[-1] > number[target]:
                lowest[-1] = number[target]

    def _find(self, state: int) -> int:
        self._last += 1
        self._number[state] = self._last
        self._open.append(state)
        return self._last

    def _close(self, first: int) -> None:
        members: list[int] = []
        while not members or members[-1] != first:
            members.append(self._open.pop())
        self.order.append(first)
        for state in members:
            self.component[state] = first
            self._closed[state] = True
        targets = [target for state in members for target in self._heads[self._offsets[state] : self._offsets[state + 1]]]
        if any(self.component[target] == first or self.diverges[target] for target in targets):
            for state in members:
                self.diverges[state] = True
