"""Generators that are no symmetries: whatever is done with them, no answer is wrong."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import coarsest
from campaigns import blocks
from coarsest.check.answers import Checker
from coarsest.check.composed.by_symmetry import OF_INVARIANTS, OF_PATHS
from coarsest.errors import Unsupported
from coarsest.evidence.verdict import Answer, Fails, Holds
from coarsest.logic.expr import FALSE, TRUE, Apply, Constant, Expr, Name
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Kind, Machine, Property
from coarsest.model.types import Boolean
from coarsest.options.methods import BuildOptions, check_options
from coarsest.reduce.symmetry.group.permutation import Permutation, permutation
from coarsest.run import Run
from oracles.brute_force import BruteForce
from oracles.symmetries import is_symmetry
from random_formulas import ctl_formula
from random_machines import random_graph_machine, seeded_machine
from random_symmetries import Symmetric, random_permutation

MACHINES = 10
BY_RELATION = ("iterative", "create-xi", "orbit-to-xi")
LISTED = "listed"
"""Representatives that are listed one by one, instead of an algorithm on sets."""


def system(seed: int) -> tuple[Machine, list[Permutation], list[Property]]:
    """A machine, generators that have nothing to do with it or once had, and an invariant, a formula of CTL and one of LTL. The
    generators keep what the properties ask: else they would not be used."""
    random = Random(seed)
    if seed % 3 == 0:
        symmetric = Symmetric(seed)
        machine, given = symmetric.spoiled(), symmetric.generators
    else:
        machine = seeded_machine(seed) if seed % 3 == 1 else random_graph_machine(random)
        given = [random_permutation(random, machine) for _ in range(2)]

    def condition() -> Expr:
        return union_of_orbits(random, machine, given)

    linear = Apply("G", (Apply("implies", (condition(), Apply("F", (condition(),)))),))
    formulas = {
        PropertyKind.INVARIANT: condition(),
        PropertyKind.CTL: ctl_formula(random, 2, condition),
        PropertyKind.LTL: linear,
    }
    return machine, given, [Property(kind, formula) for kind, formula in formulas.items()]


def union_of_orbits(random: Random, machine: Machine, given: list[Permutation]) -> Expr:
    """A condition on the states of a few orbits, or on all others."""
    variables = list(machine.state_variables)
    inside = [one for one in (one.within([v.name for v in variables]) for one in given) if one is not None]
    waiting = [{v.name: random.choice(list(v.type.values())) for v in variables} for _ in range(random.randint(1, 4))]
    orbits: dict[frozenset[Any], Expr] = {}
    while waiting:
        state = waiting.pop()
        if frozenset(state.items()) not in orbits:
            equations = [Apply("=", (Name(name), Constant(value))) for name, value in state.items()]
            orbits[frozenset(state.items())] = Apply("and", (TRUE, TRUE, *equations))
            waiting += [dict(one(state)) for one in inside]
    union = Apply("or", (FALSE, FALSE, *orbits.values()))
    return union if random.random() < 0.5 else Apply("not", (union,))


def options_of(algorithm: str, machine: Machine, seed: int) -> dict[str, Any]:
    bits = [v.name for v in machine.state_variables if isinstance(v.type, Boolean) and v.kind is Kind.STATE]
    hints = (bits[0], f"!{bits[0]}")[: seed % 3] if bits else ()
    return {
        "reduce": "symmetry", "generators": "given", "wrong_generators": "use", "cone": False,
        "representatives": ("first", "smallest")[seed % 2],
        **({} if algorithm == LISTED else {"algorithm": algorithm}),
        **({"hint": hints} if algorithm == "hints-sym" else {}),
        **({"subset": ("all", "dense", "heavy-branch")[seed % 3]} if algorithm == "symmetry-mc" else {}),
    }  # fmt: skip


def keeps(machine: Machine, one: Permutation, condition: Expr) -> bool:
    """Is the condition true of the same states after these are moved? One that moves states to what is none is not used."""
    force = BruteForce(machine)
    states = force.where(condition)
    moved = [one(dict(zip(force.names, state))) for state in states]
    return {tuple(state[name] for name in force.names) for state in moved} == states


def answers(machine: Machine, claim: Property, carrier: str = "auto", **options: Any) -> list[Answer]:
    return list(Checker(machine, BuildOptions(carrier=carrier), check_options(vacuity=False, **options), Run()).answers([claim]))


@pytest.mark.parametrize("number", blocks(50, by_day=1))
@pytest.mark.parametrize("algorithm", [*OF_INVARIANTS, *OF_PATHS, LISTED])
def test_no_answer_is_wrong(number: int, algorithm: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A violation is one of the machine, and what holds does, and is not said by who used what is no symmetry; 500 systems."""
    words = []
    monkeypatch.setattr("coarsest.tuning.DENSE_SET_NODES", 4)
    for seed in range(number * MACHINES, (number + 1) * MACHINES):
        machine, given, claims = system(seed)
        monkeypatch.setattr("coarsest.check.symmetry.invariants.LIMIT", 1 << seed % 12)
        monkeypatch.setattr("coarsest.reduce.symmetry.group.detect.declared", lambda machine, path, given=given: given)
        how = options_of(algorithm, machine, seed)
        for claim in claims[:1] if algorithm in OF_INVARIANTS else claims:
            try:
                (other,) = answers(machine, claim, "explicit" if algorithm == LISTED else "auto", **how)
            except Unsupported as error:  # a formula about some path; or a relation between states with what never changes
                about_some_path = algorithm == "live-rep" and claim.kind is PropertyKind.CTL
                assert about_some_path or (algorithm in BY_RELATION and "frozen variables" in str(error))
                continue
            (plain,) = answers(machine, claim)
            assert other.verdict.word in ("unknown", plain.verdict.word), (seed, claim)
            if isinstance(other.verdict, Fails):
                assert other.confirmed or not plain.confirmed, (seed, claim)
            if isinstance(other.verdict, Holds) and algorithm in OF_INVARIANTS:
                assert all(is_symmetry(machine, one) or not keeps(machine, one, claim.formula) for one in given), (seed, claim)
            words.append(other.verdict.word)
    assert "fails" in words and (len(set(words)) > 1 or number)  # in some blocks of the night everything fails


UNLIKE = """MODULE main VAR a : boolean; b : boolean;
ASSIGN init(a) := FALSE; init(b) := FALSE; next(a) := a | !b; next(b) := b | a; INVARSPEC !(a & b)"""
"""From the state in which only a is true a step leads to the violation, and none does from the one in which only b is."""


@pytest.mark.parametrize("carrier", ["explicit", "bdd"])
def test_no_quotient_is_made_by_what_is_no_symmetry(carrier: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model = coarsest.loads(UNLIKE)
    swap = permutation({"a": "b", "b": "a"})
    monkeypatch.setattr("coarsest.reduce.symmetry.group.detect.declared", lambda machine, path: [swap])
    options = {"reduce": "symmetry", "generators": "given", "wrong_generators": "use", "algorithm": "sigma-step"}
    (answer,) = answers(model.machine, model.properties[0], carrier, **options)
    assert isinstance(answer.verdict, Fails) and answer.confirmed
