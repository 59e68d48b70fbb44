"""Pictures of graphs, before they are drawn: nodes, edges and groups, with text and no coordinates.

Whatever can be seen as a graph becomes a `Picture` (an assertion graph, an automaton, the states of a model, a partition);
`render.dot` writes it as DOT, `render.svg` draws it.

>>> nodes = (PictureNode("a", ("idle",), initial=True), PictureNode("b", ("busy", "work > 0"), accepting=True, group="late"))
>>> edges = (PictureEdge("a", "b", "start"), PictureEdge("b", "b"))
>>> picture = Picture("jobs", nodes, edges, groups=(PictureGroup("late", "needs attention"),))
>>> [edge.label for edge in picture.edges_out_of("b")]
['']
"""

from __future__ import annotations

import colorsys
from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from coarsest.errors import InputError


class PictureNode(Struct, frozen=True):
    """A node; `key` identifies it in the picture, `lines` is its text."""

    key: str
    lines: tuple[str, ...]
    initial: bool = False
    """Has an arrow from nowhere."""
    accepting: bool = False
    """Has a double border: accepting, final, fair."""
    group: str = ""
    """The key of the group it belongs to; groups have colours."""
    tooltip: str = ""
    """The complete text, if the lines are abridged."""
    titled: bool = True
    """Is the first of several lines a title, to be emphasised?"""


class PictureEdge(Struct, frozen=True):
    """An arrow between two nodes, by their keys."""

    source: str
    target: str
    label: str = ""
    """A label, perhaps of several lines."""
    accepting: bool = False
    """Drawn with a double head: an edge in an acceptance set."""
    dashed: bool = False
    tooltip: str = ""


class PictureGroup(Struct, frozen=True):
    """Nodes that belong together: a block of a partition, or a component. The legend shows its label."""

    key: str
    label: str


class Picture(Struct, frozen=True):
    """A graph to be drawn. Several edges between the same two nodes, in the same direction, are allowed."""

    title: str
    nodes: tuple[PictureNode, ...]
    edges: tuple[PictureEdge, ...]
    groups: tuple[PictureGroup, ...] = ()
    notes: tuple[str, ...] = ()
    """Lines under the picture."""

    def __post_init__(self) -> None:
        keys = {node.key for node in self.nodes}
        if len(keys) < len(self.nodes):
            raise InputError(f"two nodes of the picture '{self.title}' have the same key")
        for end in (end for edge in self.edges for end in (edge.source, edge.target)):
            if end not in keys:
                raise InputError(f"an edge of the picture '{self.title}' is at '{end}', which is no node")
        groups = {group.key for group in self.groups}
        for node in self.nodes:
            if node.group and node.group not in groups:
                raise InputError(f"the node '{node.key}' is in the group '{node.group}', which the picture does not have")

    def edges_out_of(self, key: str) -> Iterator[PictureEdge]:
        return (edge for edge in self.edges if edge.source == key)

    def with_parallel_edges_joined(self) -> Picture:
        """One arrow for edges with the same ends and style, with the labels one below the other."""
        joined: dict[tuple[str, str, bool, bool], PictureEdge] = {}
        for edge in self.edges:
            place = (edge.source, edge.target, edge.accepting, edge.dashed)
            before = joined.get(place)
            joined[place] = edge if before is None else _joined(before, edge)
        return replace(self, edges=tuple(joined.values()))


def _joined(first: PictureEdge, second: PictureEdge) -> PictureEdge:
    label = "\n".join(dict.fromkeys(text for edge in (first, second) for text in edge.label.split("\n") if text))
    tooltip = "\n".join(dict.fromkeys(text for edge in (first, second) for text in edge.tooltip.split("\n") if text))
    return replace(first, label=label, tooltip=tooltip)


def wrapped(text: str, width: int = 36, *, most_lines: int = 6) -> tuple[str, ...]:
    """A text as short lines, broken at blanks; longer ones end in `…`.

    >>> wrapped("request & !grant & waiting > 3", 16)
    ('request & !grant', '& waiting > 3')
    """
    import textwrap

    lines = [line for part in text.split("\n") for line in textwrap.wrap(part, width, break_on_hyphens=False) or [""]]
    if len(lines) > most_lines:
        lines = [*lines[: most_lines - 1], lines[most_lines - 1][: width - 1] + "…"]
    return tuple(lines)


SHADES = ("#d7e8f7", "#fbe3cd", "#d5efdc", "#f3d9ea", "#fdf3c4", "#dcdcf5", "#d3f0ef", "#f7d6d6", "#e9e5d3", "#e3f0c6")
"""Colours for groups: pale, so that black text stays readable on them."""
TURN: Final = 0.381966
"""The part of the colour circle between two shades; its first multiples are far apart."""


def shade(number: int) -> str:
    """A colour for the group of this number."""
    if number < len(SHADES):
        return SHADES[number]
    red, green, blue = colorsys.hls_to_rgb(number * TURN % 1, 0.89, 0.6)
    return f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}"


def shade_of(picture: Picture, node: PictureNode) -> str:
    """The colour of a node: that of its group, or white."""
    for number, group in enumerate(picture.groups):
        if group.key == node.group:
            return shade(number)
    return "#ffffff"
