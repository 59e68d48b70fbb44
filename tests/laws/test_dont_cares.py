"""Unreachable states as don't-cares: fewer nodes, and the same functions on the others, preimages and verdicts."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from campaigns import blocks
from coarsest.bdd import care_coudert_madre as care
from coarsest.bdd.packages import PACKAGES, new_manager
from coarsest.check import strategy
from coarsest.check.strategy import Attempt
from coarsest.evidence.verdict import Holds
from coarsest.model.kinds import PropertyKind
from coarsest.options.engines import BRANCHING
from coarsest.options.methods import BuildOptions
from coarsest.run import Run
from coarsest.search.reachability import BreadthFirst
from coarsest.space.bdd.build import build
from coarsest.space.bdd.reachable import Reachable
from coarsest.space.views import RestrictedSpace
from oracles.temporal import Temporal, TooManyStates
from random_machines import random_condition, seeded_fair_machine, seeded_machine
from temporal_laws import ask, ctl_formulas


def random_function(manager: Any, rng: Random, variables: range) -> Any:
    result = manager.var(rng.choice(variables))
    for _ in range(rng.randrange(16)):
        other = manager.var(rng.choice(variables))
        other = ~other if rng.random() < 0.5 else other
        result = rng.choice((result & other, result | other, result ^ other))
    return result


@pytest.mark.parametrize("package", sorted(PACKAGES))
@pytest.mark.parametrize(("pairs", "levels"), [(50_000, 400), (3, 400), (50_000, 2)])
def test_simplified_functions(package: str, pairs: int, levels: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """They agree with the function wherever it matters, however early the walk is given up; and some are smaller."""
    monkeypatch.setattr("coarsest.tuning.SIMPLIFIED_PAIRS", pairs)
    monkeypatch.setattr(care, "MOST_LEVELS", levels)
    rng, smaller = Random(pairs + levels), 0
    for _ in range(60):
        manager = new_manager(package)
        variables = manager.add_variables([f"x{k}" for k in range(8)])
        function, where = (random_function(manager, rng, variables) for _ in range(2))
        simple = care.simplified(manager, function, where)
        assert (simple ^ function) & where == manager.false
        assert manager.size(simple) <= manager.size(function)
        smaller += manager.size(simple) < manager.size(function)
    assert smaller


def test_what_the_care_set_knows_is_left_out() -> None:
    manager = new_manager()
    x, y, z = map(manager.var, manager.add_variables(["x", "y", "z"]))
    assert care.simplified(manager, ~(x ^ y) & z, ~(x ^ y)) == z
    assert care.simplified(manager, x & y, manager.false) == x & y  # nothing to be known


@pytest.fixture
def _nothing_is_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Relations are never one function, so that don't-cares are used."""
    monkeypatch.setattr("coarsest.tuning.NODES_WORTH_SIMPLIFYING", -1)
    monkeypatch.setattr("coarsest.tuning.NODES_OF_FEW_STATES", -1)
    monkeypatch.setattr("coarsest.tuning.RELATION_NODES", -1)
    monkeypatch.setattr("coarsest.tuning.NODES_OF_STEPS_AMONG_STATES", -(10**9))


@pytest.mark.usefixtures("_nothing_is_small")
@pytest.mark.parametrize("block", blocks(8, by_day=2))
def test_preimages(block: int) -> None:
    """Of sets of reachable states, and of others, by every way of computing them: what the whole space says."""
    narrower = 0
    for seed in range(block * 15, block * 15 + 15):
        machine, rng = seeded_machine(seed), Random(seed)
        for method in ("auto", "clustered", "functions"):
            space = build(machine, Run(), BuildOptions(relation=method))
            reached = BreadthFirst(space, space.initial).finish(Run())
            simple, plain = Reachable(space, reached), RestrictedSpace(space, reached)
            assert simple._narrowed is None
            for _ in range(3):
                states = space.forget(space.where(random_condition(rng, machine, inputs=True)), machine.input_variables)
                assert simple.pre(states) == simple.pre(states & reached) == plain.pre(states), (seed, method)
                assert simple.post(states & reached) == plain.post(states & reached)
            narrower += space.count(reached) < space.count(space.states)
    assert narrower, "no machine has unreachable states"


@pytest.mark.usefixtures("_nothing_is_small")
@pytest.mark.parametrize("block", blocks(8, by_day=1))
def test_verdicts(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of the definitions, with certificates that a judge confirms on the machine as it is."""
    rows = (Attempt("reachable-states", "to the end"),)
    monkeypatch.setattr(strategy, "AUTO", {**strategy.AUTO, BRANCHING: rows})
    verdicts, certificates = set(), 0
    for seed in range(900 + block * 30, 930 + block * 30):
        machine = seeded_fair_machine(seed)
        try:
            oracle = Temporal(machine, most_states=120)
        except TooManyStates:
            continue
        formulas = ctl_formulas(Random(seed), machine, 3, inputs=0.2)
        _, answers = ask(machine, PropertyKind.CTL, formulas, confirm="always", certificates=True)
        for formula, answer in zip(formulas, answers, strict=True):
            holds = oracle.holds_branching(formula)
            assert answer.verdict.word == ("holds" if holds else "fails"), (seed, formula)
            verdicts.add(holds)
            if isinstance(answer.verdict, Holds) and answer.verdict.certificate is not None:
                assert answer.confirmed
                certificates += 1
    assert verdicts == {False, True} and certificates


def test_sets_are_simplified_from_the_first_large_preimage_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coarsest.tuning.NODES_OF_FEW_STATES", -1)
    monkeypatch.setattr("coarsest.tuning.NODES_OF_STEPS_AMONG_STATES", -(10**9))
    space = build(seeded_machine(3), Run(), BuildOptions(relation="clustered"))
    narrowed = Reachable(space, BreadthFirst(space, space.initial).finish(Run()))
    monkeypatch.setattr("coarsest.tuning.NODES_WORTH_SIMPLIFYING", 1e9)
    predecessors = narrowed.pre(narrowed.states)
    assert not narrowed._simplifies
    monkeypatch.setattr("coarsest.tuning.NODES_WORTH_SIMPLIFYING", -1)
    assert narrowed.pre(narrowed.states) == predecessors and narrowed._simplifies
    assert narrowed.pre(narrowed.states) == predecessors
