"""Formulas are evaluated twice, by code that shares nothing: while they are found, and by the judge. The two agree."""

from __future__ import annotations

from random import Random

from coarsest.logic.modal.hennessy_milner import Builder
from coarsest.lts.compare.compare_graphs import compare_graphs
from coarsest.lts.judge.hennessy_milner import FormulaChecker
from coarsest.lts.labelled import Graph
from coarsest.lts.rounds.truths import FormulaTruths
from coarsest.run import Run
from random_graph_pairs import random_silent_graph

SEEDS = range(150)
ACTIONS = ("a", "b", "i", "tau")


def random_nodes(random: Random, make: Builder, labels: tuple[str, ...], count: int) -> list[int]:
    """Places of formulas of all kinds, each made of earlier ones."""
    places = [make.true, *map(make.label, labels)]
    for number in range(count):
        one, other, action = random.choice(places), random.choice(places), random.choice(ACTIONS)
        ways = (
            make.negation(one), make.conjunction([one, other]), make.diamond(action, one), make.until(one, action, other),
            make.diverges(one),
        )  # fmt: skip
        places.append(ways[number % len(ways)])
    return places


def test_both_evaluations_agree() -> None:
    true = 0
    for seed in SEEDS:
        random = Random(seed)
        graph = random_silent_graph(random, states=9, actions=ACTIONS)
        make = Builder()
        places = random_nodes(random, make, graph.label_names, 25)
        truths, judge = FormulaTruths(graph, make.nodes), FormulaChecker(graph)
        for place in places:
            expected = judge.satisfying(make.formula(place), range(graph.states))
            assert {state for state in range(graph.states) if truths.at(place, state)} == expected
            true += 0 < len(expected) < graph.states
    assert true > 500


def test_a_deep_formula_needs_no_recursion() -> None:
    graph = random_silent_graph(Random(1), states=5, actions=("a", "i"))
    make = Builder()
    place = make.true
    for number in range(20_000):
        place = make.negation(make.diamond("a", place)) if number % 3 else make.until(make.true, "a", place)
    truths, judge = FormulaTruths(graph, make.nodes), FormulaChecker(graph)
    expected = judge.satisfying(make.formula(place), range(graph.states))
    assert {state for state in range(graph.states) if truths.at(place, state)} == expected


def test_one_formula_tells_a_state_from_many_others() -> None:
    """In a random graph with half of its transitions internal, hundreds of states are rivals: few of them are looked at."""
    states, names, compared = 1500, ("tau", "a", "b"), 0
    for seed in range(4):
        random = Random(seed)
        sources = [state for state in range(states) for _ in range(3)]
        actions = [random.choice((0, 0, 1, 2)) for _ in sources]
        targets = [random.randrange(states) for _ in sources]
        first = Graph.from_edges(states, sources, actions, targets, action_names=names)
        second = Graph.from_edges(states, sources, [(actions[0] + 1) % 3, *actions[1:]], targets, action_names=names)
        for by in ("branching-bisimulation", "branching-bisimulation-divergence"):
            pairs = [0]
            run = Run(listener=lambda event: pairs.append(int(event.facts.get("pairs", 0))))
            compared += not compare_graphs(first, second, by=by, run=run).related
            assert max(pairs) < 400
    assert compared > 2
