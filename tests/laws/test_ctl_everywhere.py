"""CTL on all states, and on the reachable ones: the same verdicts, with evidence, whichever is settled first."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from campaigns import blocks
from coarsest.check import strategy
from coarsest.check.setting.session import Session
from coarsest.check.strategy import Attempt
from coarsest.evidence.verdict import Holds
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Machine
from coarsest.options.engines import BRANCHING
from oracles.temporal import Temporal, TooManyStates
from random_machines import seeded_fair_machine
from temporal_laws import ask, ctl_formulas, ltl_formulas

LAST = Attempt("reachable-states", "to the end")


def tried(monkeypatch: pytest.MonkeyPatch, *rows: Attempt) -> None:
    """Have the strategy for CTL try this."""
    monkeypatch.setattr(strategy, "AUTO", {**strategy.AUTO, BRANCHING: rows})
    monkeypatch.setattr(Session, "release", lambda *_: None)  # what was found for a formula is looked at afterwards


def total(seed: int) -> Machine:
    """A machine in which every state has a successor; some have fairness."""
    return replace(seeded_fair_machine(seed), transition_constraints=(), invariant_constraints=())


def check_machines(seeds: range) -> set[bool]:
    """Verdicts are those of the definitions. Gives for each whether the reachable states were found."""
    verdicts, reached = set(), set()
    for seed in seeds:
        machine = total(seed)
        try:
            oracle = Temporal(machine, most_states=120)
        except TooManyStates:
            continue
        kinds = {
            PropertyKind.CTL: ctl_formulas(Random(seed), machine, 3, inputs=0.2),
            PropertyKind.LTL: ltl_formulas(Random(seed), machine, 2),
        }
        for kind, formulas in kinds.items():
            of_ctl = kind is PropertyKind.CTL
            checker, answers = ask(machine, kind, formulas, confirm="always", certificates=of_ctl)
            for formula, answer in zip(formulas, answers, strict=True):
                holds = oracle.holds_branching(formula) if of_ctl else oracle.holds_linear(formula)
                assert answer.verdict.word == ("holds" if holds else "fails"), (seed, formula)
                if of_ctl and isinstance(answer.verdict, Holds) and answer.verdict.certificate is not None:
                    assert answer.confirmed
                verdicts.add(holds)
                if of_ctl:
                    reached.add("reached" in vars(checker.session.setting([formula]).arena))
    assert verdicts == {False, True}
    return reached


@pytest.mark.parametrize("block", blocks(8, by_day=2))
def test_on_all_states(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    tried(monkeypatch, Attempt("all-states", "first", work=1e9), LAST)
    assert False in check_machines(range(block * 30, block * 30 + 30))


def test_turns_that_are_too_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is left is taken up again; in the end, the reachable states are looked for without a budget."""
    turns = Attempt("reachable-states", "short", work=0.0), Attempt("all-states", "short", work=0.0)
    tried(monkeypatch, *turns * 3, LAST)
    assert True in check_machines(range(500, 520))


def test_what_is_too_costly_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    tried(monkeypatch, Attempt("all-states", "short", work=0.0), LAST)
    assert True in check_machines(range(600, 615))
