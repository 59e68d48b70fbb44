"""A second OxiDD manager with the same live nodes and a tiny apply cache, to try orders in.

OxiDD walks over its whole apply cache for every change of the order, so trying hundreds of orders in a working manager takes
seconds. The functions people hold cannot be asked for, but all nodes can be written to a file, and are read back from there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from coarsest.bdd.arrays import all_nodes, into_manager

if TYPE_CHECKING:
    from oxidd.bcdd import BCDDFunction

    from coarsest.bdd.oxidd import OxiddManager

TWIN_CACHE = 1 << 10
TWIN_NODES = 1 << 20
TWIN_ROOM = 256
"""The twin has room for so many times the live nodes, so that blocks of a few variables can be exchanged in one step; only what
is used takes memory."""


class Twin(NamedTuple):
    manager: OxiddManager
    level_sizes: list[int]
    roots: list[BCDDFunction]
    """To be kept: they keep all the others."""


def twin_of(manager: OxiddManager) -> Twin | None:
    """The twin of a manager without dead nodes; None when the nodes cannot be written or the dump is not understood."""
    nodes = all_nodes(manager)
    if nodes is None or len(nodes.then) != manager.live_nodes:
        return None
    twin = type(manager)(nodes=min(manager.capacity, max(TWIN_NODES, TWIN_ROOM * len(nodes.then))), cache=TWIN_CACHE)
    twin.add_variables(manager.names)
    twin.set_order(manager.order)
    try:
        roots = into_manager(nodes, twin, twin.order)
    except OSError:
        return None
    twin.collect()
    return Twin(twin, nodes.level_sizes, roots) if twin.live_nodes == manager.live_nodes else None
