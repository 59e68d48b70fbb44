"""draw: pictures of models, graphs, automata and assertion graphs.

>>> import coarsest
>>> lamp = coarsest.Graph.from_table({"source": ["off", "on"], "action": ["press", "press"], "target": ["on", "off"]})
>>> print(coarsest.draw(lamp, to="dot", title="lamp").splitlines()[0])
digraph "lamp" {
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec.structs import replace

from coarsest.api.drawn import Drawing
from coarsest.api.options import DRAW, DrawOptions
from coarsest.automata.automaton import Automaton
from coarsest.errors import InputError, Unsupported
from coarsest.files import STANDARD_INPUT
from coarsest.model.assertion_graph import AssertionGraph
from coarsest.options.option import unknown_word
from coarsest.run import Run

if TYPE_CHECKING:
    from typing import Unpack

    from coarsest.api import keywords
    from coarsest.api.model import Model
    from coarsest.lts.labelled import Graph
    from coarsest.reduce.reduction import Reduction
    from coarsest.render.picture.picture import Picture
    from coarsest.text import Diagnostic

    Drawable: TypeAlias = Model | Graph | Automaton | AssertionGraph | Reduction[Any]
    System: TypeAlias = Drawable | str | os.PathLike[str]

KINDS = MappingProxyType({"svg": "drawings", "html": "a page", "dot": "texts for Graphviz"})


def draw(
    system: System,
    *,
    to: str = "svg",
    title: str | None = None,
    format: str | None = None,
    run: Run | None = None,
    on_warning: Callable[[Diagnostic], None] = lambda warning: None,
    **options: Unpack[keywords.DrawWords],
) -> Drawing:
    """A picture of a system, or of what a file holds, as text that notebooks show: `to` is "svg", "html" or "dot".

    Of a model the reachable states are drawn, at most `most`, and coloured where conditions of `mark` hold. Of several assertion
    graphs in a file, `graph` chooses one. The `layout` may be that of Graphviz. `on_warning` hears what is doubtful in a model.
    """
    how = DRAW.read(DrawOptions, options)
    if to not in KINDS:
        raise unknown_word("kind of picture", to, KINDS)
    if how.layout == "graphviz" and to != "svg":
        raise InputError(f"--layout graphviz draws SVG, not {to}", hint="write a .svg file, or a .dot file for Graphviz itself")
    run, named = run or Run(), title is not None
    title = _title(system) if title is None else title
    systems: Sequence[Drawable]
    if isinstance(system, str | os.PathLike):
        systems = _read(os.fspath(system), how, format, run, on_warning)
    elif how.graph is not None or format is not None:
        raise InputError("`graph` and `format` are for files", hint="leave them out")
    else:
        systems = [system]
    pictures = [_picture(one, title, how, run) for one in systems]
    if named and len(pictures) == 1:
        pictures = [replace(pictures[0], title=title)]
    from coarsest.render.picture.dot import to_dot
    from coarsest.render.picture.picture_page import to_html, to_one_svg

    if to == "dot":
        return Drawing("\n".join(map(to_dot, pictures)), to)
    if to == "html":
        return Drawing(to_html(pictures, title), to)
    return Drawing(_by_graphviz(pictures) if how.layout == "graphviz" else to_one_svg(pictures), to)


def _title(system: System) -> str:
    if isinstance(system, str | os.PathLike):
        return "standard input" if os.fspath(system) == STANDARD_INPUT else Path(system).name
    return getattr(system, "title", "") or getattr(system, "name", "")


def _read(
    path: str, how: DrawOptions, format: str | None, run: Run, on_warning: Callable[[Diagnostic], None]
) -> Sequence[Drawable]:
    """What a file holds."""
    from coarsest.formats import GRAPHS, FileKind, kind_of

    kind = kind_of(path, format)
    if kind is not FileKind.ASSERTION_GRAPHS and how.graph is not None:
        raise InputError("--graph is for files with assertion graphs (.ag)", hint="leave it out")
    if how.mark and kind in (*GRAPHS, FileKind.ASSERTION_GRAPHS):
        suffix = f".{format}" if format else Path(path).suffix.lower()
        raise InputError(f"--mark is for models, not for {suffix} files", hint="leave it out")
    if how.most != DrawOptions().most and kind in (FileKind.AUTOMATON, FileKind.ASSERTION_GRAPHS):
        raise InputError("--most is for the states of models and graphs", hint="leave it out")
    if kind is FileKind.ASSERTION_GRAPHS:
        from coarsest.api.automata import read_assertion_graphs

        return read_assertion_graphs(path, name=how.graph)
    if kind is FileKind.AUTOMATON:
        from coarsest.api.automata import read_automaton

        return [read_automaton(path, format=format)]
    if kind is FileKind.GRAPH:
        from coarsest.api.graph import read_graph

        return [read_graph(path, format=format, run=run)]
    from coarsest.api.model import load

    model = load(path, format=format)
    for warning in model.warnings:
        on_warning(warning)
    return [model]


def _picture(system: Drawable, title: str, how: DrawOptions, run: Run) -> Picture:
    if how.mark and not hasattr(system, "machine"):
        raise InputError("only states of models are marked", hint="leave out `mark`")
    if isinstance(system, AssertionGraph | Automaton):
        from coarsest.render.picture.pictures_of_automata import picture_of_assertion_graph, picture_of_automaton

        return picture_of_assertion_graph(system) if isinstance(system, AssertionGraph) else picture_of_automaton(system, title)
    from coarsest.api.model import Model
    from coarsest.reduce.reduction import Reduction
    from coarsest.render.picture.pictures_of_states import insist_few, picture_of_graph, picture_of_states

    if isinstance(system, Reduction):
        from coarsest.render.picture.quotient_text import quotient_to_picture

        insist_few(system.quotient.size, title, how.most)
        return quotient_to_picture(system.quotient, title or f"{system.original.name} by {system.relation}")
    if not isinstance(system, Model):
        return picture_of_graph(system, title, most=how.most)
    conditions = [system.condition(text) for text in how.mark]
    return replace(picture_of_states(system.machine, run, marked=conditions, most=how.most), title=title)


def _by_graphviz(pictures: Sequence[Picture]) -> str:
    import shutil
    import subprocess

    from coarsest.render.picture.dot import to_dot

    program = shutil.which("dot")
    if program is None:
        raise Unsupported("Graphviz is not installed: there is no program `dot`", hint="leave --layout out to use our own")
    if len(pictures) > 1:
        raise InputError(f"Graphviz draws one graph, but there are {len(pictures)}", hint="choose one with --graph NAME")
    done = subprocess.run([program, "-Tsvg"], input=to_dot(pictures[0]), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise InputError(f"Graphviz could not draw the graph: {done.stderr.strip().splitlines()[0]}")
    return done.stdout
