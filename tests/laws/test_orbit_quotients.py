"""Models reduced by symmetry: orbits by the definition, on every carrier and by every algorithm, and bisimilar to the model."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

import coarsest
from campaigns import blocks
from coarsest.api.model import Model
from coarsest.api.reductions import Reduced
from coarsest.check.certify.confirm_classes import are_confirmed
from coarsest.errors import EvidenceRejected
from coarsest.evidence.replay.lasso import confirm_lasso
from coarsest.evidence.replay.replay import confirm_trace
from coarsest.evidence.verdict import Fails
from coarsest.logic.expr import Apply, Expr
from coarsest.lts.compare.compare_graphs import compare_graphs
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Property
from coarsest.options.methods import BuildOptions
from coarsest.reduce.partition.observation import observe
from coarsest.reduce.symmetry.group.permutation import Permutation, permutation
from coarsest.reduce.symmetry.orbit_reduction import orbit_reduction
from coarsest.run import Run
from coarsest.space.carriers import spaces_by
from oracles.brute_force import BruteForce
from oracles.symmetries import orbits, quotient_edges
from quotient_laws import answers
from random_symmetries import Symmetric

WAYS = [(carrier, algorithm) for carrier in ("bdd", "explicit") for algorithm in ("orbit-by-orbit", "list-then-join")]
MODELS = 5


def reduced(system: Symmetric, label: Expr, patch: pytest.MonkeyPatch, **options: Any) -> Reduced:
    patch.setattr("coarsest.reduce.symmetry.group.detect.declared", lambda machine, path: list(system.generators))
    return Model(system.machine).reduce(by="symmetry", observe=[label], cone=False, confirm="always", **options)


def sizes_by_definition(system: Symmetric, label: Expr) -> tuple[int, int]:
    """The orbits of the reachable states by all permutations of parts that keep what is seen, and the steps between them."""
    force = BruteForce(system.machine)
    names = force.names

    def moved(image: dict[int, int], state: tuple[Any, ...]) -> tuple[Any, ...]:
        """By the names of the variables, which end in the number of their part; the turn is such a number."""
        after = dict(zip(names, state))
        for name, value in zip(names, state):
            if name[-1].isdigit():
                after[name[:-1] + str(image[int(name[-1])])] = value
            elif name == "turn":
                after[name] = image[value]
        return tuple(after[name] for name in names)

    seen = [force.where(part) for part in (label, *system.machine.justice)]
    keeping = [image for image in system.images if all({moved(image, state) for state in states} == states for states in seen)]
    reached = set(force.initial)
    waiting = list(reached)
    for state in waiting:
        fresh = {after for before, after in force.steps if before == state} - reached
        reached |= fresh
        waiting += fresh
    parts = orbits(reached, [partial(moved, image) for image in keeping])
    return len(parts), len(quotient_edges([(a, b) for a, b in force.steps if a in reached], parts))


@pytest.mark.parametrize("number", blocks(30, by_day=2))
def test_orbits_are_those_of_the_definition_and_the_model_is_bisimilar(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    fewer = 0
    for seed in range(number * MODELS, (number + 1) * MODELS):
        system = Symmetric(seed)
        label = system.symmetric(system.atom, "or") if seed % 3 else system.atom()
        model = Model(system.machine)
        smallest = model.reduce(observe=[label], cone=False)
        expected = sizes_by_definition(system, label)
        for carrier, algorithm in WAYS:
            small = reduced(system, label, monkeypatch, carrier=carrier, algorithm=algorithm)
            assert (small.states, small.transitions) == expected, (seed, carrier, algorithm)
            assert small.confirmed, (seed, carrier, algorithm)
            assert compare_graphs(small.graph, smallest.graph).related, (seed, carrier, algorithm)
            again = small.model.reduce(observe=[in_quotient(small, label)])
            assert (again.states, again.transitions) == (smallest.states, smallest.transitions), (seed, carrier, algorithm)
        fewer += small.states < (small.states_before or 0)
    assert fewer


def in_quotient(small: Reduced, condition: Expr) -> Expr:
    """What an observed condition is called there."""
    claim = small.reduction.carried(Property(PropertyKind.INVARIANT, condition))
    assert claim is not None
    return claim.formula


@pytest.mark.parametrize("number", blocks(20, by_day=1))
def test_counterexamples_come_back_to_the_model(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    lifted = 0
    for seed in range(number * 10, number * 10 + 10):
        system = Symmetric(seed)
        good = system.symmetric(lambda: system.condition(2), "or")
        for carrier in ("bdd", "explicit"):
            small = reduced(system, good, monkeypatch, carrier=carrier)
            seen = in_quotient(small, good)
            lifted += is_lifted(system, small, PropertyKind.INVARIANT, seen, good)
            lifted += is_lifted(system, small, PropertyKind.LTL, again_and_again(seen), again_and_again(good))
    assert lifted


def again_and_again(condition: Expr) -> Expr:
    return Apply("G", (Apply("F", (condition,)),))


def is_lifted(system: Symmetric, small: Reduced, kind: PropertyKind, asked: Expr, meant: Expr) -> bool:
    """The quotient decides as the machine does; if a property fails, a path of the machine shows it."""
    (answer,) = answers(small.model.machine, [Property(kind, asked)], cone=False)
    (plain,) = answers(system.machine, [Property(kind, meant)])
    assert answer.verdict.word == plain.verdict.word
    if not isinstance(answer.verdict, Fails):
        return False
    assert answer.verdict.trace is not None
    trace = small.reduction.lift_trace(answer.verdict.trace)
    if kind is PropertyKind.INVARIANT:
        confirm_trace(system.machine, trace, violates=meant)
    else:
        confirm_lasso(system.machine, trace, meant)
    return True


TOGGLES = """MODULE main VAR a : array 1..5 of boolean; IVAR i : 1..5;
INIT !a[1] & !a[2] & !a[3] & !a[4] & !a[5];
TRANS (next(a[1]) <-> (i = 1) xor a[1]) & (next(a[2]) <-> (i = 2) xor a[2]) & (next(a[3]) <-> (i = 3) xor a[3])
  & (next(a[4]) <-> (i = 4) xor a[4]) & (next(a[5]) <-> (i = 5) xor a[5]);"""


@pytest.mark.parametrize("carrier, algorithm", WAYS)
def test_a_scalarset_of_five_toggles(carrier: str, algorithm: str) -> None:
    """As many orbits as there may be toggles on; from each, one more or one less."""
    toggles = coarsest.loads(TOGGLES)
    every = " & ".join(f"a[{i}]" for i in range(1, 6))
    small = toggles.reduce(by="symmetry", observe=[every], carrier=carrier, algorithm=algorithm)
    assert (small.states_before, small.states, small.transitions, small.symmetries) == (32, 6, 10, 120)
    assert small.confirmed and small.algorithm == algorithm
    one = toggles.reduce(by="symmetry", observe=["a[1]"], carrier=carrier, algorithm=algorithm)
    assert (one.states, one.symmetries, one.confirmed) == (10, 24, True), "of the others, as many as there may be are on"


def test_many_orbits_are_found_by_listing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coarsest.tuning.ORBITS_ON_DIAGRAMS", 3)
    small = coarsest.loads(TOGGLES).reduce(by="symmetry", observe=["a[1] & a[2] & a[3] & a[4] & a[5]"])
    assert (small.states, small.algorithm, small.confirmed) == (6, "list-then-join", True)


@pytest.mark.parametrize("carrier, algorithm", WAYS)
def test_orbits_by_what_is_no_symmetry_are_rejected(carrier: str, algorithm: str) -> None:
    """Whoever makes a quotient by a wrong generator does not get past the judge."""
    machine = coarsest.loads("""MODULE main VAR a : boolean; b : boolean;
        ASSIGN init(a) := {TRUE, FALSE}; init(b) := {TRUE, FALSE}; next(a) := a | !b; next(b) := b | a;""").machine
    observation = observe(machine, [], cone=False)
    swap: list[Permutation] = [permutation({"a": "b", "b": "a"})]
    spaces = spaces_by(carrier, BuildOptions(carrier=carrier), Run())
    reduction = orbit_reduction(machine, observation, spaces, swap, Run(), algorithm=algorithm)
    with pytest.raises(EvidenceRejected):
        are_confirmed(reduction, Run())
