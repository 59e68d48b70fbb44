"""LTL safety by reachability against the definitions, on every engine and encoding; other formulas are refused."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from campaigns import blocks
from coarsest.api.model import loads
from coarsest.automata.ltl.ltl_to_buchi import ltl_to_buchi
from coarsest.check.products.ltl import bad_vertices
from coarsest.errors import Unsupported
from coarsest.evidence.verdict import Fails
from coarsest.logic.expr import Apply, Expr, Name
from coarsest.logic.linear.ltl_from_expr import from_expr
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Machine
from coarsest.options.engines import ENCODINGS, PLACES
from oracles.temporal import Temporal
from random_formulas import BOUNDED, PAST, formula
from temporal_laws import ask, block, cases, is_violating_lasso, over_machine

METHODS = ("tableau", "automaton", "partitioned", "auto")


def safety_formula(rng: Random, depth: int) -> Expr:
    """Of X, G, V, conjunctions and disjunctions, with negations at names only: what the paper calls safety."""
    if depth == 0 or rng.random() < 0.15:
        name = Name(rng.choice("abc"))
        return name if rng.random() < 0.6 else Apply("not", (name,))
    op = rng.choice(["and", "or", "X", "G", "V"])
    parts = tuple(safety_formula(rng, depth - 1) for _ in range(1 if op in "XG" else 2))
    return Apply(op, parts)


def syntactic_safety(rng: Random) -> Expr:
    """With any connectives, the past and bounds, negations anywhere: what is of safety by its operators all the same."""
    while True:
        drawn = formula(rng, rng.randint(3, 7), 3, ("X", "G", "V", "F", "U", *PAST, *BOUNDED))
        if from_expr(drawn).is_syntactic_safety:
            return drawn


def test_formulas_of_the_paper_have_bad_prefixes() -> None:
    for seed in range(300):
        for claim in (safety_formula(Random(seed), 3), syntactic_safety(Random(seed))):
            assert bad_vertices(ltl_to_buchi(from_expr(claim).negation)) is not None


def check_answers(machine: Machine, oracle: Temporal, formulas: list[Expr], **how: Any) -> set[bool]:
    """Verdicts and counterexamples are right; gives the verdicts."""
    verdicts = set()
    _, answers = ask(machine, PropertyKind.LTL, formulas, safety=True, cone=False, **how)
    for claim, answer in zip(formulas, answers, strict=True):
        holds = oracle.holds_linear(claim)
        assert answer.verdict.word == ("holds" if holds else "fails")
        if isinstance(answer.verdict, Fails):
            assert answer.confirmed
            trace = answer.verdict.trace
            assert trace is not None
            assert trace.loop is None or is_violating_lasso(oracle, trace, claim)  # an invariant has no loop
        verdicts.add(holds)
    return verdicts


def check_machines(seeds: range) -> None:
    """Machines with dead ends, fairness and inputs, each asked by a tableau and by one of the other methods."""
    seen = set()
    for seed, machine, oracle in cases(seeds):
        rng = Random(seed)
        inputs = 0.3 if seed % 3 == 0 else 0.0
        drawn = [safety_formula(rng, 3), safety_formula(rng, 3), syntactic_safety(rng), syntactic_safety(rng)]
        formulas = [over_machine(claim, rng, machine, inputs=inputs) for claim in drawn]
        how = {"encoding": [*ENCODINGS][seed % 2], "property_variables": [*PLACES][seed % 3]}
        for method in ("tableau", METHODS[1 + seed % 3]):
            seen |= {(method, holds) for holds in check_answers(machine, oracle, formulas, ltl=method, **how)}
    assert len(seen) == 2 * len(METHODS)


@pytest.mark.parametrize("number", blocks(5, by_day=2))
def test_verdicts_and_counterexamples(number: int) -> None:
    check_machines(block(number, of=5, machines=200))


@pytest.mark.nightly
@pytest.mark.parametrize("number", range(40))
def test_more_verdicts_and_counterexamples(number: int) -> None:
    check_machines(block(number, of=40, machines=4000, first=200))


MODEL = "MODULE main VAR x : boolean; ASSIGN init(x) := FALSE; next(x) := {x, !x};"


@pytest.mark.parametrize("method", METHODS)
def test_other_formulas_are_refused(method: str) -> None:
    model = loads(MODEL)
    assert not model.check("G !x", ltl=method, safety=True).holds
    said = "'F x' is not made of X, G and V" if method == "tableau" else "'F x' is not a safety formula"
    with pytest.raises(Unsupported, match=said):
        model.check("F x", ltl=method, safety=True)


def test_safety_that_the_operators_hide_is_seen_by_automata_alone() -> None:
    model = loads(f"{MODEL} VAR y : boolean;")
    claim = "G !x | (!x U (y & G !x))"
    assert not model.check(claim, ltl="partitioned", safety=True).holds
    with pytest.raises(Unsupported, match="not made of X, G and V alone"):
        model.check(claim, ltl="tableau", safety=True)


def test_a_promise_that_is_false_claims_something_until_negations_are_pushed_inwards() -> None:
    """`X x` occurs in both senses: one variable for it would be pending in neither value."""
    model = loads("MODULE main VAR x : boolean; y : boolean; ASSIGN init(x) := FALSE; next(x) := !x; next(y) := !x;")
    claims = (("X G (X x <-> y)", False), ("X G (X x <-> !y)", True), ("G (X x <-> !x)", True), ("G !(X x xor !x)", True))
    for claim, holds in claims:
        assert model.check(claim, ltl="tableau", safety=True).holds is holds, claim
