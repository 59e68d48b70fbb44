"""Similarity straight from the definition, on the states and steps of the brute-force oracle, and what the smallest structure is.

A state is below another one when they look alike, either both can go on or none, and every step of the first is answered by a
step of the second with the same action to a state that its target is below. Pairs that are not are found one by one.

The smallest structure has, for a class of equivalent states, a step to each class that some state of it enters and that is not
below another such class; of the initial classes it has those that are not below another one; and of all classes those that are
then reached. The quotients of definition 3.2.1 of Bustan's thesis have a step where all states of a class have one, or some.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from coarsest.logic.expr import Expr
from oracles.bisimulation import Bisimilarity, Class, Edge, State
from oracles.brute_force import BruteForce


class Similarity(Bisimilarity):
    """The classes of the reachable states of a machine under simulation equivalence, their order, and the smallest structure."""

    def __init__(self, oracle: BruteForce, labels: Sequence[Expr], actions: Sequence[str] = ()) -> None:
        super().__init__(oracle, labels, actions)
        not_below = {
            (s, t)
            for s in self.reachable
            for t in self.reachable
            if self.seen[s] != self.seen[t] or bool(self.steps[s]) != bool(self.steps[t])
        }
        while True:
            more = {
                (s, t)
                for s in self.reachable
                for t in self.reachable
                if (s, t) not in not_below and not self._answers(s, t, not_below)
            }
            if not more:
                break
            not_below |= more
        self.not_below = not_below

    def is_below(self, s: State, t: State) -> bool:
        return (s, t) not in self.not_below

    def class_of(self, state: State) -> Class:
        return frozenset(t for t in self.reachable if self.is_below(state, t) and self.is_below(t, state))

    def largest(self, classes: Iterable[Class]) -> set[Class]:
        """Of some classes, those that are not below another one."""
        examples = {one: next(iter(one)) for one in classes}
        return {
            one for one, s in examples.items()
            if not any(one != other and self.is_below(s, t) for other, t in examples.items())
        }  # fmt: skip

    def quotient(self, *, every: bool) -> tuple[set[Class], set[Class], set[Edge]]:
        """The same for the quotient with the steps that all states of a class have, or some state."""
        initial = {self.class_of(s) for s in self.oracle.initial}
        have = all if every else any
        every_step = {
            (source, action, target)
            for source in self.classes for s in source for action, t in self.steps[s] for target in (self.class_of(t),)
            if have(any((action, other) in self.steps[one] for other in target) for one in source)
        }  # fmt: skip
        classes = set(initial)
        while more := {target for source, _, target in every_step if source in classes} - classes:
            classes |= more
        return classes, initial, {step for step in every_step if step[0] in classes}

    @property
    def smallest(self) -> tuple[set[Class], set[Class], set[Edge]]:
        """The classes that are left, those of them that are initial, and the steps."""
        initial = self.largest(self.class_of(s) for s in self.oracle.initial)
        classes, edges, waiting = set(initial), set[Edge](), list(initial)
        while waiting:
            source = waiting.pop()
            steps = {(action, self.class_of(target)) for s in source for action, target in self.steps[s]}
            for action in {action for action, _ in steps}:
                for target in self.largest(other for same, other in steps if same == action):
                    edges.add((source, action, target))
                    if target not in classes:
                        classes.add(target)
                        waiting.append(target)
        return classes, initial, edges
