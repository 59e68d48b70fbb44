"""A formula that tells two states apart, read off the history of the partition that separated them.

Reference: Cleaveland 1990, On automatically explaining bisimulation inequivalence; for branching bisimulation Korver 1991,
           Computing distinguishing formulas for branching bisimulation.
Symbols:   K is `home`, the common block of both states before the round that separated them.
Invariant: a formula for two states separated in round k nests at most k modalities, so it has one truth value on each
           block of round k.
Deviates:  blocks are those of synchronous rounds, so that the depth is the least possible (for strong bisimulation);
           conjuncts that other conjuncts make superfluous are left out, and never computed: one formula may tell a state
           from thousands of others that internal steps lead to.
Cost:      one formula node for each pair of classes that is needed, each with the transitions of both states, and of the states
           that internal steps lead to.
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
    """What the first state can do and the second cannot: reach a block by an action. The target must be told apart from `rivals`;
    the states on the way, for branching bisimulation, from `exits`."""

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
    """Where an action leads from all states of a way: the states, their blocks, and the states that stand for them."""

    states: set[int]
    blocks: set[int]
    rivals: tuple[int, ...]


class _Way(NamedTuple):
    """Where internal steps lead: the states, what stands for where such steps leave a block, and what the states can do, by
    action, as far as it was asked for."""

    states: set[int]
    exits: tuple[int, ...]
    steps: dict[int, list[int]]
    answers: dict[int, _Answers]


Pair: TypeAlias = tuple[int, int]
Asking: TypeAlias = Generator[Pair, None, int]
"""A search that asks for the formulas of pairs, one after the other, and returns the number of a formula."""


class Distinguisher:
    """Finds formulas on the graph that the history is about. `internal` is the number of the internal action for branching
    bisimulation; transitions with the action `divergence`, if any, mark states from which an internal path never ends. On a graph
    of weak transitions, diamonds are what `make` says."""

    def __init__(
        self, graph: Graph, history: PartitionHistory, run: Run, *, internal: int | None = None, divergence: int = -1,
        make: Builder | None = None,
    ) -> None:  # fmt: skip
        self._graph, self.history, self._run = graph, history, run
        self._counts_steps, self._internal, self._divergence = internal is None, -1 if internal is None else internal, divergence
        self._make = make or Builder()
        self._conjunctions = Conjunctions(graph, self._make, mark=divergence)
        self._known: dict[Pair, int] = {}
        self._class = history.block.tolist()
        self._representative: dict[int, int] = {}
        for state, number in enumerate(self._class):
            self._representative.setdefault(number, state)

    def between(self, state: int, others: Iterable[int]) -> Formula | None:
        """A formula that is true in `state` and false in all others; None if one of them is equivalent to it."""
        one = self._chosen(state)
        rivals = self._chosen_all(others)
        if one in rivals:
            return None
        self._run.step("distinguish", pairs=len(self._known))
        return self._make.formula(self._settle(self._separating(one, rivals)))

    def separation(self, state: int, others: Iterable[int]) -> int | None:
        """The depth that `between` will need, or None."""
        levels = [self.history.separation(state, other) for other in others]
        return None if None in levels else max((level for level in levels if level is not None), default=0)

    def _chosen(self, state: int) -> int:
        return self._representative[self._class[state]]

    def _chosen_all(self, states: Iterable[int]) -> tuple[int, ...]:
        return tuple(sorted({self._chosen(state) for state in states}))

    def _settle(self, search: Asking) -> int:
        """Go on with a search, after the searches for the formulas of pairs that it asks for."""
        waiting: list[tuple[Pair, Asking]] = []
        pair: Pair | None = None
        while True:
            try:
                need = next(search)
            except StopIteration as ended:
                place: int = ended.value
                if pair is None:
                    return place
                self._known[pair] = place
                self._known[pair[::-1]] = self._make.negation(place)
                search = waiting.pop()[1]
                pair = waiting[-1][0] if waiting else None
                continue
            if need not in self._known:
                self._run.step("distinguish", pairs=len(self._known), waiting=len(waiting))
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
            place = make.diverges(along)
        elif not self._counts_steps:
            place = make.until(along, graph.action_names[move.action], end)
        else:
            place = make.diamond(graph.action_names[move.action], end)
        return make.negation(place) if move.negated else place

    def _separating(self, state: int, rivals: Sequence[int]) -> Asking:
        """The conjunction of formulas that are true in a state and false in one rival each, without superfluous ones."""
        conjuncts: list[int] = []
        for rival in sorted(rivals, key=lambda rival: (-(self.history.separation(state, rival) or 0), rival)):  # hardest first
            if not self._conjunctions.refute(conjuncts, rival):
                yield state, rival
                conjuncts.append(self._known[state, rival])
        return self._make.conjunction(conjuncts)

    def _best_move(self, one: int, other: int) -> _Move | None:
        """The move whose formula needs the fewest parts; None if the labels differ."""
        level = self.history.separation(one, other)
        if not level:
            return None
        moves = [*self._moves(one, other, level - 1, negated=False), *self._moves(other, one, level - 1, negated=True)]
        return min(moves, key=lambda move: (move.cost, move.target))

    def _moves(self, one: int, other: int, level: int, *, negated: bool) -> list[_Move]:
        """What `one` can do and `other` cannot, with the blocks after `level` rounds."""
        if not self._counts_steps:
            return self._silent_moves(one, other, level, negated=negated)
        answers = self._by_action([other])
        answered = {(action, self.history.block_at(target, level)) for action, targets in answers.items() for target in targets}
        moves: dict[tuple[int, int], _Move] = {}
        for action, targets in self._by_action([one]).items():
            rivals = self._chosen_all(answers.get(action, ()))
            for target in targets:
                key = action, self.history.block_at(target, level)
                if key not in answered and key not in moves:
                    moves[key] = _Move(action, one, self._chosen(target), rivals, negated=negated)
        return list(moves.values())

    def _silent_moves(self, one: int, other: int, level: int, *, negated: bool) -> list[_Move]:
        """The moves after inert steps. Those of `other` must end outside its block, or not lead to the block that `one`
        reaches."""
        home = self.history.block_at(one, level)
        moves: dict[tuple[int, int], _Move] = {}
        reached = [self._inert(other, level), (self._silent(other), set[int]())]
        ways = [_Way(states, self._chosen_all(exits), self._by_action(states), {}) for states, exits in reached]
        for action, targets in self._by_action(self._inert(one, level)[0]).items():
            for target in targets:
                key = action, self.history.block_at(target, level)
                if (action == self._internal and key[1] == home) or key in moves:
                    continue
                options = [self._silent_move(one, (action, target), level, way) for way in ways]
                able = [option for option in options if option is not None]
                if able:
                    moves[key] = min(able, key=lambda move: move.cost)._replace(negated=negated)
        return list(moves.values())

    def _silent_move(self, one: int, step: tuple[int, int], level: int, way: _Way) -> _Move | None:
        """The move, if none of the states that the other side can be in has an answer to it."""
        action, target = step
        answers = way.answers.get(action)
        if answers is None:
            answers = way.answers[action] = self._answers(action, level, way)
        if action == self._divergence:  # internal cycles that are not marked lead through states with different labels
            mixed = len({int(self._graph.labels[state]) for state in way.states}) > 1
            return None if answers.states or mixed else _Move(action, one, one, (), way.exits)
        if self.history.block_at(target, level) in answers.blocks:
            return None
        return _Move(action, one, self._chosen(target), answers.rivals, way.exits)

    def _answers(self, action: int, level: int, way: _Way) -> _Answers:
        states = set(way.steps.get(action, ())) | (way.states if action == self._internal else set())
        return _Answers(states, {self.history.block_at(state, level) for state in states}, self._chosen_all(states))

    def _by_action(self, states: Iterable[int]) -> dict[int, list[int]]:
        graph = self._graph
        targets: dict[int, list[int]] = {}
        for state in sorted(states):
            begin, end = int(graph.offsets[state]), int(graph.offsets[state + 1])
            for action, target in zip(graph.actions[begin:end].tolist(), graph.targets[begin:end].tolist()):
                targets.setdefault(action, []).append(target)
        return targets

    def _inert(self, state: int, level: int) -> tuple[set[int], set[int]]:
        """States reached by internal steps in the block of the state after `level` rounds, and where such steps leave it."""
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
        """All states reached by internal steps."""
        reached, waiting = {state}, [state]
        while waiting:
            fresh = set(self._by_action([waiting.pop()]).get(self._internal, ())) - reached
            reached |= fresh
            waiting += fresh
        return reached
