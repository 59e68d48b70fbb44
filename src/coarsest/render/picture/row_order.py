"""The order of items within the rows of a layered drawing, with few crossings of links between neighbouring rows.

Reference: Sugiyama, Tagawa, Toda 1981 (barycentres); Gansner, Koutsofios, North, Vo 1993 (exchange of neighbours, best kept).
Symbols:   –
Invariant: the order that is given back has the fewest crossings of all that were met.
Deviates:  items without links to the row that is looked at stay where they are, as far as others leave them room.
Cost:      O(m log m) for m links in each of at most SWEEPS sweeps; most drawings are settled after a few.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Sequence
from typing import Final

SWEEPS: Final = 40
FEWEST_SWEEPS: Final = 4
MOST_WORK: Final = 400_000
"""The number of links to examine in all; large drawings get fewer sweeps."""
PATIENCE: Final = 8
"""Sweeps without fewer crossings before the best order is taken."""
EXCHANGES: Final = 20
"""The maximal number of passes that exchange neighbours, after each sweep."""

Rows = list[list[int]]


def ordered_rows(row_of: Sequence[int], steps: Sequence[tuple[int, int]]) -> Rows:
    """The items of each row from left to right. Each step leads from an item of a row to one of the next.

    >>> ordered_rows([0, 0, 1, 1], [(0, 3), (1, 2)])
    [[0, 1], [3, 2]]
    """
    rows: Rows = [[] for _ in range(max(row_of, default=-1) + 1)]
    for item, row in enumerate(row_of):
        rows[row].append(item)
    drawing = _Drawing(rows, steps)
    fewest, best = drawing.crossings(), [list(row) for row in rows]
    last = 0
    for sweep in range(min(SWEEPS, max(FEWEST_SWEEPS, MOST_WORK // (1 + len(steps))))):
        if fewest == 0 or sweep - last > PATIENCE:
            break
        drawing.sweep(downwards=sweep % 2 == 0, later_first=sweep % 4 >= 2)
        drawing.exchange()
        crossings = drawing.crossings()
        if crossings < fewest:
            fewest, best, last = crossings, [list(row) for row in drawing.rows], sweep
    return best


class _Drawing:
    """Rows, and the neighbours of each item above and below; `place` is the position of an item in its row."""

    def __init__(self, rows: Rows, steps: Sequence[tuple[int, int]]) -> None:
        self.rows = [list(row) for row in rows]
        count = sum(map(len, rows))
        self._above: Rows = [[] for _ in range(count)]
        self._below: Rows = [[] for _ in range(count)]
        for upper, lower in steps:
            self._below[upper].append(lower)
            self._above[lower].append(upper)
        self._place = [0] * count
        for row in self.rows:
            self._settle(row)

    def _settle(self, row: list[int]) -> None:
        for place, item in enumerate(row):
            self._place[item] = place

    def crossings(self) -> int:
        """The number of pairs of links that cross."""
        total = 0
        for row in self.rows:
            ends: list[int] = []
            for item in row:
                heads = sorted(self._place[other] for other in self._below[item])
                total += sum(len(ends) - bisect_right(ends, head) for head in heads)
                for head in heads:
                    insort(ends, head)
        return total

    def sweep(self, *, downwards: bool, later_first: bool) -> None:
        """Put the items of each row into the order of the middles of their neighbours in the row before it."""
        near = self._above if downwards else self._below
        for row in self.rows if downwards else reversed(self.rows):
            middles = {item: sum(self._place[other] for other in near[item]) / len(near[item]) for item in row if near[item]}
            sign = -1 if later_first else 1  # equal items are exchanged every other time
            moving = sorted(middles, key=lambda item: (middles[item], sign * self._place[item]))
            following = iter(moving)
            row[:] = [next(following) if item in middles else item for item in row]
            self._settle(row)

    def exchange(self) -> None:
        """Exchange neighbours while this removes crossings."""
        for _ in range(EXCHANGES):
            better = False
            for row in self.rows:
                for place in range(len(row) - 1):
                    left, right = row[place], row[place + 1]
                    if self._gain(left, right) > 0:
                        row[place], row[place + 1] = right, left
                        self._place[left], self._place[right] = place + 1, place
                        better = True
            if not better:
                return

    def _gain(self, left: int, right: int) -> int:
        """The number of crossings removed by exchanging two neighbours."""
        gain = 0
        for near in (self._above, self._below):
            if near[left] and near[right]:
                ones = [self._place[other] for other in near[left]]
                others = [self._place[other] for other in near[right]]
                gain += sum((one > other) - (one < other) for one in ones for other in others)
        return gain
