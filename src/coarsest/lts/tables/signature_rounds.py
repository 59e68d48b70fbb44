"""The coarsest strong bisimulation by relational rounds: every state is moved to the block of its signature.

Reference: Blom, Orzan 2003, Distributed branching bisimulation reduction of state spaces (signatures); Jacobs, Wißmann 2023,
           Fast coalgebraic bisimilarity minimization, section 4 (dirty states; the largest part of a block keeps its number).
Symbols:   the signature of a state is the set of its (action, block of the target).
Invariant: bisimilar states are in one block, whatever the hashes are, because equal sets have equal hashes. So a partition that
           is stable is the coarsest one, and `quotient.py` decides stability without hashes. Between rounds, the states of one
           block that are not dirty have equal signatures, unless hashes collided.
Deviates:  a signature is hashed to 64 bits (exclusive or of the hashes of its members, under a key for each round), where Blom
           and Orzan number signatures exactly. A collision delays a split; if the check of stability finds it, the rounds
           continue under other keys. States alone in their block are not looked at again. Numbers of blocks need no global
           order: a fresh block is named by the round and its least state, or by that of the part that keeps the old number.
Cost:      a round scans all transitions, and hashes and groups those of dirty states, O(m log n) of them in all rounds if
           out-degrees are bounded. There are as many rounds as the longest chain of splits: a handful for most graphs, but n
           for a chain of n states. Therefore kernels take over, if the rest fits into memory: before the first round, or
           after some.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from coarsest import tuning
from coarsest.lts.tables.database import Database
from coarsest.lts.tables.numbering import LARGEST, Numbered
from coarsest.memory_use import most_mebibytes
from coarsest.run import Run

if TYPE_CHECKING:
    import numpy as np
    from ibis.expr.types import Table
    from numpy.typing import NDArray

    Integers: TypeAlias = NDArray[np.signedinteger[Any]]

TASK = "signature rounds"


class TableRounds(Struct):
    """The partition, refined round by round.

    `blocks` has the block of each state; `moved` has the states that the last round moved, or is None if all states count.
    """

    database: Database
    graph: Numbered
    run: Run
    blocks: Table
    count: int
    moved: Table | None = None
    next_number: int = 0
    number: int = 0

    @classmethod
    def begin(cls, database: Database, graph: Numbered, run: Run) -> TableRounds:
        """Begin with one block for each label."""
        return cls(database, graph, run, graph.blocks, graph.label_blocks, next_number=len(graph.label_names))

    def until_nothing_moves(self) -> None:
        """Refine until a round does not change the partition."""
        self.moved = None
        self.run.step(TASK, blocks=self.count, transitions=self.graph.transitions)
        if not self.number and self.graph.transitions >= tuning.TABLE_KERNEL_TRANSITIONS and self._finish_in_memory():
            return
        try_again = self.number + tuning.TABLE_ROUNDS
        while self._refine():
            if self.number == try_again:
                if self._finish_in_memory():
                    return
                try_again = 2 * self.number

    def _refine(self) -> bool:
        """One round; did it split a block?"""
        self.number += 1
        self._make_room()
        sizes = self.blocks.group_by("block").aggregate(size=lambda rows: rows.count())
        shared = self.database.put("shared", sizes.filter(sizes["size"] > 1))  # only these blocks can be split
        signed = self._signatures(shared)
        splits = self._splits(signed, shared)
        facts = self.database.row(splits.aggregate(fresh=splits.fresh.sum()))
        fresh = int(facts["fresh"] or 0)
        moved = self._move(signed, splits) if fresh else 0
        self.count += fresh
        self.run.step(TASK, blocks=self.count, moved=moved)
        return fresh > 0

    def _signatures(self, shared: Table) -> Table:
        """The table (state, block, signature) of the dirty states, which have transitions into a block that was just made."""
        edges, blocks = self.graph.edges, self.blocks
        dirty = blocks.semi_join(shared, "block")
        if self.moved is not None:
            leading = edges.semi_join(self.moved, edges.target == self.moved.state)
            dirty = dirty.semi_join(leading, dirty.state == leading.source)
        dirty = self.database.put("dirty", dirty)
        if self.database.count(dirty) * 2 < self.graph.states:  # otherwise looking them up costs more than it saves
            edges = edges.semi_join(dirty, edges.source == dirty.state)
        codes = edges.join(blocks, edges.target == blocks.state)
        codes = codes.select(state=edges.source, code=blocks.block * len(self.graph.action_names) + edges.action).distinct()
        key = Random(f"{self.run.seed} {self.number}").getrandbits(62)  # every round has another key
        signatures = codes.mutate(code=self.database.hash(codes.code ^ key)).group_by("state")
        signed = signatures.aggregate(signature=lambda rows: self.database.exclusive_or(rows.code))
        return self.database.put("signed", signed.join(dirty, "state").select("state", "block", "signature"))

    def _splits(self, signed: Table, shared: Table) -> Table:
        """The blocks that split, with the part that keeps the number. States that are not dirty are one part."""
        parts = signed.group_by("block", "signature").aggregate(
            members=lambda rows: rows.count(), least=lambda rows: rows.state.min()
        )
        parts = self.database.put("parts", parts)
        whole = parts.group_by("block").aggregate(
            parts=lambda rows: rows.count(),
            dirty=lambda rows: rows.members.sum(),
            largest=lambda rows: rows.members.max(),
            leader=lambda rows: self.database.at_greatest(rows.least, rows.members),
        )
        whole = whole.join(shared, "block")
        whole = whole.mutate(clean=whole["size"] - whole.dirty)
        whole = whole.mutate(stays=whole.clean >= whole.largest, fresh=whole.parts - (whole.clean == 0).cast("int64"))
        splits = whole.filter(whole.fresh > 0).select("block", "leader", "clean", "stays", "fresh")
        return self.database.put("splits", splits)

    def _move(self, signed: Table, splits: Table) -> int:
        """Give the parts that do not keep their number a fresh one. The result is the number of their states."""
        parts = self.database.table("parts")
        leaving = parts.join(splits, "block")
        leaving = leaving.filter(leaving.stays | (leaving.least != leaving.leader))
        leaving = leaving.select("block", "signature", fresh=leaving.least + self.next_number)
        of_dirty = signed.join(leaving, ["block", "signature"]).select("state", block="fresh")
        # Where the largest part is dirty, clean states take the number that it would have had.
        yielding = splits.filter(~splits.stays & (splits.clean > 0))
        clean = self.blocks.anti_join(signed, "state").join(yielding, "block")
        of_clean = clean.select("state", block=clean.leader + self.next_number)
        moved = self.database.put("moved", of_dirty.union(of_clean))
        after = self.blocks.left_join(moved, "state")
        after = after.select(state=self.blocks.state, block=moved.block.coalesce(self.blocks.block))
        self.blocks = self.database.put("blocks", after)
        self.next_number += self.graph.bound
        number = self.database.count(moved)
        self.moved = moved if number * 2 < self.graph.states else None  # otherwise looking them up costs more than it saves
        return number

    def _finish_in_memory(self) -> bool:
        """If the rest of the work fits into memory, kernels do it without rounds. Did it fit?"""
        self._make_room()
        actions = len(self.graph.action_names)
        finished = rest_in_memory(
            self.database, self.graph.edges, self.blocks, actions=actions, next_number=self.next_number, run=self.run,
            whole=not self.number,
        )  # fmt: skip
        if finished is None:
            return False
        after = self.blocks.left_join(finished, "state")
        after = after.select(state=self.blocks.state, block=finished.block.coalesce(self.blocks.block))
        self.blocks = self.database.put("blocks", after)
        self.next_number += self.graph.bound
        self.count = int(self.database.row(self.blocks.aggregate(blocks=self.blocks.block.nunique()))["blocks"])
        return True

    def _make_room(self) -> None:
        """Rename blocks by their least states before the numbers of blocks with actions grow too large."""
        if (self.next_number + self.graph.bound) * len(self.graph.action_names) < LARGEST:
            return
        least = self.blocks.group_by("block").aggregate(least=lambda rows: rows.state.min())
        renamed = self.blocks.join(least, "block").select("state", block="least")
        self.blocks = self.database.put("blocks", renamed)
        self.next_number = self.graph.bound


def rest_in_memory(
    database: Database, edges: Table, blocks: Table, *, actions: int, next_number: int, run: Run, whole: bool = False
) -> Table | None:
    """The final (state, block) of all states in blocks of several, numbered from `next_number`; None if they do not fit.

    Only blocks of several states can be split, and only transitions from their states matter for that. A state alone in its
    block remains alone; as a target it is named by that block. So the rest is a separate graph, with blocks as labels. Before the
    first round, it is the whole graph.
    """
    rest, steps = blocks, edges
    if not whole:
        sizes = blocks.group_by("block").aggregate(size=lambda rows: rows.count())
        rest = database.put("rest", blocks.semi_join(sizes.filter(sizes["size"] > 1), "block"))
        steps = database.put("steps", edges.semi_join(rest, edges.source == rest.state))
    if database.count(steps) + database.count(rest) > most_mebibytes(run.limits.mebibytes) * 2**20 // tuning.TABLE_BYTES:
        return None
    return _finished(database, rest, steps, actions=actions, next_number=next_number, run=run)


def _finished(database: Database, rest: Table, steps: Table, *, actions: int, next_number: int, run: Run) -> Table:
    import numpy as np

    from coarsest.lts.labelled import Graph
    from coarsest.lts.minimise.classes import bisimulation_classes

    states, labels = database.columns(rest.order_by("state"), ("state", "block"))
    sources, numbers, targets = database.columns(steps, ("source", "action", "target"))
    members, alone, index_of = _indices(states, targets)
    names, dense = np.unique(labels, return_inverse=True)
    kinds = np.empty(len(members), dtype=np.int64)
    kinds[index_of(states)] = dense.reshape(-1)
    kinds[index_of(alone)] = len(names) + np.arange(len(alone))
    graph = Graph.from_edges(
        len(members), index_of(sources), numbers, index_of(targets), labels=kinds, initial=(),
        action_names=tuple(map(str, range(actions))), label_names=("",) * (len(names) + len(alone)),
    )  # fmt: skip
    classes = bisimulation_classes(graph, run=run)
    least = members[classes.representatives[classes.class_of[index_of(states)]]]
    return database.put_arrays("finished", {"state": states, "block": least + next_number})


def _indices(states: Integers, targets: Integers) -> tuple[Integers, Integers, Callable[[Integers], Integers]]:
    """All states in order, those that are only targets, and a function from states to their indices in that order."""
    import numpy as np

    last = max(int(states.max(initial=0)), int(targets.max(initial=0)))
    if last > len(states) + len(targets):  # an array with an entry for each number would be longer than all columns
        alone = np.setdiff1d(targets, states)
        members = np.union1d(states, alone)
        return members, alone, lambda some: np.searchsorted(members, some)
    is_member = np.zeros(last + 1, dtype=np.bool_)
    is_member[targets] = True
    is_member[states] = False
    only_targets = np.flatnonzero(is_member)
    is_member[states] = True
    indices = np.cumsum(is_member) - 1
    return np.flatnonzero(is_member), only_targets, lambda some: indices[some]
