"""A formula that is true in a structure and false in one that does not simulate it fairly, from the strategy of the spoiler.

Reference: Henzinger, Kupferman, Rajamani 1997, "Fair simulation": the universal alternation-free µ-calculus over fair structures
           characterises game simulation; Bustan 2002, section 4.3.1.
Symbols:   a variable X_v for each position v of the strategy; the spoiler is at p, the duplicator at q.
Invariant: X_v is true in p, where the spoiler's steps are followed: every play is fair there. It is false in q: whatever steps
           are chosen, the opponent follows the position that the strategy comes to, and no play is fair there.
Deviates:  greatest fixpoints alone are enough, as fairness is in their meaning (logic/modal/fair_fixpoint.py).
Cost:      linear in the strategy.
"""

from __future__ import annotations

from coarsest.logic.modal.fair_fixpoint import Equation, FairFixpoint
from coarsest.lts.certificates import StrategyCertificate
from coarsest.lts.labelled import Graph


def formula_of_strategy(both: Graph, refutation: StrategyCertificate) -> FairFixpoint:
    """The formula of a spoiler who wins the game simulation of two graphs side by side."""
    (strategy,) = refutation.strategies

    def label(state: int) -> str:
        return both.label_names[int(both.labels[state])]

    equations = [Equation(action, label(target), after) for (action, target), after in zip(strategy.steps, strategy.after)]
    begun: dict[tuple[int, int], int] = {}
    for number, pair in enumerate(strategy.positions):
        begun.setdefault(pair, number)
    others = set(both.initial.tolist()) - {strategy.begins}
    parts = tuple(number for (own, other), number in begun.items() if own == strategy.begins and other in others)
    return FairFixpoint(label(strategy.begins), parts, tuple(equations)).smallest()
