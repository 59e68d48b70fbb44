"""Inclusion of ω-words: is what is seen along every fair path of some states seen along a fair path of others?

Reference: Bustan 2002, definition 4.2.2; Doveri, Ganty, Parolini, Ranzato 2021, Inclusion testing of Büchi automata based on
           well-quasiorders (stems and cycles, the minimal ones); Büchi 1962.
Symbols:   a node is a state and how many fairness sets were met in turn; it accepts when it has met all. S are the nodes of the
           right side after a stem. R is what a cycle does there: which nodes it reaches from each, and which past accepting ones.
Invariant: whatever leads the left side to a node, some stem (or cycle) that is kept there leads the right side to no more.
Deviates:  nodes from which no fair path begins are left out on both sides; cycles stay in the strongly connected component of the
           accepting node that they return to, and R speaks of the nodes in which the right side may be there.
Cost:      exponential in the nodes of the right side, at worst: the problem is complete for PSPACE. Limits apply.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
from msgspec import Struct

from coarsest.lts.certificates import Cycle, Lasso, Stem, WordsWay
from coarsest.lts.closures import components
from coarsest.lts.csr import Csr
from coarsest.lts.fair import FairGraph
from coarsest.run import Run

Row: TypeAlias = tuple[int, int]
"""Nodes as bits: those that are reached, and those that are reached past an accepting one."""


class _Edge(NamedTuple):
    letter: tuple[int, int]
    """What is seen: the label of the state, and the action."""
    target: int


class _Side:
    """The nodes from which a fair path begins, by numbers in the order in which they are met from the initial states."""

    def __init__(self, fair: FairGraph, after: Sequence[Sequence[tuple[int, int]]], initial: Sequence[int], run: Run) -> None:
        self.sets, marks, labels = len(fair.fairness), fair.marks.tolist(), fair.graph.labels.tolist()
        numbers: dict[tuple[int, int], int] = {(state, 0): at for at, state in enumerate(initial)}
        self.nodes = list(numbers)
        edges: list[list[_Edge]] = []
        for state, turn in self.nodes:
            run.step("unfold", nodes=len(self.nodes))
            own = []
            for action, target in after[state]:
                node = target, self._turn(turn, marks[target])
                if node not in numbers:
                    numbers[node] = len(self.nodes)
                    self.nodes.append(node)
                own.append(_Edge((labels[state], action), numbers[node]))
            edges.append(own)
        graph = _csr(edges)
        self.component = components(graph, run, np.ones(graph.edges, dtype=np.bool_)).tolist()
        live = self._live(edges)
        self.edges = [[edge for edge in own if edge.target in live] if node in live else [] for node, own in enumerate(edges)]
        self.initial = [node for node in range(len(initial)) if node in live]

    def _turn(self, turn: int, marks: int) -> int:
        turn = 0 if turn == self.sets else turn
        while turn < self.sets and marks >> turn & 1:
            turn += 1
        return turn

    def accepts(self, node: int) -> bool:
        return self.nodes[node][1] == self.sets

    def within(self, node: int) -> list[_Edge]:
        """The edges that stay in the component of a node."""
        return [edge for edge in self.edges[node] if self.component[edge.target] == self.component[node]]

    def _live(self, edges: Sequence[Sequence[_Edge]]) -> set[int]:
        before: list[list[int]] = [[] for _ in edges]
        for node, own in enumerate(edges):
            for edge in own:
                before[edge.target].append(node)
        inside = [any(self.component[edge.target] == self.component[node] for edge in own) for node, own in enumerate(edges)]
        turning = {self.component[node] for node in range(len(edges)) if self.accepts(node) and inside[node]}
        waiting = [node for node in range(len(edges)) if self.component[node] in turning]
        live = set(waiting)
        for node in waiting:
            waiting += (fresh := [earlier for earlier in dict.fromkeys(before[node]) if earlier not in live])
            live.update(fresh)
        return live

    @cached_property
    def _after(self) -> dict[tuple[int, int], dict[int, int]]:
        after: dict[tuple[int, int], dict[int, int]] = {}
        for node, own in enumerate(self.edges):
            for letter, target in own:
                by_node = after.setdefault(letter, {})
                by_node[node] = by_node.get(node, 0) | 1 << target
        return after

    @cached_property
    def accepting(self) -> int:
        return sum(1 << node for node in range(len(self.nodes)) if self.accepts(node))

    def post(self, nodes: int, letter: tuple[int, int]) -> int:
        by_node, reached = self._after.get(letter, {}), 0
        for node in members(nodes):
            reached |= by_node.get(node, 0)
        return reached


def _csr(edges: Sequence[Sequence[_Edge]]) -> Csr:
    pairs = [(node, edge.target) for node, own in enumerate(edges) for edge in own]
    columns = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return Csr.from_edges(len(edges), columns[0], columns[1])


def members(nodes: int) -> Iterator[int]:
    while nodes:
        lowest = nodes & -nodes
        yield lowest.bit_length() - 1
        nodes ^= lowest


class _Stem(Struct, frozen=True, eq=False):
    node: int
    reached: int
    action: int = -1
    before: _Stem | None = None


class _Turn(Struct, frozen=True, eq=False):
    """Some way on from an accepting node, within its component."""

    node: int
    rows: tuple[Row, ...]
    action: int = -1
    before: _Turn | None = None


def included(fair: FairGraph, left: Sequence[int], right: Sequence[int], run: Run) -> WordsWay | Lasso:
    """Why what is seen from the left is seen from the right; or a lasso from the left that has no fair partner from the right."""
    after: list[list[tuple[int, int]]] = [[] for _ in range(fair.graph.states)]
    columns = fair.graph.sources.tolist(), fair.graph.actions.tolist(), fair.graph.targets.tolist()
    for source, action, target in zip(*columns):
        after[source].append((action, target))
    one, other = (_Side(fair, after, initial, run) for initial in (left, right))
    stems = _stems(one, other, run)
    cycles = []
    for goal in sorted(node for node in stems if one.accepts(node) and one.within(node)):
        for stem in stems[goal]:
            turns = _cycles(one, other, stem, run)
            if isinstance(turns, _Turn):
                return _lasso(one, stem, turns)
            cycles += [_written(one, other, stem, turn) for own in turns.values() for turn in own]
    kept = [Stem(one.nodes[stem.node], _written_nodes(other, stem.reached)) for own in stems.values() for stem in own]
    return WordsWay(tuple(kept), tuple(cycles))


def _stems(one: _Side, other: _Side, run: Run) -> dict[int, list[_Stem]]:
    """For each node of the left, the smallest sets of nodes of the right after what leads to it."""
    first = sum(1 << node for node in other.initial)
    waiting = [_Stem(node, first) for node in one.initial]
    smallest = {stem.node: [stem] for stem in waiting}
    for stem in waiting:
        if stem not in smallest[stem.node]:
            continue
        run.step("stems", kept=len(waiting))
        for letter, target in one.edges[stem.node]:
            after, so_far = other.post(stem.reached, letter), smallest.setdefault(target, [])
            if not any(less.reached & after == less.reached for less in so_far):
                longer = _Stem(target, after, letter[1], stem)
                so_far[:] = [*(more for more in so_far if after & more.reached != after), longer]
                waiting.append(longer)
    return smallest


def _cycles(one: _Side, other: _Side, stem: _Stem, run: Run) -> dict[int, list[_Turn]] | _Turn:
    """The smallest cycles from the node of a stem, by the nodes that they have come to; or one that is not accepted."""
    beside = _beside(one, other, stem)
    begin = _Turn(stem.node, tuple((1 << node, 0) for node in beside))
    waiting = [begin]
    smallest: dict[int, list[_Turn]] = {}
    for turn in waiting:
        if turn is not begin and turn not in smallest[turn.node]:
            continue
        run.step("cycles", kept=len(waiting))
        for letter, target in one.within(turn.node):
            rows = tuple(_extended(row, other, letter) for row in turn.rows)
            so_far = smallest.setdefault(target, [])
            if any(_is_less(less.rows, rows) for less in so_far):
                continue
            longer = _Turn(target, rows, letter[1], turn)
            if target == stem.node and not _accepted(stem.reached, rows, beside):
                return longer
            so_far[:] = [*(more for more in so_far if not _is_less(rows, more.rows)), longer]
            waiting.append(longer)
    return smallest


def _beside(one: _Side, other: _Side, stem: _Stem) -> list[int]:
    """The nodes of the right in which it may be when the left is at the node of the stem, having been there after it."""
    beside, waiting = {stem.node: stem.reached}, [(stem.node, stem.reached)]
    for node, fresh in waiting:
        for letter, target in one.within(node):
            more = other.post(fresh, letter) & ~beside.get(target, 0)
            if more:
                beside[target] = beside.get(target, 0) | more
                waiting.append((target, more))
    return list(members(beside[stem.node]))


def _extended(row: Row, other: _Side, letter: tuple[int, int]) -> Row:
    reached, passed = row
    return other.post(reached, letter), other.post(passed | (reached & other.accepting), letter)


def _is_less(rows: Sequence[Row], others: Sequence[Row]) -> bool:
    return all(a & c == a and b & d == b for (a, b), (c, d) in zip(rows, others))


def _accepted(stem: int, rows: Sequence[Row], beside: Sequence[int]) -> bool:
    """Is the cycle, again and again, seen along a fair path from a node of the stem?"""
    row_of = dict(zip(beside, rows))
    onward = {node: _closure(node, row_of) for node in row_of}
    turning = sum(1 << node for node, (_, passed) in row_of.items()
                  if any(turn == node or onward.get(turn, 0) >> node & 1 for turn in members(passed)))  # fmt: skip
    return any((onward.get(node, 0) | 1 << node) & turning for node in members(stem))


def _closure(node: int, row_of: dict[int, Row]) -> int:
    reached, fresh = 0, row_of[node][0]
    while fresh:
        reached |= fresh
        more = 0
        for member in members(fresh):
            more |= row_of[member][0] if member in row_of else 0
        fresh = more & ~reached
    return reached


# What is written down


def _written_nodes(side: _Side, nodes: int) -> tuple[tuple[int, int], ...]:
    return tuple(side.nodes[node] for node in members(nodes))


def _written(one: _Side, other: _Side, stem: _Stem, turn: _Turn) -> Cycle:
    beside = _beside(one, other, stem)
    rows = tuple(
        (other.nodes[node], _written_nodes(other, reached), _written_nodes(other, passed))
        for node, (reached, passed) in zip(beside, turn.rows)
        if reached
    )
    return Cycle(one.nodes[stem.node], _written_nodes(other, stem.reached), one.nodes[turn.node], rows)


def _lasso(one: _Side, stem: _Stem, turn: _Turn) -> Lasso:
    steps, loop = _steps(one, stem), _steps(one, turn)
    first = stem
    while first.before is not None:
        first = first.before
    return Lasso(one.nodes[first.node][0], -1, 0, steps, loop)


def _steps(one: _Side, last: _Stem | _Turn) -> tuple[tuple[int, int], ...]:
    steps: list[tuple[int, int]] = []
    at: _Stem | _Turn | None = last
    while at is not None and at.before is not None:
        steps.append((at.action, one.nodes[at.node][0]))
        at = at.before
    return tuple(reversed(steps))
