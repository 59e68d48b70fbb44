"""LTL against the definitions: verdicts by every method, and formulas that are equivalent to formulas of CTL."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import pytest

from campaigns import blocks
from coarsest.evidence.verdict import Fails
from coarsest.logic.branching.ltl_to_ctl import deterministic_as_ctl
from coarsest.logic.expr import Apply, Expr
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Machine
from coarsest.options.engines import ENCODINGS, FAIR_ALGORITHMS, LTL_METHODS, PLACES
from coarsest.options.methods import IMAGE_METHODS, BuildOptions
from oracles.temporal import Temporal
from random_formulas import FUTURE, formula
from temporal_laws import ask, block, cases, is_violating_lasso, ltl_formulas, over_machine, vacuity_warnings

MACHINES = 500
BLOCKS = 10
QUIET = "ignore::pytest.PytestUnraisableExceptionWarning"  # CUDD may be collected before the last of its functions


def check_ltl(machine: Machine, oracle: Temporal, formulas: list[Expr], **how: Any) -> set[bool]:
    """Verdicts are right, failures are confirmed; gives the verdicts."""
    verdicts = set()
    _, answers = ask(machine, PropertyKind.LTL, formulas, **how)
    for claim, answer in zip(formulas, answers, strict=True):
        holds = oracle.holds_linear(claim)
        assert answer.verdict.word == ("holds" if holds else "fails")
        if answer.warnings:
            assert set(answer.warnings) <= vacuity_warnings(claim, oracle.holds_linear)
        if isinstance(answer.verdict, Fails):
            assert answer.confirmed
            if not how.get("cone", True):  # otherwise the trace may leave variables out
                check_counterexample(oracle, claim, answer.verdict)
        verdicts.add(holds)
    return verdicts


def check_counterexample(oracle: Temporal, claim: Expr, verdict: Fails) -> None:
    trace = verdict.trace
    assert trace is not None
    if trace.loop is None:  # the formula is an invariant
        assert isinstance(claim, Apply)
        assert not oracle.matching(trace.states[-1]) & oracle.where(claim.args[0])
    else:
        assert is_violating_lasso(oracle, trace, claim)


def options(seed: int) -> dict[str, Any]:
    """How fair states are found, and how automata are encoded: every combination takes its turn."""
    combinations = list(product([*FAIR_ALGORITHMS][1:], ENCODINGS, PLACES))
    return dict(zip(("fair", "encoding", "property_variables"), combinations[seed % len(combinations)]))


def check_machines(seeds: range) -> None:
    verdicts = set()
    for seed, machine, oracle in cases(seeds):
        formulas = ltl_formulas(Random(seed), machine, 2, inputs=0.2)
        for number, method in enumerate(LTL_METHODS):
            how = {"ltl": method, "vacuity": number == 0, "cone": seed % 4 == 0, **options(seed + number)}
            verdicts |= check_ltl(machine, oracle, formulas, **how)
    assert verdicts == {False, True}


@pytest.mark.parametrize("number", blocks(BLOCKS, by_day=4))
def test_ltl_on_random_machines(number: int) -> None:
    check_machines(block(number, of=BLOCKS, machines=MACHINES))


@pytest.mark.nightly
@pytest.mark.parametrize("number", range(100))
def test_ltl_on_many_random_machines(number: int) -> None:
    check_machines(block(number, of=100, machines=10_000, first=MACHINES))


@pytest.mark.filterwarnings(QUIET)
@pytest.mark.parametrize("relation", [relation for relation in IMAGE_METHODS if relation != "disjunctive"])
def test_ltl_with_every_relation(relation: str) -> None:
    """A union of events is chosen by `auto` where there is a scheduler; products have no other."""
    for seed, machine, oracle in cases(range(5000, 5045, 3)):
        formulas = ltl_formulas(Random(seed), machine, 2)
        build = BuildOptions(relation=relation, bdd=("oxidd", "cudd")[seed % 2])
        check_ltl(machine, oracle, formulas, build=build, ltl=[*LTL_METHODS][seed % len(LTL_METHODS)])


def check_deterministic(seeds: range) -> int:
    """How many of the formulas were recognised as formulas of CTL, each of them equivalent."""
    recognised = 0
    for seed, machine, oracle in cases(seeds):
        rng = Random(seed)
        for _ in range(8):
            claim = over_machine(formula(rng, rng.randint(2, 6), 3, FUTURE), rng, machine)
            branching = deterministic_as_ctl(claim)
            if branching is not None:
                recognised += 1
                on_all_paths = oracle.satisfying(Apply("A", (claim,)))
                assert oracle.satisfying(branching) & oracle.fair == on_all_paths & oracle.fair
    return recognised


@pytest.mark.parametrize("number", range(2))
def test_deterministic_formulas_are_formulas_of_ctl(number: int) -> None:
    assert check_deterministic(block(number, of=2, machines=200, first=6000)) > 150


@pytest.mark.nightly
@pytest.mark.parametrize("number", range(10))
def test_many_deterministic_formulas_are_formulas_of_ctl(number: int) -> None:
    assert check_deterministic(block(number, of=10, machines=5000, first=7000)) > 1000
