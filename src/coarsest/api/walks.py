"""Walks through a model or a graph, step by step, and traces as text.

>>> import coarsest
>>> walk = coarsest.loads("MODULE main VAR n : 0..3; ASSIGN init(n) := 0; next(n) := {n, (n + 1) mod 4};").walk()
>>> walk.take(next(walk.choices()))
>>> [step.state["n"] for step in walk.choices()]
[0, 1]
>>> walk.take_any()
True
>>> walk.back()
>>> len(walk.trace())
1
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from types import MappingProxyType

from msgspec import Struct

from coarsest.errors import InputError
from coarsest.evidence.verdict import Answer, shown_trace
from coarsest.evidence.walk.walk import Walkable, trace_of
from coarsest.logic.expr import Value
from coarsest.model.machine import Machine
from coarsest.model.trace import Trace
from coarsest.options.option import unknown_word

STYLES = MappingProxyType(
    {
        "changes": "what changes at each step",
        "full": "every variable at each state",
        "table": "a row for each variable",
        "json": "for programs",
        "vcd": "for wave viewers",
        "itf": "for the tools of Apalache",
    }
)


class WalkStep(Struct, frozen=True):
    """A step: the inputs, and the state that it leads to. Steps into initial states have no inputs."""

    inputs: Mapping[str, Value]
    state: Mapping[str, Value]


class RecordedWalk:
    """A path that grows by the steps taken; before the first one, no state has been chosen."""

    def __init__(
        self, walker: Walkable, *, seed: int = 0, within: Callable[[Sequence[str]], Walkable] | None = None
    ) -> None:
        self._walker = walker
        self._within = within
        self._dice = Random(seed)
        self.taken: list[WalkStep] = []

    def __repr__(self) -> str:
        return f"<Walk: {len(self.taken)} state{'s' * (len(self.taken) != 1)}>"

    @property
    def state(self) -> Mapping[str, Value] | None:
        """The last state of the walk."""
        return self.taken[-1].state if self.taken else None

    def choices(self) -> Iterator[WalkStep]:
        """The possible next steps, found one by one; none in a deadlock."""
        return (WalkStep(inputs, state) for inputs, state in self._walker.steps(self.state))

    def take(self, step: WalkStep) -> None:
        """Take one of the choices."""
        self.taken.append(step)

    def take_any(self) -> bool:
        """Take a step at random; False if there is none."""
        drawn = self._walker.any_step(self.state, self._dice)
        if drawn is not None:
            self.take(WalkStep(*drawn))
        return drawn is not None

    def constrain(self, conditions: Sequence[str]) -> None:
        """Allow only states and steps that satisfy these conditions, which replace earlier ones.

        >>> import coarsest
        >>> walk = coarsest.loads("MODULE main VAR n : 0..3;").walk()
        >>> walk.constrain(["n mod 2 = 1"])
        >>> [step.state["n"] for step in walk.choices()]
        [1, 3]
        """
        if self._within is None:
            raise InputError("a state of a graph has no variables", hint="constraints are for models")
        self._walker = self._within(conditions)

    def back(self) -> None:
        """Take the last step back, if there is one."""
        del self.taken[-1:]

    def trace(self) -> Trace:
        """The path so far."""
        return trace_of(self._walker, [(step.inputs, step.state) for step in self.taken])


def trace_to_text(trace: Trace, *, style: str = "changes", width: int = 100, name: str = "") -> str:
    """A trace as text, in the styles of `--trace`: "changes", "full", "table", "json", "vcd", a value change dump, or "itf".

    `name` is the name of the model or property, for programs.
    """
    if style not in STYLES:
        raise unknown_word("style of traces", style, STYLES)
    if style == "vcd":
        from coarsest.render.data.vcd import trace_to_vcd

        return trace_to_vcd(trace, name=name)
    if style == "itf":
        from coarsest.render.data.itf import trace_to_itf

        return trace_to_itf(trace, name=name)
    if style == "json":
        from coarsest.render.data.json import SCHEMA, object_to_text, trace_to_object

        return object_to_text({"schema": SCHEMA, "model": name, "trace": trace_to_object(trace)}) + "\n"
    from coarsest.render.text import trace_text

    return trace_text.trace_to_text(trace, style=style, width=width) + "\n"


def as_shown(trace: Trace, machine: Machine, show: Sequence[str] = ()) -> Trace:
    """A trace for people: the expressions in `show`; without these, a program in its own terms; else with all definitions."""
    from coarsest.explain.shown_values import instants_along, rounds_along, values_along, with_all_definitions
    from coarsest.model.query.formula import parse_value

    expressions = {text: parse_value(text, machine) for text in show}
    instants = instants_along(trace, machine, expressions) if machine.synchronous else None
    if instants is not None:
        return instants
    if machine.rounds and not show:
        return rounds_along(trace, machine)[0]
    return values_along(trace, machine, expressions) if show else with_all_definitions(trace, machine)


def evidence_to_text(
    answer: Answer, *, style: str = "changes", width: int = 100, name: str = "", machine: Machine | None = None
) -> str | None:
    """The main trace of the evidence of an answer, in a style; None if there is none. JSON can be confirmed; other styles show
    the definitions of the machine, or the chosen expressions."""
    trace = shown_trace(answer)
    if trace is None:
        return None
    if style != "json":
        if answer.reading is not None and answer.reading.shown is not None:
            trace = answer.reading.shown
        elif machine is not None:
            trace = as_shown(trace, machine)
        return trace_to_text(trace, style=style, width=width, name=f"{name}: {answer.label}")
    from coarsest.render.data.json import SCHEMA, object_to_text, trace_to_object

    about = {"name": answer.name, "kind": str(answer.kind), "formula": answer.formula, "instance": answer.instance or None}
    return object_to_text({"schema": SCHEMA, **about, **trace_to_object(trace)}) + "\n"
