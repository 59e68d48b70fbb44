"""How many nodes and cache entries fit into how much memory (for OxiDD, whose capacities are fixed at construction).

A node takes 16 bytes in the store and 8 bytes per slot in the hash table of its level, which is three quarters full just before
it doubles; while it doubles, old and new table exist together: 16 + 8 · 3 / 0.75 = 48 bytes at the very worst, 25 to 37 measured.
Room for nodes is only committed when it is used, so a generous capacity costs nothing. An apply cache entry takes 20 bytes,
touched at construction, and every collection walks over all of them, so small models get a small cache. In models of more bits
each image has more steps than a small one holds: with 2^18 entries, or nodes collected at 2^18, the path to the deadlock of 48
philosophers (102 bits) took 13 s, with 2^20 of both 1.8 s.
"""

from __future__ import annotations

from typing import Final

from coarsest import tuning
from coarsest.memory_use import most_mebibytes

BYTES_PER_NODE: Final = 48
BYTES_PER_CACHE_ENTRY: Final = 20
PYTHON_MEBIBYTES: Final = 60
"""The memory of the interpreter with our modules and a model of ordinary size."""
LEAST_CAPACITY: Final = 1 << 16
MOST_CAPACITY: Final = 1 << 30
GROWTH_OF_A_JUMP: Final = 4
"""The nodes at most quadruple while one variable jumps up in the order (`bdd/oxidd.py`)."""


def capacity_for(mebibytes: int | None, bits: int, node_limit: int | None = None) -> tuple[int, int]:
    """Nodes and cache entries for a process that must stay below `mebibytes` in all, and a model with that many state bits.

    A limit on live nodes bounds the capacity, too, so that it stops a single operation. There is room beside them for nodes that
    are dead, and for the nodes of one step of a reordering.

    >>> capacity_for(1024, bits=20)
    (16819814, 65536)
    >>> capacity_for(1024, bits=20, node_limit=1_000_000)
    (4000000, 65536)
    """
    room = _room(mebibytes)
    cache = tuning.CACHE_ENTRIES // (16 if bits < 32 else 4 if bits < 64 else 1)
    while cache > 1024 and cache * BYTES_PER_CACHE_ENTRY > room // 8:
        cache //= 2
    most = MOST_CAPACITY if node_limit is None else max(LEAST_CAPACITY, GROWTH_OF_A_JUMP * node_limit)
    return min(_nodes_beside(cache, room), most), cache


def _room(mebibytes: int | None) -> int:
    """Bytes for nodes and cache together."""
    return int(max(most_mebibytes(mebibytes) - PYTHON_MEBIBYTES, 4) * tuning.MEMORY_SHARE_OF_NODES * (1 << 20))


def _nodes_beside(cache: int, room: int) -> int:
    nodes = (room - cache * BYTES_PER_CACHE_ENTRY) // BYTES_PER_NODE
    return max(LEAST_CAPACITY, min(nodes, MOST_CAPACITY))
