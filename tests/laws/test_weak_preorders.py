"""Preorders that abstract from internal steps, and failures, agree with their definitions on random graphs, and with others."""

from __future__ import annotations

from random import Random

import pytest

from coarsest.logic.modal.hennessy_milner import show
from coarsest.logic.modal.parse_modal import parse
from coarsest.lts.compare.compare_graphs import compare_graphs
from coarsest.lts.labelled import Graph
from coarsest.lts.relations import relations
from coarsest.lts.union import side_by_side
from coarsest.text import Source
from oracles import weak_relations as oracle
from oracles.failures import Refinement
from random_graph_pairs import changed_graph, random_silent_graph

SEEDS = range(60)
CAMPAIGN = range(1000, 2500)
LENGTH = 4
SIMULATIONS = {"weak-simulation": oracle.weak_simulation, "coupled-simulation": oracle.coupled_simulation}
WORDS = ("weak-traces", "failures", "weak-failures", "failures-divergence", "impossible-futures")


def pair_of_graphs(seed: int) -> tuple[Graph, Graph, Graph, list[set[int]]]:
    """Two graphs, both side by side, and the initial states of each."""
    random = Random(seed)
    first = random_silent_graph(random, states=4)
    second = changed_graph(random, first) if random.random() < 0.6 else random_silent_graph(random, states=4)
    both = side_by_side(first, second)
    initial = both.initial.tolist()
    return first, second, both, [{s for s in initial if s < first.states}, {s for s in initial if s >= first.states}]


def included(by: str, both: Graph, ones: set[int], others: set[int]) -> bool:
    """By the definition, as far as words up to a length tell."""
    refinement = Refinement(both, weak=by != "failures")
    if by == "weak-traces":
        return refinement.traces_included(ones, others, LENGTH)
    if by == "impossible-futures":
        return refinement.futures_included(ones, others, LENGTH - 1)
    return refinement.failures_included(ones, others, LENGTH, divergence=by == "failures-divergence")


def check(seed: int, by: str) -> int:
    first, second, both, sides = pair_of_graphs(seed)
    if by in SIMULATIONS:
        relation = SIMULATIONS[by](both)
        below = [all(any((s, t) in relation for t in others) for s in ones) for ones, others in (sides, sides[::-1])]
    else:
        below = [included(by, both, *sides), included(by, both, *sides[::-1])]
    for preorder, expected in ((True, below[0]), (False, all(below))):
        found = compare_graphs(first, second, by=by, preorder=preorder)
        assert found.related == expected, (seed, by, preorder)
        if found.difference is not None:
            assert parse(Source("", show(found.difference.formula))) == found.difference.formula
    return sum(below)


@pytest.mark.parametrize("by", [*SIMULATIONS, *WORDS])
def test_the_definition(by: str) -> None:
    assert 20 < sum(check(seed, by) for seed in SEEDS) < 110


@pytest.mark.nightly
@pytest.mark.parametrize("by", [*SIMULATIONS, *WORDS])
def test_the_definition_campaign(by: str) -> None:
    for seed in CAMPAIGN:
        check(seed, by)


def test_finer_relations_imply_coarser_ones() -> None:
    """All that the table says, on pairs of graphs that are often related; as preorders, too, where both are."""
    implications = 0
    for seed in range(1000, 1000 + len(SEEDS)):
        first, second, _, _ = pair_of_graphs(seed)
        table = relations()
        for preorder in (False, True):
            related = {
                by: compare_graphs(first, second, by=by, preorder=preorder).related
                for by, relation in table.items()
                if relation.preorder or not preorder
            }
            for by, relation in table.items():
                for coarser in relation.implies:
                    if by in related and coarser in related:
                        assert related[coarser] or not related[by], (seed, by, coarser, preorder)
                        implications += related[by]
    assert implications > 300


WITHOUT_SILENCE = [
    ("weak-bisimulation", "bisimulation"), ("weak-simulation", "finite-simulation"), ("weak-traces", "traces"),
    ("weak-failures", "failures"), ("failures-divergence", "failures"), ("coupled-simulation", "bisimulation"),
]  # fmt: skip


def test_without_internal_steps_weak_relations_are_the_others() -> None:
    """Coupled simulation is then bisimulation: what is above must be below without a step."""
    for seed in SEEDS:
        random = Random(seed)
        first = random_silent_graph(random, actions=("a", "b", "c"))
        second = changed_graph(random, first)
        for weak, strong in WITHOUT_SILENCE:
            assert compare_graphs(first, second, by=weak).related == compare_graphs(first, second, by=strong).related, seed


def graph_of(text: str) -> Graph:
    """From `0 a 1, 1 i 2`; the first state is initial."""
    rows = [row.split() for row in text.split(",")]
    names = tuple(dict.fromkeys(row[1] for row in rows))
    states = max(max(int(row[0]), int(row[2])) for row in rows) + 1
    columns = [int(row[0]) for row in rows], [names.index(row[1]) for row in rows], [int(row[2]) for row in rows]
    return Graph.from_edges(states, *columns, action_names=names)


def test_gradual_commitment() -> None:
    """Parrow and Sjödin: who decides between three at once is coupled to who decides in two steps, and not weakly bisimilar."""
    at_once = graph_of("0 i 1, 0 i 2, 0 i 3, 1 a 4, 2 b 4, 3 c 4")
    in_steps = graph_of("0 i 1, 0 i 5, 5 i 2, 5 i 3, 1 a 4, 2 b 4, 3 c 4")
    assert compare_graphs(at_once, in_steps, by="coupled-simulation").related
    assert compare_graphs(at_once, in_steps, by="impossible-futures").related
    found = compare_graphs(at_once, in_steps, by="weak-bisimulation").difference
    assert found is not None


def test_failures_of_the_literature() -> None:
    """Brookes, Hoare, Roscoe 1984: a.(b + c) and a.b + a.c have the same traces; only one of them may refuse b after a."""
    late, early = graph_of("0 a 1, 1 b 2, 1 c 2"), graph_of("0 a 1, 0 a 3, 1 b 2, 3 c 2")
    assert compare_graphs(late, early, by="traces").related
    for by in ("failures", "weak-failures", "failures-divergence"):
        assert compare_graphs(late, early, by=by, preorder=True).related
        difference = compare_graphs(early, late, by=by, preorder=True).difference
        assert difference is not None
        assert (difference.trace, difference.true_in) == (("a",), 0)
        assert difference.refusal in (("b",), ("c",))


def test_divergence_is_chaos_or_nothing() -> None:
    """Laveaux, Groote, Willemse 2021: a.(b + c) is no weak failure of a.τ*.(b + c), whose state after a is not stable; but where
    divergence counts, the second may do anything after a."""
    stable, diverging = graph_of("0 a 1, 1 b 2, 1 c 2"), graph_of("0 a 1, 1 i 1, 1 b 2, 1 c 2")
    assert not compare_graphs(stable, diverging, by="weak-failures", preorder=True).related
    assert compare_graphs(diverging, stable, by="weak-failures", preorder=True).related
    assert compare_graphs(stable, diverging, by="failures-divergence", preorder=True).related
    difference = compare_graphs(diverging, stable, by="failures-divergence", preorder=True).difference
    assert str(difference.formula) == "<<a>><<i>>diverges(true)"  # type: ignore[union-attr]
    anything = graph_of("0 a 1, 1 b 3, 3 b 3, 1 c 2")
    assert compare_graphs(anything, diverging, by="failures-divergence", preorder=True).related


def test_an_impossible_future_is_more_than_a_failure() -> None:
    """Voorhoeve and Mauw: after a, one graph may have lost the future bc, the other only after b; failures see no more than b."""
    first = graph_of("0 a 1, 1 b 3, 3 c 9, 0 a 2, 2 b 4, 4 d 9")
    second = graph_of("0 a 1, 1 b 3, 3 c 9, 0 a 2, 2 b 4, 4 d 9, 0 a 5, 5 b 3, 5 b 4")
    assert compare_graphs(second, first, by="failures", preorder=True).related
    assert compare_graphs(first, second, by="impossible-futures", preorder=True).related
    assert compare_graphs(second, first, by="impossible-futures", preorder=True).related
    lost = graph_of("0 a 5, 5 b 3, 5 b 4, 3 c 9, 4 d 9")
    assert compare_graphs(first, lost, by="failures").related
    difference = compare_graphs(first, lost, by="impossible-futures", preorder=True).difference
    formulas = [f"<<a>><<i>>[[b]][[{action}]]false" for action in "cd"]
    assert str(difference.formula) in formulas  # type: ignore[union-attr]
