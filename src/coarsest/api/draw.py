"""draw: pictures of models, graphs, automata and assertion graphs.

>>> import coarsest
>>> lamp = coarsest.Graph.from_table({"source": ["off", "on"], "action": ["press", "press"], "target": ["on", "off"]})
>>> print(coarsest.draw(lamp, to="dot", title="lamp").splitlines()[0])
digraph "lamp" {
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
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
    from coarsest.api.reductions import Controller
    from coarsest.lts.labelled import Graph
    from coarsest.model.trace import Trace
    from coarsest.reduce.reduction import Reduction
    from coarsest.render.picture.picture import Picture
    from coarsest.text import Diagnostic

    Drawable: TypeAlias = Model | Graph | Automaton | AssertionGraph | Controller | Reduction[Any]
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
    _insist_kind(to, how)
    run, named = run or Run(), title is not None
    title = _title(system) if title is None else title
    systems: Sequence[Drawable]
    if isinstance(system, str | os.PathLike):
        systems = _read(os.fspath(system), how, format, run, on_warning)
    elif how.graph is not None or format is not None:
        raise InputError("`graph` and `format` are for files", hint="leave them out")
    else:
        systems = [system]
    page = _page(systems[0], title, how, run) if to == "html" and len(systems) == 1 else None
    if page is not None:
        return Drawing(page, to)
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


def _insist_kind(to: str, how: DrawOptions) -> None:
    """Complain about a kind of picture that there is not, or that an option is not for."""
    if to not in KINDS:
        raise unknown_word("kind of picture", to, KINDS)
    if how.layout == "graphviz" and to != "svg":
        raise InputError(f"--layout graphviz draws SVG, not {to}", hint="write a .svg file, or a .dot file for Graphviz itself")
    if how.property is not None and to != "html":
        raise InputError(f"a path is stepped through on a page, not in {to}", hint="write a .html file, or leave out --property")


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
    if how.observe and kind is not FileKind.MACHINE and kind is not None:
        raise InputError("--observe is for models", hint="leave it out")
    usual, listed = DrawOptions(), kind not in (FileKind.AUTOMATON, FileKind.ASSERTION_GRAPHS)
    if not listed and (how.most, how.large) != (usual.most, usual.large):
        option = "--most" if how.most != usual.most else "--large"
        raise InputError(f"{option} is for the states of models and graphs", hint="leave it out")
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


def _page(system: Drawable, title: str, how: DrawOptions, run: Run) -> str | None:
    """A page on which classes of states can be opened, of a model or a graph; None of anything else."""
    from coarsest.api.model import Model
    from coarsest.lts.labelled import Graph
    from coarsest.reduce.reduction import Reduction

    if how.property is not None and not isinstance(system, Model):
        raise InputError("--property is for models", hint="leave it out")
    if isinstance(system, Reduction):
        return page_of_classes(system, title, how.most, run)
    if how.large != "quotient" or not isinstance(system, Model | Graph):
        return None
    from coarsest.render.page.state_map import map_of_graph, to_page, with_path

    if isinstance(system, Graph):
        return to_page(map_of_graph(system), title, how.most, run)
    from coarsest.render.page.map_of_model import map_of_model

    watched = bool(how.observe or system.machine.outputs or system.properties)
    conditions = [system.condition(text) for text in how.mark]
    try:
        observed = system.observed(how.observe) if watched else []
    except Unsupported:  # a property about steps
        observed = []
    states = map_of_model(system.machine, observed, conditions, how.most, run)
    if how.property is not None:
        states = with_path(states, *_shown_path(system, how.property, run))
    return to_page(states, title or system.name, how.most, run)


def page_of_classes(reduction: Reduction[Any], title: str, most: int, run: Run) -> str | None:
    """The classes of a quotient, which open down to states; None where they are not by bisimulation, steps have actions, or a
    page has no room for all states. Where inputs are seen, states are those of the part that decides it, with these inputs."""
    from coarsest.model.unbounded import unbounded_variables
    from coarsest.render.page.map_of_model import map_of_model
    from coarsest.render.page.state_map import to_page

    observation = reduction.observation
    machine = observation.machine if observation.promoted else reduction.original
    if reduction.relation != "bisimulation" or observation.actions or unbounded_variables(machine):
        return None
    states = map_of_model(machine, observation.labels, (), most, run)
    return None if states.is_sample else to_page(states, title, min(most, reduction.quotient.size), run)


def page_of_graph(graph: Graph, small: Graph, title: str, run: Run, *, keep_unreachable: bool) -> str | None:
    """The classes of a graph, which open down to its states; None if a page has no room for all of them."""
    from coarsest.lts.closures import reachable_part
    from coarsest.render.page.state_map import map_of_graph, to_page

    states = map_of_graph(reachable_part(graph, run, keep=keep_unreachable)[0])
    return None if states.is_sample else to_page(states, title, max(1, min(DrawOptions().most, small.states)), run)


def _shown_path(model: Model, property: str, run: Run) -> tuple[str, Trace | None]:
    """The verdict on a property, by its name, its number or its formula, and the path that shows it."""
    from coarsest.evidence.verdict import shown_trace

    named = property.isdecimal() or any(claim.name == property for claim in model.properties)
    (answer,) = model.check(model.property_named(property) if named else property, run=run)
    return f"{answer.label} {answer.verdict.word}", shown_trace(answer)


def _picture(system: Drawable, title: str, how: DrawOptions, run: Run) -> Picture:
    if how.mark and not hasattr(system, "machine"):
        raise InputError("only states of models are marked", hint="leave out `mark`")
    if isinstance(system, AssertionGraph | Automaton):
        from coarsest.render.picture.pictures_of_automata import picture_of_assertion_graph, picture_of_automaton

        return picture_of_assertion_graph(system) if isinstance(system, AssertionGraph) else picture_of_automaton(system, title)
    from coarsest.api.model import Model
    from coarsest.api.reductions import Controller
    from coarsest.reduce.reduction import Reduction
    from coarsest.render.picture.pictures_of_states import TooManyStates, picture_of_graph, picture_of_states

    if isinstance(system, Reduction):
        return _of_quotient(system, title, how)
    if isinstance(system, Controller):
        from coarsest.render.code.controller_text import controller_to_picture
        from coarsest.render.picture.pictures_of_states import insist_few

        insist_few(system.states, title or system.automaton.name, how.most)
        picture = controller_to_picture(system.automaton, system.control)
        return replace(picture, title=title or picture.title)
    if not isinstance(system, Model):
        try:
            return picture_of_graph(system, title, most=how.most)
        except TooManyStates:
            return _of_large_graph(system, title, how, run)
    if how.observe:
        return _of_quotient(system.reduce(observe=how.observe, count=False, run=run).reduction, title, how)
    conditions = [system.condition(text) for text in how.mark]
    try:
        return replace(picture_of_states(system.machine, run, marked=conditions, most=how.most), title=title)
    except TooManyStates:
        if how.large == "refuse":
            raise
    quotient = _quotient_in_time(system, how, run) if how.large == "quotient" and not conditions else None
    if quotient is not None:
        return quotient
    return replace(picture_of_states(system.machine, run, marked=conditions, most=how.most, sample=True), title=title)


WORK_ON_A_QUOTIENT = 5_000_000.0
"""No more work is spent on classes that nobody asked for: a sample is drawn instead."""


def _of_quotient(reduction: Reduction[Any], title: str, how: DrawOptions) -> Picture:
    from coarsest.render.picture.pictures_of_states import insist_few
    from coarsest.render.picture.quotient_text import quotient_to_picture

    insist_few(reduction.quotient.size, title, how.most)
    told = f"{reduction.quotient.size} classes of states that are alike by {reduction.relation}: {reduction.preserves} is kept"
    picture = quotient_to_picture(reduction.quotient, title or f"{reduction.original.name} by {reduction.relation}")
    return replace(picture, notes=(*picture.notes, told))


def _quotient_in_time(model: Model, how: DrawOptions, run: Run) -> Picture | None:
    """The classes of its states as far as its outputs or properties tell them apart; None if they are many, or take long."""
    with suppress(InputError), run.within(work=WORK_ON_A_QUOTIENT):  # nothing is observed, or there are too many classes
        return _of_quotient(model.reduce(count=False, confirm="never", run=run).reduction, model.name, how)
    return None


def _of_large_graph(graph: Graph, title: str, how: DrawOptions, run: Run) -> Picture:
    """Its quotient by bisimulation, or else the states that are reached first."""
    from coarsest.api.graph import minimise_by
    from coarsest.render.page.state_map import first_states
    from coarsest.render.picture.pictures_of_states import insist_few, picture_of_graph

    if how.large == "refuse":
        insist_few(graph.states, title, how.most)
    small = minimise_by("bisimulation", graph, run=run).graph if how.large == "quotient" else graph
    if small.states <= how.most:
        told = f"classes of {graph.states} states that are alike by bisimulation"
        picture = picture_of_graph(small, title, most=how.most)
        return replace(picture, notes=(*picture.notes, told))
    picture = picture_of_graph(first_states(graph, how.most, graph.transitions)[0], title, most=how.most)
    return replace(picture, notes=(f"a sample: the first {len(picture.nodes)} of {graph.states} states",))


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
