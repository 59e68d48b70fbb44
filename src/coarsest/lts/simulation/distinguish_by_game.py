"""A formula without negation that is true in one state and false in states that do not simulate it, from the simulation game.

Reference: Stirling 1999, Bisimulation, modal logic and model checking games, section 2; iterative deepening as in Korf 1985,
           Depth-first iterative-deepening.
Symbols:   a position (s, t) asks whether t simulates s; its rank is the number of steps that the player who denies it needs.
Invariant: a position has no rank below its bound; a rank is the least, because all smaller ones have been tried.
Deviates:  positions where s is simulated by t are never entered, because the preorder is known. No rank is less than the round
           in which bisimulation tells the states apart: shallow positions are decided at once, and those alone that are hard
           are looked into. In the nested game, the player may also deny that s simulates t, which is another game.
Cost:      time by the positions that are looked into, for each depth up to its rank, with the transitions of both states.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from coarsest.logic.modal.hennessy_milner import Builder, Formula
from coarsest.lts.rounds.history import PartitionHistory
from coarsest.lts.rounds.signatures_blom_orzan import refine_by_signatures
from coarsest.lts.rounds.truths import Conjunctions
from coarsest.run import Run

if TYPE_CHECKING:
    from coarsest.lts.labelled import Graph
    from coarsest.lts.simulation.preorder_ranzato_tapparo import Preorder

Position: TypeAlias = tuple[int, int]
Move: TypeAlias = tuple[int, int]
Question: TypeAlias = tuple[Position, int]
"""It asks whether a position has at most this rank."""
Asking: TypeAlias = Generator[Question, bool, bool]


class DistinguishingGame:
    """The game on a graph whose preorder is known. With `ready`, states must also be able to do the same actions; with `nested`,
    simulate each other: that is the game of plain simulation. On a graph of weak transitions, diamonds are what `make` says."""

    def __init__(
        self, graph: Graph, preorder: Preorder, run: Run, *,
        ready: bool = False, nested: DistinguishingGame | None = None, make: Builder | None = None,
    ) -> None:  # fmt: skip
        self._graph, self._preorder, self._run, self._ready, self._nested = graph, preorder, run, ready, nested
        self._make: Builder = nested._make if nested is not None else make or Builder()
        self._conjunctions = Conjunctions(graph, self._make)
        self._steps: dict[int, dict[int, list[int]]] = {}
        self._bounds: dict[Position, int] = {}
        self._ranks: dict[Position, int] = {}
        self._winning: dict[Position, Move | None] = {}
        self._promising: dict[Position, list[Move]] = {}
        self._stated: dict[Position, int] = {}

    @cached_property
    def _history(self) -> PartitionHistory:
        return refine_by_signatures(self._graph, self._run) if self._nested is None else self._nested._history

    def depth(self, state: int, others: Sequence[int]) -> int | None:
        """The depth of the formula that `between` gives, or None if one of the others simulates the state."""
        if any(self._preorder.below(state, other) for other in others):
            return None
        return max((self._rank((state, other)) for other in others), default=0)

    def between(self, state: int, others: Sequence[int]) -> Formula:
        """A formula that is true in the state and false in the others; `depth` has been called for them."""
        return self._make.formula(self._place_between(state, others))

    def _place_between(self, state: int, others: Sequence[int]) -> int:
        self._state_all([(state, other) for other in others])
        return self._against(state, others)

    def _rank(self, position: Position) -> int:
        """The rank of a position that has one."""
        while position not in self._ranks:
            self._is_within(position, self._bound(position))
        return self._ranks[position]

    def _is_within(self, first: Position, most: int) -> bool:
        """Has a position at most this rank? Questions wait on a stack of their own: ranks may be as large as the graph."""
        question = first, most
        answer = self._answer(*question)
        stack: list[tuple[Question, Asking]] = []
        while True:
            if answer is None:
                self._run.step("simulation game", positions=len(self._bounds), ranks=len(self._ranks), depth=len(stack))
                stack.append((question, self._try(*question)))
            elif not stack:
                return answer
            question, asking = stack[-1]
            try:
                question = asking.send(answer) if answer is not None else next(asking)
                answer = self._answer(*question)
            except StopIteration as decided:
                answer = decided.value
                stack.pop()

    def _answer(self, position: Position, most: int) -> bool | None:
        """Whether a rank is at most this, if that is known already."""
        rank = self._ranks.get(position)
        if rank is not None:
            return rank <= most
        return False if most < self._bound(position) or self._preorder.below(*position) else None

    def _bound(self, position: Position) -> int:
        bound = self._bounds.get(position)
        if bound is None:
            separation = self._history.separation(*position)
            bound = self._bounds[position] = 0 if separation is None else separation
        return bound

    def _try(self, position: Position, most: int) -> Asking:
        """Try all ranks up to the given one: a move wins if all answers to it have smaller ranks."""
        moves = self._moves(position)
        at_once = self._at_once(position)
        for rank in range(self._bound(position), most + 1):
            if at_once is not None and at_once <= rank:
                return self._won(position, rank, None)
            for move in moves if rank else ():
                for answer in self._answers(position, move):
                    if not (yield answer, rank - 1):
                        break
                else:
                    return self._won(position, rank, move)
            if self._nested is not None and self._nested._is_within(position[::-1], rank):
                return self._won(position, rank, None)
            self._bounds[position] = rank + 1
        return False

    def _won(self, position: Position, rank: int, move: Move | None) -> bool:
        self._ranks[position], self._winning[position] = rank, move
        return True

    def _at_once(self, position: Position) -> int | None:
        """The rank of a position that needs no further ones: 0 if the labels differ, 1 if what can be done does."""
        one, other = position
        if self._graph.labels[one] != self._graph.labels[other]:
            return 0
        mine, theirs = self._after(one).keys(), self._after(other).keys()
        both_ways = self._ready or self._nested is not None
        return 1 if mine - theirs or (both_ways and mine != theirs) else None

    def _moves(self, position: Position) -> list[Move]:
        """The steps that might win; positions are often entered again."""
        moves = self._promising.get(position)
        if moves is None:
            moves = self._promising[position] = self._promising_moves(position)
        return moves

    def _promising_moves(self, position: Position) -> list[Move]:
        """The steps of the first state after which no answer simulates it, those with few answers first."""
        one, other = position
        below, theirs = self._preorder.below, self._after(other)
        moves = [(action, target) for action, targets in self._after(one).items() for target in targets
                 if not any(below(target, answer) for answer in theirs.get(action, ()))]  # fmt: skip
        return sorted(moves, key=lambda move: (len(theirs.get(move[0], ())), move))

    def _state_all(self, positions: list[Position]) -> None:
        """Put together the formulas of some positions, after those that they need."""
        entered: set[Position] = set()
        stack = list(positions)
        while stack:
            position = stack[-1]
            move = self._winning[position]
            if position in self._stated:
                stack.pop()
            elif move is None:
                stack.pop()
                self._stated[position] = self._stated_at_once(position)
            elif position not in entered:
                self._run.step("simulation game", formulas=len(self._stated))
                entered.add(position)
                stack += self._answers(position, move)
            else:
                stack.pop()
                self._stated[position] = self._state_move(move, self._answers(position, move))

    def _state_move(self, move: Move, answers: Sequence[Position]) -> int:
        """The formula of a position in which a move is made, whose answers have theirs."""
        action, target = move
        inner = self._against(target, [answer for _, answer in answers])
        return self._make.diamond(self._graph.action_names[action], inner)

    def _answers(self, position: Position, move: Move) -> list[Position]:
        action, target = move
        return [(target, answer) for answer in self._after(position[1]).get(action, [])]

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
