"""PSL on machines: counterexamples are fair paths that violate the formula by its definition; where it holds, no path does."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from campaigns import blocks
from coarsest.evidence.verdict import Fails
from coarsest.logic.expr import Expr, Name
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Machine
from oracles.sere_words import Lasso, satisfies
from oracles.temporal import Temporal
from random_machines import random_condition
from random_sequences import parse, psl
from temporal_laws import ask, block, cases, is_fair_lasso, places_of, random_fair_lasso

ATOMS = (Name("p0"), Name("p1"))
LASSOS = 6


def with_atoms(rng: Random, machine: Machine) -> Machine:
    """The machine with definitions for the names in random formulas."""
    added = {atom.name: random_condition(rng, machine, inputs=rng.random() < 0.2) for atom in ATOMS}
    return replace(machine, definitions={**machine.definitions, **added})


def sample(rng: Random, oracle: Temporal) -> list[Lasso]:
    """What some fair paths of the machine look like."""
    words = []
    for _ in range(LASSOS):
        found = random_fair_lasso(rng, oracle)
        if found is not None:
            words.append(Lasso(*(tuple(_letter(oracle, pair) for pair in part) for part in found)))
    return words


def _letter(oracle: Temporal, pair: object) -> frozenset[Expr]:
    return frozenset(atom for atom in ATOMS if pair in oracle.where(atom))


def check_psl(seeds: range) -> None:
    verdicts: list[str] = []
    for seed, plain, _ in cases(seeds):
        rng = Random(seed)
        machine = with_atoms(rng, plain)
        oracle = Temporal(machine)
        formulas = [parse(psl(rng, rng.randint(1, 3))) for _ in range(2)]
        _, answers = ask(machine, PropertyKind.PSL, formulas, cone=False)
        words = sample(rng, oracle)
        for claim, answer in zip(formulas, answers, strict=True):
            verdicts.append(answer.verdict.word)
            if isinstance(answer.verdict, Fails):
                trace = answer.verdict.trace
                assert trace is not None and trace.loop is not None
                assert is_fair_lasso(oracle, trace)
                letters = tuple(frozenset(filter(place, ATOMS)) for place in places_of(oracle, trace))
                assert not satisfies(Lasso(letters[: trace.loop], letters[trace.loop :]), claim)
            else:
                assert all(satisfies(word, claim) for word in words)
    assert verdicts.count("fails") > len(verdicts) // 10 and verdicts.count("holds") > len(verdicts) // 10


@pytest.mark.parametrize("number", blocks(4, by_day=2))
def test_psl_on_random_machines(number: int) -> None:
    check_psl(block(number, of=4, machines=160, first=11_000))


@pytest.mark.nightly
@pytest.mark.parametrize("number", range(20))
def test_psl_on_many_random_machines(number: int) -> None:
    check_psl(block(number, of=20, machines=4000, first=12_000))
