"""The coarsest stable partition in rounds: the signature of a state is the set of its actions with the blocks they lead to.

Reference: Blom, Orzan 2003, Distributed branching bisimulation reduction of state spaces; dirty states and numbers that
           stay with the largest part as in Jacobs, Wißmann 2023, Fast coalgebraic bisimilarity minimization, section 4.
Symbols:   the signature of s is {(a, block of t) : s → … → s' -a-> t}, where … are inert transitions: internal ones within
           a block.
Invariant: after round k, two states are in one block iff no formula with k nested modalities distinguishes them (for strong
           bisimulation); a state that is not dirty has the signature that it had when its block was made.
Deviates:  rounds are synchronous: all blocks are split by the partition at the beginning of the round. Distinguishing formulas
           of least depth can be read off the history. Cycles of internal transitions must have been collapsed.
Cost:      strong: O(m log n), because a state changes its number at most log₂ n times; closure under inert transitions may
           repeat signatures along paths.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from coarsest import tuning
from coarsest._kernels.choose import kernels
from coarsest.lts.rounds.history import Integers, PartitionHistory
from coarsest.run import Run

if TYPE_CHECKING:
    from coarsest.lts.labelled import Graph


def refine_by_signatures(
    graph: Graph, run: Run, *, internal: int = -1, choice: str = "auto", enough: Callable[[Integers], bool] | None = None
) -> PartitionHistory:
    """The history of the coarsest stable partition that respects the labels.

    `internal` is the number of the internal action for branching bisimulation, -1 for strong; internal transitions between
    states with one label must then lead to smaller numbers. `choice` is "auto", "compiled" or "pure". The rounds may end early,
    as soon as the blocks are `enough`: then no shallow formula distinguishes states in one block.
    """
    states = graph.states
    labels, block = np.unique(graph.labels, return_inverse=True)
    block = block.astype(np.int64).reshape(-1)
    parent, level = np.full(states, -1, dtype=np.int64), np.zeros(states, dtype=np.int64)
    counters = np.array([len(labels), states, 0, 0], dtype=np.int64)
    waiting = np.arange(states, dtype=np.int64)
    back = np.argsort(graph.targets, kind="stable")
    back_actions, back_sources = graph.actions[back], graph.sources[back]
    back_offsets = np.zeros(states + 1, dtype=np.int64)
    np.cumsum(np.bincount(graph.targets, minlength=states), out=back_offsets[1:])
    offsets = graph.offsets.astype(np.int64, copy=False)
    kernel = kernels("partition.signature_rounds", graph.transitions, choice)
    is_twin = kernel.__name__.endswith("_pure")
    budget = tuning.KERNEL_WORK if enough is None and not is_twin else states + graph.transitions
    finished = False
    while not finished and not (enough is not None and enough(block)):
        run.step("signatures", blocks=int(counters[0]), waiting=int(counters[1]), rounds=int(counters[2]))
        finished = kernel.refine_rounds(
            offsets, graph.actions, graph.targets, back_offsets, back_actions, back_sources, internal, block,
            parent, level, waiting, counters, budget,
        )  # fmt: skip
    blocks = int(counters[0])
    return PartitionHistory(block, parent[:blocks], level[:blocks], int(counters[3]))
