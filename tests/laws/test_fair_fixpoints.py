"""Formulas with fair fixpoints: they mean what their game says, game simulation preserves them, and one tells why it fails."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product
from random import Random

import pytest

from campaigns import blocks
from coarsest.api.comparing.path_formulas import checked_fixpoints
from coarsest.logic.modal.fair_fixpoint import Equation, FairFixpoint
from coarsest.lts.certificates import StrategyCertificate
from coarsest.lts.compare.compare_graphs import compare_graphs
from coarsest.lts.fair import FairGraph
from coarsest.lts.games.distinguish_fairly import formula_of_strategy
from coarsest.lts.games.simulation_game import fair_side_by_side
from coarsest.lts.judge.fair.fixpoints import is_true_somewhere
from coarsest.lts.staying import STAYS, both_staying
from coarsest.run import Run
from random_fair_graphs import random_fair_graph

PAIRS = 60
Claim = tuple[int, int]


def true_by_definition(fair: FairGraph, formula: FairFixpoint) -> bool:
    """Some way to choose steps, one for each state and variable, wins against every choice of variables. For one fairness set
    that is all that has to be tried: such games are won by choices that remember nothing."""
    graph = fair.graph
    labels = [graph.label_names[number] for number in graph.labels.tolist()]
    steps: list[list[tuple[str, int]]] = [[] for _ in range(graph.states)]
    for source, action, target in zip(graph.sources.tolist(), graph.actions.tolist(), graph.targets.tolist()):
        steps[source].append((graph.action_names[action], target))
    steps = [own or [(STAYS, state)] for state, own in enumerate(steps)]
    members = {s for s in range(graph.states) if all(sets[s] for sets in fair.fairness)}
    claims = list(product(range(graph.states), range(len(formula.equations))))
    equations = [formula.equations[x] for _, x in claims]
    options = [
        [t for action, t in steps[s] if (action, labels[t]) == (equation.action, equation.label)] or [None]
        for (s, _), equation in zip(claims, equations)
    ]
    begins = [[(s, x) for x in formula.parts] for s in graph.initial.tolist() if labels[s] == formula.label]
    for chosen in product(*options):
        choice = dict(zip(claims, chosen))
        after = {claim: [(t, part) for part in equation.parts if t is not None]
                 for claim, t, equation in zip(claims, chosen, equations)}  # fmt: skip
        lost = {claim for claim, t in choice.items() if t is None} | set(_unfair_cycles(after, members))
        while more := {claim for claim, following in after.items() if lost & set(following)} - lost:
            lost |= more
        if any(not lost & set(first) for first in begins):
            return True
    return False


def _unfair_cycles(after: dict[Claim, list[Claim]], members: set[int]) -> Iterator[Claim]:
    """Claims on cycles through states that are not in the fairness set."""
    for start in after:
        reached, waiting = set[Claim](), [start] if start[0] not in members else []
        while waiting:
            for following in after[waiting.pop()]:
                if following[0] not in members and following not in reached:
                    reached.add(following)
                    waiting.append(following)
        if start in reached:
            yield start


def random_formula(random: Random, fair: FairGraph) -> FairFixpoint:
    names, count = fair.graph.label_names, random.randint(1, 2)
    parts = [tuple(random.sample(range(count), random.randint(0, count))) for _ in range(count)]
    equations = [Equation(random.choice(fair.graph.action_names), random.choice(names), some) for some in parts]
    return FairFixpoint(random.choice(names), tuple(random.sample(range(count), random.randint(1, count))), tuple(equations))


def test_the_judge_decides_what_the_definition_says() -> None:
    words = set()
    for seed in range(250):
        random = Random(f"fair fixpoints {seed}")
        fair = random_fair_graph(random, states=4, sets=random.randint(0, 1))
        formula = random_formula(random, fair)
        expected = true_by_definition(fair, formula)
        assert is_true_somewhere(fair, formula, STAYS) == expected, seed
        assert is_true_somewhere(fair, formula.smallest(), STAYS) == expected, seed
        words.add((bool(fair.fairness), expected))
    assert len(words) == 4


@pytest.mark.parametrize("block", blocks(3, by_day=1))
def test_formulas_tell_graphs_apart_and_are_preserved(block: int) -> None:
    """True where the spoiler begins, false in the other graph; and what is true below is true above."""
    formulas, related = list[FairFixpoint](), 0
    graphs = [random_fair_graph(Random(f"game formulas {block} {seed}"), states=5) for seed in range(PAIRS)]
    pairs = list(pairwise(graphs))
    for first, second in pairs:
        comparison = compare_graphs(first, second, by="game", run=Run())
        if isinstance(comparison.refutation, StrategyCertificate):
            assert checked_fixpoints(first, second, comparison.refutation)
            both = fair_side_by_side(*both_staying(first, second)).graph
            formulas.append(formula_of_strategy(both, comparison.refutation))
    assert len(formulas) > PAIRS // 3
    assert any(x in one.parts for formula in formulas for x, one in enumerate(formula.equations))
    for first, second in pairs:
        if not compare_graphs(first, second, by="game", preorder=True, run=Run()).related:
            continue
        related += 1
        for formula in formulas:
            assert not is_true_somewhere(first, formula, STAYS) or is_true_somewhere(second, formula, STAYS)
    assert related


def test_text() -> None:
    formula = FairFixpoint("p", (0, 1), (Equation("a", "p", (0, 1)), Equation("b", "q", ()), Equation("a", "p", (0, 2))))
    assert formula.show(labels=False, actions=False).startswith("X0 & X1 where X0 = EX (X0 & X1), X1 = EX true")
    same = FairFixpoint("p", (0,), (Equation("a", "p", (1,)), Equation("a", "p", (0,)))).smallest()
    assert same == FairFixpoint("p", (0,), (Equation("a", "p", (0,)),))
