"""CTL, CTL* and COMPUTE against the definitions: verdicts, and the sets of states that satisfy a formula."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from campaigns import blocks
from coarsest.errors import InputError
from coarsest.logic.expr import Apply, Expr
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Kind, Machine
from coarsest.model.parts.promote_inputs import promote
from coarsest.options.engines import FAIR_ALGORITHMS
from coarsest.options.methods import IMAGE_METHODS, BuildOptions
from coarsest.run import Run
from coarsest.search.ctl_fixpoints import CtlFixpoints
from coarsest.space.explicit.enumerate import enumerate_machine
from coarsest.space.explicit.explicit import ExplicitSet
from coarsest.space.views import Total
from oracles.temporal import Pair, Temporal
from random_formulas import FUTURE, formula
from random_machines import random_scheduled_machine, with_fairness
from temporal_laws import ask, block, cases, conditions, ctl_formulas, members, over_machine, vacuity_warnings

MACHINES = 500
BLOCKS = 10
QUIET = "ignore::pytest.PytestUnraisableExceptionWarning"  # CUDD may be collected before the last of its functions
ALGORITHMS = tuple(name for name in FAIR_ALGORITHMS if name != "auto")  # which takes one of the others


def check_ctl(machine: Machine, oracle: Temporal, formulas: list[Expr], **options: Any) -> set[bool]:
    """Verdicts and sets are right; gives the verdicts."""
    checker, answers = ask(machine, PropertyKind.CTL, formulas, **options)
    verdicts = set()
    for claim, answer in zip(formulas, answers, strict=True):
        holds = oracle.holds_branching(claim)
        assert answer.verdict.word == ("holds" if holds else "fails")
        setting = checker.session.setting([claim])
        assert members(setting.arena.base, setting.ctl.satisfying(claim), oracle) == oracle.satisfying(claim)
        fair = members(setting.arena.base, setting.ctl.fair, oracle)
        assert oracle.some_inputs(fair) == oracle.some_inputs(oracle.fair)
        if answer.warnings:
            assert set(answer.warnings) <= vacuity_warnings(claim, oracle.holds_branching)
        verdicts.add(holds)
    return verdicts


def check_machines(seeds: range) -> None:
    verdicts = set()
    for seed, machine, oracle in cases(seeds):
        formulas = ctl_formulas(Random(seed), machine, 2, inputs=0.2)
        for algorithm in ALGORITHMS:
            vacuity = algorithm == ALGORITHMS[0]
            verdicts |= check_ctl(machine, oracle, formulas, fair=algorithm, cone=seed % 4 != 0, vacuity=vacuity)
    assert verdicts == {False, True}


@pytest.mark.parametrize("number", blocks(BLOCKS, by_day=4))
def test_ctl_on_random_machines(number: int) -> None:
    check_machines(block(number, of=BLOCKS, machines=MACHINES))


@pytest.mark.nightly
@pytest.mark.parametrize("number", range(100))
def test_ctl_on_many_random_machines(number: int) -> None:
    check_machines(block(number, of=100, machines=20_000, first=MACHINES))


# The explicit carrier


class OnPairs(CtlFixpoints[ExplicitSet]):
    """CTL on an explicit space whose states carry the inputs."""

    def __init__(self, machine: Machine, algorithm: str) -> None:
        inputs = [v.name for v in machine.input_variables]
        base = enumerate_machine(promote(machine, inputs))
        self.machine = machine
        self.same: dict[tuple[Any, ...], ExplicitSet] = {}
        """For the values of the state variables, all states that have them."""
        self.base = base
        for state in self._each(base.states):
            key = self._key(state)
            self.same[key] = self.same.get(key, base.empty) | state
        leaving = base.pre(base.states)
        super().__init__(
            Total(base, base.states - self.for_all_inputs(leaving), self.for_all_inputs),
            Run(),
            fair_algorithm=algorithm,
            total=not machine.transition_constraints and not machine.invariant_constraints,
        )

    def _each(self, states: ExplicitSet) -> list[ExplicitSet]:
        found = []
        while states:
            found.append(self.base.pick(states))
            states = states - found[-1]
        return found

    def _key(self, state: ExplicitSet) -> tuple[Any, ...]:
        values = self.base.describe(state)
        return tuple(values[v.name] for v in self.machine.variables.values() if v.kind is not Kind.INPUT)

    def for_all_inputs(self, found: ExplicitSet) -> ExplicitSet:
        result = self.base.empty
        for state in self._each(found):
            result = result | self.same[self._key(state)]
        return result

    def pairs(self, found: ExplicitSet, oracle: Temporal) -> set[Pair]:
        return {pair for pair in oracle.everything if self.base.state(oracle.environment(pair)) & found}


@pytest.mark.parametrize("number", blocks(4, by_day=2))
def test_ctl_on_explicit_spaces(number: int) -> None:
    for seed, machine, oracle in cases(block(number, of=4, machines=160, first=1000)):
        formulas = ctl_formulas(Random(seed), machine, 2, inputs=0.2)
        checker = OnPairs(machine, ALGORITHMS[seed % len(ALGORITHMS)])
        for claim in formulas:
            assert checker.pairs(checker.satisfying(claim), oracle) == oracle.satisfying(claim)


# Relations and engines


def scheduled(seed: int) -> tuple[Machine, Temporal]:
    random = Random(seed)
    machine = with_fairness(random, random_scheduled_machine(random))
    return machine, Temporal(machine, most_states=90)


@pytest.mark.filterwarnings(QUIET)
@pytest.mark.parametrize("relation", IMAGE_METHODS)
def test_ctl_with_every_relation(relation: str) -> None:
    applied = 0
    for seed in range(30):
        machine, oracle = scheduled(seed)
        formulas = ctl_formulas(Random(seed), machine, 2, inputs=0.1)
        build = BuildOptions(relation=relation, bdd=("oxidd", "cudd")[seed % 2])
        try:
            check_ctl(machine, oracle, formulas, build=build, fair=ALGORITHMS[seed % len(ALGORITHMS)])
            applied += 1
        except InputError as problem:
            if relation != "disjunctive" or type(problem) is not InputError:
                raise
    assert applied > 15


# CTL*


def ctl_star_formula(rng: Random, machine: Machine, depth: int) -> Expr:
    """Path quantifiers over linear formulas, nested at most so deep."""
    if depth == 0:
        return conditions(rng, machine, inputs=0.15)()
    if rng.random() < 0.2:
        op = rng.choice(["not", "and", "or", "implies"])
        return Apply(op, tuple(ctl_star_formula(rng, machine, depth - 1) for _ in range(1 if op == "not" else 2)))
    path = over_machine(formula(rng, rng.randint(2, 4), 2, (*FUTURE, "BF", "BG")), rng, machine, inputs=0.15)
    if depth > 1:
        path = Apply(rng.choice(["and", "or", "U", "V"]), (path, ctl_star_formula(rng, machine, depth - 1)))
    return Apply(rng.choice(["E", "A"]), (path,))


def check_ctl_star(seeds: range) -> None:
    verdicts = set()
    for seed, machine, oracle in cases(seeds):
        rng = Random(seed)
        formulas = [Apply("A", (ctl_star_formula(rng, machine, 2),)), ctl_star_formula(rng, machine, 2)]
        options = {"fair": ALGORITHMS[seed % len(ALGORITHMS)], "cone": seed % 4 != 0}
        _, answers = ask(machine, PropertyKind.CTL_STAR, formulas, **options)
        for claim, answer in zip(formulas, answers, strict=True):
            assert (answer.verdict.word == "holds") == oracle.holds_branching(claim)
            verdicts.add(answer.verdict.word)
    assert verdicts == {"holds", "fails"}


@pytest.mark.parametrize("number", blocks(4, by_day=2))
def test_ctl_star_on_random_machines(number: int) -> None:
    check_ctl_star(block(number, of=4, machines=160, first=2000))


@pytest.mark.nightly
@pytest.mark.parametrize("number", range(20))
def test_ctl_star_on_many_random_machines(number: int) -> None:
    check_ctl_star(block(number, of=20, machines=4000, first=3000))


# COMPUTE


@pytest.mark.parametrize("number", range(2))
def test_quantities_on_random_machines(number: int) -> None:
    seen = set()
    for seed, machine, oracle in cases(block(number, of=2, machines=200, first=3000)):
        draw = conditions(Random(seed), machine, inputs=0.15)
        formulas = [Apply(op, (draw(), draw())) for op in ("MIN", "MAX")]
        _, answers = ask(machine, PropertyKind.COMPUTE, formulas, cone=seed % 4 != 0)
        for claim, answer in zip(formulas, answers, strict=True):
            expected = oracle.fewest_steps(*claim.args) if claim.op == "MIN" else oracle.most_steps(*claim.args)
            assert answer.statistics["value"] == ("undefined" if expected is None else expected)
            seen.add(expected)
    assert {None, "infinity", 0, 1} <= seen
