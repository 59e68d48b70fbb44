"""Table 4.1 of Bustan 2002: the figures say what the thesis says of them, and the operations do what they are called."""

from __future__ import annotations

from importlib import import_module
from itertools import product
from random import Random

import numpy as np
import pytest

from coarsest.api.comparing.path_formulas import as_model, checked_fixpoints
from coarsest.api.model import loads
from coarsest.experiments.bustan_fair_structures import (
    FIGURES,
    by_all,
    doubled,
    ectl_sets,
    isomorphic,
    measure_time,
    random_structure,
    relation_of,
    structure,
)
from coarsest.experiments.bustan_quotients import NOTIONS, ORDERS, PAIRS, TABLE, TIMES
from coarsest.experiments.points import Point
from coarsest.lts.certificates import StrategyCertificate
from coarsest.lts.compare.compare_graphs import compare_graphs
from coarsest.lts.games.simulation_game import fair_side_by_side
from coarsest.lts.simulation.fair_quotients_bustan import disconnected, quotient, smaller
from coarsest.run import Run


@pytest.mark.parametrize("point", [*TABLE.points, *PAIRS.points], ids=lambda point: point.name)
def test_what_the_thesis_says(point: Point) -> None:
    module, _, name = point.measure.partition(":")
    arguments = {**point.arguments, **({"structures": 8} if "structures" in point.arguments else {})}
    facts = getattr(import_module(module), name)(run=Run(), **arguments)
    assert {key: facts[key] for key in point.expected} == point.expected


def test_figure_41() -> None:
    """Section 4.2.1: states 0 and 2 are game equivalent; the quotient has a fair path on which there is no b."""
    fair = FIGURES["4.1, 1"]
    below = relation_of("game", fair, Run())
    assert below[0, 2] and below[2, 0] and not below[0, 1]
    small = quotient(fair, below).fair
    only_a = structure("a", "00", "0")
    assert compare_graphs(only_a, small, by="exists", preorder=True).related
    assert not compare_graphs(only_a, fair, by="exists", preorder=True).related
    assert not (relation_of("delay", fair, Run())[2, 0]), "or the quotient would be safe"


def test_figure_42() -> None:
    """Sections 4.2.2 and 4.2.3: 2 is a little brother of 1, and must not be disconnected; two structures are equivalent."""
    first, second = FIGURES["4.2, 1"], FIGURES["4.2, 2"]
    for by in NOTIONS[1:]:
        below = relation_of(by, first, Run())
        assert below[2, 1] and not below[1, 2]
        assert disconnected(first, below).graph.transitions == first.graph.transitions - 1
        assert compare_graphs(first, second, by=by).related
    assert not compare_graphs(first, second, by="direct").related
    assert not isomorphic(first, second)
    whole = structure("abbca", "01 02 10 13 14 30 24 42", "4")
    assert all(compare_graphs(whole, one, by="delay").related for one in (first, second))


def test_quotients_by_all_are_not_safe() -> None:
    """By delay simulation, too, although its ordinary quotient is: this structure loses the step to its only fair state."""
    fair = FIGURES["by all"]
    small = quotient(fair, relation_of("delay", fair, Run()))
    assert small.state_of.tolist() == [0, 1, 2, 1]
    assert compare_graphs(fair, small.fair, by="delay").related
    assert not compare_graphs(fair, by_all(fair, small), by="delay").related
    points = {point.name: point for point in TABLE.points}
    assert not points["delay, quotient by all"].expected["safe"]


def test_figure_44() -> None:
    first, second = FIGURES["4.4, 1"], FIGURES["4.4, 2"]
    assert compare_graphs(first, second, by="game").related
    assert not compare_graphs(first, second, by="delay", preorder=True).related
    assert compare_graphs(second, first, by="direct", preorder=True).related


def test_quotients() -> None:
    fair = structure("aab", "02 12 22 10", "1")
    every = np.ones((3, 3), dtype=np.bool_)
    every[2, :2] = every[:2, 2] = False
    small = quotient(fair, every)
    assert small.fair.graph.transitions == 3
    assert by_all(fair, small).graph.transitions == 2
    assert small.fair.fairness[0].tolist() == [True, False]


def test_the_smallest_structure_is_direct_equivalent() -> None:
    random = Random(1)
    for _ in range(20):
        fair = random_structure(random)
        twice = doubled(fair, random)
        assert compare_graphs(fair, twice, by="direct").related
        small = smaller(twice, Run(), by="direct").fair
        assert compare_graphs(fair, small, by="direct").related
        assert small.graph.states <= fair.graph.states
    assert not isomorphic(structure("ab", "01 10", "1"), structure("ab", "01 10", "0"))


def test_structures_of_figure_41_are_minimal() -> None:
    """All structures of at most two states with these letters have other words than M, and M has those of M_1 and of M_2."""
    whole = FIGURES["4.1, M"]
    assert all(compare_graphs(whole, FIGURES[f"4.1, {n}"], by=by).related for n in (1, 2) for by in ("game", "exists", "words"))
    assert not isomorphic(FIGURES["4.1, 1"], FIGURES["4.1, 2"])
    pairs = ("00", "01", "10", "11")
    for edges in product((False, True), repeat=4):
        chosen = " ".join(pair for pair, there in zip(pairs, edges) if there)
        if {pair[0] for pair in chosen.split()} != {"0", "1"}:
            continue
        for fair, initial in product(("", "0", "1", "01"), ("0", "1", "01")):
            small = structure("ab", chosen, fair, initial)
            assert not compare_graphs(whole, small, by="words").related, (chosen, fair, initial)


def test_formulas_of_ectl_on_a_structure() -> None:
    """Here CTL is decided by the checker of models: each of these formulas is true of one of the sets."""
    both = fair_side_by_side(FIGURES["ASS94, 1"], FIGURES["ASS94, 2"])
    sets = ectl_sets(both, Run())
    text = as_model(both, {"a": "l0", "b": "l1"})
    whole = loads(text.replace("INIT s in {0, 2}", "INIT s in {0, 1, 2, 3, 4, 5}"))
    for formula in ("EX l0", "EG l1", "E [l0 U l1]", "EG (l0 | EX l1)", "EX EG l0", "EF EG (l1 & EX l1)"):
        at = (whole.check(f"(s = {s} -> {formula}) & (EX TRUE | !EX TRUE)").holds for s in range(both.graph.states))
        assert sum(1 << s for s, true in enumerate(at) if true) in sets, formula


def test_a_formula_that_actl_has_not() -> None:
    """ACTL* tells the structures of [ASS94] apart: again and again, a letter comes twice in a row."""
    letters = {"a": "a", "b": "b"}
    formula = "A (G F ((a & X a) | (b & X b)))"
    one, other = (loads(as_model(FIGURES[f"ASS94, {n}"], letters)) for n in (1, 2))
    assert other.check(formula).holds and not one.check(formula).holds


def test_the_game_is_lost_to_who_knows_the_guess() -> None:
    """[HKR97]: the formula that tells of it is checked on both structures."""
    one, other = FIGURES["HKR97, 1"], FIGURES["HKR97, 2"]
    refutation = compare_graphs(one, other, by="game", preorder=True).refutation
    assert isinstance(refutation, StrategyCertificate)
    formula = checked_fixpoints(one, other, refutation)
    assert formula == 'label "b" & X0 where X0 = EX (label "c" & X0 & X1), X1 = EX (label "b" & X0 & X1)'
    assert all(compare_graphs(one, other, by=by, preorder=True).related for by in ("exists", "words"))
    assert set(ORDERS) >= {("HKR97, 1", "HKR97, 2")}


@pytest.mark.parametrize("relation", NOTIONS)
def test_the_time_of_a_preorder(relation: str) -> None:
    point = next(point for point in TIMES.points if point.row == relation)
    facts = measure_time(**point.arguments, run=Run())
    assert facts["pairs"] >= point.arguments["states"]
