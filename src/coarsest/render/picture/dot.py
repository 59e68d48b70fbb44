"""Pictures in the DOT language of Graphviz."""

from __future__ import annotations

from collections.abc import Iterator

from coarsest.render.picture.picture import Picture, PictureEdge, PictureNode, shade_of


def to_dot(picture: Picture) -> str:
    """The picture as a directed graph in DOT; groups become clusters.

    >>> print(to_dot(Picture("one", (PictureNode("a", ("say", '"yes"')),), ())), end="")
    digraph "one" {
      label="one"; labelloc=t; fontname="sans-serif";
      node [shape=box, style="rounded,filled", fillcolor=white, fontname="monospace"];
      edge [fontname="monospace"];
      "a" [label="say\\n\\"yes\\""];
    }
    """
    lines = [
        f"digraph {_quoted(picture.title)} {{",
        f'  label={_quoted(picture.title)}; labelloc=t; fontname="sans-serif";',
        '  node [shape=box, style="rounded,filled", fillcolor=white, fontname="monospace"];',
        '  edge [fontname="monospace"];',
    ]
    for group in picture.groups:
        members = [node for node in picture.nodes if node.group == group.key]
        if members:
            lines.append(f"  subgraph {_quoted(f'cluster {group.key}')} {{ label={_quoted(group.label)}; style=rounded;")
            lines += [f"    {text}" for node in members for text in _node(node, shade_of(picture, node))]
            lines.append("  }")
    lines += [f"  {text}" for node in picture.nodes if not node.group for text in _node(node, "")]
    lines += [f"  {_edge(edge)}" for edge in picture.edges]
    return "\n".join([*lines, "}"]) + "\n"


def _node(node: PictureNode, shade: str) -> Iterator[str]:
    attributes = [f"label={_quoted(chr(10).join(node.lines))}"]
    if node.accepting:
        attributes.append("peripheries=2")
    if shade:
        attributes.append(f"fillcolor={_quoted(shade)}")
    if node.tooltip:
        attributes.append(f"tooltip={_quoted(node.tooltip)}")
    yield f"{_quoted(node.key)} [{', '.join(attributes)}];"
    if node.initial:
        start = _quoted(f"into {node.key}")
        yield f'{start} [shape=point, width=0.05, label="", fillcolor=black];'
        yield f"{start} -> {_quoted(node.key)};"


def _edge(edge: PictureEdge) -> str:
    attributes = []
    if edge.label:
        attributes.append(f"label={_quoted(edge.label)}")
    if edge.accepting:
        attributes.append("arrowhead=normalnormal")
    if edge.dashed:
        attributes.append("style=dashed")
    if edge.tooltip:
        attributes.append(f"tooltip={_quoted(edge.tooltip)}")
    ends = f"{_quoted(edge.source)} -> {_quoted(edge.target)}"
    return f"{ends} [{', '.join(attributes)}];" if attributes else f"{ends};"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
