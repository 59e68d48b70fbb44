"""LTL backwards, on all states, as long as that is cheap: often a few preimages settle what reachable states cost much to know.

Reference: Sebastiani, Singerman, Tonetta, Vardi 2004, figures 6 and 7.
Symbols:   α is what `BreadthFirst` and `hull_emerson_lei` hold, split by the vertices of the automaton.
Invariant: –
Deviates:  given up after some steps, or when more than half as many nodes were made as the system has; then the reachable states
           come first after all.
Cost:      at most in proportion to what building the system has cost, and one step more.
"""

from __future__ import annotations

from coarsest.check.products.ltl import Set, Violation, bad_vertices
from coarsest.check.setting.everywhere import MOST_STEPS, work_backwards
from coarsest.run import Run
from coarsest.search.fair_states_emerson_lei import hull_emerson_lei
from coarsest.search.paths import path_from
from coarsest.search.reachability import BreadthFirst
from coarsest.search.witness import Path, fair_lasso
from coarsest.space.bdd.symbolic import SymbolicSpace
from coarsest.space.partitioned import PartitionedSet, PartitionedSpace
from coarsest.space.views import RestrictedSpace


def violation_backwards(space: PartitionedSpace[Set], run: Run) -> tuple[bool, Violation | None]:
    """Is it decided so, and if there is one, a violating path of a system that has neither dead ends nor fairness of its own."""
    system = space.system
    assert isinstance(system, SymbolicSpace), "unreachable states are a matter of BDDs"
    bad = bad_vertices(space.automaton)
    with run.within(work=work_backwards(system.manager), steps=MOST_STEPS):
        if bad is not None and not space.again:
            rings = BreadthFirst(space, space.at(bad, system.states), backwards=True).meet(space.initial, run)
            return True, None if rings is None else lambda: _prefix(space, run, rings)
        hull = hull_emerson_lei(space, run, space.states)
        return True, (lambda: _lasso(space, run, hull)) if hull & space.initial else None
    return False, None


def _prefix(space: PartitionedSpace[Set], run: Run, rings: list[PartitionedSet[Set]]) -> Path[Set]:
    """Down the rings to a vertex that accepts whatever comes, and on for ever."""
    system = space.system
    prefix = [space.of_system(state) for state in path_from(space, rings, space.initial)]
    rest = fair_lasso(system, run, prefix[-1], system.states, system.states)
    assert rest.loop is not None
    return Path((*prefix, *rest.states[1:]), rest.loop + len(prefix) - 1)


def _lasso(space: PartitionedSpace[Set], run: Run, hull: PartitionedSet[Set]) -> Path[Set]:
    found = fair_lasso(RestrictedSpace(space, hull), run, space.initial & hull, hull, hull)
    return Path(tuple(space.of_system(state) for state in found.states), found.loop)
