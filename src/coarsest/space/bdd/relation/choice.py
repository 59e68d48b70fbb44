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
from coarsest.space.bdd.relation.monolithic import Joining, Monolithic, pieces
from coarsest.space.bdd.relation.step import Conjunct, ImageMethod, Step

EFFORT_FOR_EACH_FUNCTION, EFFORT_FOR_EACH_NODE, LEAST_EFFORT = 400, 4, 15_000
"""What the first, small clusters may cost, by the number of functions and by their nodes, and in any case."""
FEW_FUNCTIONS, SMALL_FUNCTIONS = 8, 200
"""With so few functions, of more nodes than these, the relation is far smaller than they are, and used alone."""
SMALL_CONSTRAINTS = 100
"""Nodes of constraints of single bits that are conjoined to each preimage through functions."""
LITTLE_EFFORT = 1000
"""What is expected of the functions for sets that go through them in any case, a third of a millisecond."""
EFFORT_OF_JOINING, LEAST_EFFORT_OF_JOINING = 6, 5000
"""What larger clusters may cost, for each node of those that are there, and in any case."""
VERY_FEW_PIECES, FEW_PIECES, FEW_CLUSTERS = 4, 5, 3
"""Small clusters up to the first number are joined at once, if they become no larger. Up to the others, these and the larger ones
are tried as one function soon; of more, that is seldom small."""
SMALL_RELATION = 20_000
"""Nodes of a relation that is soon held as one function. Where its clusters have half of that together, that is not tried."""
GROWTH, SMALL_IN_ANY_CASE = 2.5, 6000
"""A relation of more nodes than so many times those of its clusters, and than so many, is not soon held as one function. The
clusters let variables go early, and an image through the whole may take a thousand times as long (slow/mod6)."""
EFFORT_OF_TRYING, SHARE_OF_TRYING, GAIN = 100_000, 0.5, 0.5
"""When the way that is best has taken so much in all, the whole is tried though it is not small: as long as it costs no more than
that share of what the way has taken, if its next part makes it grow by the square of what the last did, and as long as the next
preimage is expected to take no more than that share of what it would take otherwise."""
LARGE_SET, TRYING_FOR_LARGE_SET = 10_000, 30
"""For a set of more nodes than these, it may cost so much for each of them: whatever it is, it costs more through clusters."""
EFFORT_OF_PASSING = 0.3
"""For each node of the relation that a preimage goes through."""
EFFORT_BY_CLUSTERS, EFFORT_BY_WHOLE, MOST_EFFORT_BY_WHOLE, NODES_FOR_MORE = 1.5, 2.0, 5.0, 5000
"""For each node that a preimage makes, by how many are gone through for it; through functions it is one. Through the whole it is
one more for each 5000 nodes of that."""
FIRST_RATE_OF_WHOLE = 1.0
"""Nodes that are made through the whole for each node of a set, before anything is known. Through clusters it is the square of
their number: they were about 5 of three clusters, 15 of five, 50 of nine, 200 of twelve, and 1000 of twenty."""
ALIKE, SMALLEST_ASKED, LARGEST_ASKED = 0.1, 15, 4096
"""A new way is first asked for the preimage of an earlier set, of at most that share of the nodes of the one that is to come."""
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


def _enough_functions(step: Step[F]) -> bool:
    """Only functions, or of single bits with small constraints beside them?"""
    if only_functions(step):
        return True
    bits = all(variable.type.size == 2 for variable in step.machine.variables.values())
    states = {variable.name for variable in step.machine.of_kind(Kind.STATE)}
    constraints = [conjunct.relation for conjunct in step.conjuncts if conjunct.target not in states]
    return bits and states == step.functions.keys() and step.manager.size(*constraints) <= SMALL_CONSTRAINTS


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
    taken: float = 0.0
    """The effort of all preimages that went this way."""

    @property
    def passing(self) -> float:
        return EFFORT_OF_PASSING * self.nodes

    def effort(self, size: int) -> float:
        return self.passing + self.lately.effort(self.unit * size)


class FunctionsOrRelation(Generic[F]):
    """The functions are only tried where the step is nothing but functions."""

    def __init__(self, step: Step[F], run: Run) -> None:
        self.manager = step.manager
        self.step = step
        self._run = run
        self._spent = 0.0
        """Since something was built."""
        self._to_build = ["pieces", "clusters", "whole"]
        self._earlier: dict[int, tuple[int, F]] = {}
        """A set of each order of magnitude, with its size."""

    @cached_property
    def functions(self) -> NextStateFunctions[F] | None:
        step = self.step
        if not _enough_functions(step) or (len(step.after) <= FEW_FUNCTIONS and self._nodes_of_functions > SMALL_FUNCTIONS):
            return None
        return NextStateFunctions(step, self._run)

    @cached_property
    def _pieces(self) -> list[Conjunct[F]]:
        return pieces(self.step, self._run)

    @cached_property
    def _clusters(self) -> EarlyQuantification[F]:
        return EarlyQuantification(self.step, self._run)

    @cached_property
    def _joining(self) -> Joining[F]:
        return Joining(self.step, self._pieces if "_pieces" in self.__dict__ else self._clusters.clusters, self._run)

    @cached_property
    def whole(self) -> Monolithic[F] | None:
        """The relation as one function, if it is small."""
        few = "_pieces" in self.__dict__ and len(self._pieces) <= FEW_PIECES
        parts = self._pieces if few else self._clusters.clusters
        apart = self._size(parts)
        if (not few and len(parts) > FEW_CLUSTERS) or 2 * apart > SMALL_RELATION:
            return None
        whole = self._joining.within(min(SMALL_RELATION, max(SMALL_IN_ANY_CASE, int(GROWTH * apart))))
        if self.functions is None:
            del self._joining  # nobody goes on with what is too large, and it must not be among the nodes that are ordered
        return whole

    @property
    def relation(self) -> ImageMethod[F]:
        return self.whole or self._clusters

    def post(self, states: F) -> F:
        return self.relation.post(states)

    def pre(self, states: F) -> F:
        if self.functions is None:
            return self.relation.pre(states)
        size = self.manager.size(states)
        way = self._ways[0] if size <= self._little else self._choose(size)
        result = self._through(way, states, size if size > self._little else 0)
        if SMALLEST_ASKED <= size <= LARGEST_ASKED:
            self._earlier[size.bit_length()] = size, states
        return result

    def _through(self, way: Way[F], states: F, size: int) -> F:
        """The preimage, and what is learnt from it, unless the set has no size."""
        before = self.manager.live_nodes
        result = way.method.pre(states)
        effort = way.for_each_node * max(0, self.manager.live_nodes - before)  # fewer, if the package has collected meanwhile
        if size:
            way.lately.add(effort, way.unit * size)
        self._spent += effort + way.passing
        way.taken += effort + way.passing
        return result

    @cached_property
    def _little(self) -> float:
        """The size of sets that are not worth a thought."""
        return LITTLE_EFFORT / self._ways[0].unit

    def _choose(self, size: int) -> Way[F]:
        """The way on which the least is expected, when what is due has been built."""
        way = self._best(size)
        while self._to_build and self._spent + way.effort(size) > self._price:
            self._build(size)
            way = self._best(size)
        if not self._to_build and not isinstance(self._ways[-1].method, Monolithic):
            self._grow(size, way)
            return self._best(size)
        return way

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
        if len(self._ways) > 1:
            return EFFORT_OF_JOINING * self._ways[-1].nodes + LEAST_EFFORT_OF_JOINING
        return self._first_price

    @cached_property
    def _first_price(self) -> float:
        price = EFFORT_FOR_EACH_FUNCTION * len(self.step.after) + EFFORT_FOR_EACH_NODE * self._nodes_of_functions
        return max(LEAST_EFFORT, price)

    def _build(self, size: int) -> None:
        """The next thing, before the preimage of a set of that size."""
        self._spent = 0.0
        following = self._to_build.pop(0)
        if following == "whole":
            if self.whole is not None:
                self._add_whole(self.whole, size)
            return
        parts = self._pieces if following == "pieces" else self._clusters.clusters
        apart = self._size(parts)
        if len(parts) <= 1 or (following == "pieces" and len(parts) <= VERY_FEW_PIECES):
            whole = self._joining.within(apart if len(parts) > 1 else None)
            if whole is not None:
                self._add_whole(whole, size)
                return
        if following == "pieces" and len(parts) <= FEW_PIECES:
            self._to_build.remove("clusters")
        rate = Experience(EFFORT_BY_CLUSTERS * len(parts) ** 2, least=0.1)
        self._add(Way(EarlyQuantification(self.step, self._run, clusters=parts), apart, 1.0, rate, EFFORT_BY_CLUSTERS), size)

    def _grow(self, size: int, otherwise: Way[F]) -> None:
        """Go on with the whole while it seems to be worth that, for a set that would go the other way."""
        if size <= LARGE_SET and otherwise.taken < EFFORT_OF_TRYING:
            return
        joining = self._joining
        while not joining.complete:
            expected = EFFORT_OF_PASSING * joining.size + _effort_by_whole(joining.size) * size
            affordable = joining.made + joining.size * joining.growth**2 < SHARE_OF_TRYING * otherwise.taken
            small = size > LARGE_SET and joining.made + joining.size * joining.growth < TRYING_FOR_LARGE_SET * size
            if expected > GAIN * otherwise.effort(size) or not (affordable or small):
                return
            joining.join()
        self._add_whole(joining.whole, size)

    def _add_whole(self, whole: Monolithic[F], size: int) -> None:
        self._to_build.clear()
        nodes = self.manager.size(whole.relation)
        made = _effort_by_whole(nodes)
        self._add(Way(whole, nodes, 1.0, Experience(FIRST_RATE_OF_WHOLE * made, least=0.1), made), size)

    def _add(self, way: Way[F], size: int) -> None:
        """A new way, which is asked for the preimage of a small earlier set: if it is a bad one, that costs little."""
        self._ways.append(way)
        small = [earlier for earlier in self._earlier.values() if earlier[0] <= ALIKE * size]
        if small:
            nodes, states = max(small, key=lambda earlier: earlier[0])
            self._through(way, states, nodes)


def _effort_by_whole(nodes: int) -> float:
    return min(MOST_EFFORT_BY_WHOLE, EFFORT_BY_WHOLE + nodes / NODES_FOR_MORE)


def whole_of(method: ImageMethod[F]) -> Monolithic[F] | None:
    """The relation as one function, where the method has it, or would build it for the next image because it is small."""
    if isinstance(method, Disjunctive | FunctionsOrRelation):
        return method.whole
    return method if isinstance(method, Monolithic) else None
