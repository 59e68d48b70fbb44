"""The strategy decides how long it takes and who answers, and never what: rows and budgets drawn at random change no verdict."""

from __future__ import annotations

from random import Random

import pytest

import coarsest
from campaigns import blocks
from coarsest.check import strategy
from coarsest.check.setting import evidence_budget
from coarsest.check.strategy import AUTO, WAYS, Attempt
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Property
from coarsest.options.engines import BRANCHING, INVARIANTS, engine_named
from random_machines import seeded_fair_machine
from temporal_laws import conditions, ctl_formulas, ltl_formulas


def rows(rng: Random, ways: list[str], *last: Attempt) -> tuple[Attempt, ...]:
    """Attempts in any order, with any budget, before one that comes to an end."""
    budgets = [rng.choice([0.0, 100.0, 1000.0, 30_000.0]) for _ in range(rng.randint(0, 4))]
    return *(Attempt(rng.choice(ways), "drawn", work=work, beside=rng.choice([(), ("ic3",)])) for work in budgets), *last


@pytest.mark.parametrize("block", blocks(6, by_day=1))
def test_no_table_changes_a_verdict(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    words = set()
    for seed in range(40 * block, 40 * block + 40):
        rng, machine = Random(seed), seeded_fair_machine(seed)
        atom = conditions(rng, machine, inputs=0.0)
        claims = [
            Property(PropertyKind.INVARIANT, atom()),
            Property(PropertyKind.CTL, ctl_formulas(rng, machine, 1)[0]),
            Property(PropertyKind.LTL, ltl_formulas(rng, machine, 1, past=False)[0]),
        ]
        expected = [answer.verdict.word for answer in coarsest.Model(machine).check(*claims)]
        with monkeypatch.context() as drawn:
            invariants = rows(rng, ["forward", "sat-probe"], Attempt("forward", "last", beside=rng.choice([(), ("ic3",)])))
            branching = rows(rng, ["all-states", "reachable-states"], Attempt("reachable-states", "last"))
            drawn.setattr(strategy, "AUTO", {**AUTO, INVARIANTS: invariants, BRANCHING: branching})
            drawn.setattr(strategy, "BESIDE_PATHS", Attempt("diagrams", "drawn", over_bits=rng.choice([-1, 1000])))
            drawn.setattr("coarsest.tuning.WORK_BEFORE_COMPANION", rng.choice([10.0, 1000.0, 1e6]))
            drawn.setattr(evidence_budget, "ALWAYS", rng.choice([0.0, 1000.0, 1e6]))
            answers = coarsest.Model(machine).check(*claims, race=False)
        assert [answer.verdict.word for answer in answers] == expected, seed
        words |= set(expected)
    assert words == {"holds", "fails"}


def test_the_table_names_what_there_is() -> None:
    for kind, attempts in AUTO.items():
        assert attempts[-1].work == float("inf"), kind
        for attempt in attempts:
            assert attempt.way in WAYS or engine_named(attempt.way).decides == kind
            assert attempt.why and not attempt.why.endswith(".")
