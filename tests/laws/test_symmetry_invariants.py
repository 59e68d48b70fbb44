"""Invariants on representatives: right with right generators, and never wrong with wrong ones."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from campaigns import blocks
from coarsest.check.answers import Checker
from coarsest.evidence.verdict import Answer, Fails, Holds, Unknown
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Machine, Property
from coarsest.options.methods import BuildOptions, CheckOptions, check_options
from coarsest.reduce.symmetry.closing import sigma_step
from coarsest.reduce.symmetry.group.movers import mover
from coarsest.reduce.symmetry.group.permutation import Permutation
from coarsest.reduce.symmetry.group.verify import Verifier
from coarsest.reduce.symmetry.symmetry_mc_barner_grumberg import symmetry_mc
from coarsest.run import Run
from coarsest.space.bdd.build import build
from oracles.brute_force import BruteForce
from oracles.symmetries import is_symmetry, orbits
from random_machines import random_condition, random_graph_machine, seeded_machine
from random_symmetries import Symmetric, random_permutation

MACHINES = 25


def block(number: int) -> range:
    return range(number * MACHINES, (number + 1) * MACHINES)


def by_symmetry(machine: Machine, claims: list[Property], given: list[Permutation], patch: Any, **options: Any) -> list[Answer]:
    """The answers with these generators, as if they had been read from a file."""
    patch.setattr("coarsest.reduce.symmetry.group.detect.declared", lambda machine, path: given)
    options = {"vacuity": False, "reduce": "symmetry", "generators": "given", **options}
    return list(Checker(machine, BuildOptions(), check_options(**options), Run()).answers(claims))


def plainly(machine: Machine, claims: list[Property]) -> list[Answer]:
    return list(Checker(machine, BuildOptions(), CheckOptions(vacuity=False), Run()).answers(claims))


@pytest.mark.parametrize("number", blocks(8, by_day=1))
def test_verified_is_what_the_definition_says(number: int) -> None:
    verdicts = []
    for seed in block(number):
        random = Random(seed)
        symmetric = Symmetric(seed)
        machine = symmetric.machine if seed % 2 else seeded_machine(seed, state_bits=4)
        given = [*(symmetric.generators if seed % 2 else ()), random_permutation(random, machine)]
        space = build(machine)
        for one in given:
            verified = Verifier(space, Run()).verify(one)
            assert verified.is_symmetry == is_symmetry(machine, one), (seed, one)
            verdicts.append(verified.is_symmetry)
            if verified.witness is not None:
                assert_witness(machine, one, verified.witness.states)
    assert set(verdicts) == {True, False}


def assert_witness(machine: Machine, one: Permutation, states: Any) -> None:
    """The witness is a state or step of the machine, and its image is none."""
    force = BruteForce(machine)
    own, images = ([tuple(moved[name] for name in force.names) for moved in path] for path in (states, [*map(one, states)]))
    if len(own) == 2:
        assert tuple(own) in force.steps and tuple(images) not in force.steps
    else:
        assert (own[0] in force.states) and (images[0] not in force.states or own[0] in force.initial)
        assert images[0] not in force.initial


@pytest.mark.parametrize("number", blocks(8, by_day=1))
def test_closures_are_unions_of_orbits(number: int) -> None:
    for seed in block(number):
        symmetric = Symmetric(seed)
        space = build(symmetric.machine)
        movers = [mover(space, one) for one in symmetric.generators]
        explored = symmetry_mc(space, space.empty, movers, Run())
        closed = sigma_step(space, explored.representatives, movers, Run())
        force = BruteForce(symmetric.machine)

        def image(state: Any, one: Permutation, force: BruteForce = force) -> Any:
            moved = one(dict(zip(force.names, state)))
            return tuple(moved[name] for name in force.names)

        reachable = force.reachable()
        every = orbits(reachable, [lambda state, one=one: image(state, one) for one in symmetric.generators])
        assert closed.complete and space.count(closed.states) == len(reachable)
        states = {state: space.state(dict(zip(force.names, state))) for state in reachable}
        for orbit in every:
            assert orbit <= reachable
            assert any(states[state] <= explored.representatives for state in orbit)
        assert all(state <= closed.states for state in states.values())


@pytest.mark.parametrize("number", blocks(12, by_day=1))
def test_right_generators_decide_as_plain_search_does(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    words = set()
    for seed in block(number):
        symmetric = Symmetric(seed)
        claims = [claim for claim in symmetric.claims() if claim.kind is PropertyKind.INVARIANT]
        found = by_symmetry(symmetric.machine, claims, symmetric.generators, monkeypatch, rounds=seed % 3)
        for one, other in zip(plainly(symmetric.machine, claims), found, strict=True):
            assert one.verdict.word == other.verdict.word, seed
            assert other.confirmed
            words.add(other.verdict.word)
    assert words == {"holds", "fails"}


@pytest.mark.parametrize("number", blocks(20, by_day=2))
@pytest.mark.parametrize("use", ["use", "leave-out"])
def test_wrong_generators_never_give_a_wrong_answer(number: int, use: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A counterexample is one of the machine, and what holds does; with wrong generators, nothing is said to hold."""
    words = set()
    for seed in block(number):
        random = Random(seed)
        if seed % 2:
            machine = seeded_machine(seed) if seed % 3 else random_graph_machine(random)
            given = [random_permutation(random, machine) for _ in range(2)]
            claims = [Property(PropertyKind.INVARIANT, random_condition(random, machine, inputs=False)) for _ in range(2)]
        else:  # what the property asks is symmetric, and the machine is not
            symmetric = Symmetric(seed)
            machine, given = symmetric.spoiled(), symmetric.generators
            claims = [claim for claim in symmetric.claims() if claim.kind is PropertyKind.INVARIANT]
        found = by_symmetry(machine, claims, given, monkeypatch, wrong_generators=use, cone=False)
        for one, other in zip(plainly(machine, claims), found, strict=True):
            words.add(other.verdict.word)
            match other.verdict:
                case Fails(trace):
                    assert isinstance(one.verdict, Fails) and trace is not None and other.confirmed
                case Holds():
                    assert isinstance(one.verdict, Holds), seed
                case Unknown(because):
                    assert use == "use" and "no violation was found" in because
    assert words == ({"holds", "fails", "unknown"} if use == "use" else {"holds", "fails"})
