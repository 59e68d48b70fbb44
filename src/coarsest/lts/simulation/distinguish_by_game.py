"""A formula without negation that is true in one state and false in states that do not simulate it, from the simulation game.

Reference: Stirling 1999, Bisimulation, modal logic and model checking games, section 2; least ranks by backward
           propagation as for reachability games.
Symbols:   a position (s, t) asks whether t simulates s; its rank is the number of steps that the player who denies it needs.
Invariant: positions are ranked in the order of their ranks, so that a rank is the least.
Deviates:  positions where s is simulated by t are never entered, because the preorder is known; the game is unfolded to
           twice the depth as long as the first position has no rank, so that shallow differences cost little on large graphs.
           In the nested game, the player may also deny that s simulates t, which is another game.
Cost:      time and space by the positions up to twice the depth of the formula, with the transitions of both states.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, TypeAlias

from coarsest.logic.modal.hennessy_milner import Builder, Formula
from coarsest.lts.rounds.truths import Conjunctions
from coarsest.run import Run

if TYPE_CHECKING:
    from coarsest.lts.labelled import Graph
    from coarsest.lts.simulation.preorder_ranzato_tapparo import Preorder

Position: TypeAlias = tuple[int, int]
Move: TypeAlias = tuple[int, int]


class SimulationGame:
    """The game on a graph whose preorder is known. With `ready`, states must also be able to do the same actions; with `nested`,
    simulate each other: that is the game of plain simulation. On a graph of weak transitions, diamonds are what `make` says."""

    def __init__(
        self, graph: Graph, preorder: Preorder, run: Run, *,
        ready: bool = False, nested: SimulationGame | None = None, make: Builder | None = None,
    ) -> None:  # fmt: skip
        self._graph, self._preorder, self._run, self._ready, self._nested = graph, preorder, run, ready, nested
        self._make: Builder = nested._make if nested is not None else make or Builder()
        self._conjunctions = Conjunctions(graph, self._make)
        self._steps: dict[int, dict[int, list[int]]] = {}
        self._ranks: dict[Position, int] = {}
        self._stated: dict[Position, int] = {}

    def depth(self, state: int, others: Sequence[int]) -> int | None:
        """The depth of the formula that `between` gives, or None if one of the others simulates the state."""
        if any(self._preorder.below(state, other) for other in others):
            return None
        depth = 1
        while True:
            ranks = [self._ranks.get((state, other)) for other in others]
            if None not in ranks:
                return max((rank for rank in ranks if rank is not None), default=0)
            self._unfold([(state, other) for other in others], depth)
            depth *= 2

    def between(self, state: int, others: Sequence[int]) -> Formula:
        """A formula that is true in the state and false in the others; `depth` has been called for them."""
        return self._make.formula(self._place_between(state, others))

    def _place_between(self, state: int, others: Sequence[int]) -> int:
        self._state_all([(state, other) for other in others])
        return self._against(state, others)

    def _unfold(self, roots: Iterable[Position], depth: int) -> None:
        """Enter all positions up to a depth, and rank those that can be decided within it."""
        layer = list(dict.fromkeys(roots))
        rounds_left = dict.fromkeys(layer, depth)
        needing: dict[Position, list[tuple[Position, Move]]] = defaultdict(list)
        open_answers: dict[tuple[Position, Move], int] = {}
        decided: list[tuple[int, Position]] = []
        for left in range(depth, -1, -1):
            self._run.step("simulation game", positions=len(rounds_left), depth=depth - left)
            following: list[Position] = []
            for position in layer:
                at_once = self._at_once(position)
                if at_once is not None:
                    decided.append((at_once, position))
                if left == 0 or (at_once is not None and at_once <= 1):
                    continue
                for move, answers in self._moves(position).items():
                    open_answers[position, move] = len(answers)
                    for answer in answers:
                        needing[answer].append((position, move))
                        if answer not in rounds_left:
                            rounds_left[answer] = left - 1
                            following.append(answer)
            layer = following
        self._rank(decided, needing, open_answers, rounds_left)

    def _rank(
        self, decided: list[tuple[int, Position]], needing: dict[Position, list[tuple[Position, Move]]],
        open_answers: dict[tuple[Position, Move], int], rounds_left: dict[Position, int],
    ) -> None:  # fmt: skip
        """From the positions that are decided at once, least ranks first: a move wins when all answers to it have ranks.

        A rank is the least if no more than one round would have to follow those that were unfolded after the position."""
        ranks: dict[Position, int] = {}
        heapify(decided)
        while decided:
            rank, position = heappop(decided)
            if position in ranks or rank > rounds_left[position] + 1:
                continue
            ranks[position] = rank
            for parent, move in needing[position]:
                open_answers[parent, move] -= 1
                if open_answers[parent, move] == 0:
                    heappush(decided, (rank + 1, parent))
        self._ranks.update(ranks)

    def _at_once(self, position: Position) -> int | None:
        """The rank of a position that needs no further ones: 0 if the labels differ, 1 if what can be done does; in the nested
        game, what the other game needs."""
        one, other = position
        if self._graph.labels[one] != self._graph.labels[other]:
            return 0
        mine, theirs = self._after(one).keys(), self._after(other).keys()
        if mine - theirs or ((self._ready or self._nested is not None) and mine != theirs):
            return 1
        return None if self._nested is None else self._nested.depth(other, [one])

    def _moves(self, position: Position) -> dict[Move, list[Position]]:
        """The steps of the first state that might win, each with the positions after the answers."""
        one, other = position
        moves: dict[Move, list[Position]] = {}
        for action, targets in self._after(one).items():
            answers = self._after(other).get(action, [])
            for target in targets:
                if not any(self._preorder.below(target, answer) for answer in answers):
                    moves[action, target] = [(target, answer) for answer in answers]
        return moves

    def _state_all(self, positions: list[Position]) -> None:
        """Find the formulas of the wanted positions, those that they need first."""
        choices: dict[Position, Move] = {}
        stack = list(positions)
        while stack:
            position = stack[-1]
            if position in self._stated:
                stack.pop()
            elif position not in choices and self._best_at_once(position):
                stack.pop()
                self._stated[position] = self._stated_at_once(position)
            elif position not in choices:
                self._run.step("simulation game", formulas=len(self._stated))
                choices[position] = self._best(position)
                stack += self._moves(position)[choices[position]]
            else:
                stack.pop()
                self._stated[position] = self._state_move(choices[position], self._moves(position)[choices[position]])

    def _state_move(self, move: Move, answers: Sequence[Position]) -> int:
        """The formula of a position in which a move is made, whose answers have theirs."""
        action, target = move
        inner = self._against(target, [answer for _, answer in answers])
        return self._make.diamond(self._graph.action_names[action], inner)

    def _best_at_once(self, position: Position) -> bool:
        """Is no move as good? A formula about a move is the easier one to read."""
        rank, at_once = self._ranks[position], self._at_once(position)
        if at_once != rank or rank <= 1:
            return at_once == rank
        ranks = [[self._ranks.get(answer, rank) for answer in answers] for answers in self._moves(position).values()]
        return all(max(answers) >= rank for answers in ranks)

    def _best(self, position: Position) -> Move:
        """A move that wins in the least number of steps; of these, one with few answers."""
        def cost(move: Move, answers: list[Position]) -> tuple[int, int, Move]:
            return max(self._ranks.get(answer, len(self._ranks)) for answer in answers), len(answers), move

        return min(cost(move, answers) for move, answers in self._moves(position).items())[2]

    def _stated_at_once(self, position: Position) -> int:
        graph, make = self._graph, self._make
        one, other = position
        if graph.labels[one] != graph.labels[other]:
            return make.label(graph.label_names[graph.labels[one]])
        mine, theirs = self._after(one).keys(), self._after(other).keys()
        if mine - theirs:
            return make.diamond(graph.action_names[min(mine - theirs)], make.true)
        if theirs - mine:
            return make.negation(make.diamond(graph.action_names[min(theirs - mine)], make.true))
        assert self._nested is not None, "otherwise nothing tells them apart at once"
        return make.negation(self._nested._place_between(other, [one]))

    def _against(self, state: int, rivals: Sequence[int]) -> int:
        hardest_first = sorted(rivals, key=lambda rival: (-self._ranks[state, rival], rival))
        return self._conjunctions.against([(self._stated[state, rival], rival) for rival in hardest_first])

    def _after(self, state: int) -> dict[int, list[int]]:
        steps = self._steps.get(state)
        if steps is None:
            graph = self._graph
            steps = self._steps[state] = {}
            begin, end = int(graph.offsets[state]), int(graph.offsets[state + 1])
            for action, target in zip(graph.actions[begin:end].tolist(), graph.targets[begin:end].tolist()):
                steps.setdefault(action, []).append(target)
        return steps
