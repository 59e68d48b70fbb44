"""From Aldébaran text straight to the text of the quotient, without NumPy: for most graphs, loading it would take longer.

The kernels and the order in which they are called are those of `lts/minimise` and `lts/branching`, so that the resulting text is
the same. Unusual graphs are left to those folders: then there is no quotient here.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec
from typing import Final, NamedTuple

from coarsest import tuning
from coarsest._kernels import choose
from coarsest._kernels.columns import Column
from coarsest._kernels.library import library
from coarsest._kernels.progress import LIMIT, STOP, WORK
from coarsest.errors import InputError
from coarsest.formats.aut.read import header_of, processors, read_transitions
from coarsest.formats.aut.write import text_of
from coarsest.lts.attended import StepListener, attended

MOST_BYTES: Final = 2 << 30
"""Longer texts may have more transitions than narrow numbers count."""
INTERNAL = frozenset({"i", "tau"})

kernels = partial(choose.kernels, transitions=0, choice="compiled")


class TransitionRows(NamedTuple):
    """The transitions of state i are the entries `offsets[i]` to `offsets[i + 1]` of `actions` and `targets`."""

    offsets: Column
    actions: Column
    targets: Column

    @property
    def states(self) -> int:
        return len(self.offsets) - 1

    @property
    def transitions(self) -> int:
        return len(self.targets)


class Blocks(NamedTuple):
    """The block of each state, a representative of each block, the algorithm that found them, and its work in transitions."""

    blocks: Column
    representatives: Column
    algorithm: str
    work: int


class QuotientClaim(NamedTuple):
    """Everything that a judge needs: a graph, the ranks of its actions, which are the actions of the quotient, its internal
    action (or -1), the state of the quotient for each state (or -1), the quotient, and both initial states."""

    graph: TransitionRows
    ranks: Column
    internal: int
    state_of: Column
    quotient: TransitionRows
    initial: tuple[int, int]


class QuotientText(NamedTuple):
    """The sizes of a graph and of its quotient, the algorithm and its work, the text in pieces (each is valid until the next is
    asked for), and a claim if the quotient is to be judged."""

    states: tuple[int, int]
    transitions: tuple[int, int]
    algorithm: str
    work: int
    pieces: Iterator[bytes | memoryview]
    claim: QuotientClaim | None


def quotient_text(path: str, *, by: str, judged_up_to: int, run: StepListener, threads: int | None = None) -> QuotientText | None:
    """The quotient by a bisimulation, with a claim if the graph has at most `judged_up_to` transitions; None if it cannot be made
    this way. By default, there are as many threads as processors."""
    if library() is None or not os.path.isfile(path):
        return None
    length = os.path.getsize(path)
    if length > tuning.AUT_BYTES_FOR_A_GPU and (length > MOST_BYTES or find_spec("cupy") is not None):
        return None
    with open(path, "rb") as file:
        try:
            text = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
            header = header_of(text, path)
        except (InputError, OSError, ValueError):
            return None
    with_claim = header.transitions <= judged_up_to
    # A weak reduction may turn out to be useless here. Only for small graphs is that cheap compared to loading NumPy.
    if header.transitions == 0 or (by == "weak-bisimulation" and not with_claim):
        return None
    threads = threads or processors()
    listed = read_transitions(text, Column.over(text), header, run, threads=threads, choice="compiled")
    if listed is None or INTERNAL.issubset(listed.names):
        return None
    if by.endswith("divergence") and not INTERNAL.isdisjoint(listed.names):
        return None
    reduction = _Reduction(run, threads, with_claim=with_claim)
    rows, names = _gathered(header.states, *listed[:3]), listed.names
    del listed
    return reduction.quotient(rows, names, header.initial, by=by)


def _gathered(states: int, sources: Column, actions: Column, targets: Column) -> TransitionRows:
    """Transitions by their source; transitions with the same source stay in their order."""
    csr = kernels("csr")
    offsets = Column("i4", states + 1)
    if not csr.count_rows(sources, offsets):
        unordered = actions, targets
        actions, targets = (Column("i4", len(column)) for column in unordered)
        csr.gather_rows(sources, offsets, *unordered, actions, targets)
    return TransitionRows(offsets, actions, targets)


class _Reduction:
    """The steps from a graph to the text of its quotient."""

    def __init__(self, run: StepListener, threads: int, *, with_claim: bool) -> None:
        self._run, self._threads = run, threads
        self._with_claim = with_claim

    def quotient(self, whole: TransitionRows, names: list[str], root: int, *, by: str) -> QuotientText | None:
        """The text; None if the blocks are not a bisimulation, or the relation may be coarser than branching bisimulation."""
        graph, initial, silent, internal, same = whole, root, -1, -1, Column.of("i4", range(len(names)))
        state_of: Column | None = None
        if by != "bisimulation" and not INTERNAL.isdisjoint(names):
            silent = next(action for action, name in enumerate(names) if name in INTERNAL)
            graph, state_of, some_left = self._collapsed(graph, silent, same)
            initial, internal = state_of[initial], silent if some_left else -1
        blocks, representatives, algorithm, work = (
            self._partition(graph) if internal < 0 else self._branching_partition(graph, internal)
        )
        in_order = sorted(names)
        rank_of = {name: rank for rank, name in enumerate(in_order)}
        ranks = Column.of("i4", [rank_of[name] for name in names])
        rows = self._rows(graph, ranks, blocks, representatives)
        arrays = *graph, ranks, blocks, representatives, *rows, internal
        if attended(self._run, "check", partial(kernels("partition.quotient").first_deviation, *arrays)) != [-1]:
            return None
        if by == "weak-bisimulation" and silent >= 0:
            marks = Column("b1", len(rows.actions))
            if kernels("partition.silent_components").mark_action(rows.actions, ranks[silent], marks):
                return None
        sizes, after = (whole.states, whole.transitions), blocks[initial]
        if state_of is None:
            state_of = blocks
        elif self._with_claim:
            kernels("partition.quotient").follow(state_of, blocks)
        judged = (whole, state_of) if self._with_claim else None
        del graph, whole, arrays, state_of
        small, first = self._numbered(rows, after, same, judged and judged[1])
        claim = judged and QuotientClaim(judged[0], ranks, silent, judged[1], small, (root, first))
        pieces = text_of(small, first, in_order, ahead=self._threads > 1, choice="compiled")
        return QuotientText((sizes[0], small.states), (sizes[1], small.transitions), algorithm, work, pieces, claim)

    def _collapsed(self, graph: TransitionRows, internal: int, same: Column) -> tuple[TransitionRows, Column, bool]:
        """The graph without cycles of internal transitions, the state of each state in it, and whether internal ones are left."""
        kernel = kernels("partition.silent_components")
        silent, component = Column("b1", graph.transitions), Column("i4", graph.states)
        kernel.mark_action(graph.actions, internal, silent)
        (count,) = attended(self._run, "collapse", partial(kernel.components, graph.offsets, graph.targets, silent, component))
        columns = Column("i4", 3, graph.transitions)
        transitions, some_left = kernel.outer_transitions(*graph, silent, component, columns, Column("b1", count))
        outer = _gathered(count, *(columns.row(part).first(transitions) for part in range(3)))
        every = Column.of("i4", range(count))
        return self._rows(outer, same, every, every), component, some_left

    def _partition(self, graph: TransitionRows) -> Blocks:
        blocks, work = Column("i4", graph.states), 0
        for algorithm, patience in (("signatures", tuning.SIGNATURE_LOOKS), ("valmari", 0)):
            progress = Column("i8", 8)
            progress[LIMIT] = patience * (graph.transitions + graph.states)
            call = partial(kernels(f"partition.{algorithm}").coarsest_partition, *graph, blocks, progress, 0)
            (count,) = attended(self._run, algorithm, call, stop=partial(progress.__setitem__, STOP, 1))
            work += progress[WORK]
            if count >= 0:
                break
        firsts = Column("i4", count)
        kernels("partition.quotient").first_members(blocks, firsts)
        return Blocks(blocks, firsts, algorithm, work)

    def _branching_partition(self, graph: TransitionRows, internal: int) -> Blocks:
        blocks, representatives, progress = Column("i4", graph.states), Column("i4", graph.states), Column("i8", 8)
        kernel = kernels("branching.branching").coarsest_partition
        call = partial(kernel, *graph, internal, blocks, representatives, progress, 0)
        (count,) = attended(self._run, "branching", call, stop=partial(progress.__setitem__, STOP, 1))
        return Blocks(blocks, representatives.first(count), "bottom-states", progress[WORK])

    def _rows(self, graph: TransitionRows, ranks: Column, blocks: Column, states: Column) -> TransitionRows:
        """The transitions of these states as pairs of an action's rank and a block, in order and without repetitions."""
        offsets, actions, targets = (Column("i4", size) for size in (len(states) + 1, graph.transitions, graph.transitions))
        kernel = kernels("partition.quotient").block_rows
        attended(self._run, "quotient", partial(kernel, *graph, ranks, blocks, states, offsets, actions, targets))
        return TransitionRows(offsets, actions.first(offsets[len(states)]), targets.first(offsets[len(states)]))

    def _numbered(self, rows: TransitionRows, root: int, same: Column, state_of: Column | None) -> tuple[TransitionRows, int]:
        """The rows of the states that the root reaches, numbered breadth-first, and the number of the root; `same` lists the
        actions in their order. The states in `state_of`, if it is there, get their final numbers."""
        kernel = kernels("partition.numbering")
        for final in (False, True):
            roots, numbers, order = Column.of("i4", [root]), Column("i4", rows.states), Column("i4", rows.states)
            call = partial(kernel.breadth_first, rows.offsets, rows.targets, roots, numbers, order, False)
            (reached,) = attended(self._run, "number", call)
            if final or reached < rows.states:
                rows, root = self._rows(rows, same, numbers, order.first(reached)), numbers[root]
                if state_of is not None:
                    kernels("partition.quotient").follow(state_of, numbers)
            if not final:
                hashes = Column("u8", rows.states)
                call = partial(kernel.tell_apart, *rows, Column.of("i4", [root]), hashes, tuning.NUMBERING_LOOKS * rows.states)
                attended(self._run, "number", call)
        return rows, root
