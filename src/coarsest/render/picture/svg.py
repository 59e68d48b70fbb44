"""Pictures as SVG: rounded nodes in rows, arrows that bend between them, searchable text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Final

from coarsest.render.picture.layered import Bend, Link, NodeExtent, PictureLayout, Route, layered
from coarsest.render.picture.picture import Picture, PictureEdge, PictureNode, shade, shade_of, wrapped

FONT = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"
LETTER: Final = 7.3
LINE: Final = 15.0
"""Width and height of the monospaced font at 12 pixels, with a small margin."""
SMALL_LETTER: Final = 6.7
SMALL_LINE: Final = 13.0
"""Width and height of labels, at 11 pixels."""
MARGIN: Final = 16.0
HEAD: Final = 26.0
ARROW: Final = 8.0
LOOP: Final = 18.0
ENTRY: Final = 26.0
"""The length of the arrow into an initial node."""

STYLE = f"""text {{ font: 12px {FONT}; fill: #1a1a1a; }}
.title {{ font: bold 13px sans-serif; }} .note {{ font: 11px sans-serif; fill: #555; }}
.label {{ font-size: 11px; fill: #333; }} .name {{ font-weight: bold; }}
.node rect {{ stroke: #333; stroke-width: 1.2; }} .node rect.inner {{ fill: none; }}
.edge path {{ fill: none; stroke: #555; stroke-width: 1.2; }} .edge .head {{ fill: #555; stroke: none; }}
.edge:hover path {{ stroke: #c2410c; stroke-width: 2; }}
.edge:hover .head, .edge:hover text {{ fill: #c2410c; }}"""


def to_svg(picture: Picture) -> str:
    """The picture as a document."""
    joined = picture.with_parallel_edges_joined()
    number = {node.key: place for place, node in enumerate(joined.nodes)}
    loops = {node.key: [edge for edge in joined.edges_out_of(node.key) if edge.target == node.key] for node in joined.nodes}
    straight = [edge for edge in joined.edges if edge.source != edge.target]
    links = [Link(number[edge.source], number[edge.target], _label_size(edge)) for edge in straight]
    sizes = [_node_size(node, loops[node.key]) for node in joined.nodes]
    layout = layered(sizes, links, first=[number[node.key] for node in joined.nodes if node.initial])
    drawn = [_edge(edge, path, route) for edge, path, route in _routed(straight, layout, joined.nodes, number)]
    for node, (x, y) in zip(joined.nodes, layout.nodes):
        drawn += _loops(node, loops[node.key], x, y)
        drawn.append(_node(joined, node, x, y))
    width = max((x + size.right for (x, _), size in zip(layout.nodes, sizes)), default=0.0)
    width = max(width, *(bend.x + 6 for route in layout.routes for bend in route.bends), 0.0)
    width = max(width, *(r.label.x + s.label.right for r, s in zip(layout.routes, links) if r.label and s.label), 0.0)
    height = max((y + size.height / 2 for (_, y), size in zip(layout.nodes, sizes)), default=0.0)
    return _document(joined, drawn, width, height)


# Nodes


def _box(node: PictureNode) -> tuple[float, float]:
    """Width and height of the border of a node; a double border needs more room."""
    room = 8 if node.accepting else 0
    return max(34.0, max(map(len, node.lines), default=0) * LETTER + 18) + room, len(node.lines) * LINE + 13 + room


def _node_size(node: PictureNode, loops: Sequence[PictureEdge]) -> NodeExtent:
    width, height = _box(node)
    left = width / 2 + (ENTRY if node.initial else 0)
    labels = [_label_size(edge) for edge in loops]
    right = width / 2 + sum(LOOP + 8 + (size.right if size else 0) for size in labels)
    tallest = max((size.height for size in labels if size), default=0.0)
    return NodeExtent(left, right, max(height, tallest + 14 if len(loops) > 1 else tallest))


def _node(picture: Picture, node: PictureNode, x: float, y: float) -> str:
    width, height = _box(node)
    left, top = x - width / 2, y - height / 2
    parts = [_rect(left, top, width, height, f'fill="{shade_of(picture, node)}"')]
    if node.accepting:
        parts.append(_rect(left + 3.5, top + 3.5, width - 7, height - 7, 'class="inner"'))
    first = y - (len(node.lines) - 1) * LINE / 2 + 4
    for place, line in enumerate(node.lines):
        name = ' class="name"' if place == 0 and node.titled and len(node.lines) > 1 else ""
        parts.append(f'<text x="{x:.1f}" y="{first + place * LINE:.1f}" text-anchor="middle"{name}>{escape(line)}</text>')
    entry = ""
    if node.initial:
        line = f"M{left - ENTRY + 4:.1f},{y:.1f} H{left - ARROW:.1f}"
        entry = f'<g class="edge"><path d="{line}"/>{_head(left, y, 1, 0)}</g>'
    tooltip = escape(node.tooltip or "\n".join(node.lines))
    return f'{entry}<g class="node"><title>{tooltip}</title>{"".join(parts)}</g>'


def _rect(left: float, top: float, width: float, height: float, more: str) -> str:
    return f'<rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}" rx="9" {more}/>'


# Arrows


def _label_lines(edge: PictureEdge) -> tuple[str, ...]:
    return wrapped(edge.label, 30, most_lines=8) if edge.label else ()


def _label_size(edge: PictureEdge) -> NodeExtent | None:
    lines = _label_lines(edge)
    return NodeExtent(5, max(map(len, lines)) * SMALL_LETTER + 7, len(lines) * SMALL_LINE + 4) if lines else None


Path = list[tuple[float, float]]


def _routed(
    edges: Sequence[PictureEdge], layout: PictureLayout, nodes: Sequence[PictureNode], number: dict[str, int]
) -> Iterator[tuple[PictureEdge, Path, Route]]:
    """The arrows with the points where they leave, pass rows and arrive; ends at the same side of a node are spread."""
    sides: dict[tuple[int, bool], list[tuple[float, int, bool]]] = {}
    for place, (edge, route) in enumerate(zip(edges, layout.routes)):
        source, target = number[edge.source], number[edge.target]
        sides.setdefault((source, route.upwards), []).append((route.bends[0].x, place, True))
        sides.setdefault((target, not route.upwards), []).append((route.bends[-1].x, place, False))
    ends: dict[tuple[int, bool], tuple[float, float]] = {}
    for (node, top), meeting in sides.items():
        width, height = _box(nodes[node])
        x, y = layout.nodes[node]
        room = max(width - 24, 0.0)
        for order, (_, place, leaving) in enumerate(sorted(meeting)):
            along = x + room * ((order + 1) / (len(meeting) + 1) - 0.5)
            ends[place, leaving] = (along, y - height / 2 if top else y + height / 2)
    for place, (edge, route) in enumerate(zip(edges, layout.routes)):
        path = [ends[place, True]]
        for bend in route.bends:
            path += [(bend.x, bend.bottom), (bend.x, bend.top)] if route.upwards else [(bend.x, bend.top), (bend.x, bend.bottom)]
        yield edge, [*path, ends[place, False]], route


def _edge(edge: PictureEdge, path: Path, route: Route) -> str:
    """Curves between rows, straight lines along them; both ends are vertical."""
    way = -1 if route.upwards else 1
    end_x, end_y = path[-1]
    points = [*path[:-1], (end_x, end_y - way * ARROW)]
    line = [f"M{points[0][0]:.1f},{points[0][1]:.1f}"]
    for place in range(1, len(points)):
        (x, y), (to_x, to_y) = points[place - 1], points[place]
        if place % 2:
            middle = (y + to_y) / 2
            line.append(f"C{x:.1f},{middle:.1f} {to_x:.1f},{middle:.1f} {to_x:.1f},{to_y:.1f}")
        else:
            line.append(f"L{to_x:.1f},{to_y:.1f}")
    heads = _head(end_x, end_y, 0, way) + (_head(end_x, end_y - way * ARROW, 0, way) if edge.accepting else "")
    return _arrow(edge, " ".join(line), heads, _label(edge, route.label))


def _loops(node: PictureNode, edges: Sequence[PictureEdge], x: float, y: float) -> Iterator[str]:
    """Arrows from a node to itself, at its right side; each further one goes around the previous label."""
    width, height = _box(node)
    side, out, over = x + width / 2, 0.0, 9.0
    for place, edge in enumerate(edges):
        out += LOOP
        reach = min(height / 2 - 5, 7 + 3 * place)
        far = side + 4 / 3 * out
        line = f"M{side:.1f},{y - reach:.1f} C{far:.1f},{y - reach - over:.1f} {far:.1f},{y + reach + over:.1f} "
        line += f"{side + ARROW - 1:.1f},{y + reach + 1:.1f}"
        heads = _head(side, y + reach, -1, -0.15) + (_head(side + ARROW, y + reach, -1, -0.15) if edge.accepting else "")
        size = _label_size(edge) or NodeExtent(0, 0, 0)
        yield _arrow(edge, line, heads, _label(edge, Bend(side + out + 1, y - size.height / 2, y + size.height / 2)))
        out += size.right + 8
        over = max(over, size.height + 6)


def _arrow(edge: PictureEdge, line: str, heads: str, label: str) -> str:
    dashed = ' stroke-dasharray="5 3"' if edge.dashed else ""
    ends = f"{edge.source} → {edge.target}"
    tooltip = escape(edge.tooltip or (f"{ends}: {edge.label}" if edge.label else ends))
    return f'<g class="edge"><title>{tooltip}</title><path d="{line}"{dashed}/>{heads}{label}</g>'


def _label(edge: PictureEdge, at: Bend | None) -> str:
    lines = _label_lines(edge)
    if at is None or not lines:
        return ""
    first = (at.top + at.bottom) / 2 - (len(lines) - 1) * SMALL_LINE / 2 + 4
    return "".join(
        f'<text class="label" x="{at.x + 5:.1f}" y="{first + place * SMALL_LINE:.1f}">{escape(text)}</text>'
        for place, text in enumerate(lines)
    )


def _head(x: float, y: float, across: float, down: float) -> str:
    """An arrow head with its tip at (x, y), in a direction."""
    back_x, back_y = x - ARROW * across, y - ARROW * down
    side_x, side_y = -down * 3.4, across * 3.4
    points = [(x, y), (back_x + side_x, back_y + side_y), (back_x - side_x, back_y - side_y)]
    return f'<polygon class="head" points="{" ".join(f"{a:.1f},{b:.1f}" for a, b in points)}"/>'


# The document


def _document(picture: Picture, drawn: Iterable[str], width: float, height: float) -> str:
    shown = [(number, group) for number, group in enumerate(picture.groups) if any(n.group == group.key for n in picture.nodes)]
    texts = [picture.title, *(group.label for _, group in shown), *picture.notes]
    width = max(width, *(len(text) * 7.6 + 20 for text in texts)) + 2 * MARGIN
    below = MARGIN + HEAD + height + 14
    extra = []
    for place, (number, group) in enumerate(shown):
        y = below + 18 * place
        extra.append(_rect(MARGIN, y, 14, 12, f'fill="{shade(number)}" stroke="#777"').replace('rx="9"', 'rx="3"'))
        extra.append(f'<text class="note" x="{MARGIN + 20:.1f}" y="{y + 10:.1f}">{escape(group.label)}</text>')
    below += 18 * len(shown)
    for place, note in enumerate(picture.notes):
        extra.append(f'<text class="note" x="{MARGIN:.1f}" y="{below + 15 * place + 8:.1f}">{escape(note)}</text>')
    tall = below + 15 * len(picture.notes) + MARGIN
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{tall:.0f}" '
            f'viewBox="0 0 {width:.0f} {tall:.0f}" role="img">',
            f"<title>{escape(picture.title)}</title>",
            f"<style>{STYLE}</style>",
            f'<rect width="{width:.0f}" height="{tall:.0f}" fill="white"/>',
            f'<text class="title" x="{MARGIN}" y="{MARGIN + 8}">{escape(picture.title)}</text>',
            f'<g transform="translate({MARGIN} {MARGIN + HEAD})">',
            *drawn,
            "</g>",
            *extra,
            "</svg>\n",
        ]
    )
