"""A second OxiDD manager with the same live nodes and a tiny apply cache, to try orders in.

OxiDD walks over its whole apply cache for every change of the order, so trying hundreds of orders in a working manager takes
seconds. The functions people hold cannot be asked for, but all nodes can be written to a file, and are read back from there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from coarsest.bdd.capacity import GROWTH_OF_A_JUMP
from coarsest.files import scratch_file

if TYPE_CHECKING:
    from oxidd.bcdd import BCDDFunction

    from coarsest.bdd.oxidd import OxiddManager

TWIN_CACHE: Final = 1 << 10
TWIN_ROOM: Final = GROWTH_OF_A_JUMP**4
"""The twin has room for this many times the live nodes, so that four variables can jump in one step. Only the nodes that are
made take memory."""


class Twin(NamedTuple):
    manager: OxiddManager
    level_sizes: list[int]
    roots: list[BCDDFunction]
    """References to the roots; dropping them frees the nodes of the twin."""


def _empty_twin(manager: OxiddManager, nodes: int) -> OxiddManager:
    """A manager with room for the nodes, and with the same variables in the same order."""
    twin = type(manager)(nodes=min(manager.capacity, TWIN_ROOM * max(nodes, 1)), cache=TWIN_CACHE)
    twin.add_variables(manager.names)
    twin.set_order(manager.order)
    return twin


def twin_of(manager: OxiddManager) -> Twin | None:
    """The twin of a manager without dead nodes; None when the nodes cannot be written or the dump is not understood."""
    from coarsest.bdd.arrays import all_nodes, into_manager

    nodes = all_nodes(manager)
    if nodes is None or len(nodes.then) != manager.live_nodes:
        return None
    twin = _empty_twin(manager, len(nodes.then))
    try:
        roots = into_manager(nodes, twin, twin.order)
    except OSError:
        return None
    twin.collect()
    return Twin(twin, nodes.level_sizes, roots) if twin.live_nodes == manager.live_nodes else None


def twin_of_functions(manager: OxiddManager, functions: Sequence[BCDDFunction]) -> Twin | None:
    """The same with only the nodes of some functions, which OxiDD itself writes and reads; None without room for a file."""
    try:
        with scratch_file() as name:
            manager.export_dddmp(name, functions, text=True)
            head, _, lines = Path(name).read_bytes().partition(b".nodes\n")
            twin = _empty_twin(manager, lines.count(b"\n"))
            roots = twin.import_dddmp(name, lambda variable: variable) or []
    except OSError:
        return None
    # A node is a line: its number, the place of its level among those with nodes, and two others.
    nodes = Counter(re.findall(rb"^\d+ (\d+) ", lines, re.MULTILINE))
    levels = sorted(int(level) for level in next(line for line in head.splitlines() if line.startswith(b".permids")).split()[1:])
    sizes = {level: nodes[b"%d" % place] for place, level in enumerate(levels)}
    twin.collect()
    return Twin(twin, [sizes.get(level, 0) for level in range(len(manager.names))], roots)
