"""Each preimage through the next-state functions or through a relation, whichever is likely to take less.

Reference: Bustan 2002, chapter 7, asks for such a choice; Moon, Kukula, Ravi, Somenzi 2000 made one for images. The rule is ours:
           docs/decisions/0009-preimages-are-chosen.md has the measurements that its numbers come from.
Symbols:   –
Invariant: all ways give the same set, so that the choice changes no result. It goes by CPU time: which way is taken may differ
           from run to run.
Deviates:  –
Cost:      the size of each set. Other ways than the usual one are tried for a share of what preimages have taken. Clusters are
           built when functions have taken about what that costs; to join them takes a share of what preimages through them took.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from time import process_time
from typing import Generic

from coarsest.bdd.in_time import SPLITS, Patience
from coarsest.bdd.protocol import F
from coarsest.run import Run
from coarsest.space.bdd.relation.disjunctive import Disjunctive
from coarsest.space.bdd.relation.early_quantification import EarlyQuantification
from coarsest.space.bdd.relation.experience import MOST_UNSURE, Way
from coarsest.space.bdd.relation.functions import NextStateFunctions
from coarsest.space.bdd.relation.monolithic import Joining, Monolithic, pieces
from coarsest.space.bdd.relation.step import Conjunct, ImageMethod, Step, enough_functions

FEW_PIECES, FEW_CLUSTERS = 5, 3
"""So many small clusters, or larger ones, are tried as one function for images; of more, that is seldom small."""
SMALL_RELATION = 20_000
"""Nodes of a relation that is soon held as one function. Where its clusters have half of that together, that is not tried."""
GROWTH, SMALL_IN_ANY_CASE = 2.5, 6000
"""A relation of more nodes than so many times those of its clusters, and than so many, is not soon held as one function. The
clusters let variables go early, and an image through the whole may take a thousand times as long (slow/mod6)."""
GROWTH_BY_FUNCTIONS, GROWTH_BY_CLUSTERS, GROWTH_BY_WHOLE = 1.15, 0.75, 0.6
"""By which power of the nodes of a set the seconds of its preimage grow, in the median of 100 circuits: a relation is gone
through as a whole, however small the set is."""
SECONDS_BY_FUNCTIONS, FIRST_SIZE = 0.4e-6, 50
"""For each node of a set and each of a function of mean size, before anything is known; for sets of that size."""
LITTLE, MANY_LITTLES, THOUGHTS = 1e-4, 0.02, 10
"""Seconds that are not worth a thought, unless there are many of them: together as many as these. Then there is one whenever
so many times as much has been spent: it takes 20 µs."""
SECONDS_TO_CLUSTER, SECONDS_FOR_EACH_CONJUNCT, SECONDS_FOR_EACH_NODE = 3e-4, 8e-5, 5e-7
"""What clusters cost, about: most of it is to put the conjuncts in order."""
SECONDS_BY_CLUSTERS = 1.5e-7
"""For each node of the relation, before anything is known."""
GUESS, HOPE_OF_WHOLE = 0.1, 0.5
"""How much a guess counts beside the first preimage; and what is guessed of the whole, as a share of what the usual way takes."""
SHARE_OF_JOINING, SHARE_OF_JOINING_FEW, LEAST_PREIMAGE, PAUSE = 0.12, 0.25, 5e-4, 2.0
"""The whole may cost that share of what preimages through clusters have taken, if the one that is to come takes so many seconds;
the larger one if there are few clusters. Who had to give up waits until so many times as much may be spent."""
LARGE_WHOLE = 20
"""It is left for good when it has so many times the nodes of the clusters."""
SMALL_BESIDE_FUNCTIONS, SHARE_FOR_SMALL = 5000, 0.4
"""Nodes of a relation that is joined, once, if functions are the usual way, for it may be far quicker then; and what share of the
time that is free for trials may be spent on it."""
PATIENCE, PATIENCE_WITH_OTHERS, LEAST_PATIENCE = 2.0, 8.0, 2e-3
"""A preimage is given up when it takes so many times what is expected of this way and of the next, and more where little is known
of it. The next may take so many times as long as this one was waited for, and so on. One that is expected to take fewer seconds
than the last of these is not given up."""
ADVANTAGE = 1.5
"""Another way than usual is tried where it is expected to be so many times as fast."""
SHARE_OF_TRIALS, FREE_TRIALS, SHARE_OF_START = 0.15, 0.02, 0.1
"""Preimages that were given up have taken no more than that share of all, and these seconds or a share of those before the first
one, when another way than usual is tried. For such a share clusters are built where they may be quicker."""
SPLITS_IF_STEADY, SPLITS_OF_JOINING = 3, 8
"""If the last preimage by a way did not take much longer than expected, and this set is not much larger, there are fewer parts,
and fewer looks at the clock: with more of them, small preimages take a third longer. Joining has more parts."""
OLD, REST = 4.0, 2.0
"""When all preimages have taken so many times what they had when a way was taken last, nothing is sure of it any more; and when
they have taken so many times what they had when it was given up, it may be tried again."""
ALIKE, SMALLEST_ASKED, LARGEST_ASKED = 0.2, 10, 4096
"""A new way is first asked for the preimage of an earlier set, of at most that share of the nodes of the one that is to come."""


class FunctionsOrRelation(Generic[F]):
    """The functions are only tried where the step is nothing but functions and small constraints."""

    def __init__(self, step: Step[F], run: Run) -> None:
        self.manager = step.manager
        self.step = step
        self._run = run
        self._spent, self._lost, self._littles = 0.0, 0.0, 0.0
        """Seconds of preimages, of those that were given up or only asked for to see how long they take, and of little ones."""
        self._thinks_at = 0.0
        """When so many seconds have been spent, little preimages are worth a thought again."""
        self._spent_joining, self._paused = 0.0, 0.0
        """Seconds of joining, and how many may have to be there for that to go on."""
        self._earlier: dict[int, tuple[int, F]] = {}
        """A set of each order of magnitude, with its size."""

    @cached_property
    def functions(self) -> NextStateFunctions[F] | None:
        return NextStateFunctions(self.step, self._run) if enough_functions(self.step) else None

    @cached_property
    def _pieces(self) -> list[Conjunct[F]]:
        return pieces(self.step, self._run)

    @cached_property
    def _clusters(self) -> EarlyQuantification[F]:
        return EarlyQuantification(self.step, self._run)

    @cached_property
    def _joining(self) -> Joining[F]:
        return Joining(self.step, self._pieces, self._run)

    @cached_property
    def whole(self) -> Monolithic[F] | None:
        """The relation as one function, if it is small."""
        few = "_pieces" in self.__dict__ and len(self._pieces) <= FEW_PIECES
        parts = self._pieces if few else self._clusters.clusters
        apart = self._size(parts)
        if (not few and len(parts) > FEW_CLUSTERS) or 2 * apart > SMALL_RELATION:
            return None
        joining = self._joining if few else Joining(self.step, parts, self._run)
        return joining.within(min(SMALL_RELATION, max(SMALL_IN_ANY_CASE, int(GROWTH * apart))))

    @property
    def relation(self) -> Monolithic[F] | EarlyQuantification[F]:
        return self.whole or self._clusters

    def post(self, states: F) -> F:
        return self.relation.post(states)

    def pre(self, states: F) -> F:
        functions = self.functions
        if functions is None:
            return self.relation.pre(states)
        size = self.manager.size(states)
        if size <= self._little and self._littles < MANY_LITTLES:
            result, seconds = self._plainly(self._ways[0], states)
            self._littles += seconds
            if seconds > LITTLE:
                self._ways[0].took(seconds, size)
        elif self._spent < self._thinks_at and self._usual.expected(size) < LITTLE:
            result, seconds = self._plainly(self._usual, states)
            self._usual.took(seconds, size)
        else:
            result = self._quickest(states, size)
            self._thinks_at = self._spent + THOUGHTS * LITTLE
        if SMALLEST_ASKED <= size <= LARGEST_ASKED:
            self._earlier[size.bit_length()] = size, states
        return result

    def pre_within(self, states: F, patience: Patience) -> F | None:
        """None if it takes too long; nothing is learnt from it."""
        return (self.functions or self.relation).pre_within(states, patience)

    def _plainly(self, way: Way[F], states: F) -> tuple[F, float]:
        """The preimage, and the seconds that it took."""
        began = process_time()
        preimage = way.method.pre(states)
        seconds = process_time() - began
        self._spent += seconds
        return preimage, seconds

    def _quickest(self, states: F, size: int) -> F:
        """By the usual way, or one that is expected to take far less. If it takes much longer, another has its turn."""
        ways = self._all_ways(size)
        usual = self._usual
        turns = [usual, *sorted((way for way in ways if way is not usual), key=lambda way: way.expected(size))]
        if len(turns) > 1 and self._is_worth_a_trial(turns[1], size):
            turns[:2] = turns[1], usual
            left, far_less = self._left_for_trials(size), usual.expected(size) / ADVANTAGE
            seconds = min(usual.unsure(size) * usual.expected(size), max(left, min(PATIENCE * left, far_less)))
        else:
            seconds = self._enough(turns, size)
        while True:
            preimage = self._through(turns[0], states, size, seconds)
            if preimage is not None:
                self._usual = turns[0]
                return preimage
            if len(turns) > 1:
                turns = [*turns[1:], turns[0]]
            else:
                self._add_clusters(size)
                turns = [self._ways[1], usual]
            seconds = PATIENCE_WITH_OTHERS * max(LEAST_PATIENCE, seconds)
            if turns[0] is usual:
                seconds = max(seconds, self._enough(turns, size))

    def _enough(self, turns: Sequence[Way[F]], size: int) -> float:
        """The seconds after which the first of these ways is given up."""
        if len(turns) == 1:
            return self._price
        first = max(PATIENCE, turns[0].unsure(size)) * turns[0].expected(size)
        return max(first, PATIENCE * min(way.expected(size) for way in turns[1:]))

    def _is_worth_a_trial(self, way: Way[F], size: int) -> bool:
        """May it take far less than the usual way, and is there time to see whether it does?"""
        if self._spent < way.waits or (self._usual.expected(size) < LEAST_PATIENCE and self._spent < MANY_LITTLES):
            return False
        unsure = way.unsure(size) if self._spent < way.is_old_at else MOST_UNSURE
        far_less, at_best = self._usual.expected(size) / ADVANTAGE, way.expected(size) / unsure
        return at_best < far_less and min(far_less, PATIENCE * at_best) < self._left_for_trials(size)

    def _left_for_trials(self, size: int) -> float:
        """What is to come by the usual way counts as spent: of that a share may be lost, too."""
        spent = self._spent + self._usual.expected(size)
        return max(FREE_TRIALS, self._free) + SHARE_OF_TRIALS * spent - self._lost

    @cached_property
    def _free(self) -> float:
        """What does not matter beside all that was done before the first preimage that was worth a thought."""
        return SHARE_OF_START * self._run.seconds

    def _through(self, way: Way[F], states: F, size: int, seconds: float) -> F | None:
        """The preimage, and what is learnt from it; None if it takes more than these seconds."""
        began = process_time()
        if way is self._usual and way.expected(size) < LEAST_PATIENCE:
            preimage: F | None = way.method.pre(states)
        else:
            splits = SPLITS_IF_STEADY if way.is_steady(size) else SPLITS
            preimage = way.method.pre_within(states, Patience(max(LEAST_PATIENCE, seconds), splits))
        taken = process_time() - began
        self._spent += taken
        way.is_old_at = OLD * self._spent
        if preimage is None:
            self._lost += taken
            way.waits = REST * self._spent
            way.was_given_up(taken, size)
        else:
            way.took(taken, size)
        return preimage

    @cached_property
    def _ways(self) -> list[Way[F]]:
        """Those that are there, at first the functions."""
        assert self.functions is not None
        mean = max(1.0, self._nodes_of_functions / max(1, len(self.step.after)))
        seconds = SECONDS_BY_FUNCTIONS * mean * FIRST_SIZE
        return [Way(self.functions, GROWTH_BY_FUNCTIONS, seconds, FIRST_SIZE**GROWTH_BY_FUNCTIONS)]

    @cached_property
    def _usual(self) -> Way[F]:
        """The one that was taken last."""
        return self._ways[0]

    @cached_property
    def _little(self) -> float:
        """The size of sets that are not worth a thought."""
        return LITTLE * FIRST_SIZE / self._ways[0].seconds

    @cached_property
    def _price(self) -> float:
        """What clusters cost, about. To count a million nodes takes 6 ms."""
        to_order = SECONDS_TO_CLUSTER + SECONDS_FOR_EACH_CONJUNCT * len(self.step.conjuncts)
        return to_order + SECONDS_FOR_EACH_NODE * self._nodes_of_relation

    @cached_property
    def _nodes_of_relation(self) -> int:
        return max(self._nodes_of_functions, self._size(self.step.conjuncts))

    @property
    def _guess_of_clusters(self) -> float:
        """The seconds of a preimage."""
        return SECONDS_BY_CLUSTERS * self._nodes_of_relation

    @cached_property
    def _nodes_of_functions(self) -> int:
        return self.manager.size(*(bit for bits in self.step.functions.values() for bit in bits))

    def _size(self, parts: Sequence[Conjunct[F]]) -> int:
        return self.manager.size(*(part.relation for part in parts))

    def _all_ways(self, size: int) -> list[Way[F]]:
        """Those that are there before the preimage of a set of that size, when what is due has been built."""
        ways = self._ways
        if len(ways) == 1:  # there are no clusters yet
            expected = ways[0].expected(size)
            may_be_quicker = self._price < self._free and LEAST_PATIENCE + self._guess_of_clusters < expected
            if not may_be_quicker and "_clusters" not in self.__dict__ and self._spent + expected <= self._price:
                return ways
            self._add_clusters(size)
            self._ask(size)
        if not isinstance(ways[-1].method, Monolithic) and len(self._clusters.clusters) > 1:
            expected = self._usual.expected(size)
            whole = self._joined_whole(expected)
            if whole is not None:
                units = GUESS * size**GROWTH_BY_WHOLE
                ways.append(Way(whole, GROWTH_BY_WHOLE, HOPE_OF_WHOLE * GUESS * expected, units))
                self._ask(size)
        return ways

    def _add_clusters(self, size: int) -> None:
        """Before the preimage of a set of that size."""
        self._clusters.prepare()
        units = GUESS * size**GROWTH_BY_CLUSTERS
        self._ways.append(Way(self._clusters, GROWTH_BY_CLUSTERS, GUESS * self._guess_of_clusters, units))

    def _joined_whole(self, expected: float) -> Monolithic[F] | None:
        """The relation as one function, if it is there or may be joined for what it costs, before a preimage of these seconds."""
        if self.__dict__.get("whole") is not None:
            return self.whole
        if expected < LEAST_PREIMAGE:
            return None
        if not isinstance(self._usual.method, EarlyQuantification):
            cheap = PATIENCE * self._price < max(FREE_TRIALS, self._free)
            return self._small_whole if cheap and expected > LEAST_PATIENCE else None
        few = len(self._clusters.clusters) <= FEW_CLUSTERS
        allowed = (SHARE_OF_JOINING_FEW if few else SHARE_OF_JOINING) * self._usual.all_seconds
        if allowed < max(self._paused, self._spent_joining, self._price):
            return None
        began = process_time()
        whole = self._join(allowed - self._spent_joining, LARGE_WHOLE * self._size(self._clusters.clusters))
        self._spent_joining += process_time() - began
        if whole is None:
            self._paused = PAUSE * allowed if "_joining" in self.__dict__ else float("inf")
        return whole

    @cached_property
    def _small_whole(self) -> Monolithic[F] | None:
        """Where functions are better than clusters, one that is not small is seldom better than functions, and it must not be
        there when variables are reordered."""
        whole = self._join(SHARE_FOR_SMALL * max(FREE_TRIALS, self._free), SMALL_BESIDE_FUNCTIONS)
        if whole is None:
            self.__dict__.pop("_joining", None)
        return whole

    def _join(self, seconds: float, most_nodes: int) -> Monolithic[F] | None:
        """The rest of the relation, unless it takes too long or has more nodes than these: then what was joined is gone."""
        joining, patience = self._joining, Patience(seconds, SPLITS_OF_JOINING)
        while not joining.complete:
            if joining.size > most_nodes:
                del self._joining  # nobody goes on with it, and it must not be among the nodes that are ordered
                return None
            if patience.over or not joining.join(patience):
                return None
        return joining.whole

    def _ask(self, size: int) -> None:
        """The newest way for the preimage of a small earlier set: if it is a bad one, that costs little."""
        small = [earlier for earlier in self._earlier.values() if earlier[0] <= ALIKE * size]
        if small:
            nodes, states = max(small, key=lambda earlier: earlier[0])
            *others, newest = self._ways
            began = process_time()
            if self._through(newest, states, nodes, min(other.expected(nodes) for other in others)) is not None:
                self._lost += process_time() - began


def whole_of(method: ImageMethod[F]) -> Monolithic[F] | None:
    """The relation as one function, where the method has it, or would build it for the next image because it is small."""
    if isinstance(method, Disjunctive | FunctionsOrRelation):
        return method.whole
    return method if isinstance(method, Monolithic) else None
