"""The states of a small model, or of an explicit graph, as a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from coarsest.errors import Unsupported
from coarsest.logic.expr import Expr, Name, Value
from coarsest.logic.letters.alphabet import alphabet_over
from coarsest.logic.show import show
from coarsest.model.interpret.interpret import Interpreter, Values
from coarsest.model.machine import Machine
from coarsest.model.types import show_value
from coarsest.render.picture.picture import Picture, PictureEdge, PictureGroup, PictureNode
from coarsest.run import Run
from coarsest.text.printable import printable

if TYPE_CHECKING:
    from coarsest.lts.labelled import Graph

MOST_STATES: Final = 100
"""Larger pictures are unreadable."""
MOST_LINES: Final = 7
"""The lines that a state shows; further variables are in its tooltip."""


class TooManyToDraw(Unsupported):
    """There are too many states for a picture."""


def picture_of_states(
    machine: Machine, run: Run, *, marked: Sequence[Expr] = (), most: int = MOST_STATES, sample: bool = False
) -> Picture:
    """The reachable states of a machine, with inputs at the steps; with `sample`, only the first ones.

    Variables that never change are named below the picture. States in which a condition of `marked` holds are coloured; where
    several hold, the first one counts.
    """
    interpreter = Interpreter(machine)
    part = explored(interpreter, run, most, machine.name, sample=sample)
    numbers, initial, steps = part.numbers, part.initial, part.steps
    states = [interpreter.assignment(values) for values in numbers]
    varying = [name for name in states[0] if any(state[name] != states[0][name] for state in states)] if states else []
    groups = tuple(PictureGroup(f"mark {place}", show(condition)) for place, condition in enumerate(marked))
    nodes = []
    for number, state in enumerate(states):
        group = next((g.key for g, condition in zip(groups, marked) if interpreter.satisfies(condition, state)), "")
        lines = _lines(state, varying)
        nodes.append(PictureNode(str(number), lines, number in initial, group=group, tooltip=_whole(state), titled=False))
    edges = [PictureEdge(str(source), str(target), label) for source, target, label in steps]
    count = f"{len(states)} reachable state{'' if len(states) == 1 else 's'}"
    if not part.is_whole:
        count = f"a sample: the first {count}, of more"
    fixed = [f"{name} = {show_value(value)}" for name, value in states[0].items() if name not in varying] if states else []
    notes = [count, f"everywhere: {', '.join(fixed)}"] if fixed else [count]
    return Picture(machine.name, tuple(nodes), tuple(edges), groups, tuple(notes))


class DrawnStates(NamedTuple):
    """States by number, the initial ones, and the steps between them with texts of their inputs; are these all states? States in
    `cut_off` have steps to others."""

    numbers: dict[Values, int]
    initial: set[int]
    steps: list[tuple[int, int, str]]
    is_whole: bool
    cut_off: set[int]


def explored(interpreter: Interpreter, run: Run, most: int, name: str, *, sample: bool) -> DrawnStates:
    """The reachable states that a search finds first; all of them, unless a sample suffices."""
    numbers: dict[Values, int] = {}
    cut_off: set[int] = set()
    is_whole = True

    def has_room(values: Values) -> bool:
        nonlocal is_whole
        if values in numbers or len(numbers) < most:
            numbers.setdefault(values, len(numbers))
            return True
        if not sample:
            hint = "allow more with --most N, or make it smaller first: coarsest reduce"
            raise TooManyToDraw(f"{name} has more than {most} reachable states, too many for a picture", hint=hint)
        is_whole = False
        return False

    initial = {numbers[values] for values in islice(interpreter.initial_values(), most + 1) if has_room(values)}
    waiting = list(numbers)
    steps: list[tuple[int, int, str]] = []
    for values in waiting:
        ways: dict[int, dict[Values, None]] = {}
        for inputs, after in interpreter.successor_values(values):
            run.step("draw", states=len(numbers))
            is_new = after not in numbers
            if not has_room(after):
                cut_off.add(numbers[values])
                continue
            if is_new:
                waiting.append(after)
            ways.setdefault(numbers[after], {})[inputs] = None
        possible = {inputs for inputs_of_way in ways.values() for inputs in inputs_of_way}
        for target, inputs_of_way in ways.items():
            label = "" if len(inputs_of_way) == len(possible) else _said(interpreter, list(inputs_of_way))
            steps.append((numbers[values], target, label))
    return DrawnStates(numbers, initial, steps, is_whole, cut_off)


def _said(interpreter: Interpreter, choices: Sequence[Values]) -> str:
    """A short text of the inputs of a step: a condition, if all are boolean."""
    names = [variable.name for variable in interpreter.input_variables]
    if all(isinstance(value, bool) for values in choices for value in values):
        alphabet = alphabet_over([Name(name) for name in names])
        guard = alphabet.empty
        for values in choices:
            true = sum(1 << place for place, value in enumerate(values) if value)
            guard = guard | alphabet.of_cube((true, (1 << len(names)) - 1 - true))
        return show(alphabet.expr(guard))
    return "\n".join(", ".join(_fact(name, value) for name, value in zip(names, values)) for values in choices)


def _fact(name: str, value: Value) -> str:
    """A variable and its value; a boolean by its name alone, or negated."""
    if isinstance(value, bool):
        return name if value else f"!{name}"
    return f"{name} = {show_value(value)}"


def _lines(state: Mapping[str, Value], varying: Sequence[str]) -> tuple[str, ...]:
    facts = [_fact(name, state[name]) for name in varying]
    if len(facts) > MOST_LINES:
        facts = [*facts[: MOST_LINES - 1], f"… {len(facts) - MOST_LINES + 1} more"]
    return tuple(facts) or ("·",)


def _whole(state: Mapping[str, Value]) -> str:
    return "\n".join(_fact(name, value) for name, value in state.items())


def require_few(count: int, title: str, most: int) -> None:
    """Raise TooManyToDraw if there are too many states for a picture."""
    if count > most:
        hint = "allow more with --most N, or make it smaller first: coarsest reduce"
        raise TooManyToDraw(f"{title} has {count} states, too many for a picture ({most} at most)", hint=hint)


def picture_of_graph(graph: Graph, title: str, *, blocks: Sequence[int] | None = None, most: int = MOST_STATES) -> Picture:
    """An explicit graph: actions at the edges, labels in the states; `blocks` numbers the block of each state."""
    require_few(graph.states, title, most)
    initial = set(graph.initial.tolist())
    labels = [printable(graph.label_names[label]) for label in graph.labels.tolist()]
    places = [f"block {block}" for block in blocks] if blocks is not None else [""] * graph.states
    nodes = tuple(
        PictureNode(str(state), (str(state), label) if label else (str(state),), state in initial, group=place)
        for state, (label, place) in enumerate(zip(labels, places))
    )
    ends = zip(graph.sources.tolist(), graph.actions.tolist(), graph.targets.tolist())
    names = list(map(printable, graph.action_names))
    edges = tuple(PictureEdge(str(source), str(target), names[action]) for source, action, target in ends)
    counted = f"{graph.states} state{'' if graph.states == 1 else 's'}, {graph.transitions} transitions"
    groups = tuple(PictureGroup(place, place) for place in dict.fromkeys(places) if place)
    return Picture(printable(title), nodes, edges, groups, (counted,))
