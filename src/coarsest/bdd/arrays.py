"""Decision diagrams as arrays: all nodes of a manager at once, or those of some functions, and back into a manager.

OxiDD writes all its nodes as a text for Graphviz, and functions in the DDDMP format, which it reads, too. NumPy takes both apart,
and the second is written from arrays, so that no step is taken node by node.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coarsest.files import scratch_file

if TYPE_CHECKING:
    from oxidd.bcdd import BCDDFunction

    from coarsest.bdd.oxidd import OxiddManager

EDGES, LEVEL, TERMINALS = b"[style=invis];\n", b"  { rank = same; l", b"(terminals)"
NODE, ARROW, STYLE = b"    x", b" -> x", b' [style="'
"""How OxiDD's dump is written: the edge for true is solid, the other one dashed or, if it is complemented, dotted."""
MOST_DIGITS: Final = 8
"""Hexadecimal digits of a node's number."""

_DIGIT = np.full(256, 255, dtype=np.uint8)
_DIGIT[np.frombuffer(b"0123456789abcdef", dtype=np.uint8)] = np.arange(16)


class NodeArrays(NamedTuple):
    """Inner nodes, numbered from the top level down; the constant true is -1."""

    level_sizes: list[int]
    then: NDArray[np.int32]
    """The node where the variable of the level is true."""
    otherwise: NDArray[np.int32]
    complemented: NDArray[np.bool_]
    """Is the edge to the node where the variable is false complemented?"""

    @property
    def levels(self) -> NDArray[np.int32]:
        """The level of each node."""
        return np.repeat(np.arange(len(self.level_sizes), dtype=np.int32), self.level_sizes)

    @property
    def roots(self) -> NDArray[np.int64]:
        """The nodes to which no other leads: they keep all."""
        below = np.zeros(len(self.then) + 1, dtype=np.bool_)
        below[self.then] = below[self.otherwise] = True
        return np.flatnonzero(~below[:-1])


def all_nodes(manager: OxiddManager) -> NodeArrays | None:
    """All nodes of a manager, through a temporary file; None when they cannot be written or the text is not understood."""
    try:
        with scratch_file() as name:
            manager.export_dot(name)
            return nodes_from_dot(Path(name).read_bytes())
    except (OSError, ValueError, IndexError):
        return None


def nodes_from_dot(text: bytes) -> NodeArrays:
    """First the nodes of each level, then both edges of each node in the same order, the one for true first."""
    head, separator, edges = text.partition(EDGES)
    if not separator:
        raise ValueError("there are no edges")
    levels = head.split(LEVEL)[1:]
    if not levels or TERMINALS not in levels[-1]:
        raise ValueError("the last level does not hold the constants")
    names, constant = _names(b"".join(levels[:-1])), _names(levels[-1])
    sizes = [level.count(b"\n" + NODE) for level in levels[:-1]]
    lines = np.frombuffer(edges, dtype=np.uint8)
    starts = np.concatenate(([0], np.flatnonzero(lines == 10)[:-1] + 1))[: 2 * len(names)]
    if len(starts) != 2 * len(names) or len(constant) != 1 or sum(sizes) != len(names):
        raise ValueError("there are not two edges for each node")
    sources, ends = _numbers(lines, starts + len(b"  x"))
    targets, ends = _numbers(lines, ends + len(ARROW))
    dotted = _begin_with(b"dotted", lines, ends + len(STYLE))
    in_order = np.array_equal(sources[::2], names) and np.array_equal(sources[1::2], names)
    if not in_order or not _begin_with(b"solid", lines, ends[::2] + len(STYLE)).all():
        raise ValueError("the edges are not in the order of the nodes, or an edge for true is complemented")
    place = np.full(int(max(names.max(initial=0), constant[0])) + 1, -2, dtype=np.int32)
    place[names] = np.arange(len(names), dtype=np.int32)
    place[constant[0]] = -1
    then, otherwise = place[targets[::2]], place[targets[1::2]]
    if min(then.min(initial=0), otherwise.min(initial=0)) < -1:
        raise ValueError("an edge leads nowhere")
    return NodeArrays(sizes, then, otherwise, dotted[1::2])


def _names(levels: bytes) -> NDArray[np.int64]:
    """The names of the nodes of some levels, each at the beginning of a line."""
    text = np.frombuffer(levels, dtype=np.uint8)
    starts = np.flatnonzero(text == 10) + 1
    starts = starts[starts < len(text) - len(NODE)]
    return _numbers(text, starts[_begin_with(NODE, text, starts)] + len(NODE))[0]


def _begin_with(word: bytes, text: NDArray[np.uint8], starts: NDArray[np.int64]) -> NDArray[np.bool_]:
    """At which of some places does a word begin?"""
    result = np.ones(len(starts), dtype=np.bool_)
    for i, byte in enumerate(word):
        result &= text[starts + i] == byte
    return result


def _numbers(text: NDArray[np.uint8], starts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The hexadecimal numbers at some places, and the places behind them."""
    values, ends = np.zeros(len(starts), dtype=np.int64), starts.copy()
    inside = np.ones(len(starts), dtype=np.bool_)
    for place in range(MOST_DIGITS):
        digits = _DIGIT[text[np.minimum(starts + place, len(text) - 1)]]
        inside &= digits != 255
        if not inside.any():
            break
        values = np.where(inside, 16 * values + digits, values)
        ends += inside
    return values, ends


class Diagrams(NamedTuple):
    """Functions, children first. An edge is twice the number of a node, plus 1 if complemented; true counts as the last node."""

    levels: NDArray[np.int32]
    children: NDArray[np.int32]
    """Two edges for each node: where its variable is false, and where it is true."""
    roots: NDArray[np.int32]


def diagrams_of(manager: OxiddManager, functions: Sequence[BCDDFunction]) -> Diagrams:
    """The nodes of some functions. Raises OSError when no file can be written."""
    with scratch_file() as name:
        manager.export_dddmp(name, functions, text=True)
        return _diagrams(Path(name).read_text(encoding="ascii"))


def _diagrams(text: str) -> Diagrams:
    """A line for each node: its number, the place of its level among those with nodes, then and else."""
    head, _, lines = text.partition(".nodes\n")
    fields = {line.split(" ")[0]: line.split()[1:] for line in head.splitlines()}
    rows = np.fromstring(lines.partition("\n")[2].rpartition(".end")[0], dtype=np.int64, sep=" ").reshape(-1, 4)
    levels = np.array(sorted(map(int, fields.get(".permids", []))), dtype=np.int32)
    return Diagrams(levels[rows[:, 1]], _edges(rows[:, :1:-1].ravel(), len(rows)), _edges(fields[".rootids"], len(rows)))


def _edges(numbers: Any, count: int) -> NDArray[np.int32]:
    """From numbers that begin with 1 for true and are negative if complemented."""
    signed = np.asarray(numbers, dtype=np.int64)
    nodes = np.where(np.abs(signed) == 1, count, np.abs(signed) - 2)
    return (2 * nodes + (signed < 0)).astype(np.int32)


def into_manager(nodes: NodeArrays, manager: OxiddManager, order: Sequence[int]) -> list[BCDDFunction]:
    """The roots as functions of a manager that has this order of variables, from the top down."""
    with scratch_file() as name:
        Path(name).write_text(_dddmp(nodes, order), encoding="ascii")
        return manager.import_dddmp(name, lambda variable: variable) or []


def _dddmp(nodes: NodeArrays, order: Sequence[int]) -> str:
    """Roots and all below them. Numbers of nodes begin at 2, children first; 1 is true, and a negative number is complemented."""
    count = len(nodes.then)
    support = sorted((variable, level) for level, variable in enumerate(order) if nodes.level_sizes[level])
    index = np.cumsum(np.array(nodes.level_sizes) > 0) - 1  # a node names its level by its place among those with nodes
    number = np.append(np.arange(count + 1, 1, -1, dtype=np.int64), 1)  # at -1 the constant
    otherwise = np.where(nodes.complemented, -number[nodes.otherwise], number[nodes.otherwise])
    columns = [array[::-1].tolist() for array in (number[:-1], index[nodes.levels], number[nodes.then], otherwise)]
    roots: list[Any] = number[nodes.roots].tolist()
    head = [
        ".ver DDDMP-2.0", ".mode A", ".varinfo 4", f".nnodes {count + 1}", f".nvars {len(order)}", f".nsuppvars {len(support)}",
        ".ids " + " ".join(str(variable) for variable, _ in support),
        ".permids " + " ".join(str(level) for _, level in support),
        f".nroots {len(roots)}", ".rootids " + " ".join(map(str, roots)), ".nodes", "1 T 0 0",
    ]  # fmt: skip
    return "\n".join([*head, *map("{} {} {} {}".format, *columns), ".end", ""])
