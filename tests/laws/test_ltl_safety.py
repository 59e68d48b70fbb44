"""LTL safety by reachability against the definitions, on every engine and encoding; other formulas are refused."""

from __future__ import annotations

from random import Random

import pytest

from coarsest.api import loads
from coarsest.automata.ltl_to_buchi import ltl_to_buchi
from coarsest.check.context import ENCODINGS, CheckOptions
from coarsest.check.ltl_safety import bad_vertices
from coarsest.errors import InputError, Unsupported
from coarsest.evidence.verdict import Fails
from coarsest.logic.expr import Apply, Expr, Name
from coarsest.logic.ltl_from_expr import from_expr
from coarsest.model.machine import PropertyKind
from temporal_laws import ask, cases, is_violating_lasso, over_machine


def safety_formula(rng: Random, depth: int) -> Expr:
    """Of X, G, V, conjunctions and disjunctions, with negations at names only: what the paper calls safety."""
    if depth == 0 or rng.random() < 0.15:
        name = Name(rng.choice("abc"))
        return name if rng.random() < 0.6 else Apply("not", (name,))
    op = rng.choice(["and", "or", "X", "G", "V"])
    parts = tuple(safety_formula(rng, depth - 1) for _ in range(1 if op in "XG" else 2))
    return Apply(op, parts)


def test_formulas_of_the_paper_have_bad_prefixes() -> None:
    for seed in range(300):
        formula = safety_formula(Random(seed), 3)
        assert bad_vertices(ltl_to_buchi(from_expr(formula).negation)) is not None


@pytest.mark.parametrize("block", range(3))
def test_verdicts_and_counterexamples(block: int) -> None:
    seen = set()
    for seed, machine, oracle in cases(range(block * 50, block * 50 + 50)):
        rng = Random(seed)
        inputs = 0.3 if seed % 3 == 0 else 0.0
        formulas = [over_machine(safety_formula(rng, 3), rng, machine, inputs=inputs) for _ in range(3)]
        engine, encoding = ("smc", "smc", "partitioned", "auto")[seed % 4], ENCODINGS[seed % 2]
        _, answers = ask(machine, PropertyKind.LTL, formulas, engine=engine, encoding=encoding, safety=True, cone=False)
        for formula, answer in zip(formulas, answers, strict=True):
            holds = oracle.holds_linear(formula)
            assert answer.verdict.word == ("holds" if holds else "fails")
            if isinstance(answer.verdict, Fails):
                assert answer.confirmed
                trace = answer.verdict.trace
                assert trace is not None
                assert trace.loop is None or is_violating_lasso(oracle, trace, formula)  # an invariant has no loop
            seen.add((engine, holds))
    assert len(seen) == 6


MODEL = "MODULE main VAR x : boolean; ASSIGN init(x) := FALSE; next(x) := {x, !x};"


@pytest.mark.parametrize("engine", ["auto", "smc", "partitioned"])
def test_other_formulas_are_refused(engine: str) -> None:
    model = loads(MODEL)
    assert not model.check("G !x", engine=engine, safety=True).holds
    with pytest.raises(Unsupported, match="'F x' is not a safety formula"):
        model.check("F x", engine=engine, safety=True)


def test_a_tableau_has_no_bad_prefixes() -> None:
    with pytest.raises(InputError, match="tableau"):
        CheckOptions(ltl="tableau", safety=True)
