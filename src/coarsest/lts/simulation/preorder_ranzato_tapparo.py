"""The simulation preorder: which states are matched, step by step, by which.

Reference: Ranzato, Tapparo 2010, An efficient simulation algorithm based on abstract interpretation; space as in Cécé
           2017, Foundation for a series of efficient simulation algorithms (LICS), section 4.
Symbols:   P is `block`, Rel is `above`, Remove is the set of sources of `unable` groups; pre_a(X) are the states with an
           a-transition into X.
Invariant: a state above a block stays above it if something that simulates it is asked for: rows of `above` are closed
           under simulation. What `pending` does not hold has been drawn upon: if C has an a-transition into B, all states
           above C are in pre_a(above(B) ∪ pending(B)).
Deviates:  on the quotient by bisimulation; labelled transitions; no counters: whether a state still has a transition into
           a set is looked up when one of its transitions leaves the set, in batches; candidates come from actions or from
           targets, whichever are fewer.
           If there are thousands of blocks, it is tried whether most states have few others above them
           (`preorder_by_lists.py`); otherwise this goes on.
Cost:      time O(|P| · m) set operations and look-ups; space two bit matrices over the blocks, O(|P|²/8) bytes, and O(m).
"""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from coarsest import tuning
from coarsest._kernels.choose import kernels
from coarsest._kernels.worker_threads import in_worker_thread
from coarsest.lts.simulation.preorder_by_lists import Integers, Lists, listed_preorder
from coarsest.run import Run

if TYPE_CHECKING:
    from coarsest.lts.labelled import Graph


class Preorder(Struct, frozen=True, eq=False, dict=True):
    """`block` numbers the class of each state under simulation equivalence. Those above each are `listed`, or bit C of row B of
    `packed` says that B is below C."""

    block: Integers
    packed: NDArray[np.uint64] | None = None
    listed: Lists | None = None

    @cached_property
    def rows(self) -> NDArray[np.uint64]:
        """The relation between classes, as bits. Large relations that are listed become larger by this."""
        if self.listed is None:
            return self.packed if self.packed is not None else np.zeros((0, 0), dtype=np.uint64)
        words = (self.blocks + 63) // 64
        return np.array([_packed(self.listed.above(number), words) for number in range(self.blocks)]).reshape(-1, words)

    @classmethod
    def of(cls, above: NDArray[np.bool_]) -> Preorder:
        """The classes of states that are below each other, and the relation between them, of a relation between states."""
        smallest = (above & above.T).argmax(axis=1) if len(above) else np.zeros(0, dtype=np.int64)  # of each class
        first, block = np.unique(smallest, return_inverse=True)
        return cls(block.reshape(-1).astype(np.int64), rows_of_bits(above[np.ix_(first, first)]))

    @property
    def blocks(self) -> int:
        return len(self.rows if self.listed is None else self.listed.begin)

    def below(self, one: int, other: int) -> bool:
        """Is a state simulated by another?"""
        row, column = int(self.block[one]), int(self.block[other])
        if self.listed is not None:
            above = self.listed.above(row)
            return column in above[np.searchsorted(above, column) :][:1]
        return bool((int(self.rows[row, column >> 6]) >> (column & 63)) & 1)

    def as_arrays(self) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int32]]:
        """The relation as kernels read it: rows of bits and empty lists, or no rows."""
        if self.listed is not None:
            return np.empty((0, 0), dtype=np.uint64), *self.listed
        return self.rows, *(np.empty(0, dtype=np.int64),) * 2, np.empty(0, dtype=np.int32)

    def matrix(self) -> NDArray[np.bool_]:
        """The relation between classes, one byte for each pair."""
        bits = np.unpackbits(self.rows.view(np.uint8), axis=1, bitorder="little")
        return bits[:, : self.blocks].view(np.bool_)


def rows_of_bits(matrix: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """A square matrix of truth values, 64 of them in a number."""
    padded = np.zeros((len(matrix), (len(matrix) + 63) // 64 * 64), dtype=np.bool_)
    padded[:, : len(matrix)] = matrix
    return np.packbits(padded, axis=1, bitorder="little").view(np.uint64)


def simulation_preorder(graph: Graph, run: Run, *, ready: bool = False, choice: str = "auto") -> Preorder:
    """The greatest simulation that respects labels; with `ready`, states that are related can do the same actions at once.
    The transitions of each state must be in the order of their actions, as `tidied` puts them.
    """
    groups = _groups(graph)
    block, above = _first_relation(graph, groups, ready=ready)
    return _refined(graph, groups, (block, above, ~above & _all_of(len(above))), run, choice)


def ready_simulation_within(order: Preorder, graph: Graph, run: Run, *, choice: str = "auto") -> Preorder:
    """The greatest ready simulation, where the greatest simulation is known: that need not be looked at again."""
    return _within(order, _ready_blocks(graph, _groups(graph))[0], graph, run, choice)


def nested_simulation_within(order: Preorder, graph: Graph, run: Run, *, choice: str = "auto") -> Preorder:
    """The greatest 2-nested simulation, where the greatest simulation is known: what is above a state is also below it."""
    return _within(order, order.block, graph, run, choice)


def _within(order: Preorder, classes: Integers, graph: Graph, run: Run, choice: str) -> Preorder:
    """The greatest simulation within another one that relates only states of one class; states of a block are of one class."""
    class_of_block = np.zeros(order.blocks, dtype=np.int64)
    class_of_block[order.block] = classes
    above, members = order.rows.copy(), np.argsort(class_of_block, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(class_of_block[members], prepend=-1)), len(members))
    for begin, end in zip(ends[:-1].tolist(), ends[1:].tolist()):
        above[members[begin:end]] &= _packed(members[begin:end], above.shape[1])
    return _refined(graph, _groups(graph), (order.block.astype(np.int64), above, order.rows & ~above), run, choice)


_Start: TypeAlias = tuple[NDArray[np.int64], NDArray[np.uint64], NDArray[np.uint64]]
"""The block of each state, the blocks above each, and what was given up and not yet drawn upon."""


def _refined(graph: Graph, groups: _Groups, start: _Start, run: Run, choice: str) -> Preorder:
    """Refine a relation between blocks until it is a simulation."""
    block, above, pending = start
    blocks = len(above)
    counters = np.array([blocks], dtype=np.int64)
    kernel = kernels("simulation.simulation", graph.transitions, choice)
    static = (groups.offsets, groups.sources, groups.actions, graph.targets, *_by_action(graph, groups), *_back(graph, groups))
    finished, most = False, tuning.LISTED_BLOCKS
    while not finished:
        run.step("simulation", blocks=int(counters[0]))
        refine = partial(kernel.refine_simulation, *static, block, above, pending, counters, tuning.KERNEL_WORK, most)
        finished, above, pending = in_worker_thread(refine)  # in the main thread, an interrupt could lose its arrays
        if not finished and counters[0] >= most:
            blocks, most = int(counters[0]), graph.states + 1
            listed = listed_preorder(graph, block, np.ascontiguousarray(above[:blocks, : (blocks + 63) // 64]), run, choice)
            if listed is not None:
                return Preorder(listed[0], listed=listed[1])
    blocks = int(counters[0])
    return Preorder(block, np.ascontiguousarray(above[:blocks, : (blocks + 63) // 64]))


class _Groups(Struct, frozen=True, eq=False, dict=True):
    """The transitions of each state with each action."""

    offsets: NDArray[np.int64]
    sources: Integers
    actions: Integers
    of_transition: Integers


def _groups(graph: Graph) -> _Groups:
    sources = graph.sources
    fresh = np.ones(graph.transitions, dtype=np.bool_)
    fresh[1:] = (sources[1:] != sources[:-1]) | (graph.actions[1:] != graph.actions[:-1])
    first = np.flatnonzero(fresh)
    return _Groups(np.append(first, graph.transitions), sources[first], graph.actions[first], np.cumsum(fresh) - 1)


def _by_action(graph: Graph, groups: _Groups) -> tuple[Integers, Integers]:
    offsets = np.zeros(len(graph.action_names) + 1, dtype=np.int64)
    np.cumsum(np.bincount(groups.actions, minlength=len(graph.action_names)), out=offsets[1:])
    return offsets, np.argsort(groups.actions, kind="stable")


def _back(graph: Graph, groups: _Groups) -> tuple[Integers, Integers]:
    offsets = np.zeros(graph.states + 1, dtype=np.int64)
    np.cumsum(np.bincount(graph.targets, minlength=graph.states), out=offsets[1:])
    return offsets, groups.of_transition[np.argsort(graph.targets, kind="stable")]


def _all_of(blocks: int) -> NDArray[np.uint64]:
    """A row with all blocks in it."""
    bits = np.zeros(((blocks + 63) // 64) * 64, dtype=np.uint8)
    bits[:blocks] = 1
    return np.packbits(bits, bitorder="little").view(np.uint64)


def _first_relation(graph: Graph, groups: _Groups, *, ready: bool) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Blocks of states with one label and the same actions; above a block are those with its label and all of its actions."""
    block, blocks = _ready_blocks(graph, groups)
    first = np.zeros(blocks, dtype=np.int64)
    first[block[::-1]] = np.arange(graph.states)[::-1]
    words = (blocks + 63) // 64
    labels = graph.labels[first]
    if ready:
        return block, _identity(blocks, words)
    above = np.zeros((blocks, words), dtype=np.uint64)
    for label in np.unique(labels).tolist():
        above[labels == label] = _packed(np.flatnonzero(labels == label), words)
    pairs = np.unique(groups.actions.astype(np.int64) * blocks + block[groups.sources])
    ends = np.append(np.flatnonzero(np.diff(pairs // blocks, prepend=-1)), len(pairs))
    for begin, end in zip(ends[:-1].tolist(), ends[1:].tolist()):
        able = pairs[begin:end] % blocks
        above[able] &= _packed(able, words)
    return block, above


def _ready_blocks(graph: Graph, groups: _Groups) -> tuple[NDArray[np.int64], int]:
    """Number the states by label and set of actions."""
    actions, ends = groups.actions.tolist(), np.searchsorted(groups.sources, np.arange(graph.states + 1)).tolist()
    labels = graph.labels.tolist()
    numbers: dict[tuple[int, ...], int] = {}
    block = np.empty(graph.states, dtype=np.int64)
    for state in range(graph.states):
        key = (labels[state], *actions[ends[state] : ends[state + 1]])
        block[state] = numbers.setdefault(key, len(numbers))
    return block, len(numbers)


def _packed(members: Integers, words: int) -> NDArray[np.uint64]:
    bits = np.zeros(64 * words, dtype=np.uint8)
    bits[members] = 1
    return np.packbits(bits, bitorder="little").view(np.uint64)


def _identity(blocks: int, words: int) -> NDArray[np.uint64]:
    rows = np.zeros((blocks, words), dtype=np.uint64)
    numbers = np.arange(blocks)
    rows[numbers, numbers >> 6] = np.uint64(1) << (numbers & 63).astype(np.uint64)
    return rows
