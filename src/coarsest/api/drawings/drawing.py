"""Drawings of systems: SVG, pages, or texts for Graphviz."""

from __future__ import annotations

import os
from collections.abc import Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Self

from msgspec.structs import replace

from coarsest.api.drawings.pictures import page_of, picture_of
from coarsest.api.options import DrawOptions
from coarsest.errors import InputError, Unsupported
from coarsest.files import write_whole
from coarsest.options.option import unknown_word
from coarsest.run import Run

if TYPE_CHECKING:
    from coarsest.api.drawings.pictures import Drawable
    from coarsest.render.picture.picture import Picture

KINDS = MappingProxyType({"svg": "drawings", "html": "a page", "dot": "texts for Graphviz"})


class Drawing(str):
    """A picture as text, of the kind "svg", "html" or "dot", which notebooks show as a picture."""

    kind: str

    def __new__(cls, text: str, kind: str) -> Self:
        drawing = super().__new__(cls, text)
        drawing.kind = kind
        return drawing

    def __repr__(self) -> str:
        return f"<Drawing: {self.kind}, {len(self)} characters>"

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the picture to a file, completely or not at all."""
        write_whole(os.fspath(path), str(self))

    def _repr_svg_(self) -> str | None:
        return str(self) if self.kind == "svg" else None

    def _repr_html_(self) -> str | None:
        return str(self) if self.kind == "html" else None


def drawing_of(systems: Sequence[Drawable], to: str, title: str, how: DrawOptions, run: Run, *, named: bool) -> Drawing:
    """A drawing of systems; `named` says whether the user gave the title."""
    page = page_of(systems[0], title, how, run) if to == "html" and len(systems) == 1 else None
    if page is not None:
        return Drawing(page, to)
    pictures = [picture_of(one, title, how, run) for one in systems]
    if named and len(pictures) == 1:
        pictures = [replace(pictures[0], title=title)]
    from coarsest.render.picture.dot import to_dot
    from coarsest.render.picture.picture_page import to_html, to_one_svg

    if to == "dot":
        return Drawing("\n".join(map(to_dot, pictures)), to)
    if to == "html":
        return Drawing(to_html(pictures, title), to)
    return Drawing(_by_graphviz(pictures) if how.layout == "graphviz" else to_one_svg(pictures), to)


def require_kind(to: str, how: DrawOptions) -> None:
    """Raise InputError for an unknown kind of picture, or one to which an option does not apply."""
    if to not in KINDS:
        raise unknown_word("kind of picture", to, KINDS)
    if how.layout == "graphviz" and to != "svg":
        raise InputError(f"--layout graphviz draws SVG, not {to}", hint="write a .svg file, or a .dot file for Graphviz itself")
    if how.property is not None and to != "html":
        raise InputError(f"only a page can step through a path, not {to}", hint="write a .html file, or leave out --property")


def _by_graphviz(pictures: Sequence[Picture]) -> str:
    import shutil
    import subprocess

    from coarsest.render.picture.dot import to_dot

    program = shutil.which("dot")
    if program is None:
        raise Unsupported("Graphviz is not installed: there is no program `dot`", hint="leave --layout out")
    if len(pictures) > 1:
        raise InputError(f"Graphviz draws one graph, but there are {len(pictures)}", hint="choose one with --graph NAME")
    done = subprocess.run([program, "-Tsvg"], input=to_dot(pictures[0]), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise InputError(f"Graphviz could not draw the graph: {done.stderr.strip().splitlines()[0]}")
    return done.stdout
