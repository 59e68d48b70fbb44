"""Exists simulation, and inclusion of fair paths: is every fair path of one state answered by a whole fair path of another?

Reference: Bustan 2002, definitions 4.1.2 and 4.3.7, lemma 4.3.4 (lassos are enough); the search for loops as in Fogarty, Vardi
           2010, Efficient Büchi universality checking (words as graphs between states, with subsumption).
Symbols:   H is the relation that answers must stay in, H₀ ⊇ H₁ ⊇ …; an arc (u, w, u') is a word w along a path from u to u', seen
           as the pairs of nodes between which a duplicator can go along w within H, and those where that visits what it must;
           X(u) are sets of states that have an answer to some lasso from u.
Invariant: an arc that was left out has no fewer pairs than one that is there, and visits no more; the same holds for X(u).
Deviates:  loops are looked for from states of the first fairness set only, which every fair loop visits, one step at a time, in
           their strongly connected component, which no loop leaves, if a fair loop is there at all; the lassos before a loop are
           found backwards, on sets of states; only states that can be reached are looked at. One short fair loop from each state
           comes first, and all others only when these tell no more states apart.
Cost:      exponential in the square of the states, at worst: the problem is complete for PSPACE. Limits apply.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from coarsest.lts.certificates import Arc, Lasso
from coarsest.lts.closures import components
from coarsest.lts.csr import Csr
from coarsest.lts.fair import FairGraph
from coarsest.lts.labelled import Graph
from coarsest.run import Run

Matrix: TypeAlias = NDArray[np.bool_]
Step: TypeAlias = tuple[int, int]
"""An action and a state."""


Sides: TypeAlias = tuple[list[int], list[int]]
"""Places of states on the left, and of states on the right."""


class _Arc(Struct, frozen=True, eq=False):
    end: int
    visits: int
    passes: Matrix
    pays: Matrix
    steps: tuple[Step, ...]
    bits: int
    """All pairs in one number, so that arcs are quickly compared."""


Loops: TypeAlias = Callable[[int, Matrix], list[_Arc]]
"""Loops from a state, with answers in a relation."""


class _Answered(Struct, frozen=True, eq=False):
    """States that have an answer to a lasso: after a step, or to a loop that begins here."""

    states: Matrix
    first: Step | None
    then: Any
    loop: tuple[Step, ...] = ()

    def lasso(self, state: int, against: int, level: int) -> Lasso:
        steps: list[Step] = []
        place = self
        while place.first is not None:
            steps.append(place.first)
            place = place.then
        return Lasso(state, against, level, tuple(steps), place.loop)


class FairAnswers:
    """Questions about one fair graph, where `left` are states of the spoiler's and `right` of the duplicator's."""

    def __init__(self, fair: FairGraph, left: Iterable[int], right: Iterable[int], run: Run) -> None:
        self.run, self.graph = run, fair.graph
        self.left, self.right = sorted(set(left)), sorted(set(right))
        self.row = {state: number for number, state in enumerate(self.left)}
        self.place = {state: number for number, state in enumerate(self.right)}
        self.sets = len(fair.fairness)
        self.turns = max(1, self.sets)
        self.marks = fair.marks
        self.after: dict[int, list[Step]] = defaultdict(list)
        self.before: dict[int, list[Step]] = defaultdict(list)
        graph = Csr(fair.graph.offsets.astype(np.int64), fair.graph.targets)
        inside, component = set(self.left), components(graph, run, np.ones(graph.edges, dtype=np.bool_)).tolist()
        for source, action, target in self._transitions():
            if source in inside:
                self.before[target].append((action, source))
                if component[source] == component[target]:
                    self.after[source].append((action, target))
        self.fair_component = self._fair_components(component)
        self.moves, self.pays, self.states_after = self._moves()

    def _fair_components(self, component: list[int]) -> set[int]:
        """The states of components with a loop through all fairness sets; `after` has the steps that stay there."""
        visits: dict[int, int] = defaultdict(int)
        for state, steps in self.after.items():
            visits[component[state]] |= int(self.marks[state]) if steps else 0
        every = (1 << self.sets) - 1
        return {state for state in self.left if self.after.get(state) and visits[component[state]] == every}

    def _transitions(self) -> Iterator[tuple[int, int, int]]:
        yield from zip(self.graph.sources.tolist(), self.graph.actions.tolist(), self.graph.targets.tolist())

    def _moves(self) -> tuple[dict[int, Matrix], dict[int, Matrix], dict[int, Matrix]]:
        """By action: the moves of the duplicator between nodes, which are pairs of a state and the set whose turn it is to be
        visited; those of them after which all sets have had their turn; and the moves between states."""
        nodes = len(self.right) * self.turns
        moves: dict[int, Matrix] = defaultdict(lambda: np.zeros((nodes, nodes), dtype=np.bool_))
        pays: dict[int, Matrix] = defaultdict(lambda: np.zeros((nodes, nodes), dtype=np.bool_))
        plain: dict[int, Matrix] = defaultdict(lambda: np.zeros((len(self.right), len(self.right)), dtype=np.bool_))
        for source, action, target in self._transitions():
            if source not in self.place:
                continue
            plain[action][self.place[source], self.place[target]] = True
            for turn in range(self.turns):
                following = self._following(turn, target)
                paid = following == self.sets
                ends = self.place[source] * self.turns + turn, self.place[target] * self.turns + (0 if paid else following)
                moves[action][ends] = True
                pays[action][ends] |= paid
        return moves, pays, plain

    # Loops

    def loops(self, state: int, within: Matrix) -> list[_Arc]:
        """All that paths from a state back to anywhere do, as far as it is not made superfluous by something that does less.
        Rows of `within` are the spoiler's states in their order, its columns the duplicator's."""
        wide = np.repeat(within, self.turns, axis=1)
        smallest: dict[int, list[_Arc]] = defaultdict(list)
        waiting = [self._empty_arc(state, wide)]
        while waiting:
            arc = waiting.pop(0)
            if arc.steps and not any(arc is one for one in smallest[arc.end]):
                continue
            self.run.step("loops", arcs=sum(map(len, smallest.values())), waiting=len(waiting))
            for step in self.after[arc.end]:
                longer = self._longer(arc, step, wide)
                if _entered(longer, smallest[longer.end]):
                    waiting.append(longer)
        return [arc for arcs in smallest.values() for arc in arcs]

    def short_loop(self, state: int, within: Matrix) -> list[_Arc]:
        """What is done by one fair path from a state in a fair component back to it: a shortest one that visits the fairness sets
        in their order."""
        wide = np.repeat(within, self.turns, axis=1)
        arc = self._empty_arc(state, wide)
        for step in self._short_way_round(state):
            arc = self._longer(arc, step, wide)
        return [arc]

    def _short_way_round(self, state: int) -> list[Step]:
        """Nodes are pairs of a state and the set whose turn it is to be visited."""
        start, goal = (state, 0), (state, self.sets)
        before: dict[tuple[int, int], tuple[tuple[int, int], Step]] = {}
        waiting = [start]
        for place, turn in waiting:
            for step in self.after[place]:
                node = step[1], self._following(turn, step[1])
                if node not in before:
                    before[node] = (place, turn), step
                    waiting.append(node)
            if goal in before:
                break
        node, step = before[goal]
        steps = [step]
        while node != start:
            node, step = before[node]
            steps.append(step)
        return steps[::-1]

    def _following(self, turn: int, state: int) -> int:
        """The set whose turn it is when a state is entered; the number of sets if all have had their turn."""
        while turn < self.sets and self.marks[state] >> turn & 1:
            turn += 1
        return turn

    def _empty_arc(self, state: int, wide: Matrix) -> _Arc:
        start = np.diag(wide[self.row[state]])
        return _Arc(state, 0, start, np.zeros_like(start), (), 0)

    def _longer(self, arc: _Arc, step: Step, wide: Matrix) -> _Arc:
        action, target = step
        none = np.zeros_like(arc.passes)
        move, pay = (table.get(action, none) for table in (self.moves, self.pays))
        passes = _then(arc.passes, move) & wide[self.row[target]]
        pays = (_then(arc.pays, move) | _then(arc.passes, pay)) & wide[self.row[target]]
        bits = int.from_bytes(np.packbits(np.concatenate([passes, pays])).tobytes())
        return _Arc(target, arc.visits | int(self.marks[target]), passes, pays, (*arc.steps, step), bits)

    def starts(self) -> list[int]:
        """Where loops are looked for."""
        return [state for state in self.left if state in self.fair_component and (self.sets == 0 or self.marks[state] & 1)]

    def fair_loops(self, state: int, within: Matrix, loops: Loops) -> Iterator[_Answered]:
        """The states that have answers to the fair ones of some loops from a state."""
        everything = (1 << self.sets) - 1
        for arc in loops(state, within):
            if arc.end == state and arc.visits == everything:
                repeated = _closure(arc.passes)
                good = _then(arc.pays, repeated).diagonal()
                answered: Matrix = np.any(repeated[:, good], axis=1, keepdims=True)[:: self.turns, 0]
                yield _Answered(answered & within[self.row[state]], None, None, arc.steps)

    # Lassos

    def answered(self, within: Matrix, loops: Loops, asked: Sides) -> dict[int, list[_Answered]]:
        """For each state, smallest sets of states that have an answer to a lasso from there, with one of some loops. It ends as
        soon as one of the states that are asked about has a lasso that none of the others answers."""
        smallest: dict[int, list[_Answered]] = defaultdict(list)
        waiting: list[tuple[int, _Answered]] = []
        for state in self.starts():
            waiting += [(state, one) for one in self.fair_loops(state, within, loops) if _smaller(one, smallest[state])]
        while waiting:
            state, some = waiting.pop(0)
            if not any(some is one for one in smallest[state]):
                continue
            if self.row[state] in asked[0] and not some.states[asked[1]].any():
                break
            self.run.step("lassos", sets=sum(map(len, smallest.values())), waiting=len(waiting))
            for action, source in self.before[state]:
                step = self.states_after.get(action)
                able = np.zeros_like(some.states) if step is None else step[:, some.states].any(axis=1)
                longer = _Answered(able & within[self.row[source]], (action, state), some)
                if _smaller(longer, smallest[source]):
                    waiting.append((source, longer))
        return smallest

    def alike(self) -> Matrix:
        """H₀: states with the same label."""
        labels = self.graph.labels
        return np.asarray(labels[self.left][:, None] == labels[self.right][None, :])

    def related(self, ones: Iterable[int] = (), others: Iterable[int] = ()) -> tuple[Matrix, list[Lasso]]:
        """The greatest exists simulation; and for each pair with one label that is not in it, a lasso that shows why: none of the
        paths from the second state that follow it are fair and stay in pairs that are not told apart on an earlier level. As soon
        as one of some states is below none of others, the relation may be larger."""
        asked = [self.row[one] for one in ones], [self.place[other] for other in others]
        within, lassos, level = self.alike(), list[Lasso](), 0
        loops: Loops = self.short_loop
        while True:
            level += 1
            self.run.step("exists simulation", level=level, pairs=int(within.sum()))
            smaller = within.copy()
            for state, sets in self.answered(within, loops, asked).items():
                row = self.row[state]
                for number in np.flatnonzero(within[row]).tolist():
                    reason = next((one for one in sets if not one.states[number]), None)
                    if reason is not None:
                        smaller[row, number] = False
                        lassos.append(reason.lasso(state, self.right[number], level))
            unchanged = bool((smaller == within).all())
            if (unchanged and loops == self.loops) or not smaller[np.ix_(*asked)].any(axis=1).all():
                return smaller, lassos
            within, loops = smaller, self.loops if unchanged else loops

    def arcs(self, within: Matrix, first: int) -> tuple[Arc, ...]:
        """What a judge needs to see that all fair loops are answered; there, nodes count from the first state on the right."""
        node = [(state - first) * self.turns + turn for state in self.right for turn in range(self.turns)]
        rows: list[Arc] = []
        for state in self.starts():
            for arc in self.loops(state, within):
                pairs = ([(node[x], node[y]) for x, y in np.argwhere(some).tolist()] for some in (arc.passes, arc.pays))
                rows.append(Arc(state, arc.end, arc.visits, *map(tuple, pairs)))
        return tuple(rows)


def needed_lassos(graph: Graph, lassos: Iterable[Lasso], pairs: Iterable[tuple[int, int]]) -> tuple[Lasso, ...]:
    """Those that tell pairs apart, and those on which these rely: of earlier levels, where an answer would have to pass."""
    by_pair = {(one.state, one.against): one for one in lassos}
    needed = dict.fromkeys(by_pair[pair] for pair in pairs if pair in by_pair)
    waiting = list(needed)
    for lasso in waiting:
        for pair in relied_on(graph, lasso, by_pair):
            if by_pair[pair] not in needed:
                needed[by_pair[pair]] = None
                waiting.append(by_pair[pair])
    return tuple(sorted(needed, key=lambda one: one.level))


def relied_on(graph: Graph, lasso: Lasso, by_pair: Mapping[tuple[int, int], Lasso]) -> list[tuple[int, int]]:
    """The pairs of earlier levels that answers to a lasso come to, in the order in which they are met."""
    path = [(-1, lasso.state), *lasso.steps, *lasso.loop]
    waiting, met = [(0, lasso.against)], dict.fromkeys([(0, lasso.against)])
    pairs: dict[tuple[int, int], None] = {}
    for place, state in waiting:
        following = place + 1 if place + 1 < len(path) else len(lasso.steps) + 1
        action, target = path[following]
        edges = slice(int(graph.offsets[state]), int(graph.offsets[state + 1]))
        for by, answer in zip(graph.actions[edges].tolist(), graph.targets[edges].tolist()):
            if by != action or graph.labels[answer] != graph.labels[target] or (following, answer) in met:
                continue
            met[following, answer] = None
            earlier = by_pair.get((target, answer))
            if earlier is not None and earlier.level < lasso.level:
                pairs[target, answer] = None
            else:
                waiting.append((following, answer))
    return list(pairs)


def _entered(arc: _Arc, arcs: list[_Arc]) -> bool:
    """Enter an arc in the place of those that it makes superfluous. Returns False if it is superfluous itself."""
    if any(one.visits & arc.visits == arc.visits and one.bits & ~arc.bits == 0 for one in arcs):
        return False
    arcs[:] = [one for one in arcs if not (one.visits & arc.visits == one.visits and arc.bits & ~one.bits == 0)]
    arcs.append(arc)
    return True


def _smaller(some: _Answered, sets: list[_Answered]) -> bool:
    """Enter a set of states in the place of larger ones. Returns False if there is a smaller one."""
    if any((one.states <= some.states).all() for one in sets):
        return False
    sets[:] = [one for one in sets if not (some.states <= one.states).all()]
    sets.append(some)
    return True


def _then(first: Matrix, second: Matrix) -> Matrix:
    """One relation after the other. Floats are multiplied much faster than truth values, and no sum is too large to be exact."""
    return (first.astype(np.float32) @ second.astype(np.float32)) > 0


def _closure(steps: Matrix) -> Matrix:
    """The pairs that any number of steps connects, perhaps none."""
    repeated = steps | np.eye(len(steps), dtype=np.bool_)
    while not ((longer := _then(repeated, repeated)) == repeated).all():
        repeated = longer
    return repeated
