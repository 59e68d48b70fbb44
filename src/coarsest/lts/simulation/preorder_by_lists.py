"""The simulation preorder where most states are simulated by few others: these are listed, and no matrix is needed.

Reference: Henzinger, Henzinger, Kopke 1995, Computing simulations on finite and infinite graphs (refinement of the states above
           each); Ranzato, Tapparo 2010, An efficient simulation algorithm based on abstract interpretation (the first relation).
Symbols:   the states above s are those that simulate it, as far as is known; pre_a(X) are the states with an a-transition into X.
Invariant: whatever simulates s is above s. If s waits for no turn, the states above s are in pre_a(above(t)) for each of its
           transitions to t with action a.
Deviates:  what is above a state is not listed until its turn comes, and the least work is done first: if t has few states above
           it, those above s are looked for among the sources of transitions into these. So states get few from the beginning.
           Until then, the blocks above its own stand for them, in a relation between blocks that need not be a simulation.
Cost:      time O(sum of the lengths · d²), where d is the number of transitions of a state, each time that they become shorter;
           space O(sum of the lengths), after O(|P|²/8) bytes for the blocks of the first relation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coarsest import tuning
from coarsest._kernels.choose import kernels
from coarsest.run import Run

if TYPE_CHECKING:
    from coarsest.lts.labelled import Graph

Integers = NDArray[np.signedinteger[Any]]

LISTED_PART: Final = 1 / 32
"""Lists may have this part of all pairs: a number in a list takes 32 bits, and a pair in a matrix one."""


class Lists(NamedTuple):
    """The numbers above B lie at `begin[B]` to `begin[B] + size[B]` of `pool`, in order."""

    begin: NDArray[np.int64]
    size: NDArray[np.int64]
    pool: NDArray[np.int32]

    def above(self, number: int) -> NDArray[np.int32]:
        return self.pool[self.begin[number] : self.begin[number] + self.size[number]]


def listed_preorder(
    graph: Graph, block: NDArray[np.int64], above: NDArray[np.uint64], run: Run, choice: str
) -> tuple[NDArray[np.int64], Lists] | None:
    """The greatest simulation within a relation between blocks: the class of each state, and the classes above each class. None
    if the lists become longer, or take more work, than a matrix is worth."""
    states, targets = graph.states, graph.targets.astype(np.int32)
    members = np.argsort(block, kind="stable")
    sizes = np.bincount(block, minlength=len(above))
    bound = _states_above(above, sizes)[block]
    most = max(int(LISTED_PART * states * states), states)
    lists = Lists(np.full(states, -1), np.zeros(states, dtype=np.int64), np.empty(states, dtype=np.int32))
    waiting = np.full(64, -1), np.full((2, states), -1), np.full(states, -1)
    ticks, stamp, counters = np.zeros((2, states), dtype=np.int64), np.full(states, -1), np.zeros(3, dtype=np.int64)
    static = (
        graph.offsets.astype(np.int64), graph.actions.astype(np.int32), targets, _ends(np.bincount(targets, minlength=states)),
        np.argsort(targets, kind="stable"), graph.sources.astype(np.int32), block, above, _ends(sizes), members, bound,
    )  # fmt: skip
    kernel = kernels("simulation.listed_rows", graph.transitions, choice)
    while True:
        run.step("simulation", listed=int(counters[1]))
        outcome = kernel.refine_listed(*static, *lists, *waiting, ticks, stamp, counters, tuning.KERNEL_WORK)
        if outcome == 0:
            block = np.empty(states, dtype=np.int64)
            count = kernel.gather_classes(*lists, block)
            return block, Lists(lists.begin[:count], lists.size[:count], lists.pool)
        if counters[2] > most or (outcome == 2 and len(lists.pool) == most):
            return None
        if outcome == 2:
            longer = np.empty(min(2 * len(lists.pool), most), dtype=np.int32)
            longer[: len(lists.pool)] = lists.pool
            lists = lists._replace(pool=longer)


def _states_above(above: NDArray[np.uint64], sizes: Integers) -> NDArray[np.int64]:
    """The number of states in the blocks above each."""
    bits = (np.unpackbits(row.view(np.uint8), bitorder="little")[: len(sizes)] for row in above)
    return np.fromiter((sizes @ row for row in bits), dtype=np.int64, count=len(above))


def _ends(counts: Integers) -> NDArray[np.int64]:
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts)])
