"""Group sifting between operations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Reordering:
    """When a manager reorders by itself (in `tidy`), and how much it may spend on it."""

    groups: Sequence[Sequence[int]] = ()
    """Variables that stay together, in this order, e.g. the current and the next value of each bit. Others go alone."""
    roots: Callable[[], Iterable[Any]] | None = None
    """The functions that matter (all that are large); without them the reordering is done in place, which is slower."""
    threshold: int = 20_000
    """Reorder for the first time when this many nodes are live after a collection."""
    growth: float = 2.0
    """Reorder again when the nodes have grown by this factor since the last time."""
    seconds: float = 10.0
    """No new group is moved after this time (of one reordering)."""
    done: int = field(default=0, init=False)
    """How many reorderings were done."""
