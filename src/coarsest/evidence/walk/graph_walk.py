"""Steps of an explicit graph, one state at a time."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from coarsest.evidence.walk.walk import Assignment, Step
from coarsest.logic.expr import Value
from coarsest.lts.labelled import Graph


def state_values(graph: Graph, number: int) -> dict[str, Value]:
    """A state as traces show it: its number, its name if that is another, and, where states have labels, its label."""
    values: dict[str, Value] = {"state": number}
    if graph.state_name(number) != str(number):
        values["name"] = graph.state_name(number)
    if len(graph.label_names) > 1:
        values["label"] = graph.label_names[int(graph.labels[number])]
    return values


def step_values(action: str) -> dict[str, Value]:
    """A step as traces show it: by its action, unless that is the empty word, as where nothing happens at all."""
    return {"action": action} if action else {}


class GraphWalker:
    """Finds the steps of one graph. Each transition has the same chance to be drawn."""

    events = True

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def steps(self, state: Assignment | None) -> Iterator[Step]:
        """All steps from a state; the state before an initial one is None."""
        return (self._step(place, state) for place in self._places(state))

    def any_step(self, state: Assignment | None, random: Random) -> Step | None:
        """A step at random; None if there is none."""
        places = self._places(state)
        return self._step(random.choice(places), state) if places else None

    def _places(self, state: Assignment | None) -> range:
        if state is None:
            return range(len(self.graph.initial))
        number = state["state"]
        assert isinstance(number, int)
        return range(int(self.graph.offsets[number]), int(self.graph.offsets[number + 1]))

    def _step(self, place: int, before: Assignment | None) -> Step:
        graph = self.graph
        if before is None:
            return {}, state_values(graph, int(graph.initial[place]))
        return step_values(graph.action_names[int(graph.actions[place])]), state_values(graph, int(graph.targets[place]))
