"""The oracles of temporal logic agree with one another: a mistake in one would have to be made twice."""

from __future__ import annotations

from random import Random

import pytest

from campaigns import blocks
from coarsest.evidence.replay.lasso import truth_along
from coarsest.logic.expr import Apply, Expr, Name
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Machine, Variable
from coarsest.model.trace import Trace
from coarsest.model.types import Boolean
from oracles import ltl_words
from oracles.fair_graphs import FairGraph
from oracles.ltl_closure import some_fair_path
from oracles.temporal import as_ctl_star
from random_formulas import BOUNDED, FUTURE, PAST, formula, word
from temporal_laws import block, cases, ctl_formulas, ltl_formulas

Letters = list[frozenset[Expr]]


def formulas_and_words(seed: int, count: int) -> list[tuple[Expr, Letters, Letters]]:
    rng = Random(seed)
    return [(formula(rng, rng.randint(1, 6), 3, FUTURE + PAST + BOUNDED), *word(rng)) for _ in range(count)]


def test_closure_against_the_evaluator_of_words() -> None:
    truths = set()
    for claim, prefix, cycle in formulas_and_words(1, 400):
        letters = prefix + cycle
        after = {place: [place + 1 if place + 1 < len(letters) else len(prefix)] for place in range(len(letters))}
        found = some_fair_path(FairGraph(after), claim, lambda atom, place: atom in letters[place], [0])
        assert bool(found) == ltl_words.holds(claim, prefix, cycle)
        truths.add(bool(found))
    assert truths == {False, True}


def test_the_evaluator_of_lassos_against_the_evaluator_of_words() -> None:
    """Ours, which confirms counterexamples, against the one that is shared with nothing."""
    names = [f"p{i}" for i in range(3)]
    interpreter = Interpreter(Machine("word", {name: Variable(name, Boolean()) for name in names}))
    for claim, prefix, cycle in formulas_and_words(2, 1500):
        states = tuple({name: Name(name) in letter for name in names} for letter in prefix + cycle)
        found = truth_along(claim, Trace(states, (), len(prefix)), interpreter)[0]
        assert found == ltl_words.holds(claim, prefix, cycle)


@pytest.mark.parametrize("number", blocks(4, by_day=2))
def test_fixpoints_against_closures(number: int) -> None:
    """A formula of CTL, by fixpoints and components, and as one of CTL*, by closures alone."""
    for seed, machine, oracle in cases(block(number, of=4, machines=200)):
        for claim in ctl_formulas(Random(seed), machine, 2, inputs=0.2):
            assert oracle.satisfying(claim) == oracle.satisfying(as_ctl_star(claim))


def test_formulas_and_their_negations() -> None:
    """No path satisfies both, every fair path one of the two."""
    for seed, machine, oracle in cases(range(100)):
        for claim in ltl_formulas(Random(seed), machine, 2, inputs=0.2, past=False):
            some, none = Apply("E", (claim,)), Apply("E", (Apply("not", (claim,)),))
            assert oracle.satisfying(some) | oracle.satisfying(none) == oracle.some_inputs(oracle.fair)
            assert oracle.satisfying(Apply("A", (claim,))) == oracle.everything - oracle.satisfying(none)
            assert not oracle.satisfying(Apply("E", (Apply("and", (claim, Apply("not", (claim,)))),)))
