"""Each preimage through the next-state functions or through a relation, whichever is likely to take less.

Reference: Bustan 2002, chapter 7, asks for such a choice; Moon, Kukula, Ravi, Somenzi 2000 made one for images. The rule is ours:
           docs/decisions/0009-preimages-are-chosen.md has the measurements that its numbers come from.
Symbols:   effort is counted in nodes: those that an operation makes, and some of those that it goes through.
Invariant: all ways give the same set, so the choice changes no result; it depends on sizes, not on a clock.
Deviates:  –
Cost:      the size of each set. A relation is built when the ways that are there have taken about as much as that may cost, or
           would: at first small clusters, then of these larger ones, until there is one, or all are large.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Generic

from msgspec import Struct

from coarsest.bdd.protocol import F
from coarsest.model.machine import Kind
from coarsest.run import Run
from coarsest.space.bdd.relation.disjunctive import Disjunctive
from coarsest.space.bdd.relation.early_quantification import EarlyQuantification
from coarsest.space.bdd.relation.functions import NextStateFunctions
from coarsest.space.bdd.relation.monolithic import Monolithic, pieces
from coarsest.space.bdd.relation.step import Conjunct, ImageMethod, Step

EFFORT_FOR_EACH_FUNCTION, EFFORT_FOR_EACH_NODE = 400, 4
"""What the first, small clusters may cost, by the number of functions and by their nodes."""
LEAST_EFFORT = 20_000
"""What the functions may take in any case. In that time, four milliseconds, most small circuits are through."""
FEW_FUNCTIONS, SMALL_FUNCTIONS = 8, 200
"""With so few functions, of more nodes than these, the relation is far smaller than they are, and used alone."""
NO_EFFORT = 300
"""What is expected of the functions for sets that go through them in any case: to think about it takes as long."""
EFFORT_OF_JOINING, LEAST_EFFORT_OF_JOINING = 6, 5000
"""What larger clusters may cost, for each node of those that are there, and in any case."""
FEW_CLUSTERS, FEW_PIECES = 3, 5
"""Clusters up to this number, or small ones, are tried as one function; of more, that is seldom small."""
SMALL_RELATION = 20_000
"""Nodes of a relation that is held as one function. Where its clusters have half of that together, that is not even tried."""
GROWTH, SMALL_IN_ANY_CASE = 2.5, 6000
"""A relation of more nodes than so many times those of its clusters, and than so many, is not held as one function. The clusters
let variables go early, and an image through the whole may take a thousand times as long (slow/mod6)."""
EFFORT_OF_TRYING = 5 * SMALL_RELATION
"""When preimages through clusters have taken so much, the whole is tried for them though it grows; if it is worse, that is seen
soon."""
EFFORT_OF_PASSING = 0.1
"""For each node of the relation that a preimage goes through."""
EFFORT_BY_CLUSTERS, EFFORT_BY_WHOLE = 1.5, 2.5
"""For each node that a preimage makes, by how many are gone through for it; through functions it is one."""
FIRST_RATE, FIRST_RATE_OF_WHOLE = 4.0, 1.0
"""Nodes that are made through clusters, and through the whole, for each node of a set, before anything is known."""
MEMORY, FIRST_WEIGHT = 0.8, 100.0
"""What counts of the past at each preimage, for the sets of one search are alike, those of the next may not be; and what counts
before the first."""
NEW = 0.05
"""Share of what was expected below which a preimage was known, more or less, from an earlier one, and teaches nothing."""


def only_functions(step: Step[F]) -> bool:
    """Is the step nothing but functions, and every combination of bits a state?"""
    everything = {variable.name for variable in step.machine.of_kind(Kind.STATE)}
    given = everything == step.functions.keys() and all(conjunct.target in everything for conjunct in step.conjuncts)
    return given and all(domain == step.manager.true for domain in step.domains.values())


def is_circuit(step: Step[F]) -> bool:
    """Only functions, and of single bits?"""
    return only_functions(step) and all(variable.type.size == 2 for variable in step.machine.variables.values())


class Experience:
    """The effort that something took, for each unit of what was expected."""

    def __init__(self, rate: float, *, least: float) -> None:
        self._effort, self._expected, self._least = rate * FIRST_WEIGHT, FIRST_WEIGHT, least

    def add(self, effort: float, expected: float) -> None:
        if effort > NEW * expected:
            self._effort = MEMORY * self._effort + effort
            self._expected = MEMORY * self._expected + expected

    def effort(self, expected: float) -> float:
        return expected * max(self._least, self._effort / self._expected)


class Way(Struct, Generic[F]):
    """One way to compute preimages, and what it took lately."""

    method: ImageMethod[F]
    nodes: int
    """Those that every preimage goes through."""
    unit: float
    """What is expected for each node of a set."""
    lately: Experience
    for_each_node: float = 1.0
    """Effort, by the nodes that a preimage makes."""

    def effort(self, size: int) -> float:
        return EFFORT_OF_PASSING * self.nodes + self.lately.effort(self.unit * size)


class FunctionsOrRelation(Generic[F]):
    """The functions are only tried where the step is nothing but functions."""

    def __init__(self, step: Step[F], run: Run) -> None:
        self.manager = step.manager
        self.step = step
        self._run = run
        self._spent = 0.0
        """Since something was built."""
        self._to_build = ["pieces", "clusters", "whole", "grown whole"]

    @cached_property
    def functions(self) -> NextStateFunctions[F] | None:
        step = self.step
        if not only_functions(step) or (len(step.after) <= FEW_FUNCTIONS and self._nodes_of_functions > SMALL_FUNCTIONS):
            return None
        return NextStateFunctions(step, self._run)

    @cached_property
    def _pieces(self) -> list[Conjunct[F]]:
        return pieces(self.step, self._run)

    @cached_property
    def _clusters(self) -> EarlyQuantification[F]:
        return EarlyQuantification(self.step, self._run)

    @cached_property
    def whole(self) -> Monolithic[F] | None:
        """The relation as one function, if it is small."""
        few = "_pieces" in self.__dict__ and len(self._pieces) <= FEW_PIECES
        parts = self._pieces if few else self._clusters.clusters
        apart = self._size(parts)
        if (not few and len(parts) > FEW_CLUSTERS) or 2 * apart > SMALL_RELATION:
            return None
        limit = min(SMALL_RELATION, max(SMALL_IN_ANY_CASE, int(GROWTH * apart)))
        return Monolithic.within(self.step, parts, limit, self._run)

    @property
    def relation(self) -> ImageMethod[F]:
        return self.whole or self._clusters

    def post(self, states: F) -> F:
        return self.relation.post(states)

    def pre(self, states: F) -> F:
        if self.functions is None:
            return self.relation.pre(states)
        size = self.manager.size(states)
        if size <= self._no_matter:
            return self.functions.pre(states)
        way = self._best(size)
        while self._to_build and self._spent + way.effort(size) > self._price:
            self._build()
            way = self._best(size)
        before = self.manager.live_nodes
        result = way.method.pre(states)
        effort = way.for_each_node * max(0, self.manager.live_nodes - before)  # fewer, if the package has collected meanwhile
        way.lately.add(effort, way.unit * size)
        self._spent += effort
        return result

    @cached_property
    def _no_matter(self) -> float:
        """The size of sets that are not worth a thought, nor a note of what they took."""
        return NO_EFFORT / self._ways[0].unit

    def _best(self, size: int) -> Way[F]:
        return self._ways[0] if len(self._ways) == 1 else min(self._ways, key=lambda way: way.effort(size))

    @cached_property
    def _ways(self) -> list[Way[F]]:
        """Those that are there, at first the functions."""
        assert self.functions is not None
        mean = max(1.0, self._nodes_of_functions / max(1, len(self.step.after)))
        return [Way(self.functions, 0, mean, Experience(1.0, least=0.05))]

    @cached_property
    def _nodes_of_functions(self) -> int:
        return self.manager.size(*(bit for bits in self.step.functions.values() for bit in bits))

    def _size(self, parts: Sequence[Conjunct[F]]) -> int:
        return self.manager.size(*(part.relation for part in parts))

    @property
    def _price(self) -> float:
        """What the next thing that is built may cost."""
        if self._to_build[0] == "grown whole":
            return EFFORT_OF_TRYING
        if len(self._ways) > 1:
            return EFFORT_OF_JOINING * self._ways[-1].nodes + LEAST_EFFORT_OF_JOINING
        return self._first_price

    @cached_property
    def _first_price(self) -> float:
        price = EFFORT_FOR_EACH_FUNCTION * len(self.step.after) + EFFORT_FOR_EACH_NODE * self._nodes_of_functions
        return max(LEAST_EFFORT, price)

    def _build(self) -> None:
        """The next thing: clusters are not made of few pieces, and one part is the whole already."""
        self._spent = 0.0
        following = self._to_build.pop(0)
        if following == "whole":
            self._add(self.whole)
            return
        if following == "grown whole":
            self._add(Monolithic.within(self.step, self._clusters.clusters, SMALL_RELATION, self._run))
            return
        parts = self._pieces if following == "pieces" else self._clusters.clusters
        if len(parts) <= 1:
            self._to_build.clear()
            self._add(Monolithic.within(self.step, parts, None, self._run))
            return
        if following == "pieces" and len(parts) <= FEW_PIECES:
            self._to_build.remove("clusters")
        clusters = EarlyQuantification(self.step, self._run, clusters=parts)
        rate = Experience(FIRST_RATE * EFFORT_BY_CLUSTERS, least=0.1)
        self._ways.append(Way(clusters, self._size(parts), 1.0, rate, EFFORT_BY_CLUSTERS))

    def _add(self, whole: Monolithic[F] | None) -> None:
        if whole is not None:
            self._to_build.clear()
            rate = Experience(FIRST_RATE_OF_WHOLE * EFFORT_BY_WHOLE, least=0.1)
            self._ways.append(Way(whole, self.manager.size(whole.relation), 1.0, rate, EFFORT_BY_WHOLE))


def whole_of(method: ImageMethod[F]) -> Monolithic[F] | None:
    """The relation as one function, where the method has it, or would build it for the next image because it is small."""
    if isinstance(method, Disjunctive | FunctionsOrRelation):
        return method.whole
    return method if isinstance(method, Monolithic) else None
