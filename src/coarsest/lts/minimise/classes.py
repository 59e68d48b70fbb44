"""The classes of strong bisimulation of a graph, and one row of transitions for each.

The rows are checked against the transitions of every state, so the partition is certainly stable; and as every split had a
reason, it is the coarsest one. If two different signatures have the same hash, the check fails, and the work is repeated with
other hashes.
"""

from __future__ import annotations

from functools import partial
from itertools import count
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from coarsest import tuning
from coarsest._kernels.choose import kernels
from coarsest._kernels.progress import BLOCKS, LIMIT, ROUNDS, STOP, WORK
from coarsest.lts.attended import attended
from coarsest.lts.labelled import Graph, Numbers
from coarsest.lts.minimise.refiners import Refiner, refiners
from coarsest.lts.union import with_one_number_for_each_name
from coarsest.run import Fact, Run


class BisimulationClasses(Struct, frozen=True, eq=False, dict=True):
    """`class_of` is the class of each state. The transitions of class i are the entries `offsets[i]` to `offsets[i + 1]` of
    `actions` (numbers in `action_names`, which are sorted) and `targets`, in order and without repetitions."""

    class_of: Numbers
    offsets: Numbers
    actions: Numbers
    targets: Numbers
    representatives: Numbers
    action_names: tuple[str, ...]
    algorithm: str
    work: int
    """The number of transitions that were looked at."""
    engine: str | None = None
    """The device that computed the classes, if not the processor."""
    warnings: tuple[str, ...] = ()

    @property
    def number(self) -> int:
        return len(self.representatives)


def bisimulation_classes(
    graph: Graph, *, algorithm: str = "auto", engine: str = "auto", internal: int = -1, called: tuple[str, ...] = (),
    run: Run | None = None, choice: str = "auto",
) -> BisimulationClasses:  # fmt: skip
    """The classes of the coarsest bisimulation. States with different labels are different; actions with one name are the same.

    `algorithm` is "auto", "signatures", "valmari" or "rounds"; `engine` is "auto", "cpu" or "gpu"; `choice` is "auto",
    "compiled" or "pure". With the number of the internal action, it is branching bisimulation; internal transitions between
    states with one label must then lead to smaller states. `called` renames the actions of the graph in the rows.
    """
    run = run or Run()
    graph = with_one_number_for_each_name(graph)
    quotient = kernels("partition.quotient", graph.transitions, choice)
    called = called or graph.action_names
    action_names = tuple(sorted(set(called)))
    number_of = {name: number for number, name in enumerate(action_names)}
    ranks = np.array([number_of[name] for name in called], dtype=np.int32)
    able, warnings = ((), ()) if internal >= 0 else refiners(graph, algorithm, engine)
    for seed in count():
        if internal >= 0:
            partition = _branching_partition(graph, internal, run, choice, seed)
        else:
            partition = _partition(graph, able, run, choice, seed)
        blocks, representatives = partition.blocks, partition.representatives
        number, room = len(representatives), graph.transitions
        if number < graph.states:
            room = int((graph.offsets[representatives + 1] - graph.offsets[representatives]).sum())
        rows = np.empty(number + 1, dtype=graph.offsets.dtype), np.empty(room, dtype=np.int32), np.empty(room, dtype=blocks.dtype)
        arrays = graph.offsets, graph.actions, graph.targets, ranks, blocks, representatives
        attended(run, "quotient", partial(quotient.block_rows, *arrays, *rows))
        offsets, actions, targets = rows[0], rows[1][: rows[0][-1]], rows[2][: rows[0][-1]]
        deviation = -1
        if not partition.on_gpu:  # a GPU has checked its partition
            call = partial(quotient.first_deviation, *arrays, offsets, actions, targets, internal)
            (deviation,) = attended(run, "check", call)
        if deviation < 0:
            rows_of_classes = blocks, offsets, actions, targets, representatives, action_names
            engine_used = "gpu" if partition.on_gpu else None
            return BisimulationClasses(*rows_of_classes, partition.algorithm, partition.work, engine_used, warnings)
    raise AssertionError("never reached")


class _Partition(NamedTuple):
    """The block of each state, a representative of each block, the algorithm, and its work in transitions."""

    blocks: Numbers
    representatives: Numbers
    algorithm: str
    work: int
    on_gpu: bool = False


def _partition(graph: Graph, able: tuple[Refiner, ...], run: Run, choice: str, seed: int) -> _Partition:
    """The blocks by strong bisimulation, represented by their first states."""
    blocks = graph.labels.copy()
    work = 0
    for refiner in able:
        progress = np.zeros(8, dtype=np.int64)
        if refiner is not able[-1]:
            progress[LIMIT] = tuning.SIGNATURE_LOOKS * (graph.transitions + graph.states)
        function = refiner.function(graph, choice)
        call = partial(function, graph.offsets, graph.actions, graph.targets, blocks, progress, seed)
        stop = partial(progress.__setitem__, STOP, 1)
        (number,) = attended(run, refiner.name, call, facts=partial(_facts, progress), stop=stop)
        work += int(progress[WORK])
        if number >= 0:
            firsts = np.empty(number, dtype=blocks.dtype)
            kernels("partition.quotient", graph.transitions, choice).first_members(blocks, firsts)
            return _Partition(blocks, firsts, refiner.name, work, refiner.on_gpu)
    raise AssertionError("the last algorithm has no limit")


def _branching_partition(graph: Graph, internal: int, run: Run, choice: str, seed: int) -> _Partition:
    """The blocks by branching bisimulation, each represented by its first state that can do all that the others can do."""
    blocks, representatives = graph.labels.copy(), np.empty(graph.states, dtype=graph.labels.dtype)
    kernel = kernels("branching.branching", graph.transitions, choice).coarsest_partition
    progress = np.zeros(8, dtype=np.int64)
    arrays = graph.offsets, graph.actions, graph.targets, internal, blocks, representatives, progress
    stop = partial(progress.__setitem__, STOP, 1)
    (number,) = attended(run, "branching", partial(kernel, *arrays, seed), facts=partial(_facts, progress), stop=stop)
    return _Partition(blocks, representatives[:number], "bottom-states", int(progress[WORK]))


def _facts(progress: Numbers) -> dict[str, Fact]:
    """The progress of a kernel: blocks, rounds if there are any, and the number of transitions that were looked at."""
    entries = {"blocks": BLOCKS, "rounds": ROUNDS, "transitions": WORK}
    return {name: int(progress[entry]) for name, entry in entries.items() if entry != ROUNDS or progress[ROUNDS]}
