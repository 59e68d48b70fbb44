"""Iterative_Sym: invariants on a quotient whose representative relation is built a part at a time.

Reference: Barner, Grumberg 2003, figure 9.
Symbols:   ξ_i is `xi`, Rep_i `missing`, reachable_states `reached`; M' has the steps ξ_i⁻¹R between representatives.
Invariant: every state in `reached` is a representative of a reachable orbit, or an initial state (lemma 8.5), if the generators
           are symmetries.
Deviates:  where an iteration brings nothing new and ξ_i was cut off by the limit, the limit is doubled, so that the search ends
           complete. A counterexample is a path of orbits; the caller looks for one of the model in it.
Cost:      a relation of about `limit` nodes, and reachability, in each iteration.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from coarsest.reduce.symmetry.group.permutation import Permutation
from coarsest.reduce.symmetry.representative_relation import create_xi
from coarsest.run import Run
from coarsest.space.bdd.symbolic import SymbolicSet, SymbolicSpace

Set = SymbolicSet[Any]


class Iterated(Struct, frozen=True):
    """The representatives that were reached, and the rings of orbits on the way to a bad state, if one was reached."""

    reached: Set
    rings: tuple[Set, ...] | None
    iterations: int
    nodes: int
    """The size of the largest ξ_i."""


def iterative_sym(
    space: SymbolicSpace[Any], bad: Set, generators: Sequence[Permutation], run: Run, *, rep: Set, limit: int
) -> Iterated:
    """Iterative_Sym(M, AG ¬bad, σ_1, …, σ_k, Rep, limit)."""
    reached, rings = space.initial, [space.initial]
    missing, iteration, largest = rep - reached, 0, 0
    while not reached & bad:
        run.step("iterative symmetry", iteration=iteration, **space.cost(reached))
        iteration += 1
        xi = create_xi(space, generators, missing, run, limit=limit)
        largest = max(largest, xi.nodes)
        # ξ_i may have representatives now for states that were reached before, too.
        frontier = (xi.representatives(reached) | xi.representatives(space.post(reached))) - reached
        if not frontier and xi.complete:
            break
        limit = limit if frontier else 2 * limit + 1
        while frontier and not reached & bad:
            run.step("iterative symmetry", rings=len(rings), **space.cost(reached))
            reached = reached | frontier
            rings.append(frontier)
            if not frontier & bad:  # else the next ring, which may be large, is not needed
                frontier = xi.representatives(space.post(frontier)) - reached
        missing = rep - reached
        if not missing:
            break
    return Iterated(reached, tuple(rings) if reached & bad else None, iteration, largest)
