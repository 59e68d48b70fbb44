"""A system beside an assertion graph: sets split by the vertices of the graph, within the antecedents.

Reference: Sebastiani, Singerman, Tonetta, Vardi 2004, sections 2.3 and 3: the product with B_ant, on labelling functions.
Symbols:   a labelling function α is a `PartitionedSet`; ant is `states`, cons is `meeting`; α|F is `at(F, …)`;
           ⋃ post(α(v')) ∩ ant(v) is `post`, ⋃ pre(α(v')) ∩ ant(v) is `pre`.
Invariant: every set lies within the antecedents.
Deviates:  the fairness of the system counts as well: a path is fair if it is fair in the graph and in the system.
Cost:      an image takes one image of the system for each set of predecessors that vertices have; a preimage one for each vertex.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, reduce
from typing import Generic

from coarsest.logic.expr import Expr
from coarsest.model.assertion_graph import AssertionGraph, Semantics
from coarsest.space.partitioned import PartitionedSet
from coarsest.space.space import Fairness, S, State, StateSpace, StepPart


class AssertionGraphProduct(Generic[S]):
    """The pairs of a vertex and a state that satisfies its antecedent; in the fair semantics, with fairness."""

    def __init__(self, system: StateSpace[S], graph: AssertionGraph, semantics: Semantics) -> None:
        self.system, self.graph, self.semantics = system, graph, semantics
        self._after = graph.successors
        self._before = [tuple(vertices) for vertices in graph.predecessors]
        labels: dict[Expr, S] = {}

        def where(condition: Expr) -> S:
            if condition not in labels:
                labels[condition] = system.where(condition)
            return labels[condition]

        self.states = PartitionedSet(tuple(where(vertex.antecedent) for vertex in graph.vertices))
        """The antecedents."""
        self.meeting = self.states & PartitionedSet(tuple(where(vertex.consequent) for vertex in graph.vertices))
        """The pairs whose state satisfies the consequent, too."""

    # Sets

    def at(self, vertices: Iterable[int], states: S) -> PartitionedSet[S]:
        """The states at these vertices, as far as they satisfy the antecedents."""
        chosen = set(vertices)
        empty = self.system.empty
        return PartitionedSet(tuple(a & states if v in chosen else empty for v, a in enumerate(self.states.parts)))

    @cached_property
    def initial(self) -> PartitionedSet[S]:
        return self.at(self.graph.initial, self.system.initial)

    @cached_property
    def empty(self) -> PartitionedSet[S]:
        return self.at((), self.system.empty)

    @cached_property
    def accepting(self) -> tuple[PartitionedSet[S], ...]:
        """The pairs at the final vertices, or those at the vertices of each fair set."""
        return tuple(self.at(members, self.system.states) for members in self.graph.accepting(self.semantics))

    @cached_property
    def fairness(self) -> Fairness[PartitionedSet[S]]:
        if self.semantics is Semantics.FINITE:
            return Fairness()
        fairness = self.system.fairness
        justice = (*self.accepting, *map(self._everywhere, fairness.justice))
        return Fairness(justice, tuple((self._everywhere(p), self._everywhere(q)) for p, q in fairness.compassion))

    def where(self, label: Expr) -> PartitionedSet[S]:
        return self._everywhere(self.system.where(label))

    def _everywhere(self, states: S) -> PartitionedSet[S]:
        return self.at(range(len(self.states.parts)), states)

    # Steps

    @property
    def parts(self) -> Sequence[StepPart[PartitionedSet[S]]]:
        return [self]

    def post(self, states: PartitionedSet[S]) -> PartitionedSet[S]:
        images: dict[tuple[int, ...], S] = {}
        for before in self._before:
            if before not in images:
                together = reduce(lambda a, b: a | b, (states.parts[v] for v in before), self.system.empty)
                images[before] = self.system.post(together) if together else together
        return PartitionedSet(tuple(images[before] & a for before, a in zip(self._before, self.states.parts)))

    def pre(self, states: PartitionedSet[S]) -> PartitionedSet[S]:
        before = [self.system.pre(part) if part else part for part in states.parts]
        together = (reduce(lambda a, b: a | b, (before[v] for v in after), self.system.empty) for after in self._after)
        return PartitionedSet(tuple(found & a for found, a in zip(together, self.states.parts)))

    # Single pairs

    def pick(self, states: PartitionedSet[S]) -> PartitionedSet[S]:
        if not states:
            return self.empty
        vertex = self.vertex_of(states)
        return self.at((vertex,), self.system.pick(states.parts[vertex]))

    def vertex_of(self, pair: PartitionedSet[S]) -> int:
        """The vertex of a single pair."""
        return next(vertex for vertex, part in enumerate(pair.parts) if part)

    def state_of(self, pair: PartitionedSet[S]) -> S:
        """The state of the system in a single pair."""
        return pair.parts[self.vertex_of(pair)]

    def count(self, states: PartitionedSet[S]) -> int:
        return sum(self.system.count(part) for part in states.parts)

    def describe(self, state: PartitionedSet[S]) -> State:
        return self.system.describe(self.state_of(state))

    def cost(self, states: PartitionedSet[S]) -> dict[str, int]:
        return self.system.cost(states.parts[0]) if states.parts else {}
