"""Hints change the way to the reachable states, and nothing else."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from campaigns import blocks
from coarsest import load, loads
from coarsest.check.setting.arena import hinted_steps
from coarsest.check.setting.explore import explore
from coarsest.errors import InputError
from coarsest.logic.expr import FALSE, TRUE, Expr, Name
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Machine
from coarsest.options.methods import BuildOptions
from coarsest.run import Run
from coarsest.search.guided_ravi_somenzi import Guided
from coarsest.space.bdd.actions import steps_where
from coarsest.space.bdd.build import build
from oracles.brute_force import BruteForce
from random_machines import random_condition, seeded_fair_machine, seeded_machine
from temporal_laws import ask, ctl_formulas, ltl_formulas


def hinted(machine: Machine, seed: int) -> Machine:
    random = Random(seed)
    hints: list[Expr] = [random_condition(random, machine, inputs=True) for _ in range(random.randint(1, 3))]
    return replace(machine, hints=(*hints, random.choice((TRUE, FALSE, hints[0]))))


@pytest.mark.parametrize("block", blocks(6, by_day=2))
def test_all_reachable_states_are_found(block: int) -> None:
    for seed in range(30 * block, 30 * (block + 1)):
        machine = hinted(seeded_machine(40_000 + seed), seed)
        reached = BruteForce(machine).reachable()
        facts, _ = explore(machine, BuildOptions(), Run(), merge=bool(seed % 2))
        assert facts["states"] == len(reached)
        assert facts["diameter"] is None


@pytest.mark.parametrize("block", blocks(6, by_day=1))
def test_the_steps_of_a_hint_are_those_in_which_it_holds(block: int) -> None:
    for seed in range(20 * block, 20 * (block + 1)):
        machine = seeded_machine(41_000 + seed)
        hint = random_condition(Random(seed), machine, inputs=True)
        oracle, space = BruteForce(machine), build(machine)
        constrained = BruteForce(replace(machine, transition_constraints=(*machine.transition_constraints, hint)))
        names = [v.name for v in machine.state_variables]
        successors = steps_where(space, hint, Run()).post(space.states)
        after = {state for _, state in constrained.steps}
        assert space.count(successors) == len(after)
        assert all(space.state(dict(zip(names, state))) <= successors for state in after)
        assert after <= {state for _, state in oracle.steps}


@pytest.mark.parametrize("kind", [PropertyKind.INVARIANT, PropertyKind.CTL, PropertyKind.LTL])
def test_verdicts_stay(kind: PropertyKind) -> None:
    words = Counter[str]()
    for seed in range(12):
        machine, random = seeded_fair_machine(42_000 + seed), Random(seed)
        formulas: list[Expr] = [random_condition(random, machine, inputs=False) for _ in range(3)]
        if kind is not PropertyKind.INVARIANT:
            formulas = (ctl_formulas if kind is PropertyKind.CTL else ltl_formulas)(random, machine, 3, inputs=0.2)
        plain, guided = (
            [answer.verdict.word for answer in ask(each, kind, formulas, vacuity=False)[1]]
            for each in (machine, hinted(machine, seed))
        )
        assert plain == guided
        words.update(plain)
    assert words["holds"] and words["fails"]


def test_a_hint_is_followed_to_its_end_before_the_next() -> None:
    text = """MODULE main VAR a : 0..3; b : 0..3; IVAR first : boolean;
    ASSIGN init(a) := 0; init(b) := 0; next(a) := first ? (a + 1) mod 4 : a; next(b) := first ? b : (b + 1) mod 4;"""
    space = build(replace(loads(text).machine, hints=(Name("first"),)))
    search = Guided(space, space.initial, hinted_steps(space, Run()))
    counts = []
    while not search.complete:
        search.advance(Run())
        counts.append(space.count(search.reached))
    assert counts == [2, 3, 4, 4, 8, 12, 16, 16]


def test_hints_are_refused_where_they_guide_nothing(tmp_path: Path) -> None:
    hints = tmp_path / "arbiter.hint"
    hints.write_text("a.state=USING;\n", encoding="utf-8")
    model = load("examples/arbiter.v").with_files(hints=[hints])
    assert model.reach().states == 20
    with pytest.raises(InputError, match="hints guide"):
        model.reach(search="breadth-first")
    with pytest.raises(InputError, match="hints guide a search with BDDs"):
        model.reach(carrier="explicit")
