"""Invariants with the set operations of each engine counted by kind.

Reference: Fisler, Vardi 1999, sections 4 to 6: backward reachability against minimisers that stop early.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Final, Generic

from msgspec import Struct

from coarsest.check.invariants.on_the_fly import OnTheFly
from coarsest.run import Run
from coarsest.search.paths import path_to
from coarsest.search.reachability import BreadthFirst
from coarsest.space.counting import CountedSet, CountingSpace, Counts, counting
from coarsest.space.space import S, StateSpace
from coarsest.space.views import Total

ON_THE_FLY: Final[Mapping[str, tuple[str, dict[str, Any]]]] = {
    "lee-yannakakis": ("invariant_by_lee_yannakakis", {}),
    "bouajjani-fernandez-halbwachs": ("invariant_by_bouajjani_fernandez_halbwachs", {}),
    "paige-tarjan": ("invariant_by_paige_tarjan", {}),
    "paige-tarjan-splitting-marked": ("invariant_by_paige_tarjan", {"split_marked": True}),
}
MEASURED = ("forward", "backward", *ON_THE_FLY)


class Measured(Struct, Generic[S], frozen=True):
    """A verdict, its evidence, and the work it took (the search for a path not included)."""

    holds: bool
    path: list[S] | None
    inductive: S | None
    iterations: int
    counts: Counts
    rings: tuple[S, ...]
    stuck: S
    """States without a successor, which were given a step to themselves."""
    outside: int = 0
    """Images that were not taken to split a block."""

    @property
    def facts(self) -> Mapping[str, int]:
        names = ("images", "intersections", "unions", "differences", "equalities")
        counts = {name: getattr(self.counts, name) for name in names}
        inside = {"images_of_splitting": self.counts.images - self.outside} if self.outside else {}
        return {"iterations": self.iterations, **counts, **inside}


def measure_invariant(engine: str, space: StateSpace[S], good: S, run: Run) -> Measured[S]:
    """Decide whether all reachable states are good, by one of the `MEASURED` engines."""
    stuck = space.states - space.pre(space.states)
    total: StateSpace[S] = Total(space, stuck) if stuck else space
    counted, counts = counting(total)
    allowed = CountedSet(good, counts)
    if not space.initial:
        return Measured(True, None, space.empty, 0, counts, (), stuck)
    if engine == "forward":
        return _forwards(total, counted, allowed, stuck, run=run)
    if engine == "backward":
        result = _backwards(counted, allowed, run)
    else:
        module, options = ON_THE_FLY[engine]
        check: Callable[..., OnTheFly[CountedSet[S]]] = import_module(f"coarsest.check.invariants.{module}").check_invariant
        result = check(counted, allowed, run, **options)
    rings, unmarked = tuple(ring.inner for ring in result.rings), result.unmarked.inner
    path = None if result.holds else OnTheFly(False, rings, unmarked, result.iterations).path(total)
    inductive = unmarked if result.holds else None
    return Measured(result.holds, path, inductive, result.iterations, counts, rings, stuck, result.outside)


def _backwards(space: CountingSpace[S], good: CountedSet[S], run: Run) -> OnTheFly[CountedSet[S]]:
    """Figure 2: F_i are the rings, S_i is what was reached."""
    search = BreadthFirst(space, space.states - good, backwards=True)
    rings = search.meet(space.initial, run)
    if rings is None:
        return OnTheFly(True, tuple(search.rings), space.states - search.reached, len(search.rings))
    return OnTheFly(False, tuple(rings), space.empty, len(rings) - 1)


def _forwards(plain: StateSpace[S], space: CountingSpace[S], good: CountedSet[S], stuck: S, *, run: Run) -> Measured[S]:
    bad, counts = space.states - good, space.counts
    search = BreadthFirst(space, space.initial)
    way = search.meet(bad, run)
    rings = tuple(ring.inner for ring in way or search.rings)
    if way is None:
        return Measured(True, None, search.reached.inner, len(rings), counts, rings, stuck)
    return Measured(False, path_to(plain, rings, bad.inner), None, len(rings) - 1, counts, rings, stuck)
