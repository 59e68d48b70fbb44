"""Where is a formula with fair fixpoints true? From the game that is its meaning, on sets of pairs of a state and a variable.

With F_k the fairness sets, and cpre(T) the pairs from which a step leads to a state all of whose claims are in T, the claim is
won in νZ. ⋂_k μY. (F_k ∩ cpre Z) ∪ cpre Y; without fairness sets, in νZ. cpre Z.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from coarsest.logic.modal.fair_fixpoint import FairFixpoint
from coarsest.lts.labelled import INTERNAL

if TYPE_CHECKING:
    from coarsest.lts.fair import FairGraph

Claims: TypeAlias = "set[tuple[int, int]]"


def is_true_somewhere(fair: FairGraph, formula: FairFixpoint, stays: str) -> bool:
    """Is it true in an initial state? A state without successor stays where it is, by an action of that name."""
    game = _ClaimGame(fair, formula, stays)
    won = game.won()
    return any(game.label[state] == formula.label and all((state, part) in won for part in formula.parts)
               for state in fair.graph.initial.tolist())  # fmt: skip


class _ClaimGame:
    def __init__(self, fair: FairGraph, formula: FairFixpoint, stays: str) -> None:
        graph, self.formula = fair.graph, formula
        self.label = [graph.label_names[number] for number in graph.labels.tolist()]
        self.steps: list[list[tuple[str, int]]] = [[] for _ in range(graph.states)]
        for source, action, target in zip(graph.sources.tolist(), graph.actions.tolist(), graph.targets.tolist()):
            self.steps[source].append((_named(graph.action_names[action]), target))
        for state, steps in enumerate(self.steps):
            if not steps:
                steps.append((stays, state))
        self.fairness: Sequence[set[int]] = [{s for s, inside in enumerate(sets.tolist()) if inside} for sets in fair.fairness]

    def won(self) -> Claims:
        claims = {(state, number) for state in range(len(self.steps)) for number in range(len(self.formula.equations))}
        while True:
            smaller = before = self._before(claims)
            for members in self.fairness:
                smaller = smaller & self._reaching({(state, number) for state, number in before if state in members})
            if smaller == claims:
                return claims
            claims = smaller

    def _reaching(self, goal: Claims) -> Claims:
        reached = goal
        while not (more := self._before(reached)) <= reached:
            reached = reached | more
        return reached

    def _before(self, claims: Claims) -> Claims:
        return {
            (state, number)
            for state, steps in enumerate(self.steps)
            for number, equation in enumerate(self.formula.equations)
            if any(action == _named(equation.action) and self.label[target] == equation.label
                   and all((target, part) in claims for part in equation.parts) for action, target in steps)
        }  # fmt: skip


def _named(action: str) -> str:
    """The internal action has two names."""
    return "i" if action in INTERNAL else action
