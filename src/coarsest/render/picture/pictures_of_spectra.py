"""A spectrum as a lattice: the finest notion at the top, arrows to implied notions, colours for how the graphs are related."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coarsest.render.picture.dot import to_dot
from coarsest.render.picture.picture import Picture, PictureEdge, PictureGroup, PictureNode, wrapped
from coarsest.render.picture.svg import to_svg

if TYPE_CHECKING:
    from collections.abc import Sequence

    from coarsest.lts.spectrum.verdicts import NotionVerdicts, Spectrum

GROUPS = (
    PictureGroup("one", "A is below B"),
    PictureGroup("other", "B is below A"),
    PictureGroup("both", "related"),
    PictureGroup("neither", "neither is below the other"),
    PictureGroup("unknown", "unknown"),
)


def spectrum_to_picture(spectrum: Spectrum, names: Sequence[str], kind: str) -> str:
    """The picture as text: `kind` is svg or dot."""
    shown = {row.notion.name for row in spectrum.rows}
    edges = tuple(
        PictureEdge(row.notion.name, coarser) for row in spectrum.rows for coarser in row.notion.implies if coarser in shown
    )
    nodes = tuple(map(_node, spectrum.rows))
    notes = (f"A is {names[0]}, B is {names[1]}", "a notion implies those that its arrows lead to")
    picture = Picture("linear-time–branching-time spectrum", nodes, edges, GROUPS, notes)
    return to_dot(picture) if kind == "dot" else to_svg(picture)


def _node(row: NotionVerdicts) -> PictureNode:
    below = [way.below for way in row.ways]
    groups = {(True, True): "both", (True, False): "one", (False, True): "other", (False, False): "neither"}
    lines = [row.notion.name]
    for way, verdict in enumerate(row.ways):
        if verdict.formula is not None:
            lines += wrapped(f"{'AB'[way]}: {verdict.formula}", 30, most_lines=2)
    group = "unknown" if None in below else groups[bool(below[0]), bool(below[1])]
    told = [f"only {'AB'[way]}: {verdict.formula}" for way, verdict in enumerate(row.ways) if verdict.formula is not None]
    return PictureNode(row.notion.name, tuple(lines), group=group, tooltip="\n".join([row.notion.sees, *told]))
