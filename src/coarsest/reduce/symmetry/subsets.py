"""Some of the states of a set, in a smaller BDD: under-approximation.

Reference: Ravi, Somenzi 1995, "High-density reachability analysis": heavy-branch subsetting; density is states for each node.
Symbols:   –
Invariant: a subset of a set that is not empty is not empty.
Deviates:  the subset with the most states for each node, of several sizes, is `densest`.
Cost:      a count of states for each level that is cut.
"""

from __future__ import annotations

from typing import Any

from coarsest import tuning
from coarsest.bdd.protocol import F, Manager
from coarsest.space.bdd.symbolic import SymbolicSet, SymbolicSpace


def heavy_branch(space: SymbolicSpace[Any], states: SymbolicSet[Any], most_nodes: int | None = None) -> SymbolicSet[Any]:
    """From the root down, the branch with fewer states is left out until the rest is small."""
    manager, function = space.manager, states.function
    nodes = tuning.DENSE_SET_NODES if most_nodes is None else most_nodes
    path: Any = manager.true
    while manager.size(function) > nodes:
        top = manager.children(function)
        if top is None:
            break
        variable, high, low = top
        literal = manager.var(variable)
        heavy = _count(manager, high, space) >= _count(manager, low, space)
        path = path & (literal if heavy else ~literal)
        function = high if heavy else low
    return space.set(path & function)


def densest(space: SymbolicSpace[Any], states: SymbolicSet[Any], most_nodes: int | None = None) -> SymbolicSet[Any]:
    """Of cuts to several sizes, the one with the most states for each node."""
    nodes = tuning.DENSE_SET_NODES if most_nodes is None else most_nodes
    if space.size(states) <= nodes:
        return states
    cuts = [heavy_branch(space, states, nodes >> shift) for shift in range(3)]
    return max(cuts, key=lambda cut: space.count(cut) / max(1, space.size(cut)))


def _count(manager: Manager[F], function: F, space: SymbolicSpace[Any]) -> int:
    return manager.count(function, len(space.bits))
