"""A second OxiDD manager with the same live nodes and a tiny apply cache, to try orders in.

OxiDD walks over its whole apply cache for every change of the order, so trying hundreds of orders in a working manager takes
seconds. The functions people hold cannot be asked for, but all nodes can be written to a file, and are read back from there.
"""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from oxidd.bcdd import BCDDFunction

    from coarsest.bdd.oxidd import OxiddManager

LEVEL, EDGES = "{ rank = same; ", "[style=invis]"
NODE = re.compile(r"^    x(\w+) \[", re.MULTILINE)
EDGE = re.compile(r"^  x(\w+) -> x(\w+) \[style=\"(\w+)\"", re.MULTILINE)
"""How OxiDD's dump is written; a dotted edge is complemented."""
TWIN_CACHE = 1 << 10
TWIN_NODES = 1 << 20
TWIN_ROOM = 256
"""The twin has room for so many times the live nodes, so that blocks of a few variables can be exchanged in one step; only what
is used takes memory."""


class Dump(NamedTuple):
    """All inner nodes, numbered from the top level down."""

    level_sizes: list[int]
    then: list[int]
    """Number of the node where the variable is true; -1 is the constant true."""
    otherwise: list[int]
    complemented: bytearray
    """Is the edge to the node where the variable is false complemented?"""


class Twin(NamedTuple):
    manager: OxiddManager
    level_sizes: list[int]
    roots: list[BCDDFunction]
    """To be kept: they keep all the others."""


def twin_of(manager: OxiddManager) -> Twin | None:
    """The twin of a manager without dead nodes; None when the nodes cannot be written or the dump is not understood."""
    dump = dump_of(manager)
    if dump is None or len(dump.then) != manager.live_nodes:
        return None
    twin = type(manager)(nodes=min(manager.capacity, max(TWIN_NODES, TWIN_ROOM * len(dump.then))), cache=TWIN_CACHE)
    twin.add_variables(manager.names)
    twin.set_order(manager.order)
    functions: list[BCDDFunction] = [twin.true] * (len(dump.then) + 1)  # the last one, at -1, is the constant
    is_root = bytearray(b"\1") * len(functions)
    number = len(dump.then)
    for variable, size in zip(reversed(twin.order), reversed(dump.level_sizes)):
        literal = twin.var(variable)
        for _ in range(size):
            number -= 1
            then, otherwise = dump.then[number], dump.otherwise[number]
            is_root[then] = is_root[otherwise] = 0
            low = functions[otherwise]
            functions[number] = literal.ite(functions[then], ~low if dump.complemented[number] else low)
    return Twin(twin, dump.level_sizes, [function for function, root in zip(functions, is_root) if root])


def dump_of(manager: OxiddManager) -> Dump | None:
    """All nodes of a manager, through a temporary file."""
    try:
        descriptor, name = tempfile.mkstemp(suffix=".dot")
        os.close(descriptor)
        try:
            manager.export_dot(name)
            return _read(name)
        finally:
            Path(name).unlink()
    except (OSError, KeyError, ValueError):
        return None


def _read(name: str) -> Dump:
    """First the nodes of each level, then both edges of each node in the same order, the one for true first."""
    nodes, _, edges = Path(name).read_text(encoding="utf-8").partition(EDGES)
    *levels, constant = (NODE.findall(level) for level in nodes.split(LEVEL)[1:])
    names = [node for level in levels for node in level]
    numbers = dict(zip(names, range(len(names))))
    numbers.update(dict.fromkeys(constant, -1))
    ends = EDGE.findall(edges)
    then, otherwise = ends[::2], ends[1::2]
    if [source for source, _, _ in then] != names or [source for source, _, _ in otherwise] != names:
        raise ValueError("the edges are not in the order of the nodes")
    if any(style != "solid" for _, _, style in then):
        raise ValueError("the edge for true does not come first, or is complemented")
    return Dump(
        [len(level) for level in levels],
        [numbers[target] for _, target, _ in then],
        [numbers[target] for _, target, _ in otherwise],
        bytearray(style == "dotted" for _, _, style in otherwise),
    )
