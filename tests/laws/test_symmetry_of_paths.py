"""Formulas about paths on representatives: verdicts are those on the model, and so is the evidence."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from campaigns import blocks
from coarsest.check.answers import Checker
from coarsest.check.setting.session import Session
from coarsest.check.symmetry.orbit_setting import OrbitSession
from coarsest.errors import InputError, Unsupported
from coarsest.evidence.verdict import Answer, Fails, Unknown
from coarsest.logic.branching.actl import universal
from coarsest.logic.expr import Expr
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Machine, Property
from coarsest.options.methods import BuildOptions, CheckOptions, check_options
from coarsest.reduce.symmetry.group.permutation import Permutation
from coarsest.run import Run
from oracles.brute_force import BruteForce
from oracles.finite_paths import satisfying
from random_symmetries import Symmetric

MACHINES = 15
QUOTIENTS = ("sigma-step", "create-xi", "orbit-to-xi", "sorting")


def answers(machine: Machine, claims: list[Property], **options: Any) -> list[Answer]:
    return list(Checker(machine, BuildOptions(), check_options(vacuity=False, **options), Run()).answers(claims))


def give(given: list[Permutation], patch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The options by which these generators are taken as if they had been read from a file."""
    patch.setattr("coarsest.reduce.symmetry.group.detect.declared", lambda machine, path: given)
    return {"reduce": "symmetry", "generators": "given"}


@pytest.mark.parametrize("number", blocks(40, by_day=1))
def test_verdicts_on_quotients_are_those_on_the_model(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    words, smaller = set(), 0
    for seed in range(number * MACHINES, (number + 1) * MACHINES):
        symmetric = Symmetric(seed)
        machine, claims = symmetric.machine, symmetric.claims()
        how = give(symmetric.generators, monkeypatch)
        how |= {"algorithm": QUOTIENTS[seed % 4], "representatives": ("first", "smallest")[seed % 2]}
        for claim, one, other in zip(claims, answers(machine, claims), answers(machine, claims, **how), strict=True):
            assert one.verdict.word == other.verdict.word, (seed, claim.kind, claim.formula)
            if isinstance(other.verdict, Fails) and claim.kind is PropertyKind.LTL:
                assert other.verdict.trace is not None and other.confirmed
            assert other.confirmed or not one.confirmed, (seed, claim.kind, claim.formula)
            words.add((str(claim.kind), other.verdict.word))
            smaller += other.statistics.get("symmetries", 1) > 1
    assert {word for _, word in words} == {"holds", "fails"} and smaller > MACHINES // 2


@pytest.mark.parametrize("number", blocks(40, by_day=1))
def test_what_is_refuted_among_representatives_is_false(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With wrong generators, too; what the restricted model does not refute is not said to hold."""
    words = set()
    for seed in range(number * MACHINES, (number + 1) * MACHINES):
        symmetric = Symmetric(seed)
        machine = symmetric.spoiled() if seed % 3 == 0 else symmetric.machine
        how = give(symmetric.generators, monkeypatch) | {"algorithm": "live-rep", "wrong_generators": "use"}
        how |= {"representatives": ("first", "smallest")[seed % 2]}
        for claim in symmetric.claims():
            try:
                (other,) = answers(machine, [claim], **how)
            except Unsupported:  # it is about some path
                continue
            (one,) = answers(machine, [claim])
            if isinstance(other.verdict, Fails):
                assert isinstance(one.verdict, Fails) and (other.confirmed or not one.confirmed), (seed, claim)
            else:
                assert isinstance(other.verdict, Unknown), (seed, claim)
            words.add((str(claim.kind), other.verdict.word))
    assert {word for _, word in words} == {"fails", "unknown"}


@pytest.mark.parametrize("number", blocks(20, by_day=1))
@pytest.mark.parametrize("algorithm", ["hints-sym", "iterative"])
def test_invariants_by_other_algorithms(number: int, algorithm: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words = set()
    for seed in range(number * MACHINES, (number + 1) * MACHINES):
        symmetric = Symmetric(seed)
        claims = [claim for claim in symmetric.claims() if claim.kind is PropertyKind.INVARIANT]
        how = give(symmetric.generators, monkeypatch) | {"algorithm": algorithm}
        how |= {"hint": ("x0", "!x0")[: seed % 3], "cone": False} if algorithm == "hints-sym" else {}
        monkeypatch.setattr("coarsest.check.symmetry.invariants.LIMIT", 1 << seed % 12)
        for one, other in zip(answers(symmetric.machine, claims), answers(symmetric.machine, claims, **how), strict=True):
            assert one.verdict.word == other.verdict.word, seed
            assert other.confirmed
            words.add(other.verdict.word)
    assert words == {"holds", "fails"}


@pytest.mark.parametrize("number", blocks(20, by_day=1))
def test_restricted_models_are_read_as_the_appendix_says(number: int) -> None:
    """ACTL over paths that may end, against the definition on the listed graph of representatives."""
    refuted = ends = 0
    for seed in range(5 * number * MACHINES, 5 * (number + 1) * MACHINES):
        symmetric = Symmetric(seed)
        machine = replace(symmetric.machine, justice=())
        group = tuple(symmetric.generators)
        session = Session(machine, BuildOptions(), CheckOptions(cone=False, representatives="smallest"), Run())
        restricted = OrbitSession(session, lambda space, parts, group=group: group, restricted=True)
        claims = [claim.formula for claim in symmetric.claims() if claim.kind is PropertyKind.CTL]
        for formula in filter(is_universal, claims):
            setting = restricted.setting([formula])
            base = setting.arena.base
            force = BruteForce(base.machine)
            inside = [state for state in force.states if base.state(dict(zip(force.names, state))) <= setting.arena.reached]
            if len(inside) > 6 or len(force.states) > 32:  # the oracle tries every path
                continue
            steps = [(a, b) for a, b in force.steps if a in inside and b in inside]
            stuck = set(inside) - {a for a, _ in force.steps}
            after = {state: [b for a, b in steps if a == state] + [state] * (state in stuck) for state in inside}
            expected = satisfying(universal(formula), after, force.where)
            actual = setting.ctl.satisfying(formula)
            assert {s for s in inside if base.state(dict(zip(force.names, s))) <= actual} == expected, (seed, formula)
            refuted += len(expected) < len(inside)
            ends += any(not there for there in after.values())
    assert refuted and (ends or number)  # not every block of the night has paths that end


def is_universal(formula: Expr) -> bool:
    try:
        universal(formula)
    except InputError:
        return False
    return True
