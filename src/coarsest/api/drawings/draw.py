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
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from coarsest.api.drawings.drawing import Drawing, drawing_of, require_kind
from coarsest.api.drawings.drawn import title_of
from coarsest.api.options import DRAW, DrawOptions
from coarsest.errors import InputError, require_type
from coarsest.files import STANDARD_INPUT
from coarsest.options.option import require_about
from coarsest.run import Run

if TYPE_CHECKING:
    from typing import Unpack

    from coarsest.api import keywords
    from coarsest.api.drawings.pictures import Drawable
    from coarsest.text import Diagnostic

    System: TypeAlias = Drawable | str | os.PathLike[str]


TITLES = {
    "machine": "models", "graph": "explicit graphs", "automaton": "automata", "assertion graphs": "files with assertion graphs",
    "table": "graphs in tables",
}  # fmt: skip
"""The kinds of files, by their names in messages."""


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
    """A picture of a system or a file, as text that notebooks show: `to` is "svg", "html" or "dot".

    The picture of a model has its reachable states, at most `most`, coloured where conditions of `mark` hold. `graph` chooses one
    of several assertion graphs in a file. The `layout` may be that of Graphviz. `on_warning` gets the warnings of a model.
    """
    how = DRAW.read(DrawOptions, options)
    require_kind(to, how)
    run, named = Run.given(run), title is not None
    title = _title(system) if title is None else title
    systems: Sequence[Drawable]
    if isinstance(system, str | os.PathLike):
        systems = _read(os.fspath(system), how, format, run, on_warning)
    elif how.graph is not None or format is not None:
        raise InputError("`graph` and `format` are for files", hint="leave them out")
    else:
        require_type("what is drawn", system, Struct, "a model, a graph, an automaton, assertion graphs or a file")
        systems = [system]
    return drawing_of(systems, to, title, how, run, named=named)


def _title(system: System) -> str:
    if isinstance(system, str | os.PathLike):
        return "standard input" if os.fspath(system) == STANDARD_INPUT else Path(system).name
    return title_of(system)


def _read(
    path: str, how: DrawOptions, format: str | None, run: Run, on_warning: Callable[[Diagnostic], None]
) -> Sequence[Drawable]:
    """The systems in a file."""
    from coarsest.formats import FileKind, kind_of

    kind = kind_of(path, format)
    if kind is not None:
        require_about((how,), (TITLES[kind.value],))
    if kind is FileKind.ASSERTION_GRAPHS:
        from coarsest.api.automata import read_assertion_graphs

        return read_assertion_graphs(path, name=how.graph)
    if kind is FileKind.AUTOMATON:
        from coarsest.api.automata import read_automaton

        return [read_automaton(path, format=format)]
    if kind is FileKind.GRAPH:
        from coarsest.api.graph import read_graph

        return [read_graph(path, format=format, run=run)]
    from coarsest.api.model import load_model

    model = load_model(path, format=format)
    for warning in model.warnings:
        on_warning(warning)
    return [model]
