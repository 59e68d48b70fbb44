"""The states of a model for a page: few are found by the interpreter, many by decision diagrams."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from coarsest import tuning
from coarsest.logic.expr import Expr, Name, Value
from coarsest.logic.show import show
from coarsest.lts.labelled import Graph
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Kind, Machine
from coarsest.model.parts.promote_inputs import inputs_mentioned
from coarsest.model.types import show_value
from coarsest.model.unbounded import unbounded_variables
from coarsest.options.methods import BuildOptions
from coarsest.render.page.state_map import MOST_LISTED, MOST_STEPS, OUTSIDE, MapColumn, StateMap
from coarsest.render.picture.pictures_of_states import DrawnStates, TooManyToDraw, explored
from coarsest.run import Run

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from coarsest.reduce.partition.observation import Observation
    from coarsest.space.bdd.listing import Listing
    from coarsest.space.bdd.symbolic import SymbolicSpace

SAMPLED: Final = 2_000
"""The number of states in a sample, which the interpreter finds one by one."""
MOST_KINDS: Final = 40
"""If nothing is observed, states are grouped by variables that have at most this many combinations of values."""


def map_of_model(machine: Machine, observed: Sequence[Expr], marked: Sequence[Expr], most: int, run: Run) -> StateMap:
    """All reachable states or, if they are too many for a page, those that are reached first.

    `observed` is what states are told apart by; without it, variables with few values. `marked` are conditions with colours.
    """
    few = [label for label in observed if not inputs_mentioned(machine, [label])]
    interpreter = Interpreter(machine)
    try:
        return _of_few(interpreter, explored(interpreter, run, most, machine.name, sample=False), few, marked)
    except TooManyToDraw:
        pass
    if not unbounded_variables(machine):
        with suppress(TooManyToDraw), run.within(work=tuning.WORK_UNASKED):
            return _of_many(machine, observed, marked, run)
    return _of_few(interpreter, explored(interpreter, run, max(most, SAMPLED), machine.name, sample=True), few, marked)


def _of_few(interpreter: Interpreter, part: DrawnStates, observed: Sequence[Expr], marked: Sequence[Expr]) -> StateMap:
    states = [interpreter.assignment(values) for values in part.numbers]
    columns = {name: _column([show_value(state[name]) for state in states]) for name in (states[0] if states else ())}
    looks: dict[tuple[str, ...], int] = {}
    labels = []
    if observed:
        for number, state in enumerate(states):
            look = tuple(_seen(label, interpreter.value(label, state)) for label in observed)
            look += (OUTSIDE,) if number in part.cut_off else ()
            labels.append(looks.setdefault(look, len(looks)))
        every_look, every_label = list(looks), np.array(labels, dtype=np.int64)
    else:
        cut_off = np.zeros(len(states), dtype=np.bool_)
        cut_off[list(part.cut_off)] = True
        every_look, every_label = _by_few_values(columns, cut_off)
    ends = np.array([(source, target) for source, target, _ in part.steps], dtype=np.int64).reshape(-1, 2)
    order = np.lexsort((ends[:, 1], ends[:, 0]))
    said = _column([part.steps[place][2] for place in order.tolist()])
    count = f"{len(states):,} reachable state{'s' * (len(states) != 1)}"
    steps = ends[order, 0], ends[order, 1]
    marks = [next((n for n, one in enumerate(marked, 1) if interpreter.satisfies(one, state)), 0) for state in states]
    return StateMap(
        graph=_graph(steps, sorted(part.initial), every_label, len(every_look)), looks=every_look,
        columns=columns, said=(said.codes, said.values), marks=np.array(marks, dtype=np.int64) if marked else None,
        mark_names=list(map(show, marked)), is_sample=not part.is_whole,
        notes=(count if part.is_whole else f"a sample: the first {count}, of more",),
    )  # fmt: skip


def _column(texts: Sequence[str]) -> MapColumn:
    """The different texts, and the index of each text among them."""
    places: dict[str, int] = {}
    return MapColumn(np.array([places.setdefault(text, len(places)) for text in texts], dtype=np.int64), list(places))


def _of_many(machine: Machine, observed: Sequence[Expr], marked: Sequence[Expr], run: Run) -> StateMap:
    """All reachable states, listed from a decision diagram; raises TooManyStates."""
    from coarsest.reduce.partition.observation import observe
    from coarsest.reduce.partition.reachable_part import reachable_states
    from coarsest.space.carriers import spaces_by

    observation = observe(machine, observed, cone=False)
    space = cast("SymbolicSpace[Any]", spaces_by("bdd", BuildOptions(), run).space(observation.machine))
    reached = reachable_states(space, run)
    if space.count(reached) > MOST_LISTED:
        raise TooManyToDraw(f"there are more than {MOST_LISTED} states")
    graph, listing = _listed(space, observation.sets(space, run) if observed else (), reached, run)
    columns, values = _columns(observation.machine, listing)
    if observed:
        looks, labels = _as_observed(observation, graph, columns, values)
    else:
        looks, labels = _by_few_values(columns, np.zeros(graph.states, dtype=np.bool_))
    marks = np.zeros(graph.states, dtype=np.int64)
    for number, condition in reversed(list(enumerate(marked, 1))):
        marks[listing.numbers(reached & space.where(condition))] = number
    told = f"{graph.states:,} reachable states, {graph.transitions:,} steps"
    with_inputs = f", with the inputs {', '.join(sorted(observation.promoted))} as part of them" if observation.promoted else ""
    return StateMap(
        graph=_graph((graph.sources, graph.targets), graph.initial, labels, len(looks)), looks=looks, columns=columns,
        notes=(told + with_inputs,), marks=marks if marked else None, mark_names=list(map(show, marked)),
    )  # fmt: skip


def _listed(space: Any, sets: Sequence[Any], reached: Any, run: Run) -> tuple[Graph, Listing]:
    """The graph of the reached states, labelled by the sets that look different."""
    from coarsest.reduce.bisimulation.list_then_refine import TooMany, listed_symbolically
    from coarsest.reduce.partition.observed import Observed

    try:
        graph, listing = listed_symbolically(Observed.by(space, sets), reached, run)
    except TooMany as many:
        raise TooManyToDraw(str(many)) from None
    if graph.transitions > MOST_STEPS:
        raise TooManyToDraw(f"there are more than {MOST_STEPS} steps")
    return graph, listing


def _as_observed(
    observation: Observation, graph: Graph, columns: dict[str, MapColumn], values: dict[str, list[Value]]
) -> tuple[list[tuple[str, ...]], NDArray[np.int64]]:
    """The observed values of the states, from one of each set that looks alike."""
    interpreter = Interpreter(observation.machine)
    _, examples, labels = np.unique(graph.labels, return_index=True, return_inverse=True)
    looks = []
    for example in examples.tolist():
        state = {name: values[name][column.codes[example]] for name, column in columns.items()}
        looks.append(tuple(_seen(label, interpreter.value(label, state)) for label in observation.labels))
    return looks, labels.reshape(-1)


def _columns(machine: Machine, listing: Listing) -> tuple[dict[str, MapColumn], dict[str, list[Value]]]:
    columns, values = {}, {}
    for variable in machine.variables.values():
        if variable.kind is not Kind.INPUT:
            codes, values[variable.name] = listing.column(variable)
            columns[variable.name] = MapColumn(codes, list(map(show_value, values[variable.name])))
    return columns, values


def _graph(steps: tuple[Any, Any], initial: Any, labels: NDArray[np.int64], looks: int) -> Graph:
    """Steps without actions between labelled states; the page names the labels."""
    sources, targets = steps
    actions = np.zeros(len(sources), dtype=np.int32)
    names = tuple(map(str, range(max(1, looks))))
    return Graph.from_edges(len(labels), sources, actions, targets, initial=initial, labels=labels, label_names=names)


def _seen(label: Expr, value: Any) -> str:
    text = show(label)
    return _fact(text if isinstance(label, Name) or not isinstance(value, bool) or value else f"({text})", show_value(value))


def _fact(name: str, value: str) -> str:
    return name if value == "TRUE" else f"!{name}" if value == "FALSE" else f"{name} = {value}"


def _by_few_values(
    columns: dict[str, MapColumn], cut_off: NDArray[np.bool_]
) -> tuple[list[tuple[str, ...]], NDArray[np.int64]]:
    """Groups of states by the values of variables with few values, as many as fit."""
    kinds = cut_off.astype(np.int64)
    used: list[str] = []
    for name, column in sorted(columns.items(), key=lambda one: len(one[1].values)):
        finer = np.unique(kinds * len(column.values) + column.codes, return_inverse=True)[1].reshape(-1)
        if len(column.values) > 1 and int(finer.max(initial=0)) < MOST_KINDS:
            kinds = finer
            used.append(name)
    _, examples, labels = np.unique(kinds, return_index=True, return_inverse=True)
    looks = [
        (*(_fact(name, columns[name].shown(example)) for name in used), *([OUTSIDE] * bool(cut_off[example])))
        for example in examples.tolist()
    ]
    return looks, labels.reshape(-1)
