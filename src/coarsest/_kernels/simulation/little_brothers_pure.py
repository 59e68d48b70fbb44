"""Transitions to little brothers, in plain Python: the twin of `little_brothers`, which says what the arguments are."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

Array = Any


def mark_kept(offsets: Array, targets: Array, rows: Array, kept: Array) -> None:
    """Mark the transitions whose targets are not below another target of their group."""
    above = [sum(int(word) << (64 * place) for place, word in enumerate(row)) for row in rows.tolist()]
    ends, heads = offsets.tolist(), targets.tolist()
    for begin, end in pairwise(ends):
        brothers = set(heads[begin:end])
        for place in range(begin, end):
            kept[place] = not any((above[heads[place]] >> other) & 1 for other in brothers - {heads[place]})
