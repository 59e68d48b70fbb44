"""Transitions to little brothers, in plain Python: the twin of `little_brothers`, which says what the arguments are."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

Array = Any


def mark_kept(offsets: Array, targets: Array, rows: Array, begin: Array, size: Array, pool: Array, kept: Array) -> None:
    """Mark the transitions whose targets are not below another target of their group."""
    if len(rows):
        above = [int.from_bytes(row.tobytes(), "little") for row in rows]
    else:
        above = [sum(1 << other for other in pool[low : low + length].tolist()) for low, length in zip(begin, size)]
    ends, heads = offsets.tolist(), targets.tolist()
    for first, last in pairwise(ends):
        brothers = set(heads[first:last])
        for place in range(first, last):
            kept[place] = not any((above[heads[place]] >> other) & 1 for other in brothers - {heads[place]})
