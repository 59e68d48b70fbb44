"""A system beside an automaton, its sets split by the automaton's vertices: property-driven partitioning.

Reference: Sebastiani, Singerman, Tonetta, Vardi 2004, section 4 (figures 6 and 7 are then the ordinary algorithms on such sets).
Symbols:   a labelling α is a `PartitionedSet`, α(v) its part of vertex v; par_L(Y)|F is `at(F, Y)`; EX[α] is `pre`.
Invariant: (s, v) belongs to a set of the product exactly when s belongs to the part of v.
Deviates:  guards stand on edges, not on vertices: L(v) becomes the guard of the edge that is taken.
Cost:      an image takes one image of the system per vertex, on sets that are smaller than those of the product.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, reduce
from typing import Generic

from coarsest.automata.automaton import Automaton
from coarsest.logic.expr import Expr
from coarsest.space.space import Fairness, S, State, StateSpace, StepPart


class PartitionedSet(Generic[S]):
    """A set of states of the product: for each vertex of the automaton, a set of states of the system."""

    __slots__ = ("parts",)

    def __init__(self, parts: tuple[S, ...]) -> None:
        self.parts = parts

    def __and__(self, other: PartitionedSet[S]) -> PartitionedSet[S]:
        return PartitionedSet(tuple(a & b for a, b in zip(self.parts, other.parts)))

    def __or__(self, other: PartitionedSet[S]) -> PartitionedSet[S]:
        return PartitionedSet(tuple(a | b for a, b in zip(self.parts, other.parts)))

    def __sub__(self, other: PartitionedSet[S]) -> PartitionedSet[S]:
        return PartitionedSet(tuple(a - b for a, b in zip(self.parts, other.parts)))

    def __le__(self, other: PartitionedSet[S]) -> bool:
        return all(a <= b for a, b in zip(self.parts, other.parts))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PartitionedSet) and self.parts == other.parts

    def __hash__(self) -> int:
        return hash(self.parts)

    def __bool__(self) -> bool:
        return any(self.parts)


class PartitionedSpace(Generic[S]):
    """The product of a system with an automaton that reads its states; at most one acceptance set, of vertices."""

    def __init__(self, system: StateSpace[S], automaton: Automaton, *, again: Sequence[Expr] = ()) -> None:
        self.system = system
        self.automaton = automaton
        self.again = again
        """Conditions that are true again and again on the paths that count, besides what the automaton accepts."""
        vertices = range(automaton.states)
        labels: dict[Expr, S] = {}
        self._out: list[list[tuple[S, int]]] = []
        """For each vertex, what its edges read and where they lead."""
        for edges in automaton.edges:
            found = []
            for guard, _, target in edges:
                label = automaton.alphabet.expr(guard)
                if label not in labels:
                    labels[label] = system.where(label)
                found.append((labels[label], target))
            self._out.append(found)
        self._into: list[list[tuple[int, S]]] = [[] for _ in vertices]
        for source, found in enumerate(self._out):
            for reads, target in found:
                self._into[target].append((source, reads))

    # Sets

    def at(self, vertices: Iterable[int], states: S) -> PartitionedSet[S]:
        """These states of the system, at these vertices."""
        chosen = set(vertices)
        empty = self.system.empty
        return PartitionedSet(tuple(states if v in chosen else empty for v in range(self.automaton.states)))

    @cached_property
    def states(self) -> PartitionedSet[S]:
        return self.at(range(self.automaton.states), self.system.states)

    @cached_property
    def initial(self) -> PartitionedSet[S]:
        return self.at(self.automaton.initial, self.system.initial)

    @cached_property
    def empty(self) -> PartitionedSet[S]:
        return self.at((), self.system.empty)

    @cached_property
    def fairness(self) -> Fairness[PartitionedSet[S]]:
        every = range(self.automaton.states)
        fairness = self.system.fairness
        justice = [self.at(every, states) for states in (*fairness.justice, *map(self.system.where, self.again))]
        if self.automaton.sets:
            marks = self.automaton.all_sets
            accepting = [v for v, edges in enumerate(self.automaton.edges) if edges and edges[0][1] == marks]
            justice.append(self.at(accepting, self.system.states))
        compassion = tuple((self.at(every, p), self.at(every, q)) for p, q in fairness.compassion)
        return Fairness(tuple(justice), compassion)

    def where(self, label: Expr) -> PartitionedSet[S]:
        return self.at(range(self.automaton.states), self.system.where(label))

    # Steps

    @property
    def parts(self) -> Sequence[StepPart[PartitionedSet[S]]]:
        """The sets are split already: chaining over the parts of the system as well costs more steps than it saves."""
        return [self]

    def post(self, states: PartitionedSet[S]) -> PartitionedSet[S]:
        """One image of the system for each vertex that is entered."""
        result = []
        for arriving in self._into:
            leaving = [states.parts[source] & reads for source, reads in arriving if states.parts[source]]
            together = reduce(lambda a, b: a | b, leaving, self.system.empty)
            result.append(self.system.post(together) if together else together)
        return PartitionedSet(tuple(result))

    def pre(self, states: PartitionedSet[S]) -> PartitionedSet[S]:
        """One preimage of the system for each vertex that is left behind, shared by the edges into it."""
        before = [self.system.pre(part) if part else part for part in states.parts]
        result = []
        for edges in self._out:
            ways = [before[target] & reads for reads, target in edges if before[target]]
            result.append(reduce(lambda a, b: a | b, ways, self.system.empty))
        return PartitionedSet(tuple(result))

    # Single states

    def pick(self, states: PartitionedSet[S]) -> PartitionedSet[S]:
        for vertex, part in enumerate(states.parts):
            if part:
                return self.at((vertex,), self.system.pick(part))
        return self.empty

    def count(self, states: PartitionedSet[S]) -> int:
        return sum(self.system.count(part) for part in states.parts)

    def of_system(self, state: PartitionedSet[S]) -> S:
        """The state of the system in a single state of the product."""
        return next((part for part in state.parts if part), self.system.empty)

    def describe(self, state: PartitionedSet[S]) -> State:
        return self.system.describe(self.of_system(state))

    def cost(self, states: PartitionedSet[S]) -> dict[str, int]:
        return self.system.cost(states.parts[0]) if states.parts else {}
