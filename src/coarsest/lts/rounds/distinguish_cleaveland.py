"""A formula that distinguishes two states, read off the history of the partition that separated them.

Reference: Cleaveland 1990, On automatically explaining bisimulation inequivalence; for branching bisimulation Korver 1991,
           Computing distinguishing formulas for branching bisimulation.
Symbols:   K is `home`, the common block of both states before the round that separated them.
Invariant: a formula for two states separated in round k nests at most k modalities, so it has one truth value on each
           block of round k.
Deviates:  blocks are those of synchronous rounds, so that the depth is the least possible (for strong bisimulation);
           conjuncts that other conjuncts make superfluous are never computed: one formula may distinguish a state from
           thousands of others that internal steps lead to.
Cost:      one formula node for each pair of classes that is needed, for which the transitions of both states are compared, and
           those of the states that internal steps lead to.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from coarsest.logic.modal.hennessy_milner import Builder, Formula
from coarsest.lts.rounds.history import PartitionHistory
from coarsest.lts.rounds.truths import Conjunctions
from coarsest.run import Run

if TYPE_CHECKING:
    from coarsest.lts.labelled import Graph


class _Move(NamedTuple):
    """A step of the first state into a block that the second cannot reach by the same action. The target must be distinguished
    from `rivals`, and, for branching bisimulation, the states on the way from `exits`."""

    action: int
    source: int
    target: int
    rivals: tuple[int, ...]
    exits: tuple[int, ...] = ()
    negated: bool = False

    @property
    def cost(self) -> tuple[int, bool, int]:
        return len(self.rivals) + len(self.exits), self.negated, self.action


class _Answers(NamedTuple):
    """The targets of an action from all states of a way: the states, their blocks, and representatives of their classes."""

    states: set[int]
    blocks: set[int]
    rivals: tuple[int, ...]


class _Way(NamedTuple):
    """The states that internal steps lead to. `exits` represent the states where such steps leave a block; `steps` are the steps
    of the states by action, and `answers` the same in more detail, as far as it was needed."""

    states: set[int]
    exits: tuple[int, ...]
    steps: dict[int, list[int]]
    answers: dict[int, _Answers]


Pair: TypeAlias = tuple[int, int]
Asking: TypeAlias = Generator[Pair, None, int]
"""A search that asks for the formulas of pairs, one after the other, and returns the node of a formula."""


class Distinguisher:
    """Finds formulas from the history of a graph's partition. `internal` is the number of the internal action for branching
    bisimulation; transitions with the action `divergence`, if any, mark states from which an internal path never ends. `make`
    makes the diamonds, which are special on a graph of weak transitions."""

    def __init__(
        self, graph: Graph, history: PartitionHistory, run: Run, *, internal: int | None = None, divergence: int = -1,
        make: Builder | None = None,
    ) -> None:  # fmt: skip
        self._graph, self.history, self._run = graph, history, run
        self._counts_steps, self._internal, self._divergence = internal is None, -1 if internal is None else internal, divergence
        self._make = make or Builder()
        self._conjunctions = Conjunctions(graph, self._make, mark=divergence)
        self._formulas: dict[Pair, int] = {}
        self._class = history.block.tolist()
        self._representative: dict[int, int] = {}
        for state, number in enumerate(self._class):
            self._representative.setdefault(number, state)

    def between(self, state: int, others: Iterable[int]) -> Formula | None:
        """A formula that is true in `state` and false in all others; None if one of them is equivalent to it."""
        own = self._representing(state)
        rivals = self._representing_all(others)
        if own in rivals:
            return None
        self._run.step("distinguish", pairs=len(self._formulas))
        return self._make.formula(self._settle(self._separating(own, rivals)))

    def separation(self, state: int, others: Iterable[int]) -> int | None:
        """The depth that `between` will need, or None."""
        levels = [self.history.separation(state, other) for other in others]
        return None if None in levels else max((level for level in levels if level is not None), default=0)

    def _representing(self, state: int) -> int:
        return self._representative[self._class[state]]

    def _representing_all(self, states: Iterable[int]) -> tuple[int, ...]:
        return tuple(sorted({self._representing(state) for state in states}))

    def _settle(self, search: Asking) -> int:
        """The result of a search, which runs while the searches for the pairs that it asks for come first."""
        waiting: list[tuple[Pair, Asking]] = []
        pair: Pair | None = None
        while True:
            try:
                need = next(search)
            except StopIteration as ended:
                node: int = ended.value
                if pair is None:
                    return node
                self._formulas[pair] = node
                self._formulas[pair[::-1]] = self._make.negation(node)
                search = waiting.pop()[1]
                pair = waiting[-1][0] if waiting else None
                continue
            if need not in self._formulas:
                self._run.step("distinguish", pairs=len(self._formulas), waiting=len(waiting))
                waiting.append((need, search))
                pair, search = need, self._stating(need)

    def _stating(self, pair: Pair) -> Asking:
        """The formula of a pair."""
        make, graph = self._make, self._graph
        move = self._best_move(*pair)
        if move is None:
            return make.label(graph.label_names[graph.labels[pair[0]]])
        end = yield from self._separating(move.target, move.rivals)
        along = yield from self._separating(move.source, move.exits)
        if move.action == self._divergence and not self._counts_steps:
            node = make.diverges(along)
        elif not self._counts_steps:
            node = make.until(along, graph.action_names[move.action], end)
        else:
            node = make.diamond(graph.action_names[move.action], end)
        return make.negation(node) if move.negated else node

    def _separating(self, state: int, rivals: Sequence[int]) -> Asking:
        """The conjunction of formulas that are true in a state and false in one rival each, without superfluous ones."""
        conjuncts: list[int] = []
        for rival in sorted(rivals, key=lambda rival: (-(self.history.separation(state, rival) or 0), rival)):  # hardest first
            if not self._conjunctions.refute(conjuncts, rival):
                yield state, rival
                conjuncts.append(self._formulas[state, rival])
        return self._make.conjunction(conjuncts)

    def _best_move(self, left: int, right: int) -> _Move | None:
        """The move whose formula needs the fewest parts; None if the labels differ."""
        level = self.history.separation(left, right)
        if not level:
            return None
        moves = [*self._moves(left, right, level - 1, negated=False), *self._moves(right, left, level - 1, negated=True)]
        return min(moves, key=lambda move: (move.cost, move.target))

    def _moves(self, state: int, other: int, level: int, *, negated: bool) -> list[_Move]:
        """The moves of a state that another cannot answer, with the blocks after `level` rounds."""
        if not self._counts_steps:
            return self._silent_moves(state, other, level, negated=negated)
        answers = self._by_action([other])
        answered = {(action, self.history.block_at(target, level)) for action, targets in answers.items() for target in targets}
        moves: dict[tuple[int, int], _Move] = {}
        for action, targets in self._by_action([state]).items():
            rivals = self._representing_all(answers.get(action, ()))
            for target in targets:
                key = action, self.history.block_at(target, level)
                if key not in answered and key not in moves:
                    moves[key] = _Move(action, state, self._representing(target), rivals, negated=negated)
        return list(moves.values())

    def _silent_moves(self, state: int, other: int, level: int, *, negated: bool) -> list[_Move]:
        """The moves after inert steps. The steps of `other` must end outside its block, or miss the block of the target."""
        home = self.history.block_at(state, level)
        moves: dict[tuple[int, int], _Move] = {}
        reached = [self._inert(other, level), (self._silent(other), set[int]())]
        ways = [_Way(states, self._representing_all(exits), self._by_action(states), {}) for states, exits in reached]
        for action, targets in self._by_action(self._inert(state, level)[0]).items():
            for target in targets:
                key = action, self.history.block_at(target, level)
                if (action == self._internal and key[1] == home) or key in moves:
                    continue
                options = [self._silent_move(state, (action, target), level, way) for way in ways]
                able = [option for option in options if option is not None]
                if able:
                    moves[key] = min(able, key=lambda move: move.cost)._replace(negated=negated)
        return list(moves.values())

    def _silent_move(self, state: int, step: tuple[int, int], level: int, way: _Way) -> _Move | None:
        """The move, if none of the states that the other side can be in has an answer to it."""
        action, target = step
        answers = way.answers.get(action)
        if answers is None:
            ends = set(way.steps.get(action, ())) | (way.states if action == self._internal else set())
            answers = _Answers(ends, {self.history.block_at(end, level) for end in ends}, self._representing_all(ends))
            way.answers[action] = answers
        if action == self._divergence:  # internal cycles that are not marked lead through states with different labels
            mixed = len({int(self._graph.labels[passed]) for passed in way.states}) > 1
            return None if answers.states or mixed else _Move(action, state, state, (), way.exits)
        if self.history.block_at(target, level) in answers.blocks:
            return None
        return _Move(action, state, self._representing(target), answers.rivals, way.exits)

    def _by_action(self, states: Iterable[int]) -> dict[int, list[int]]:
        graph = self._graph
        targets: dict[int, list[int]] = {}
        for state in sorted(states):
            begin, end = int(graph.offsets[state]), int(graph.offsets[state + 1])
            for action, target in zip(graph.actions[begin:end].tolist(), graph.targets[begin:end].tolist()):
                targets.setdefault(action, []).append(target)
        return targets

    def _inert(self, state: int, level: int) -> tuple[set[int], set[int]]:
        """The states that internal steps reach within the block of the state after `level` rounds, and the first ones outside."""
        home = self.history.block_at(state, level)
        inside, outside, waiting = {state}, set[int](), [state]
        while waiting:
            for target in self._by_action([waiting.pop()]).get(self._internal, ()):
                if self.history.block_at(target, level) != home:
                    outside.add(target)
                elif target not in inside:
                    inside.add(target)
                    waiting.append(target)
        return inside, outside

    def _silent(self, state: int) -> set[int]:
        """All states that internal steps reach."""
        reached, waiting = {state}, [state]
        while waiting:
            fresh = set(self._by_action([waiting.pop()]).get(self._internal, ())) - reached
            reached |= fresh
            waiting += fresh
        return reached
