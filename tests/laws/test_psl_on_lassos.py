"""PSL on lassos: the evaluator of evidence against the definitions of IEEE 1850, and the sentences that explain falsity."""

from __future__ import annotations

import random

import pytest

from coarsest.errors import EvidenceRejected
from coarsest.evidence.replay.psl_on_lasso import PslOnLasso, confirm_false
from coarsest.explain.why_psl_on_lasso import why_psl_on_lasso
from coarsest.logic.expr import Name
from coarsest.logic.psl.psl_from_expr import psl_from_expr
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Machine, Variable
from coarsest.model.trace import Trace
from coarsest.model.types import Boolean
from oracles.sere_words import Lasso, largest_bound, satisfies
from random_sequences import parse, psl

ATOMS = ("p0", "p1")
INTERPRETER = Interpreter(Machine("words", {name: Variable(name, Boolean()) for name in ATOMS}))


def lasso(rng: random.Random) -> tuple[Trace, Lasso]:
    length = rng.randint(1, 5)
    loop = rng.randrange(length)
    states = tuple({name: rng.random() < 0.5 for name in ATOMS} for _ in range(length))
    letters = tuple(frozenset(Name(name) for name in ATOMS if state[name]) for state in states)
    return Trace(states, loop=loop), Lasso(letters[:loop], letters[loop:])


@pytest.mark.parametrize("seed", range(30))
def test_truth(seed: int) -> None:
    rng = random.Random(seed)
    tried = 0
    while tried < 12:
        text = psl(rng, rng.randint(0, 4), aborts=False)
        formula = parse(text)
        if largest_bound(formula) > 40:
            continue
        tried += 1
        for _ in range(3):
            trace, word = lasso(rng)
            found = PslOnLasso(trace, INTERPRETER).truth(psl_from_expr(formula))[0]
            assert found == satisfies(word, formula), (text, trace)


@pytest.mark.parametrize("seed", range(10))
def test_there_is_always_a_sentence(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(30):
        formula = psl_from_expr(parse(psl(rng, rng.randint(0, 4), aborts=False)))
        on_lasso = PslOnLasso(lasso(rng)[0], INTERPRETER)
        assert why_psl_on_lasso(formula, on_lasso)


WORD = Trace(tuple({"p0": p, "p1": q} for p, q in ((False, False), (True, False), (True, True), (False, False))), loop=3)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("always {p0; p0} |-> !p1", "{p0; p0} matches from state 1 to state 2, and !p1 is false at state 2"),
        ("always {p0; p0} |=> p1", "{p0; p0; TRUE} matches from state 1 to state 3, and p1 is false at state 3"),
        ("never {p0 & p1}", "{(p0 & p1)} matches at state 2"),
        ("always (p0 -> next p0)", "p0 is true at state 2, and p0 is false at state 3"),
        ("always (p0 -> {p0[+]; p1}!)", "p0 is true at state 2, and {p0[+]; p1}, begun at state 2, cannot match after state 3"),
        ("eventually! (p1 & !p0)", "p1 & !p0 is never true"),
        ("next (p0 until! (p1 & !p0))", "p1 & !p0 is false from state 1 on"),
        ("(!p0) until p1", "!p0 is false at state 1, and p1 is false at state 1"),
        ("{!p0; p0; !p0}", "{(!p0); p0; (!p0)}, begun at state 0, cannot match after state 2"),
    ],
)
def test_sentences(text: str, sentence: str) -> None:
    formula = psl_from_expr(parse(text))
    on_lasso = PslOnLasso(WORD, INTERPRETER)
    assert on_lasso.truth(formula)[0] is False
    assert why_psl_on_lasso(formula, on_lasso) == sentence


def test_a_counterexample_on_which_the_formula_is_true_is_rejected() -> None:
    assert confirm_false(psl_from_expr(parse("always p0")), WORD, INTERPRETER)
    with pytest.raises(EvidenceRejected, match="true on the lasso"):
        confirm_false(psl_from_expr(parse("eventually! p0")), WORD, INTERPRETER)


def test_what_cannot_be_evaluated_is_not_confirmed() -> None:
    assert not confirm_false(psl_from_expr(parse("(always p0) abort p1")), WORD, INTERPRETER)
