"""The facts that a sentence about a lasso names are true, and they decide: any lasso of that shape with these facts agrees."""

from __future__ import annotations

import random

import pytest

from coarsest.evidence.replay.lasso import truth_along
from coarsest.explain.why_on_lasso import Clause, When, decisive_facts, why_on_lasso
from coarsest.logic.expr import Expr
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Machine, Variable
from coarsest.model.trace import Trace
from coarsest.model.types import Boolean
from random_formulas import FUTURE, PAST, formula

ATOMS = ("p0", "p1", "p2")
INTERPRETER = Interpreter(Machine("words", {name: Variable(name, Boolean()) for name in ATOMS}))


def lasso(rng: random.Random, length: int, loop: int) -> Trace:
    return Trace(tuple({name: rng.random() < 0.5 for name in ATOMS} for _ in range(length)), loop=loop)


def is_so(fact: Clause, trace: Trace) -> bool:
    """Is what the clause says true of the lasso?"""
    values = truth_along(fact.formula, trace, INTERPRETER)
    loop = trace.loop or 0
    match fact.when:
        case When.AT:
            return values[fact.state] == fact.holds
        case When.AGAIN:
            return fact.state >= loop and values[fact.state] == fact.holds
        case When.FROM:
            return all(values[i] == fact.holds for i in (*range(fact.state, len(trace)), *range(loop, len(trace))))
    here = fact.since
    while values[here] == fact.holds and here != fact.state:
        here = here + 1 if here + 1 < len(trace) else loop
    return values[here] == fact.holds


def facts_of(claim: Expr, trace: Trace) -> list[Clause]:
    return decisive_facts(claim, trace, lambda part: truth_along(part, trace, INTERPRETER))


@pytest.mark.parametrize("seed", range(40))
def test_facts_are_true_and_decide(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(12):
        claim = formula(rng, rng.randint(2, 9))
        length = rng.randint(1, 5)
        loop = rng.randrange(length)
        trace = lasso(rng, length, loop)
        facts = facts_of(claim, trace)
        assert all(is_so(fact, trace) for fact in facts), (claim, facts, trace)
        value = truth_along(claim, trace, INTERPRETER)[0]
        for _ in range(30):
            other = lasso(rng, length, loop)
            if all(is_so(fact, other) for fact in facts):
                assert truth_along(claim, other, INTERPRETER)[0] == value, (claim, facts, other)


@pytest.mark.parametrize("seed", range(20))
def test_with_the_past_there_is_always_a_sentence(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(20):
        claim = formula(rng, rng.randint(2, 9), operators=(*FUTURE, *PAST))
        length = rng.randint(1, 5)
        trace = lasso(rng, length, rng.randrange(length))
        facts = facts_of(claim, trace)
        assert all(is_so(fact, trace) for fact in facts if fact.when is When.AT), (claim, facts, trace)
        assert why_on_lasso(claim, trace, lambda part: truth_along(part, trace, INTERPRETER))
