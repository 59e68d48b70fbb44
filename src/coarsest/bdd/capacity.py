"""How many nodes and cache entries fit into how much memory (for OxiDD, whose capacities are fixed at construction).

A node takes 16 bytes in the store and 8 bytes per slot in the hash table of its level, which is three quarters full just before
it doubles; while it doubles, old and new table exist together: 16 + 8 · 3 / 0.75 = 48 bytes at the very worst, 25 to 37 measured.
Room for nodes is only committed when it is used, so a generous capacity costs nothing. An apply cache entry takes 20 bytes,
touched at construction, and every collection walks over all of them, so small models get a small cache. In models of more bits
each image has more steps than a small one holds: with 2^18 entries, or nodes collected at 2^18, the path to the deadlock of 48
philosophers (102 bits) took 13 s, with 2^20 of both 1.8 s.
"""

from __future__ import annotations

import os
from pathlib import Path

BYTES_PER_NODE = 48
BYTES_PER_CACHE_ENTRY = 20
PYTHON_MEBIBYTES = 60
"""The memory of the interpreter with our modules and a model of ordinary size."""
SHARE_OF_NODES = 0.8
"""The part of the memory that is for nodes; the rest is for Python objects, counting, and the second manager of a reordering."""

FEWEST_NODES = 1 << 16
MOST_NODES = 1 << 30
SMALL_CACHE, MEDIUM_CACHE, LARGE_CACHE = 1 << 16, 1 << 18, 1 << 20


def capacity_for(mebibytes: int | None, bits: int) -> tuple[int, int]:
    """Nodes and cache entries for a process that must stay below `mebibytes` in all, and a model with that many state bits.

    Without a limit, three quarters of what the machine has count as one.

    >>> capacity_for(1024, bits=20)
    (16819814, 65536)
    """
    room = _room(mebibytes)
    cache = SMALL_CACHE if bits < 32 else MEDIUM_CACHE if bits < 64 else LARGE_CACHE
    while cache > 1024 and cache * BYTES_PER_CACHE_ENTRY > room // 8:
        cache //= 2
    return _nodes_beside(cache, room), cache


def _room(mebibytes: int | None) -> int:
    """Bytes for nodes and cache together."""
    in_all = mebibytes if mebibytes is not None else machine_mebibytes() * 3 // 4
    return int(max(in_all - PYTHON_MEBIBYTES, 4) * SHARE_OF_NODES * (1 << 20))


def _nodes_beside(cache: int, room: int) -> int:
    nodes = (room - cache * BYTES_PER_CACHE_ENTRY) // BYTES_PER_NODE
    return max(FEWEST_NODES, min(nodes, MOST_NODES))


def machine_mebibytes() -> int:
    """What this process may hope for: physical memory, or less if its container or its address space is limited."""
    limits = [_physical(), _container(), _address_space()]
    return min((limit for limit in limits if limit is not None), default=4 << 30) >> 20


def _physical() -> int | None:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not on this system
        return None


def _container() -> int | None:
    try:
        return int(Path("/sys/fs/cgroup/memory.max").read_text())
    except (OSError, ValueError):  # no such file, or "max"
        return None


def _address_space() -> int | None:
    try:
        import resource
    except ImportError:  # not on this system
        return None
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    return None if limit == resource.RLIM_INFINITY else limit
