"""Fair simulations as parity games on pairs of states.

Reference: Bustan 2002, section 4.1; Etessami, Wilke, Schuller 2005, section 4.
Symbols:   p and q are the states of the spoiler's and of the duplicator's token, m what is remembered of the play (`fair_rules`).
Invariant: the duplicator, player 0, wins from (p, q, m) where m is the first memory for p and q iff q simulates p.
Deviates:  only positions that can be reached from given pairs are made; transitions have actions, which the duplicator must
           match; the spoiler loses at a dead end, as there is nothing to answer.
Cost:      that of a parity game with three priorities and as many vertices as positions; positions are at most (number of
           different arrivals + states) · states · memories.
"""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from coarsest._kernels.choose import kernels
from coarsest.lts.attended import attended
from coarsest.lts.certificates import StrategyGraph
from coarsest.lts.csr import Csr
from coarsest.lts.fair import FairGraph
from coarsest.lts.games.fair_rules import RULES, RuleTables, tables
from coarsest.lts.games.game import Game, Solution, Vertices
from coarsest.lts.games.parity_zielonka import solve
from coarsest.lts.labelled import Graph
from coarsest.lts.union import side_by_side, tidied
from coarsest.run import Run

DUPLICATOR: Final = 0
"""The number of the player who likes even priorities."""
SPOILER: Final = 1


def fair_side_by_side(first: FairGraph, second: FairGraph) -> FairGraph:
    """One graph with the states of both, whose fairness sets are those of both together; if one has fewer sets, it is as if all
    of its states were in the others."""
    sets = max(len(first.fairness), len(second.fairness))
    columns = zip(first.padded(sets), second.padded(sets))
    return FairGraph(side_by_side(first.graph, second.graph), tuple(np.concatenate(pair) for pair in columns))


class SolvedGame(Struct, frozen=True, eq=False, dict=True):
    """A game that has been solved. Vertex v is a position of the spoiler or a place where the duplicator has to answer; `left`
    has the states of the spoiler's token, which has already moved where the duplicator answers, `right` those of the other."""

    game: Game
    solution: Solution
    left: Vertices
    right: Vertices
    action: Vertices
    """Where the duplicator answers, the action to be answered; -1 at positions of the spoiler."""
    roots: Vertices
    """For each pair that was asked about, its position; -1 if the duplicator may not stand there at all."""

    @property
    def simulated(self) -> NDArray[np.bool_]:
        """For each pair that was asked about: does the duplicator win?"""
        won = self.roots >= 0
        won[won] = self.solution.winner[self.roots[won]] == DUPLICATOR
        return won


def simulation_game(by: str, fair: FairGraph, pairs: Vertices, run: Run, *, choice: str = "auto") -> SolvedGame:
    """The game from pairs of states (rows of two numbers). The transitions of a state are in the order of actions, as `tidied`
    puts them."""
    graph = fair.graph
    marks, of_state = np.unique(fair.marks, return_inverse=True)
    rules = tables(RULES[by](len(fair.fairness)), marks.tolist(), run)
    codes_of_roots = _roots(graph, of_state, rules, pairs)
    inside = codes_of_roots >= 0
    codes, rows, heads, arrivals = _reached(graph, of_state, rules, codes_of_roots[inside], run=run, choice=choice)
    spoiler = codes % 2 == 0
    places = codes // 2 // np.where(spoiler, len(rules.care), len(rules.after))
    own, right = places // graph.states, places % graph.states
    priority = np.where(spoiler, rules.priority[np.where(spoiler, codes // 2 % len(rules.care), 0)], 0)
    game = Game(Csr(rows, heads), spoiler.astype(np.int8), priority)
    left, action = own.copy(), np.full(len(own), -1, dtype=np.int64)
    action[~spoiler], left[~spoiler] = arrivals[0][own[~spoiler]], arrivals[1][own[~spoiler]]
    roots = np.full(len(pairs), -1, dtype=np.int64)
    order = np.argsort(codes)
    roots[inside] = order[np.searchsorted(codes, codes_of_roots[inside], sorter=order)]
    return SolvedGame(game, solve(game, run, choice=choice), left, right, action, roots)


def strategy_of(solved: SolvedGame, player: int, roots: Vertices, action_names: tuple[str, ...]) -> StrategyGraph:
    """The positions that a play can reach from the roots, all of which the player wins, if the player follows the solution."""
    graph, choice = solved.game.graph, solved.solution.choice
    number = {vertex: place for place, vertex in enumerate(dict.fromkeys(roots.tolist()))}
    positions = list(number)
    after: list[tuple[int, ...]] = []
    steps: list[tuple[str, int]] = []
    for position in positions:
        if player == DUPLICATOR:
            following = choice[graph.successors(position)].tolist()
        else:
            place = int(choice[position])
            following = graph.successors(place).tolist()
            steps.append((action_names[solved.action[place]], int(solved.left[place])))
        for vertex in following:
            if vertex not in number:
                number[vertex] = len(number)
                positions.append(vertex)
        after.append(tuple(dict.fromkeys(number[vertex] for vertex in following)))
    listed = np.array(positions, dtype=np.int64)
    pairs = zip(solved.left[listed].tolist(), solved.right[listed].tolist())
    return StrategyGraph(tuple(pairs), tuple(after), tuple(steps))


def simulated_pairs(by: str, fair: FairGraph, run: Run, *, choice: str = "auto") -> NDArray[np.bool_]:
    """The greatest simulation of a fair graph by itself: entry p, q says that q simulates p.

    >>> loops = Graph.from_edges(2, [0, 1], [0, 0], [0, 1])
    >>> simulated_pairs("game", FairGraph(loops, (np.array([True, False]),)), Run()).tolist()
    [[True, False], [True, True]]
    """
    tidy = FairGraph(tidied(fair.graph), fair.fairness)
    states = np.arange(fair.graph.states)
    pairs = np.stack([np.repeat(states, len(states)), np.tile(states, len(states))], axis=1)
    return simulation_game(by, tidy, pairs, run, choice=choice).simulated.reshape(len(states), len(states))


def _roots(graph: Graph, marks: Vertices, rules: RuleTables, pairs: Vertices) -> Vertices:
    """The codes of pairs of states, -1 where labels differ or the marks are not allowed."""
    left, right = pairs.reshape(-1, 2).T
    fits = (graph.labels[left] == graph.labels[right]) & rules.allowed[marks[left], marks[right]]
    codes = 2 * ((left * graph.states + right) * len(rules.care) + rules.first[marks[left], marks[right]])
    return np.where(fits, codes, -1)


def _reached(
    graph: Graph, marks: Vertices, rules: RuleTables, roots: Vertices, *, run: Run, choice: str
) -> tuple[Vertices, Vertices, Vertices, tuple[Vertices, Vertices]]:
    """The codes of all reachable positions, the moves between them, and the action and the state of each arrival."""
    arrived = graph.actions.astype(np.int64) * graph.states + graph.targets
    arrivals, of_edge = np.unique(arrived, return_inverse=True)
    by, at = arrivals // max(1, graph.states), arrivals % max(1, graph.states)
    counters = np.zeros(2, dtype=np.int64)
    kernel = kernels("games.positions", graph.transitions * graph.states, choice)
    work = partial(
        kernel.reach_positions, graph.offsets, graph.actions, graph.targets, graph.labels, of_edge, by, at, marks, rules.care,
        rules.after, rules.allowed, roots, counters,
    )  # fmt: skip
    ((codes, rows, heads),) = attended(
        run, "simulation game", work, facts=lambda: {"positions": int(counters[0])}, stop=lambda: counters.__setitem__(1, 1)
    )
    return codes, rows, heads, (by, at)
