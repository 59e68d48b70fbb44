"""LTL backwards on all states against the definitions; and given up, it changes no verdict."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from campaigns import blocks
from coarsest import tuning
from coarsest.automata.ltl.ltl_to_buchi import ltl_to_buchi
from coarsest.check.products.ltl_backwards import violation_backwards
from coarsest.check.setting.session import CheckOptions, Session
from coarsest.evidence.verdict import Fails
from coarsest.logic.linear.ltl_from_expr import from_expr
from coarsest.model.kinds import PropertyKind
from coarsest.run import Run
from coarsest.space.bdd.build import BuildOptions
from coarsest.space.partitioned import PartitionedSpace
from oracles.temporal import Temporal, TooManyStates
from random_machines import seeded_fair_machine
from temporal_laws import ask, is_violating_lasso, ltl_formulas


@pytest.mark.parametrize("block", blocks(4, by_day=2))
def test_verdicts_and_lassos(block: int) -> None:
    seen = set()
    for seed in range(block * 60, block * 60 + 60):
        machine = replace(
            seeded_fair_machine(seed), justice=(), compassion=(), transition_constraints=(), invariant_constraints=()
        )
        try:
            oracle = Temporal(machine, most_states=120)
        except TooManyStates:
            continue
        formulas = ltl_formulas(Random(seed), machine, 3)
        _, answers = ask(machine, PropertyKind.LTL, formulas, ltl="partitioned", cone=False, vacuity=False)
        for formula, answer in zip(formulas, answers, strict=True):
            holds = oracle.holds_linear(formula)
            assert answer.verdict.word == ("holds" if holds else "fails")
            if isinstance(answer.verdict, Fails):
                trace = answer.verdict.trace
                assert answer.confirmed and trace is not None
                assert trace.loop is None or is_violating_lasso(oracle, trace, formula)  # an invariant has no loop
            context = Session(machine, BuildOptions(), CheckOptions(cone=False), Run())
            violating = ltl_to_buchi(from_expr(formula).negation)
            decided, found = violation_backwards(PartitionedSpace(context.setting([formula]).arena.base, violating), Run())
            assert not decided or (found is None) == holds
            seen.add(holds)
    assert seen == {False, True}


def test_what_is_too_costly_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    from coarsest.api.model import loads
    from coarsest.experiments.sebastiani.models import dining

    model = loads(dining(4))
    expected = {claim.name: answer.verdict.word for claim, answer in zip(model.properties, model.check(vacuity=False))}
    monkeypatch.setattr(tuning, "WORK_ALWAYS_WORTH", 0)
    monkeypatch.setattr(tuning, "BACKWARD_WORK_OF_A_NODE", 0.0)
    given_up = []
    original = violation_backwards

    def watched(*args: object) -> object:
        decided, violation = original(*args)  # type: ignore[arg-type]
        given_up.extend([] if decided else [args])
        return decided, violation

    monkeypatch.setattr("coarsest.check.products.ltl_partitioned.violation_backwards", watched)
    answers = model.check(ltl="partitioned", vacuity=False)
    assert {claim.name: answer.verdict.word for claim, answer in zip(model.properties, answers)} == expected
    assert given_up
