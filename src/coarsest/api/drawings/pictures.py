"""Pages and pictures of each kind of system."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec.structs import replace

from coarsest import tuning
from coarsest.api.options import DrawOptions
from coarsest.automata.automaton import Automaton
from coarsest.errors import InputError, Unsupported
from coarsest.model.assertion_graph import AssertionGraph
from coarsest.run import Run

if TYPE_CHECKING:
    from typing_extensions import TypeIs

    from coarsest.api.model import Model
    from coarsest.api.reductions import Controller
    from coarsest.lts.labelled import Graph
    from coarsest.model.trace import Trace
    from coarsest.reduce.reduction import Reduction
    from coarsest.render.picture.picture import Picture

    Drawable: TypeAlias = Model | Graph | Automaton | AssertionGraph | Controller | Reduction[Any]


def _is_model(system: Drawable) -> TypeIs[Model]:
    return hasattr(system, "properties")


def page_of(system: Drawable, title: str, how: DrawOptions, run: Run) -> str | None:
    """A page on which classes of states can be opened, for a model or a graph; None for other systems."""
    from coarsest.lts.labelled import Graph
    from coarsest.reduce.reduction import Reduction

    if how.property is not None and not _is_model(system):
        raise InputError("--property is for models", hint="leave it out")
    if isinstance(system, Reduction):
        return page_of_classes(system, title, how.most, run)
    from coarsest.render.page.state_map import map_of_graph, to_page, with_path

    if how.large == "quotient" and isinstance(system, Graph):
        return to_page(map_of_graph(system), title, how.most, run)
    if how.large != "quotient" or not _is_model(system):
        return None
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
    """A page with the classes of a quotient, which open down to states.

    None if the relation is not bisimulation, if steps have actions, or if there are too many states for a page. Observed inputs
    are part of the states.
    """
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
    """A page with the classes of a graph, which open down to its states; None if there are too many for a page."""
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


def picture_of(system: Drawable, title: str, how: DrawOptions, run: Run) -> Picture:
    if how.mark and not hasattr(system, "machine"):
        raise InputError("`mark` is for models", hint="leave out `mark`")
    if isinstance(system, AssertionGraph | Automaton):
        from coarsest.render.picture.pictures_of_automata import picture_of_assertion_graph, picture_of_automaton

        return picture_of_assertion_graph(system) if isinstance(system, AssertionGraph) else picture_of_automaton(system, title)
    from coarsest.lts.labelled import Graph
    from coarsest.reduce.reduction import Reduction
    from coarsest.render.picture.pictures_of_states import TooManyToDraw, picture_of_graph

    if isinstance(system, Reduction):
        return _of_quotient(system, title, how)
    if isinstance(system, Graph):
        try:
            return picture_of_graph(system, title, most=how.most)
        except TooManyToDraw:
            return _of_large_graph(system, title, how, run)
    if _is_model(system):
        return _of_model(system, title, how, run)
    from coarsest.render.code.controller_text import controller_to_picture
    from coarsest.render.picture.pictures_of_states import require_few

    require_few(system.states, title or system.automaton.name, how.most)
    picture = controller_to_picture(system.automaton, system.control)
    return replace(picture, title=title or picture.title)


def _of_model(system: Model, title: str, how: DrawOptions, run: Run) -> Picture:
    from coarsest.render.picture.pictures_of_states import TooManyToDraw, picture_of_states

    if how.observe:
        return _of_quotient(system.reduce(observe=how.observe, count=False, run=run).reduction, title, how)
    conditions = [system.condition(text) for text in how.mark]
    try:
        return replace(picture_of_states(system.machine, run, marked=conditions, most=how.most), title=title)
    except TooManyToDraw:
        if how.large == "refuse":
            raise
    quotient = _quotient_in_time(system, how, run) if how.large == "quotient" and not conditions else None
    if quotient is not None:
        return quotient
    return replace(picture_of_states(system.machine, run, marked=conditions, most=how.most, sample=True), title=title)


def _of_quotient(reduction: Reduction[Any], title: str, how: DrawOptions) -> Picture:
    from coarsest.render.picture.pictures_of_states import require_few
    from coarsest.render.picture.quotient_text import quotient_to_picture

    require_few(reduction.quotient.size, title, how.most)
    note = f"{reduction.quotient.size} classes of states that are alike by {reduction.relation}: {reduction.preserves} is kept"
    picture = quotient_to_picture(reduction.quotient, title or f"{reduction.original.name} by {reduction.relation}")
    return replace(picture, notes=(*picture.notes, note))


def _quotient_in_time(model: Model, how: DrawOptions, run: Run) -> Picture | None:
    """The classes of states that outputs or properties distinguish; None if there are many, or they take long."""
    with suppress(InputError), run.within(work=tuning.WORK_UNASKED):  # nothing is observed, or there are too many classes
        return _of_quotient(model.reduce(count=False, confirm="never", run=run).reduction, model.name, how)
    return None


def _of_large_graph(graph: Graph, title: str, how: DrawOptions, run: Run) -> Picture:
    """A picture of its quotient by bisimulation, or else of the states that are reached first."""
    from coarsest.lts.relations import reduction_called
    from coarsest.render.page.state_map import first_states
    from coarsest.render.picture.pictures_of_states import picture_of_graph, require_few

    if how.large == "refuse":
        require_few(graph.states, title, how.most)
    small = graph
    if how.large == "quotient":
        small = reduction_called("bisimulation").minimised(graph, keep_unreachable=False, run=run).graph
    if small.states <= how.most:
        note = f"classes of {graph.states} states that are alike by bisimulation"
        picture = picture_of_graph(small, title, most=how.most)
        return replace(picture, notes=(*picture.notes, note))
    picture = picture_of_graph(first_states(graph, how.most, graph.transitions)[0], title, most=how.most)
    return replace(picture, notes=(f"a sample: the first {len(picture.nodes)} of {graph.states} states",))
