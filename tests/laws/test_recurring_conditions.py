"""Conditions that a violation meets again and again need no automaton: the verdicts and lassos are the same."""

from __future__ import annotations

from random import Random

import pytest

from coarsest.api.model import loads
from coarsest.evidence.verdict import Fails
from coarsest.logic.expr import Apply, Expr
from coarsest.model.kinds import PropertyKind
from coarsest.space.partitioned import PartitionedSpace
from temporal_laws import ask, block, cases, conditions, is_violating_lasso, ltl_formulas


def _formula(rng: Random, draw: object, other: Expr) -> Expr:
    """Some conditions again and again, or some for ever, and something else perhaps."""
    assert callable(draw)
    asked = [Apply("G", (Apply("F", (draw(),)),)) for _ in range(rng.randint(0, 2))]
    ways: list[Expr] = [Apply("F", (Apply("G", (draw(),)),)) for _ in range(rng.randint(0 if asked else 1, 2))]
    if rng.random() < 0.5 or not ways:
        ways.append(other)
    conclusion = ways[0] if len(ways) == 1 else Apply("or", tuple(ways))
    return Apply("implies", (asked[0] if len(asked) == 1 else Apply("and", tuple(asked)), conclusion)) if asked else conclusion


@pytest.mark.parametrize("number", range(4))
def test_verdicts_agree_with_the_definition(number: int) -> None:
    verdicts = set()
    for seed, machine, oracle in cases(block(number, of=4, machines=160, first=7000)):
        rng = Random(seed)
        draw = conditions(rng, machine, inputs=0.0)
        formulas = [_formula(rng, draw, other) for other in ltl_formulas(rng, machine, 3)]
        _, answers = ask(machine, PropertyKind.LTL, formulas, cone=False, vacuity=False)
        for formula, answer in zip(formulas, answers, strict=True):
            holds = oracle.holds_linear(formula)
            assert answer.verdict.word == ("holds" if holds else "fails")
            verdicts.add(holds)
            if isinstance(answer.verdict, Fails):
                trace = answer.verdict.trace
                assert answer.confirmed and trace is not None
                assert trace.loop is None or is_violating_lasso(oracle, trace, formula)
    assert verdicts == {False, True}


def test_no_vertex_remembers_what_recurs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two conditions on every path, and one that is asked for: one vertex that waits, and one from which it is always absent."""
    model = loads("MODULE main VAR a : boolean; b : boolean; c : boolean; LTLSPEC G F a & G F b -> G F c;")
    sizes = []
    original = PartitionedSpace.__init__

    def watched(self: PartitionedSpace[object], *args: object, **options: object) -> None:
        original(self, *args, **options)  # type: ignore[arg-type]
        sizes.append((self.automaton.states, len(self.again)))

    monkeypatch.setattr(PartitionedSpace, "__init__", watched)
    assert [answer.verdict.word for answer in model.check(vacuity=False)] == ["fails"]
    assert set(sizes) == {(2, 2)}
