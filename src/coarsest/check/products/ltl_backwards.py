"""LTL backwards, on all states, as long as that is cheap: a few preimages often decide what would take all reachable states.

Reference: Sebastiani, Singerman, Tonetta, Vardi 2004, figures 6 and 7.
Symbols:   α is what `BreadthFirst` and `hull_emerson_lei` hold, split by the vertices of the automaton.
Invariant: –
Deviates:  given up after some steps, or when more than half as many nodes were made as the system has; then the reachable states
           come first after all.
Cost:      at most in proportion to what building the system has cost, and one step more.
"""

from __future__ import annotations

from coarsest import tuning
from coarsest.check.products.ltl import Set, Violation, bad_vertices, of_system
from coarsest.check.setting.everywhere import work_backwards
from coarsest.run import Run
from coarsest.search.fair_states_emerson_lei import hull_emerson_lei
from coarsest.search.paths import path_from
from coarsest.search.reachability import BreadthFirst
from coarsest.search.witness import Path, fair_lasso
from coarsest.space.bdd.symbolic import symbolic
from coarsest.space.partitioned import PartitionedSet, PartitionedSpace
from coarsest.space.views import RestrictedSpace


def violation_backwards(space: PartitionedSpace[Set], run: Run) -> tuple[bool, Violation | None]:
    """Is it decided in this way? And a violating path, if there is one, of a system without dead ends or fairness of its own."""
    system = space.system
    bad = bad_vertices(space.automaton)
    with run.within(work=work_backwards(symbolic(system).manager), steps=tuning.STEPS_BACKWARDS):
        if bad is not None and not space.again:
            rings = BreadthFirst(space, space.at(bad, system.states), backwards=True).meet(space.initial, run)
            return True, None if rings is None else lambda: _prefix(space, run, rings)
        hull = hull_emerson_lei(space, run, space.states)
        inside = RestrictedSpace(space, hull)
        first = space.initial & hull
        return True, (lambda: of_system(space, fair_lasso(inside, run, first, hull, hull))) if first else None
    return False, None


def _prefix(space: PartitionedSpace[Set], run: Run, rings: list[PartitionedSet[Set]]) -> Path[Set]:
    """Down the rings to a vertex that accepts whatever comes, and on for ever."""
    system = space.system
    prefix = [space.of_system(state) for state in path_from(space, rings, space.initial)]
    return fair_lasso(system, run, prefix[-1], system.states, system.states).after(prefix)
