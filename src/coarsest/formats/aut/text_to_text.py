"""From Aldébaran text straight to the text of the quotient, without NumPy, which takes as long to load as many a graph to reduce.

The kernels, and the order in which they are called, are those of `lts/minimise` and `lts/branching`, and so is the text in the
end. Whatever is out of the ordinary is left to them: there is no quotient then.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec
from typing import NamedTuple

from coarsest._kernels import choose
from coarsest._kernels.columns import Column
from coarsest._kernels.library import library
from coarsest.errors import InputError
from coarsest.formats.aut.read import header_of, processors, read_transitions
from coarsest.formats.aut.write import text_of
from coarsest.lts.attended import Run, attended
from coarsest.lts.limits import LIMIT, MOST_LOOKS, PATIENCE, STOP, WORK

MOST_BYTES, MOST_BESIDE_GPU = 2 << 30, 128 << 20
"""Longer texts may have more transitions than narrow numbers count; and where CuPy is, they may be for a GPU."""
INTERNAL = frozenset({"i", "tau"})

kernels = partial(choose.kernels, transitions=0, choice="compiled")


class Rows(NamedTuple):
    """The transitions of state i lie at the places `offsets[i]` to `offsets[i + 1]` of `actions` and `targets`."""

    offsets: Column
    actions: Column
    targets: Column

    @property
    def states(self) -> int:
        return len(self.offsets) - 1

    @property
    def transitions(self) -> int:
        return len(self.targets)


class Partition(NamedTuple):
    """The block of each state, a state that stands for each block, who has found them, and how much it has looked at."""

    blocks: Column
    representatives: Column
    algorithm: str
    work: int


class Claim(NamedTuple):
    """What somebody else can judge: a graph, its quotient, in which actions have these ranks, and the state of the quotient for
    each state, or -1; which action is internal, or -1; and the initial states."""

    graph: Rows
    ranks: Column
    internal: int
    state_of: Column
    quotient: Rows
    initial: tuple[int, int]


class QuotientText(NamedTuple):
    """The sizes of a graph and of its quotient, who found that, how much was looked at, the text in pieces, each there until
    the next one is asked for, and a claim if somebody wants to judge it."""

    states: tuple[int, int]
    transitions: tuple[int, int]
    algorithm: str
    work: int
    pieces: Iterator[bytes | memoryview]
    claim: Claim | None


def quotient_text(path: str, *, by: str, judged_up_to: int, run: Run, threads: int | None = None) -> QuotientText | None:
    """The quotient by a bisimulation, with a claim if the graph has no more transitions than these; None if that is not to be had
    this way. So many threads read and write, by default as many as there are processors."""
    if library() is None or not os.path.isfile(path) or _is_too_long(os.path.getsize(path)):
        return None
    with open(path, "rb") as file:
        try:
            text = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
            header = header_of(text, path)
        except (InputError, OSError, ValueError):
            return None
    with_claim = header.transitions <= judged_up_to
    # A weak reduction may be in vain, which costs nothing only beside the start of the long way.
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


def _gathered(states: int, sources: Column, actions: Column, targets: Column) -> Rows:
    """Transitions by their source, those of one source in the order they are in."""
    csr = kernels("csr")
    offsets = Column("i4", states + 1)
    if not csr.count_rows(sources, offsets):
        unordered = actions, targets
        actions, targets = (Column("i4", len(column)) for column in unordered)
        csr.gather_rows(sources, offsets, *unordered, actions, targets)
    return Rows(offsets, actions, targets)


def _is_too_long(length: int) -> bool:
    return length > MOST_BESIDE_GPU and (length > MOST_BYTES or find_spec("cupy") is not None)


class _Reduction:
    """The steps from a graph to the text of its quotient."""

    def __init__(self, run: Run, threads: int, *, with_claim: bool) -> None:
        self._run, self._threads = run, threads
        self._with_claim = with_claim

    def quotient(self, whole: Rows, names: list[str], root: int, *, by: str) -> QuotientText | None:
        """The text; None if blocks turn out to be no bisimulation, or the relation may be coarser than branching bisimulation."""
        graph, initial, silent, internal, same = whole, root, -1, -1, Column.of("i4", range(len(names)))
        state_of: Column | None = None
        if by != "bisimulation" and not INTERNAL.isdisjoint(names):
            silent = next(number for number, name in enumerate(names) if name in INTERNAL)
            graph, state_of, some_left = self._collapsed(graph, silent, same)
            initial, internal = state_of[initial], silent if some_left else -1
        found = self._partition(graph) if internal < 0 else self._branching_partition(graph, internal)
        in_order = sorted(names)
        number_of = {name: number for number, name in enumerate(in_order)}
        ranks = Column.of("i4", [number_of[name] for name in names])
        rows = self._rows(graph, ranks, found.blocks, found.representatives)
        arrays = *graph, ranks, found.blocks, found.representatives, *rows, internal
        if attended(self._run, "check", partial(kernels("partition.quotient").first_deviation, *arrays)) != [-1]:
            return None
        if by == "weak-bisimulation" and silent >= 0 and self._occurs(ranks[silent], rows):
            return None
        sizes, after = (whole.states, whole.transitions), found.blocks[initial]
        if state_of is None:
            state_of = found.blocks
        elif self._with_claim:
            kernels("partition.quotient").follow(state_of, found.blocks)
        of_claim = (whole, state_of) if self._with_claim else None
        del graph, whole, arrays, state_of
        small, first = self._numbered(rows, after, same, of_claim and of_claim[1])
        claim = of_claim and Claim(of_claim[0], ranks, silent, of_claim[1], small, (root, first))
        pieces = text_of(small, first, in_order, ahead=self._threads > 1, choice="compiled")
        return QuotientText(
            (sizes[0], small.states), (sizes[1], small.transitions), found.algorithm, found.work, pieces, claim
        )  # fmt: skip

    def _occurs(self, action: int, rows: Rows) -> bool:
        return bool(kernels("partition.silent_components").mark_action(rows.actions, action, Column("b1", len(rows.actions))))

    def _collapsed(self, graph: Rows, internal: int, same: Column) -> tuple[Rows, Column, bool]:
        """The graph without cycles of internal transitions, the state of each state, and are there internal transitions left?"""
        kernel = kernels("partition.silent_components")
        silent, component = Column("b1", graph.transitions), Column("i4", graph.states)
        kernel.mark_action(graph.actions, internal, silent)
        (count,) = attended(self._run, "collapse", partial(kernel.components, graph.offsets, graph.targets, silent, component))
        columns = Column("i4", 3, graph.transitions)
        number, some_left = kernel.outer_transitions(*graph, silent, component, columns, Column("b1", count))
        outer = _gathered(count, *(columns.row(place).first(number) for place in range(3)))
        every = Column.of("i4", range(count))
        return self._rows(outer, same, every, every), component, some_left

    def _partition(self, graph: Rows) -> Partition:
        blocks, work = Column("i4", graph.states), 0
        for algorithm, patience in (("signatures", PATIENCE), ("valmari", 0)):
            progress = Column("i8", 8)
            progress[LIMIT] = patience * (graph.transitions + graph.states)
            call = partial(kernels(f"partition.{algorithm}").coarsest_partition, *graph, blocks, progress, 0)
            (number,) = attended(self._run, algorithm, call, stop=partial(progress.__setitem__, STOP, 1))
            work += progress[WORK]
            if number >= 0:
                break
        firsts = Column("i4", number)
        kernels("partition.quotient").first_members(blocks, firsts)
        return Partition(blocks, firsts, algorithm, work)

    def _branching_partition(self, graph: Rows, internal: int) -> Partition:
        blocks, representatives, progress = Column("i4", graph.states), Column("i4", graph.states), Column("i8", 8)
        kernel = kernels("branching.branching").coarsest_partition
        call = partial(kernel, *graph, internal, blocks, representatives, progress, 0)
        (number,) = attended(self._run, "branching", call, stop=partial(progress.__setitem__, STOP, 1))
        return Partition(blocks, representatives.first(number), "bottom-states", progress[WORK])

    def _rows(self, graph: Rows, ranks: Column, blocks: Column, chosen: Column) -> Rows:
        """The transitions of the chosen states as pairs of actions by rank and blocks: in order, each once."""
        offsets, actions, targets = (Column("i4", size) for size in (len(chosen) + 1, graph.transitions, graph.transitions))
        kernel = kernels("partition.quotient").block_rows
        attended(self._run, "quotient", partial(kernel, *graph, ranks, blocks, chosen, offsets, actions, targets))
        return Rows(offsets, actions.first(offsets[len(chosen)]), targets.first(offsets[len(chosen)]))

    def _numbered(self, rows: Rows, root: int, same: Column, state_of: Column | None) -> tuple[Rows, int]:
        """What the root leads to, numbered breadth-first, and the number of the root; `same` are the actions in their order.
        Numbers of states, if they are wanted, become those that they have in the end."""
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
                call = partial(kernel.tell_apart, *rows, Column.of("i4", [root]), hashes, MOST_LOOKS * rows.states)
                attended(self._run, "number", call)
        return rows, root
