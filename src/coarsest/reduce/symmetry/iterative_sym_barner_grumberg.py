"""Invariants on a given set of representatives, with more and more of the representative relation: Iterative_Sym.

Reference: Barner, Grumberg 2003, figures 8 and 9.
Symbols:   Rep_i is `wanting`, ξ_i is `xi`, reachable_states is `reached`; prev_ and old_reachable_states are one variable.
Invariant: whatever is reached is an initial state, or the representative of a reachable orbit, if all generators are symmetries
           (lemma 8.5). Every arrival remembers from where, and by which ξ_i.
Deviates:  R' is never built: an image is one by R, and then one by ξ_i⁻¹. A bad state is looked for in every layer. The path that
           leads there is made one of the model by the permutations that ξ_i stands for; with generators that are no symmetries it
           may be none, and is not given.
Cost:      one image of R and one of ξ_i⁻¹ for each layer; ξ_i has as many nodes as the limit says, and those of one more round.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Generic

from msgspec import Struct

from coarsest.bdd.protocol import F
from coarsest.reduce.symmetry.create_xi_barner_grumberg import Xi, create_xi
from coarsest.reduce.symmetry.permutation import IDENTITY, Permutation
from coarsest.run import Run
from coarsest.space.bdd.symbolic import SymbolicSet, SymbolicSpace
from coarsest.space.space import State


class Arrival(Struct, Generic[F], frozen=True):
    """Representatives that were new, and the states whose successors they stand for; or, without a step, states themselves."""

    reached: SymbolicSet[F]
    source: SymbolicSet[F]
    xi: Xi[F]
    by_step: bool


class Iterated(Struct, Generic[F], frozen=True):
    reached: SymbolicSet[F]
    path: tuple[SymbolicSet[F], ...] | None
    """Single states of the model from an initial one to a bad one, if that was met."""
    iterations: int
    misled: bool = False
    """Was a bad state met to which no path of the model leads? Then a generator is no symmetry."""


def iterative_sym(
    space: SymbolicSpace[F], bad: SymbolicSet[F], generators: Sequence[Permutation], rep: SymbolicSet[F], run: Run, *, limit: int
) -> Iterated[F]:
    """Iterative_Sym(M, AG ¬bad, σ_1, …, σ_k, Rep, limit)."""
    arrivals: list[Arrival[F]] = []
    reached, before, wanting, iterations = space.initial, space.empty, rep, 0
    while wanting and before != reached and not reached & bad:
        before = reached
        xi = create_xi(space, generators, wanting, run, limit=limit)
        iterations += 1
        layer, by_step, source = xi.representatives_of(reached) - reached, False, reached
        expanded = space.empty
        while True:
            run.step("representatives", iterations=iterations, **space.cost(reached))
            if layer:
                arrivals.append(Arrival(layer, source, xi, by_step))
                reached = reached | layer
            source, by_step = (reached & rep) - expanded, True
            if reached & bad or not source:
                break
            expanded = expanded | source
            layer = xi.representatives_of(space.post(source)) - reached
        wanting = rep - reached
    if not reached & bad:
        return Iterated(reached, None, iterations)
    path = _path_to(space, arrivals, reached & bad)
    return Iterated(reached, path, iterations, misled=path is None)


def _path_to(space: SymbolicSpace[F], arrivals: Sequence[Arrival[F]], goal: SymbolicSet[F]) -> tuple[SymbolicSet[F], ...] | None:
    """Backwards through the arrivals, then forwards, moved by what each ξ_i stands for."""
    here = space.pick(goal & space.initial or goal)
    back: list[tuple[Arrival[F], State, State]] = []
    while not here & space.initial:
        arrival = next(arrival for arrival in arrivals if here & arrival.reached)
        arriving = space.post(arrival.source) if arrival.by_step else arrival.source
        represented = space.pick(arrival.xi.orbit_of(here) & arriving)
        back.append((arrival, space.describe(here), space.describe(represented)))
        here = space.pick(arrival.source & space.pre(represented)) if arrival.by_step else represented
    path, away = [here], IDENTITY
    for arrival, representative, state in reversed(back):
        if arrival.by_step:
            path.append(space.state(away(state)))
        away = arrival.xi.between(representative, state).then(away)
    is_real = all(after <= space.post(state) for state, after in pairwise(path))
    return tuple(path) if is_real else None
