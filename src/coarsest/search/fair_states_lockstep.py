"""Fair states by enumerating strongly connected components.

Reference: Bloem, Gabow, Somenzi 2000, "An algorithm for strongly connected component analysis in n log n symbolic steps".
Symbols:   F and B are `forwards` and `backwards`, their frontiers grow in lockstep; C is `component`.
Invariant: every component of the region that is not yet examined lies in one of the waiting sets.
Deviates:  a component in which a compassion (p, q) has p but not q is examined again without p.
Cost:      O(n log n) steps, n the number of states: the smaller of the two searches decides.
"""

from __future__ import annotations

from coarsest.run import Run
from coarsest.space.space import S, StateSpace


def hull_lockstep(space: StateSpace[S], run: Run, region: S) -> S:
    """The union of the fair components of the region."""
    fair = space.empty
    waiting = [region]
    while waiting:
        rest = waiting.pop()
        if not rest:
            continue
        run.step("fair states, lockstep", waiting=len(waiting), **space.cost(rest))
        component, converged = _component(space, run, rest)
        fair_part, again = _fair_part(space, component)
        fair = fair | fair_part
        waiting.extend([again, converged - component, rest - converged])
    return fair


def _component(space: StateSpace[S], run: Run, rest: S) -> tuple[S, S]:
    """A component of `rest`, and the search that converged first (a union of components)."""
    seed = space.pick(rest)
    forwards = backwards = seed
    front, back = seed, seed
    while front and back:
        run.step("lockstep", **space.cost(forwards))
        front = (space.post(front) & rest) - forwards
        back = (space.pre(back) & rest) - backwards
        forwards, backwards = forwards | front, backwards | back
    if not front:
        converged = forwards
        while back & converged:
            back = (space.pre(back) & converged) - backwards
            backwards = backwards | back
    else:
        converged = backwards
        while front & converged:
            front = (space.post(front) & converged) - forwards
            forwards = forwards | front
    return forwards & backwards, converged


def _fair_part(space: StateSpace[S], component: S) -> tuple[S, S]:
    """The component if a fair cycle runs through it; what is to be examined again without the states that spoil it."""
    if not component & space.post(component):
        return space.empty, space.empty  # a single state without a step to itself
    if not all(component & justice for justice in space.fairness.justice):
        return space.empty, space.empty
    spoilt = space.empty
    for p, q in space.fairness.compassion:
        if component & p and not component & q:
            spoilt = spoilt | p
    return (space.empty, component - spoilt) if component & spoilt else (component, space.empty)
