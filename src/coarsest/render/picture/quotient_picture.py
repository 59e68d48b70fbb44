"""A quotient as a picture: a node for each class, with what is seen in it; classes that look alike have one colour."""

from __future__ import annotations

from coarsest.evidence.quotient import Quotient
from coarsest.render.picture.picture import Edge, Group, Node, Picture, wrapped


def quotient_to_picture(quotient: Quotient, title: str) -> Picture:
    """Steps between the same classes are one arrow, with their actions under one another."""
    seen = [quotient.observation(number) for number in range(quotient.size)]
    kinds = {text: f"k{i}" for i, text in enumerate(dict.fromkeys(seen))}
    nodes = tuple(
        Node(
            str(number), (f"class {number}", *(wrapped(text) if text else ())), initial=number in quotient.initial,
            group=kinds[text], tooltip=text,
        )
        for number, text in enumerate(seen)
    )  # fmt: skip
    edges = tuple(Edge(str(source), str(target), quotient.action_name(action)) for source, action, target in quotient.edges)
    groups = tuple(Group(key, text or "nothing is seen") for text, key in kinds.items())
    return Picture(title, nodes, edges, groups).with_parallel_edges_joined()
