"""Reach the states as a set, then list them, and refine the graph of single states.

Reference: strategy 1 of Bouajjani, Fernandez, Halbwachs, Raymond, Ratel 1994, section 3.1, with sets only for the first half.
Symbols:   –
Invariant: the graph has a state for each reachable one, labelled by the observed block that it is in.
Deviates:  the graph is read off the step relation, not found by a search; its classes by signatures and Valmari's algorithm.
Cost:      linear in the reachable states and steps, beside what reaching them costs; no more of either than can be listed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

import numpy as np

from coarsest.errors import Unsupported
from coarsest.logic.expr import Value
from coarsest.lts.labelled import Graph
from coarsest.lts.minimise.classes import BisimulationClasses, bisimulation_classes
from coarsest.reduce.bisimulation.listed_states import ListedStates, graph_of, listed_states
from coarsest.reduce.partition.observed import Observed, Snapshot, Watcher
from coarsest.reduce.partition.partition import Lazy, Partition
from coarsest.reduce.partition.reachable_part import reachable_states
from coarsest.run import Run
from coarsest.space.bdd.listing import Listing
from coarsest.space.bdd.relation.schedule import schedule
from coarsest.space.bdd.symbolic import SymbolicSet, SymbolicSpace
from coarsest.space.space import S

MOST_STATES: Final = 1 << 21
MOST_STEPS: Final = 1 << 22
MOST_NODES: Final = 1 << 21
"""Limits of listing, which takes about 100 bytes for a step. The nodes are those of the diagram of a step relation."""

HINT = "use the algorithm 'signatures'"

Set = SymbolicSet[Any]


class TooMany(Unsupported):
    """More states or steps than can be listed."""


def minimise(
    observed: Observed[S], run: Run, watch: Watcher[S] | None = None, *, reached: S | None = None
) -> Partition[S]:
    """The classes of the reachable states, which are computed unless the caller gives them. Raises TooMany."""
    states = reached if reached is not None else reachable_states(observed.space, run)
    graph, listing = listed_graph(observed, states, run)
    partition: Partition[S] = listed_partition(graph, bisimulation_classes(graph, run=run), listing)
    if watch is not None:
        every = frozenset(range(len(partition)))
        watch(Snapshot(tuple(partition.classes), every, every))
    return partition


def listed_graph(observed: Observed[S], reached: S, run: Run) -> tuple[Graph, Listing | ListedStates]:
    """The graph of the reached states, each labelled by the observed block that it is in. Raises TooMany."""
    if observed.holds_diagrams:
        return listed_symbolically(cast("Observed[Set]", observed), cast("Set", reached), run)
    return listed_states(cast("Any", observed), cast("Any", reached))


def listed_symbolically(observed: Observed[Set], reached: Set, run: Run) -> tuple[Graph, Listing]:
    """The graph of the reached states of a symbolic space, each labelled by the observed block that it is in."""
    space = cast("SymbolicSpace[Any]", observed.space)
    if space.count(reached) > MOST_STATES:
        raise TooMany(f"{space.count(reached)} reachable states are too many to be listed", hint=HINT)
    resting, space.manager.reorder = space.manager.reorder, None  # listing walks over functions in the order of variables
    try:
        listing = Listing(space, reached)
        return _graph(observed, reached, listing, run), listing
    finally:
        space.manager.reorder = resting


def _graph(observed: Observed[Set], reached: Set, listing: Listing, run: Run) -> Graph:
    space = listing.space
    labels = np.zeros(listing.number, dtype=np.int64)
    for number, block in enumerate(observed.blocks):
        labels[listing.numbers(block & reached)] = number
    steps: list[tuple[Any, Any]] = []
    room = MOST_STEPS
    for action in observed.actions:
        relation = _steps_from(space, reached, getattr(action, "inputs", {}))
        room -= space.manager.count(relation, len(space.bits) + len(space.step.after))
        if room < 0:
            raise TooMany(f"{listing.number} reachable states have too many steps to be listed", hint=HINT)
        steps.append(listing.steps(relation, run))
    return graph_of(labels, steps, listing.numbers(space.initial), blocks=len(observed.blocks))


def _steps_from(space: SymbolicSpace[Any], reached: Set, inputs: Mapping[str, Value]) -> Any:
    """The steps of an action from the reachable states. The relation on all states may be much larger."""
    literals: dict[int, bool] = {}
    for name, value in inputs.items():
        literals |= space.layout.literals(space.machine.variables[name], value)
    parts, supports = [], []
    for conjunct in space.step.conjuncts:
        touched = conjunct.support & literals.keys()
        parts.append(space.manager.restrict(conjunct.relation, literals) if touched else conjunct.relation)
        supports.append(conjunct.support - literals.keys())
    manager = space.manager
    order = schedule(manager, parts, supports, space.step.inputs)
    relation = reached.function
    for stage in order.stages:
        relation = stage.applied(manager, relation)
        if manager.size(relation) > MOST_NODES:
            raise TooMany("the steps of the reachable states are too many to be listed", hint=HINT)
    return relation


def listed_partition(graph: Graph, classes: BisimulationClasses, listing: Listing | ListedStates) -> Partition[Any]:
    """The classes, numbered as a search from the initial ones meets them."""
    offsets, targets = classes.offsets.tolist(), classes.targets.tolist()
    order = list(dict.fromkeys(sorted(classes.class_of[graph.initial].tolist())))
    initial, met = len(order), set(order)
    for number in order:
        for target in targets[offsets[number] : offsets[number + 1]]:
            if target not in met:
                met.add(target)
                order.append(target)
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    sources = np.repeat(rank, np.diff(classes.offsets))
    edges = np.stack((sources, classes.actions, rank[classes.targets]), axis=1)
    edges = edges[np.lexsort(edges.T[::-1])]
    class_of = rank[classes.class_of]
    members, firsts = np.argsort(class_of, kind="stable"), np.searchsorted(np.sort(class_of), np.arange(len(order) + 1))
    return Partition(
        Lazy(len(order), lambda i: listing.set(members[firsts[i] : firsts[i + 1]])),
        tuple(range(initial)),
        tuple(map(tuple, edges.tolist())),
        tuple(graph.labels[classes.representatives[order]].tolist()),
        examples=Lazy(len(order), lambda i: listing.set(members[firsts[i] : firsts[i] + 1])),
    )
