"""A quotient in the format of a file name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from coarsest.errors import FileProblem
from coarsest.render.picture.picture import Picture, PictureEdge, PictureGroup, PictureNode, wrapped

if TYPE_CHECKING:
    from coarsest.evidence.quotient import MachineQuotient
    from coarsest.reduce.reduction import Reduction

SUFFIXES = (".aut", ".dot", ".svg", ".html", ".smv")


def require_quotient_format(path: str) -> None:
    """Raise an error before the work if the suffix of a file is unknown."""
    if path != "-" and Path(path).suffix.lower() not in SUFFIXES:
        hint = f"known endings are {', '.join(SUFFIXES)}, and .c and .py for code"
        raise FileProblem(f"the format of '{path}' is not known by its name", hint=hint)


def quotient_to_text(reduction: Reduction[Any], path: str) -> str:
    """The quotient as a graph, a picture, or a model; on standard output it is a model."""
    match Path(path).suffix.lower():
        case ".aut":
            from coarsest.formats.aut.write import write
            from coarsest.reduce.partition.labelled_steps import labels_as_actions

            return write(labels_as_actions(reduction.quotient.graph()))
        case ".dot" | ".svg" | ".html" as suffix:
            from coarsest.render.picture.dot import to_dot
            from coarsest.render.picture.picture_page import to_html
            from coarsest.render.picture.svg import to_svg

            picture = quotient_to_picture(reduction.quotient, f"{reduction.original.name} by {reduction.relation}")
            if suffix == ".html":
                return to_html([picture], picture.title)
            return to_dot(picture) if suffix == ".dot" else to_svg(picture)
    from coarsest.formats.smv.write import write as write_smv

    return write_smv(reduction.machine)


def quotient_to_picture(quotient: MachineQuotient, title: str) -> Picture:
    """A node for each class with its observed values; classes that look alike have the same colour. Steps between the same
    classes are one arrow with all their actions."""
    texts = [quotient.observation(number) for number in range(quotient.size)]
    kinds = {text: f"k{i}" for i, text in enumerate(dict.fromkeys(texts))}
    nodes = tuple(
        PictureNode(
            str(number), (f"class {number}", *(wrapped(text) if text else ())), initial=number in quotient.initial,
            group=kinds[text], tooltip=text,
        )
        for number, text in enumerate(texts)
    )  # fmt: skip
    edges = tuple(PictureEdge(str(one), str(other), quotient.action_name(action)) for one, action, other in quotient.edges)
    groups = tuple(PictureGroup(key, text or "nothing is seen") for text, key in kinds.items())
    return Picture(title, nodes, edges, groups).with_parallel_edges_joined()
