"""Rounds of symbolic signatures on arrays: for each round, one product and one walk over all pairs of nodes, in compiled kernels.

Reference: van Dijk, van de Pol 2018; the kernels are in _kernels/diagrams/signatures.py.
Symbols:   T is `steps`: for present and next values, the list of actions. P is `blocks`: the number of the block of each state.
Invariant: as in signatures_blom_orzan.py, which continues here where there are many nodes.
Deviates:  blocks and actions are numbers at the leaves, not variables. Signatures of all states are taken in each round, but the
           results of products and unions are remembered. The part of a block that most nodes lead to keeps its number, so most
           of P stays as it is, and nothing is computed again where nothing has changed.
Cost:      in each round, the pairs of nodes of T and P that are new. When the table is large, all but T and P is forgotten.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from coarsest._kernels.choose import kernels
from coarsest.bdd.arrays import Diagrams, diagrams_of
from coarsest.reduce.partition.partition import Lazy, Partition, TooManyBlocks, breadth_first, renumbered
from coarsest.space.bdd.relation.choice import whole_of

if TYPE_CHECKING:
    from coarsest.bdd.oxidd import OxiddManager
    from coarsest.reduce.bisimulation.signatures_blom_orzan import Rounds
    from coarsest.run import Run

KERNELS = "diagrams.signatures"
BITS: Final = 26
LISTS: Final = 4093
NO_ROOM: Final = -1
UNASKED: Final = -2
FIRST_LIST: Final = -3
"""These are the constants of the kernels."""
MASK: Final = (1 << BITS) - 1
FIRST_SIZE: Final = 1 << 14
"""There is room for this many nodes at first."""
ENTRIES_WORTH_DROPPING: Final = 1 << 22
"""A larger table is dropped between two rounds, so that its memory is free."""
MOST_ENTRIES: Final = 1 << 25
"""A table that would become larger ends the rounds on arrays."""
AT_ONCE: Final = 1 << 21
"""The kernels make this many entries, in less than a second, before limits are checked."""

Numbers = NDArray[np.int32]
Walk = tuple[Numbers, Numbers]
"""Pairs of nodes, and the tree of them: level, the pairs where the variable is 0 and 1, how the pair was met, by which value."""


class NoRoom(Exception):
    """The table would be too large."""


class SignatureNodes:
    """The arrays that the kernels work on."""

    def __init__(self, run: Run, choice: str) -> None:
        self._kernels = kernels(KERNELS, ENTRIES_WORTH_DROPPING, choice)
        self._run = run
        self.blocks = 0
        """The number of blocks, for progress reports."""
        self._pairs = FIRST_SIZE
        self._clear(4 * FIRST_SIZE)

    def _clear(self, size: int) -> None:
        self.keys, self._table = np.zeros(FIRST_SIZE, dtype=np.uint64), np.zeros(size, dtype=np.uint64)
        self._buffer, self._counts = np.zeros(1 << 12, dtype=np.int32), np.array([1, 0, AT_ONCE])
        self.keys[0] = LISTS << 2 * BITS | MASK  # no list of one number looks like the empty one
        self._least = 0
        """Entries after the last collection."""

    def call(self, name: str, *arguments: Any) -> int:
        """The result of a kernel, which is called again with more room until its entries fit."""
        kernel = getattr(self._kernels, name)
        while True:
            result: int = kernel(*arguments, self.keys, self._table, self._counts)
            if result != NO_ROOM:
                return result
            self._make_room()

    def _make_room(self) -> None:
        nodes, entries, allowance = self._counts.tolist()
        if allowance <= 0:
            self._run.step("signatures", blocks=self.blocks, nodes=nodes)
            self._counts[2] = AT_ONCE
        if nodes >= len(self.keys):
            self.keys = np.append(self.keys, np.zeros_like(self.keys))
        if 3 * entries >= len(self._table):
            if entries >= MOST_ENTRIES:
                raise NoRoom
            table = np.zeros(2 * len(self._table), dtype=np.uint64)
            self._kernels.moved(self._table, table)
            self._table = table

    def signatures(self, steps: int, blocks: int, after: Numbers, actions: int) -> int:
        """The signatures of all states, as a node. The buffer has room for a list of all pairs of a block and an action."""
        if self.blocks * actions >= MASK:
            raise NoRoom
        if self.blocks * actions > len(self._buffer):
            self._buffer = np.zeros(2 * self.blocks * actions, dtype=np.int32)
        return self.call("signatures", steps, blocks, after, actions, self._buffer)

    def pairs(self, first: int, second: int) -> Walk:
        """All pairs of nodes of two functions."""
        while True:
            members, tree = np.empty((self._pairs, 2), dtype=np.int32), np.empty((self._pairs, 5), dtype=np.int32)
            table = np.zeros(4 * self._pairs, dtype=np.uint64)
            count = self._kernels.pairs(first, second, self.keys, table, members, tree)
            if count != NO_ROOM:
                return members[:count], tree[:count]
            self._pairs *= 2

    def number_at(self, lists: Numbers) -> NDArray[np.int64]:
        """The largest numbers of lists."""
        return (self.keys[lists] & np.uint64(MASK)).astype(np.int64)

    def collect(self, *roots: int) -> list[int]:
        """Forget all functions but `roots`; the result is their new nodes."""
        keys, moved = self.keys, np.zeros(self._counts[0], dtype=np.int32)
        marks = np.zeros(len(moved), dtype=np.bool_)
        marks[list(roots)] = True
        self._clear(max(4 * FIRST_SIZE, len(self._table) // 2))
        self.call("collected", marks, moved, keys)
        self._least = int(self._counts[1])
        return [int(moved[root]) for root in roots]

    @property
    def is_large(self) -> bool:
        return bool(self._counts[1] > max(ENTRIES_WORTH_DROPPING, 8 * self._least))


class _Entry(NamedTuple):
    """The first nodes: T, P and the initial states. `after` has the levels of next values."""

    steps: int
    blocks: int
    initial: int
    after: Numbers


class RoundsOnArrays:
    """The rounds on arrays, for the states, variables and first numbering of `rounds`."""

    def __init__(self, rounds: Rounds, choice: str) -> None:
        self.rounds, self.manager = rounds, rounds.manager
        self.nodes = SignatureNodes(rounds.run, choice)
        self.actions = len(rounds.observed.actions) + 1
        """An action a, from 1 on, and a block b are one number in a signature: b times `actions`, plus a."""
        self.order = self.manager.order
        numbered, self.origin = rounds.first_numbering()
        entry = _entered(self.nodes, rounds, numbered)
        if entry is None:
            raise NoRoom
        self.steps, self.blocks, self.initial, self.after = entry

    def _refine(self, most_blocks: int | None) -> None:
        """Split blocks until all states of a block have the same signature."""
        rounds, nodes = self.rounds, self.nodes
        while True:
            nodes.blocks = len(self.origin)
            rounds.run.step("signatures", blocks=nodes.blocks, nodes=rounds.manager.live_nodes)
            if nodes.is_large:
                self.steps, self.blocks, self.initial = nodes.collect(self.steps, self.blocks, self.initial)
            signatures = nodes.signatures(self.steps, self.blocks, self.after, self.actions)
            self.walk = members, tree = nodes.pairs(signatures, self.blocks)
            self.leaves = np.flatnonzero(tree[:, 0] == LISTS)
            self.numbers = nodes.number_at(members[self.leaves, 1])
            if not self._new_numbers():
                return
            if most_blocks is not None and len(self.origin) > most_blocks:
                raise TooManyBlocks
            number_of, results = np.zeros(len(tree), dtype=np.int32), np.zeros(len(tree), dtype=np.int32)
            number_of[self.leaves] = self.numbers
            nodes.call("rebuilt", np.argsort(tree[:, 0], kind="stable"), tree, number_of, results)
            self.blocks = int(results[0])

    def _new_numbers(self) -> bool:
        """The part of a block that most nodes lead to keeps its number, the other parts get new ones. Are there any?"""
        tree, origin = self.walk[1], self.origin
        inner = tree[tree[:, 0] != LISTS, 1:3]
        ways = np.bincount(inner[inner >= 0], minlength=len(tree))[self.leaves]
        order = np.lexsort((-ways, self.numbers))
        in_order = self.numbers[order]
        others = np.flatnonzero(in_order[1:] == in_order[:-1]) + 1
        origin += [origin[number] for number in in_order[others].tolist()]
        self.numbers[order[others]] = np.arange(len(origin) - len(others), len(origin))
        return len(others) > 0

    def partition(self, most_blocks: int | None) -> Partition[Any]:
        self._refine(most_blocks)
        edges = self._edges()
        members, tree = self.nodes.pairs(self.initial, self.blocks)
        first = members[(tree[:, 0] == LISTS) & (members[:, 0] != 0), 1]
        initial = sorted(set(self.nodes.number_at(first).tolist()))
        order = breadth_first(initial, edges)
        leaf = dict(zip(self.numbers.tolist(), self.leaves.tolist()))
        rounds = self.rounds
        examples = Lazy(len(order), lambda i: rounds.space.set(self._state_at(leaf[order[i]])))
        classes = Lazy(len(order), lambda i: rounds.class_of(self._numbered, order[i]))
        looks = tuple(self.origin[number] for number in order)
        return Partition(classes, *renumbered(order, initial, edges), looks, examples=examples)

    def _edges(self) -> list[tuple[int, int, int]]:
        """Source block, action and target block of each step in the signatures."""
        sources, lists = self.numbers, self.walk[0][self.leaves, 0]
        columns = []
        while len(lists):
            sources, lists = sources[lists != 0], lists[lists != 0]
            targets, actions = np.divmod(self.nodes.number_at(lists), self.actions)
            columns.append(np.stack((sources, actions - 1, targets)))
            lists = ((self.nodes.keys[lists] >> np.uint64(BITS)) & np.uint64(MASK)).astype(np.int32)
        table = np.concatenate(columns, axis=1) if columns else np.zeros((3, 0), dtype=np.int64)
        in_order = table[:, np.lexsort(table[::-1])]
        return list(zip(*in_order.tolist()))

    def _state_at(self, leaf: int) -> Any:
        """The state by which a pair of nodes was first met; bits that do not matter are 0."""
        space, tree = self.rounds.space, self.walk[1]
        literals = dict.fromkeys(space.bits, False)
        while tree[leaf, 3] >= 0:
            leaf, value = int(tree[leaf, 3]), bool(tree[leaf, 4])
            literals[self.order[tree[leaf, 0]]] = value
        return space.cube(literals)

    @cached_property
    def _numbered(self) -> Any:
        """P as a function of the manager, with numbers of blocks in variables."""
        (root,) = self.nodes.collect(self.blocks)
        manager, functions = self.manager, [self.manager.false]
        for key in self.nodes.keys[1 : root + 1].tolist():
            level, zero, one = key >> 2 * BITS, key >> BITS & MASK, key & MASK
            if level == LISTS:
                functions.append(self.rounds.cube(one))
            else:
                functions.append(manager.ite(manager.var(self.order[level]), functions[one], functions[zero]))
        return functions[root]


def _entered(nodes: SignatureNodes, rounds: Rounds, numbered: Any) -> _Entry | None:
    """T and P, or None if the steps are not given as functions, or next values are not in the order of present ones."""
    manager, space = rounds.manager, rounds.space
    relations = [getattr(getattr(action, "steps", None), "relation", None) for action in rounds.observed.actions]
    wholes = [rounds.relation if action is space else whole_of(cast("Any", relation))
              for action, relation in zip(rounds.observed.actions, relations)]  # fmt: skip
    level = {variable: i for i, variable in enumerate(manager.order)}
    if not hasattr(manager, "export_dddmp") or len(level) >= LISTS:
        return None
    after = np.full(len(level), -1, dtype=np.int32)
    steps = manager.false
    for value, whole in enumerate(wholes, 1):
        if whole is None:
            return None
        now = sorted(level[bit] for bit in space.bits)
        after[now] = now
        after[[level[bit] for bit in whole.now_of_after.values()]] = [level[bit] for bit in whole.now_of_after]
        steps = steps | (whole.relation & rounds.reached.function & rounds.tag(value))
    if (np.diff(after[now]) <= 0).any():
        return None
    diagrams = diagrams_of(cast("OxiddManager", manager), [steps, numbered, space.initial.function & rounds.reached.function])
    roots = _roots(nodes, diagrams, [[level[variable] for variable in row] for row in (rounds.tags, rounds.bits)])
    return _Entry(*roots, after)


def _roots(nodes: SignatureNodes, diagrams: Diagrams, beside: Sequence[Sequence[int]]) -> tuple[int, int, int]:
    """The nodes of the three roots. A function of tags or block bits alone becomes the list of numbers for which it is true."""
    levels, children, roots = diagrams
    first = min(level for row in beside for level in row)
    asked = np.zeros(2 * len(levels) + 2, dtype=np.bool_)
    asked[roots] = True
    by_level = np.argsort(levels, kind="stable")
    for at in np.split(by_level, np.searchsorted(levels[by_level], np.arange(1, first + 1)))[:first]:
        for sign in (0, 1):
            edges = 2 * at[asked[2 * at + sign]]
            asked[children[edges] ^ sign] = asked[children[edges + 1] ^ sign] = True
    leaves = np.flatnonzero(asked & np.repeat(np.append(levels, LISTS) >= first, 2))
    lists = [sorted(_numbers(diagrams, edge, beside)) for edge in leaves.tolist()]
    results = np.where(asked, -1, UNASKED).astype(np.int32)
    results[leaves] = FIRST_LIST - np.arange(len(leaves))
    starts = np.cumsum([0, *map(len, lists)])
    nodes.call("entered", levels, children, results, starts, np.array([*chain(*lists)], dtype=np.int32))
    steps, blocks, initial = results[roots].tolist()
    return steps, blocks, initial


def _numbers(diagrams: Diagrams, edge: int, beside: Sequence[Sequence[int]]) -> Iterator[int]:
    """The numbers whose bits make a function true; the lowest bit is on top. The constant true has no bits, and gives 0."""
    count = len(diagrams.levels)
    rows = [row for row in beside if edge >> 1 < count and diagrams.levels[edge >> 1] in row] or [()]
    waiting = [(edge, 0, 0)]
    while waiting:
        edge, shift, low = waiting.pop()
        at, sign = edge >> 1, edge & 1
        if shift == len(rows[0]) or (at == count and sign):
            if not sign:
                yield low
            continue
        zero = one = edge
        if at < count and diagrams.levels[at] == rows[0][shift]:
            zero, one = (int(child) ^ sign for child in diagrams.children[2 * at : 2 * at + 2])
        waiting += [(zero, shift + 1, low), (one, shift + 1, low | 1 << shift)]
