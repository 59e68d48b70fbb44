"""The quotient of a machine by a bisimulation, or its smallest structure by simulation, as an engine claims it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from coarsest.logic.expr import Expr, Name, Value
from coarsest.logic.show import show
from coarsest.model.types import show_value

if TYPE_CHECKING:
    from coarsest.lts.fair import FairGraph
    from coarsest.lts.labelled import Graph


class MachineQuotient(Struct, frozen=True):
    """Classes 0, 1, … and the steps between them, with the observed values in each class, and at each step."""

    initial: tuple[int, ...]
    edges: tuple[tuple[int, int, int], ...]
    labels: Mapping[Expr, tuple[Value, ...]]
    """The value of each observed expression in each class."""
    actions: tuple[Mapping[str, Value], ...]
    """The values of the observed inputs, for each action."""
    size: int

    def __repr__(self) -> str:
        return f"<Quotient: {self.size} classes, {len(self.edges)} steps>"

    @property
    def has_dead_ends(self) -> bool:
        """Is there a class that no step leaves?"""
        return len({source for source, _, _ in self.edges}) < self.size

    def observation(self, number: int) -> str:
        """The observed values in a class, in words."""
        parts = []
        for label, values in self.labels.items():
            value = values[number]
            text = show(label)
            if isinstance(value, bool):
                parts.append(text if value else f"!{text}" if isinstance(label, Name) else f"!({text})")
            else:
                parts.append(f"{text} = {show_value(value)}")
        return ", ".join(parts)

    def action_name(self, number: int) -> str:
        return ", ".join(f"{name} = {show_value(value)}" for name, value in self.actions[number].items())

    def graph(self) -> Graph:
        """The quotient as an explicit graph."""
        import numpy as np

        from coarsest.lts.labelled import Graph

        observations = [self.observation(number) for number in range(self.size)]
        names = tuple(dict.fromkeys(observations)) or ("",)
        edges = np.asarray(self.edges, dtype=np.int64).reshape(-1, 3)
        return Graph.from_edges(
            self.size, edges[:, 0], edges[:, 1], edges[:, 2], initial=self.initial, labels=list(map(names.index, observations)),
            action_names=tuple(map(self.action_name, range(len(self.actions)))), label_names=names,
        )  # fmt: skip

    def fair_graph(self, visible: Iterable[Expr], justice: Iterable[Expr]) -> FairGraph:
        """The quotient as a fair graph: some labels are visible, and some are fairness constraints."""
        import numpy as np

        from coarsest.lts.fair import FairGraph

        graph = replace(self, labels={label: self.labels[label] for label in visible}).graph()
        return FairGraph(graph, tuple(np.array(self.labels[constraint], dtype=np.bool_) for constraint in justice))


class Simulations(Struct, frozen=True):
    """How a machine and a structure simulate each other, by the classes of the states of the machine."""

    above: tuple[frozenset[int], ...]
    """For each class, the states of the structure that simulate it."""
    below: tuple[frozenset[int], ...]
    """For each class, states of the structure that its states simulate."""
    is_smallest: bool = True
    """Is it claimed, too, that there is no smaller structure? Otherwise it may have little brothers."""
