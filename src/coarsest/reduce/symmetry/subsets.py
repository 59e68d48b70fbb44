"""Under-approximation: some of the states of a set, in a smaller BDD.

Reference: Ravi, Somenzi 1995, "High-density reachability analysis": heavy-branch subsetting; density is states for each node.
Symbols:   –
Invariant: a subset of a set that is not empty is not empty.
Deviates:  `densest` cuts to several sizes, and takes the subset with the most states for each node.
Cost:      a count of states for each level that is cut.
"""

from __future__ import annotations

from typing import Any

from coarsest import tuning
from coarsest.space.bdd.symbolic import SymbolicSet, SymbolicSpace


def heavy_branch(space: SymbolicSpace[Any], states: SymbolicSet[Any], most_nodes: int | None = None) -> SymbolicSet[Any]:
    """The set without the branches with fewer states, from the root down until the rest is small."""
    manager, function = space.manager, states.function
    nodes = tuning.DENSE_SET_NODES if most_nodes is None else most_nodes
    path: Any = manager.true
    while manager.size(function) > nodes:
        top = manager.children(function)
        if top is None:
            break
        variable, high, low = top
        literal = manager.var(variable)
        heavy = manager.count(high, len(space.bits)) >= manager.count(low, len(space.bits))
        path = path & (literal if heavy else ~literal)
        function = high if heavy else low
    return space.set(path & function)


def densest(space: SymbolicSpace[Any], states: SymbolicSet[Any], most_nodes: int | None = None) -> SymbolicSet[Any]:
    """The cut with the most states for each node, among cuts to several sizes."""
    nodes = tuning.DENSE_SET_NODES if most_nodes is None else most_nodes
    if space.size(states) <= nodes:
        return states
    cuts = [heavy_branch(space, states, nodes >> shift) for shift in range(3)]
    return max(cuts, key=lambda cut: space.count(cut) / max(1, space.size(cut)))
