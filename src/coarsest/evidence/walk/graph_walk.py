"""Steps of an explicit graph, one state at a time."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from coarsest.evidence.walk.walk import Assignment, Step
from coarsest.logic.expr import Value
from coarsest.lts.labelled import Graph


def state_values(graph: Graph, number: int) -> dict[str, Value]:
    """A state as traces show it: its number, its name if it has another one, and its label if states have labels."""
    values: dict[str, Value] = {"state": number}
    if graph.state_name(number) != str(number):
        values["name"] = graph.state_name(number)
    if len(graph.label_names) > 1:
        values["label"] = graph.label_names[int(graph.labels[number])]
    return values


def step_values(action: str) -> dict[str, Value]:
    """A step as traces show it: by its action, unless the action is empty."""
    return {"action": action} if action else {}


class GraphWalker:
    """Finds the steps of one graph. Each transition has the same chance to be drawn."""

    events = True

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def steps(self, state: Assignment | None) -> Iterator[Step]:
        """All steps from a state; the state before an initial one is None."""
        return (self._step(k, state) for k in self._row(state))

    def any_step(self, state: Assignment | None, random: Random) -> Step | None:
        """A random step; None if there is none."""
        row = self._row(state)
        return self._step(random.choice(row), state) if row else None

    def _row(self, state: Assignment | None) -> range:
        if state is None:
            return range(len(self.graph.initial))
        number = state["state"]
        assert isinstance(number, int)
        return range(int(self.graph.offsets[number]), int(self.graph.offsets[number + 1]))

    def _step(self, k: int, before: Assignment | None) -> Step:
        graph = self.graph
        if before is None:
            return {}, state_values(graph, int(graph.initial[k]))
        return step_values(graph.action_names[int(graph.actions[k])]), state_values(graph, int(graph.targets[k]))
