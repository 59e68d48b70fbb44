"""Generalised symbolic trajectory evaluation: does a system satisfy an assertion graph?

Reference: Sebastiani, Singerman, Tonetta, Vardi 2004, figures 4 and 5, after Yang, Seger 2000; the semantics is definition 4.
Symbols:   α is `reached`, ant `product.states` or what is left of it, cons `product.meeting`; α|F is `reached & final`.
Invariant: α(v) holds states s that some initial trace of the system reaches at v along the antecedents, and grows;
           in figure 5, ant(v) contains every state from which a fair path goes on along the antecedents, and shrinks.
Deviates:  figure 4 compares with the consequents at final vertices only. By definition 4 a violation counts at every vertex from
           which the path can be continued to a final one, so what cannot be continued is pruned in the finite semantics, too.
           The figure's own test is `figure_4`; it is right where the consequents are trivial off the final vertices.
           Images are of the newly found states alone, not of all. Pruning may wait until a violation has been reached
           (`prune="late"`): then what can be continued is looked for from there, among the states reached.
           Figure 5 assumes a fair set; without any, that of all vertices is taken. Fairness of the system counts as well;
           compassion is left to the algorithms of `check.fair_states`.
Cost:      forwards, one image per ring; figure 5, for each round and fair set one backward reachability.
"""

from __future__ import annotations

from typing import Generic, TypeAlias

from msgspec import Struct

from coarsest.model.assertion_graph import Semantics
from coarsest.run import Run
from coarsest.search.fair_states import fair_hull
from coarsest.search.paths import path_to
from coarsest.search.reachability import BreadthFirst
from coarsest.search.until import until
from coarsest.search.witness import Path, fair_lasso, shortest
from coarsest.space.assertion_graph_product import AssertionGraphProduct
from coarsest.space.partitioned import PartitionedSet
from coarsest.space.space import S, StateSpace
from coarsest.space.views import RestrictedSpace

Labelling: TypeAlias = PartitionedSet[S]


class Outcome(Struct, Generic[S], frozen=True):
    """A violating path of the product, or None, and the pairs that were reached: all that can be, if there is no path."""

    path: Path[PartitionedSet[S]] | None
    reached: PartitionedSet[S]
    rings: int


class _Continued(Struct, Generic[S], frozen=True):
    """The pairs from which a path can be continued as the semantics asks, and among them those where fair cycles are."""

    pairs: PartitionedSet[S]
    hull: PartitionedSet[S]


def gste(product: AssertionGraphProduct[S], run: Run, *, prune: str = "late", fair: str = "auto") -> Outcome[S]:
    """Figure 4, by definition 4: look for a trace that satisfies the antecedents of an accepting path and not all consequents."""
    return _early(product, run, fair) if prune == "early" else _late(product, run, fair)


def _early(product: AssertionGraphProduct[S], run: Run, fair: str) -> Outcome[S]:
    """As in the figure: first prune, then reach, then compare."""
    continued = _continuation(product, run, product.states, fair)
    search = BreadthFirst(RestrictedSpace(product, continued.pairs), product.initial & continued.pairs)
    rings = search.meet(continued.pairs - product.meeting, run)
    path = None if rings is None else _counterexample(product, run, rings, continued)
    return Outcome(path, search.reached, len(rings or search.rings))


def _late(product: AssertionGraphProduct[S], run: Run, fair: str) -> Outcome[S]:
    """Prune only where a consequent is violated: from the nearest violations on and, if no violation counts there, everywhere."""
    violating = product.states - product.meeting
    search = BreadthFirst(product, product.initial)
    rings = search.meet(violating, run)
    if rings is None:
        return Outcome(None, search.reached, len(search.rings))
    from_there = BreadthFirst(product, rings[-1] & violating).finish(run)
    continued = _continuation(product, run, from_there, fair)
    if not rings[-1] & violating & continued.pairs:
        continued = _continuation(product, run, search.finish(run), fair)
        rings = search.meet(violating & continued.pairs, run)
        if rings is None:
            return Outcome(None, search.reached, len(search.rings))
    return Outcome(_counterexample(product, run, rings, continued), search.reached, len(rings))


def figure_4(product: AssertionGraphProduct[S], run: Run) -> bool:
    """Figure 4 to the letter: in the finite semantics it compares at final vertices only."""
    space: StateSpace[PartitionedSet[S]] = product
    if product.semantics is Semantics.FAIR:
        space = RestrictedSpace(product, gste_fair_states(product, run, product.states))
    reached = BreadthFirst(space, space.initial).finish(run)
    if product.semantics is Semantics.FAIR:
        return reached <= product.meeting
    return reached & product.accepting[0] <= product.meeting


# What can be continued


def _continuation(product: AssertionGraphProduct[S], run: Run, region: PartitionedSet[S], fair: str) -> _Continued[S]:
    """What of the region can be continued inside: to a final vertex, or for ever and fairly."""
    if product.semantics is Semantics.FINITE:
        reaching = until(product, run, region, region & product.accepting[0])
        return _Continued(reaching, reaching)
    if fair in ("auto", "yang-seger") and not product.fairness.compassion:
        pairs = gste_fair_states(product, run, region)
        return _Continued(pairs, pairs)
    hull = fair_hull(RestrictedSpace(product, region), run, region, "auto" if fair == "yang-seger" else fair)
    return _Continued(until(product, run, region, hull), hull)


def gste_fair_states(product: AssertionGraphProduct[S], run: Run, antecedents: PartitionedSet[S]) -> PartitionedSet[S]:
    """Figure 5: the antecedents restricted to what starts a fair path along them. Compassion is not looked at."""
    before = product.empty
    while antecedents != before:
        before = antecedents
        run.step("fair states, GSTE", **product.cost(antecedents))
        for fair in product.fairness.justice:
            goal = product.pre(antecedents & fair) & antecedents
            antecedents = until(product, run, antecedents, goal)
    return antecedents


# Evidence


def _counterexample(
    product: AssertionGraphProduct[S], run: Run, rings: list[PartitionedSet[S]], continued: _Continued[S]
) -> Path[PartitionedSet[S]]:
    """Through the rings to a violation that counts, and on from there."""
    counting = continued.pairs - product.meeting
    prefix = path_to(product, rings, counting)
    inside = RestrictedSpace(product, continued.pairs)
    if product.semantics is Semantics.FINITE:
        rest = shortest(inside, run, prefix[-1], continued.pairs, product.accepting[0] & continued.pairs)
        return Path((*prefix, *rest[1:]))
    return fair_lasso(inside, run, prefix[-1], continued.pairs, continued.hull).after(prefix)
