"""Direct simulation with lookahead: the spoiler shows k steps, and the duplicator answers as many of the first ones as it likes.

Reference: Mayr, Clemente 2013, Advanced automata minimization, section 4; Bustan 2002, chapter 7, asks for relations between
           simulation and the inclusion of traces.
Symbols:   k is `ahead`; bit q of `below[p]` says that q has an answer to p.
Invariant: pairs that were taken out can be attacked: a path of k steps, or one that ends before, has no answer to any of its
           first steps but in pairs that were taken out earlier.
Deviates:  the relation itself, exactly, which for k > 1 need not be transitive; all answers on the same steps are followed at
           once, as a set.
Cost:      rounds × pairs × attacks, which are exponential in k at worst. Limits apply.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from coarsest.lts.certificates import Attack
from coarsest.lts.fair import FairGraph
from coarsest.run import Run

Step: TypeAlias = tuple[int, int]
"""An action and a state."""
Pair: TypeAlias = tuple[int, int]


class LookaheadSimulation:
    """Between states of a fair graph, where `left` are the spoiler's and `right` the duplicator's."""

    def __init__(self, both: FairGraph, left: Sequence[int], right: Sequence[int], ahead: int, run: Run) -> None:
        self._left, self._ahead, self._run = left, ahead, run
        self._after: dict[int, list[Step]] = defaultdict(list)
        self._targets: dict[Step, int] = defaultdict(int)
        graph = both.graph
        for source, action, target in zip(graph.sources.tolist(), graph.actions.tolist(), graph.targets.tolist()):
            self._after[source].append((action, target))
            self._targets[action, source] |= 1 << target
        labels, marks = graph.labels.tolist(), both.marks.tolist()
        self._fits = {
            p: sum(1 << q for q in right if labels[p] == labels[q] and marks[p] & ~marks[q] == 0) for p in left
        }
        self.below = dict(self._fits)
        self._names = graph.action_names
        self.attacks: dict[Pair, tuple[Step, ...]] = {}
        while self._round():
            pass

    def _round(self) -> bool:
        """Take out the pairs that can be attacked; were there any?"""
        before = len(self.attacks)
        for state in self._left:
            for other in _members(self.below[state]):
                attack = self._attack(state, 1 << other, 1)
                if attack is not None:
                    self.below[state] &= ~(1 << other)
                    self.attacks[state, other] = tuple(attack)
        return len(self.attacks) > before

    def _attack(self, state: int, answers: int, number: int) -> list[Step] | None:
        """Steps after which no answer stays in the relation, wherever one stops; the next one is the step of that number."""
        self._run.step("lookahead", pairs=len(self.attacks), shown=number)
        for action, target in self._after[state]:
            following = self._answered(answers, (action, target))
            if following & self.below[target]:
                continue
            if not following or number == self._ahead or not self._after[target]:
                return [(action, target)]
            rest = self._attack(target, following, number + 1)
            if rest is not None:
                return [(action, target), *rest]
        return None

    def _answered(self, answers: int, step: Step) -> int:
        action, target = step
        following = 0
        for answer in _members(answers):
            following |= self._targets.get((action, answer), 0)
        return following & self._fits[target]

    def needed(self, pairs: Sequence[Pair]) -> tuple[Attack, ...]:
        """The attacks on some pairs, and on those that they come to, each after those that it relies on."""
        order = {pair: number for number, pair in enumerate(self.attacks)}
        needed = dict.fromkeys(pair for pair in pairs if pair in order)
        waiting = list(needed)
        for state, against in waiting:
            answers = 1 << against
            for step in self.attacks[state, against]:
                answers = self._answered(answers, step)
                fresh = [pair for other in _members(answers) if (pair := (step[1], other)) not in needed]
                needed.update(dict.fromkeys(fresh))
                waiting += fresh
        return tuple(
            Attack(*pair, tuple((self._names[action], target) for action, target in self.attacks[pair]))
            for pair in sorted(needed, key=order.__getitem__)
        )

    def pairs(self) -> tuple[Pair, ...]:
        return tuple((state, other) for state in self._left for other in _members(self.below[state]))


def _members(mask: int) -> Iterator[int]:
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
