"""Each preimage through the next-state functions or through a relation, whichever is likely to take less.

Reference: Bustan 2002, chapter 7, asks for such a choice; Moon, Kukula, Ravi, Somenzi 2000 made one for images. The rule is ours:
           docs/decisions/0009-preimages-are-chosen.md has the measurements that its numbers come from.
Symbols:   effort is counted in nodes: those that an operation makes, and some of those that it goes through.
Invariant: both ways give the same set, so the choice changes no result; it depends on sizes, not on a clock.
Deviates:  –
Cost:      the size of each set; the relation is built when the functions have taken about as much as that may cost, or would.
           A large relation that is one function is not tried: on some circuits that would be the best way (vis4arbitp1).
"""

from __future__ import annotations

from functools import cached_property
from math import cbrt
from typing import Generic

from coarsest.bdd.protocol import F
from coarsest.model.machine import Kind
from coarsest.run import Run
from coarsest.space.bdd.relation.disjunctive import Disjunctive
from coarsest.space.bdd.relation.early_quantification import CLUSTER_NODES, EarlyQuantification, cluster
from coarsest.space.bdd.relation.functions import NextStateFunctions
from coarsest.space.bdd.relation.monolithic import Monolithic
from coarsest.space.bdd.relation.step import Conjunct, ImageMethod, Step

EFFORT_OF_BUILDING = 3.5
"""To build a relation takes so many times (pq)^⅔ m^⅓, where p bits occur q times in functions of at most m nodes."""
LEAST_EFFORT = 15_000
"""What the functions may take in any case. In that time, a few milliseconds, most small circuits are through."""
FEW_FUNCTIONS, SMALL_FUNCTIONS = 8, 200
"""With so few functions, of more nodes than these, the relation is far smaller than they are, and used alone."""
FEW_CLUSTERS = 3
"""Clusters up to this number are tried as one function; of more, that is seldom small."""
SMALL_RELATION = 20_000
"""Nodes of a relation that is held as one function. Where its clusters have half of that together, that is not even tried."""
GROWTH, SMALL_IN_ANY_CASE = 2.5, 6000
"""A relation of more nodes than so many times those of its clusters, and than so many, is not held as one function. The clusters
let variables go early, and an image through the whole may take a thousand times as long (slow/mod6)."""
EFFORT_OF_PASSING = 0.3
"""For each node of the relation that a preimage goes through."""
MEMORY = 0.9
"""What counts of the past at each preimage: the sets of one search are alike, those of the next may not be."""


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

    def __init__(self, rate: float, weight: float) -> None:
        self._effort, self._expected = rate * weight, weight

    def add(self, effort: float, expected: float) -> None:
        self._effort = MEMORY * self._effort + effort
        self._expected = MEMORY * self._expected + expected

    def effort(self, expected: float) -> float:
        return expected * self._effort / self._expected


class FunctionsOrRelation(Generic[F]):
    """The functions are only tried where the step is nothing but functions."""

    def __init__(self, step: Step[F], run: Run) -> None:
        self.manager = step.manager
        self.step = step
        self._run = run
        self._spent = 0.0
        self._by_functions = Experience(1.0, 100.0)
        self._by_relation = Experience(2.0, 100.0)

    @cached_property
    def functions(self) -> NextStateFunctions[F] | None:
        step = self.step
        if not only_functions(step):
            return None
        sizes = (self.manager.size(*bits) for bits in step.functions.values())
        large_and_few = len(step.after) <= FEW_FUNCTIONS and sum(sizes) > SMALL_FUNCTIONS
        return None if large_and_few else NextStateFunctions(step, self._run)

    @cached_property
    def _clusters(self) -> list[Conjunct[F]]:
        return cluster(self.manager, self.step.conjuncts, limit=CLUSTER_NODES, run=self._run)

    @cached_property
    def whole(self) -> Monolithic[F] | None:
        """The relation as one function, if it is small."""
        apart = self.manager.size(*(conjunct.relation for conjunct in self._clusters))
        if len(self._clusters) > FEW_CLUSTERS or 2 * apart > SMALL_RELATION:
            return None
        limit = min(SMALL_RELATION, max(SMALL_IN_ANY_CASE, int(GROWTH * apart)))
        together = cluster(self.manager, self._clusters, limit=limit, run=self._run)
        return Monolithic(self.step, together) if len(together) <= 1 else None

    @cached_property
    def relation(self) -> ImageMethod[F]:
        return self.whole or EarlyQuantification(self.step, self._run, clusters=self._clusters)

    def post(self, states: F) -> F:
        return self.relation.post(states)

    def pre(self, states: F) -> F:
        if self.functions is None:
            return self.relation.pre(states)
        size = self.manager.size(states)
        expected = size * self._mean
        by_functions = self._by_functions.effort(expected)
        ahead = self._spent + by_functions
        if "whole" not in self.__dict__ and (ahead <= LEAST_EFFORT or ahead <= self._price):
            return self._measured(self.functions, states, self._by_functions, expected)
        if by_functions <= EFFORT_OF_PASSING * self._nodes + self._by_relation.effort(size):
            return self._measured(self.functions, states, self._by_functions, expected)
        return self._measured(self.relation, states, self._by_relation, size)

    def _measured(self, way: ImageMethod[F], states: F, experience: Experience, expected: float) -> F:
        before = self.manager.live_nodes
        result = way.pre(states)
        effort = max(0, self.manager.live_nodes - before)  # fewer, if the package has collected in the middle
        experience.add(effort, expected)
        self._spent += effort
        return result

    @cached_property
    def _sizes(self) -> dict[int, int]:
        """Nodes of the function that stands for each present bit."""
        return {} if self.functions is None else {now: self.manager.size(f) for now, f in self.functions.of_bits.items()}

    @cached_property
    def _mean(self) -> float:
        return sum(self._sizes.values()) / max(1, len(self._sizes))

    @cached_property
    def _price(self) -> float:
        supports = [conjunct.support for conjunct in self.step.conjuncts]
        pairs = len(frozenset().union(*supports)) * sum(map(len, supports))
        return EFFORT_OF_BUILDING * cbrt(pairs**2 * max(self._sizes.values(), default=0))

    @cached_property
    def _nodes(self) -> int:
        """Of the relation, which is built if it is not there yet."""
        parts = [c.relation for c in self._clusters] if self.whole is None else [self.whole.relation]
        return self.manager.size(*parts)


def whole_of(method: ImageMethod[F]) -> Monolithic[F] | None:
    """The relation as one function, where the method has it, or would build it for the next image because it is small."""
    if isinstance(method, Disjunctive | FunctionsOrRelation):
        return method.whole
    return method if isinstance(method, Monolithic) else None
