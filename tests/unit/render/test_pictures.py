"""Pictures: nothing overlaps, everything is escaped, wrong pictures are refused."""

from __future__ import annotations

import random
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from coarsest.errors import InputError
from coarsest.render.picture.dot import to_dot
from coarsest.render.picture.layered import GAP, Link, NodeExtent, layered
from coarsest.render.picture.picture import Picture, PictureEdge, PictureGroup, PictureNode, wrapped
from coarsest.render.picture.row_order import ordered_rows
from coarsest.render.picture.svg import to_svg

SVG = "{http://www.w3.org/2000/svg}"


def random_layout(seed: int) -> tuple[list[NodeExtent], list[Link], list[int]]:
    chance = random.Random(seed)
    count = chance.randint(1, 14)
    sizes = [NodeExtent(chance.uniform(10, 90), chance.uniform(10, 90), chance.uniform(20, 60)) for _ in range(count)]
    ends = [(chance.randrange(count), chance.randrange(count)) for _ in range(chance.randint(0, 2 * count))]
    label = NodeExtent(4, 70, 20)
    links = [Link(a, b, label if chance.random() < 0.5 else None) for a, b in ends if a != b]
    return sizes, links, [0]


@pytest.mark.parametrize("seed", range(60))
def test_nodes_labels_and_bends_do_not_overlap(seed: int) -> None:
    sizes, links, first = random_layout(seed)
    layout = layered(sizes, links, first=first)
    boxes = [(x - s.left, x + s.right, y - s.height / 2, y + s.height / 2) for (x, y), s in zip(layout.nodes, sizes)]
    for route, link in zip(layout.routes, links):
        for bend in route.bends:
            size = link.label if link.label is not None and bend == route.label else NodeExtent(1, 1, 0)
            boxes.append((bend.x - size.left, bend.x + size.right, bend.top, bend.bottom))
    for place, (left, right, top, bottom) in enumerate(boxes):
        for other_left, other_right, other_top, other_bottom in boxes[:place]:
            assert right <= other_left or other_right <= left or bottom <= other_top or other_bottom <= top


@pytest.mark.parametrize("seed", range(20))
def test_arrows_pass_the_rows_in_order(seed: int) -> None:
    sizes, links, first = random_layout(seed)
    layout = layered(sizes, links, first=first)
    for route, link in zip(layout.routes, links):
        heights = [layout.nodes[link.source][1], *(bend.top for bend in route.bends), layout.nodes[link.target][1]]
        assert heights == sorted(heights, reverse=route.upwards)
        assert (route.label is not None) == (link.label is not None)


def test_nodes_of_one_row_are_apart() -> None:
    layout = layered([NodeExtent(10, 10, 10)] * 4, [Link(0, 1), Link(0, 2), Link(0, 3)], first=[0])
    across = sorted(x for x, y in layout.nodes[1:])
    assert all(after - before >= 20 + GAP - 1e-6 for before, after in pairwise(across))
    assert layout.nodes[0][1] < layout.nodes[1][1] == layout.nodes[2][1]


NODES = (
    PictureNode("a", ("<a> & \"b\"",), initial=True),
    PictureNode("b", ("b", "x < 3"), accepting=True, group="g", tooltip="all of b"),
)
EDGES = (
    PictureEdge("a", "b", "x & y"), PictureEdge("a", "b", "z"), PictureEdge("b", "b", "<"), PictureEdge("b", "a", dashed=True),
)  # fmt: skip
PICTURE = Picture(
    "one & <two>", NODES, EDGES,
    groups=(PictureGroup("g", "group <g>"),), notes=("a & b",),
)  # fmt: skip


def test_svg_is_well_formed_and_says_everything() -> None:
    root = ElementTree.fromstring(to_svg(PICTURE))
    texts = [element.text for element in root.iter(f"{SVG}text")]
    assert texts[0] == "one & <two>"
    for text in ('<a> & "b"', "b", "x < 3", "x & y", "z", "<", "group <g>", "a & b"):
        assert text in texts
    tooltips = [element.text for element in root.iter(f"{SVG}title")]
    assert "all of b" in tooltips
    assert "a → b: x & y\nz" in tooltips
    borders = [element for element in root.iter(f"{SVG}rect") if element.get("class") == "inner"]
    assert len(borders) == 1
    arrows = [element for element in root.iter(f"{SVG}g") if element.get("class") == "edge"]
    assert len(arrows) == 4  # a → b joined, the loop, b → a, and the arrow into a


def test_svg_is_the_same_every_time() -> None:
    assert to_svg(PICTURE) == to_svg(PICTURE)


def test_everything_drawn_is_inside_the_picture() -> None:
    edges = (PictureEdge("a", "a", "a rather long label of a loop"), PictureEdge("a", "b", "m" * 29))
    long = Picture("t", (PictureNode("a", ("a",)), PictureNode("b", ("b",))), edges)
    root = ElementTree.fromstring(to_svg(long))
    width = float(root.get("width", "0"))
    labels = [element for element in root.iter(f"{SVG}text") if element.get("class") == "label"]
    assert len(labels) == 2
    for element in labels:
        assert float(element.get("x", "0")) + 6.6 * len(element.text or "") <= width


def test_dot_has_clusters_points_and_escapes() -> None:
    text = to_dot(PICTURE)
    assert '"a" [label="<a> & \\"b\\""];' in text
    assert 'subgraph "cluster g" { label="group <g>"' in text
    assert '"into a" -> "a";' in text
    assert "peripheries=2" in text
    assert '"b" -> "a" [style=dashed];' in text


def test_pictures_of_nothing() -> None:
    empty = Picture("nothing", (), ())
    ElementTree.fromstring(to_svg(empty))
    assert to_dot(empty).startswith('digraph "nothing"')


@pytest.mark.parametrize(
    ("nodes", "edges", "complaint"),
    [
        ((PictureNode("a", ()), PictureNode("a", ())), (), "same key"),
        ((PictureNode("a", ()),), (PictureEdge("a", "b"),), "'b', which is no node"),
        ((PictureNode("a", (), group="g"),), (), "group 'g'"),
    ],
)
def test_wrong_pictures_are_refused(nodes: tuple[PictureNode, ...], edges: tuple[PictureEdge, ...], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        Picture("wrong", nodes, edges)


def test_long_texts_are_cut() -> None:
    assert wrapped("a b c d e f", 1, most_lines=3) == ("a", "b", "…")
    assert wrapped("", 10) == ("",)


def crossings(rows: list[list[int]], steps: list[tuple[int, int]]) -> int:
    place = {item: number for row in rows for number, item in enumerate(row)}
    level = {item: number for number, row in enumerate(rows) for item in row}
    pairs = [(a, b) for number, a in enumerate(steps) for b in steps[:number] if level[a[0]] == level[b[0]]]
    return sum((place[a[0]] - place[b[0]]) * (place[a[1]] - place[b[1]]) < 0 for a, b in pairs)


@pytest.mark.parametrize("seed", range(30))
def test_rows_keep_their_items_and_get_fewer_crossings(seed: int) -> None:
    chance = random.Random(seed)
    row_of = [chance.randrange(4) for _ in range(chance.randint(1, 16))]
    possible = [(a, b) for a, row in enumerate(row_of) for b, below in enumerate(row_of) if below == row + 1]
    steps = chance.sample(possible, chance.randint(0, len(possible)))
    rows = ordered_rows(row_of, steps)
    before = [[item for item, row in enumerate(row_of) if row == number] for number in range(len(rows))]
    assert [sorted(row) for row in rows] == before
    assert crossings(rows, steps) <= crossings(before, steps)


def test_a_tree_is_drawn_without_crossings() -> None:
    """However its nodes are numbered."""
    for seed in range(20):
        names = random.Random(seed).sample(range(31), 31)
        row_of = [0] * 31
        for node in range(1, 31):
            row_of[names[node]] = row_of[names[(node - 1) // 2]] + 1
        steps = [(names[(node - 1) // 2], names[node]) for node in range(1, 31)]
        assert crossings(ordered_rows(row_of, steps), steps) == 0
