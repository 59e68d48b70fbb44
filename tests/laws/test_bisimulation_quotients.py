"""Quotients preserve CTL* over what is observed, are read back from SMV, and their counterexamples are lifted and replayed."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from campaigns import blocks
from coarsest.api.model import Model
from coarsest.check.certify.confirm_classes import are_confirmed, confirm_classes
from coarsest.errors import EvidenceRejected
from coarsest.formats.smv.read import read
from coarsest.formats.smv.write import write
from coarsest.logic.expr import Apply, Constant, Name
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Kind, Machine, Property, Variable
from coarsest.model.types import Boolean
from coarsest.options.option import Confirm
from coarsest.reduce.bisimulation.algorithms import MINIMISERS
from coarsest.reduce.partition.observation import observable_parts, observe
from coarsest.reduce.reduce import reduce_machine
from coarsest.reduce.reduction import Reduction
from coarsest.run import Run
from coarsest.space.bdd.build import BuildOptions
from coarsest.space.bdd.spaces import SymbolicSpaces
from coarsest.text import Source
from quotient_laws import answers, lifted_counterexamples
from random_machines import random_condition, random_graph_machine, seeded_fair_machine
from temporal_laws import claims_about, ltl_formulas

BLOCKS = 4
MACHINES = 25
ALGORITHMS = sorted(MINIMISERS)


def reduced(machine: Machine, claims: list[Property], algorithm: str) -> Reduction[Any]:
    run = Run()
    observation = observe(machine, observable_parts(claims, machine))
    return reduce_machine(machine, observation, SymbolicSpaces(BuildOptions(), run), run, algorithm=algorithm)


@pytest.mark.parametrize("block", blocks(BLOCKS, by_day=2))
def test_verdicts_on_the_quotient_are_those_on_the_machine(block: int) -> None:
    """Formulas with fairness, on the quotient as it is read back from its SMV text."""
    kept, words = 0, set()
    for seed in range(block * MACHINES, (block + 1) * MACHINES):
        machine = seeded_fair_machine(seed)
        claims = claims_about(machine, seed)
        reduction = reduced(machine, claims, ALGORITHMS[seed % len(ALGORITHMS)])
        confirm_classes(reduction.certificate, Run())
        moved = [reduction.carried(claim) for claim in claims]
        pairs = [(claim, other) for claim, other in zip(claims, moved) if other is not None]
        small = read(Source("quotient.smv", write(replace(reduction.machine, properties=tuple(p for _, p in pairs)))))
        expected = answers(machine, [claim for claim, _ in pairs])
        found = answers(small, list(small.properties))
        for (claim, _), one, other in zip(pairs, expected, found, strict=True):
            assert one.verdict.word == other.verdict.word, (seed, claim.formula)
            words.add(one.verdict.word)
            kept += 1
    assert words == {"holds", "fails"}
    assert kept > 5 * MACHINES


@pytest.mark.parametrize("block", blocks(BLOCKS, by_day=2))
def test_counterexamples_are_lifted_and_replayed(block: int) -> None:
    assert lifted_counterexamples(range(block * MACHINES, (block + 1) * MACHINES), "bisimulation") > MACHINES // 2


def stuck_under_an_input(seed: int) -> Machine:
    """A walk with an input that fairness speaks of, and places where one of its values, or both, lead nowhere."""
    random = Random(seed)
    machine = random_graph_machine(random, nodes=5)
    given, place = Name("i"), Name("s")
    here = [Apply("=", (place, Constant(random.randrange(5)))) for _ in range(2)]
    blocked = [Apply("not", (Apply("and", (here[0], random.choice([given, Apply("not", (given,))]))),)), Apply("not", (here[1],))]
    return replace(
        machine,
        variables={**machine.variables, "i": Variable("i", Boolean(), Kind.INPUT)},
        transition_constraints=(*machine.transition_constraints, *random.sample(blocked, random.randint(1, 2))),
        justice=(given, Apply("not", (given,)))[random.randint(0, 1) : random.randint(1, 2)] or (given,),
        compassion=((given, Name("at1")),) if random.random() < 0.3 else (),
    )


@pytest.mark.parametrize("carrier", ["bdd", "smt"])
def test_inputs_that_lead_nowhere(carrier: str) -> None:
    """What makes a dead end of the quotient is no dead end of the machine, and where that is stuck its inputs still change."""
    words = set()
    for seed in range(40 if carrier == "bdd" else 3):
        model = Model(stuck_under_an_input(seed))
        claims = [Property(PropertyKind.LTL, formula) for formula in ltl_formulas(Random(seed), model.machine, 4)]
        claims.append(Property(PropertyKind.INVARIANT, random_condition(Random(seed), model.machine, inputs=False)))
        expected = model.check(*claims).answers
        found = model.check(*claims, reduce="bisimulation", carrier=carrier).answers
        for claim, one, other in zip(claims, expected, found, strict=True):
            undecided = carrier == "smt" and "lead nowhere" in getattr(other.verdict, "because", "")
            assert undecided or one.verdict.word == other.verdict.word, (seed, claim.formula)
            words.add(f"{claim.kind} {other.verdict.word}")
    assert words >= ({"ltl unknown"} if carrier == "smt" else {"ltl holds", "ltl fails", "invariant holds", "invariant fails"})


def test_a_wrong_partition_is_not_confirmed() -> None:
    rejected = 0
    for seed in range(1, 60, 2):
        machine = random_graph_machine(Random(seed))
        reduction = reduced(machine, claims_about(machine, seed), "bfh")
        partition = reduction.partition
        if len(partition) < 2:
            continue
        wrong = [
            replace(partition, classes=[partition.classes[1], partition.classes[0], *partition.classes[2:]]),
            replace(partition, edges=partition.edges[1:]),
            replace(partition, initial=tuple(range(len(partition)))[len(partition.initial) :]),
            replace(partition, classes=[*partition.classes[:-1], partition.classes[0]]),
        ]
        for change in wrong:
            if change == partition or (change.edges == partition.edges and change.initial == partition.initial == ()):
                continue
            with pytest.raises(EvidenceRejected):
                confirm_classes(replace(reduction, partition=change).certificate, Run())
            rejected += 1
    assert rejected > 20


def test_a_partition_that_is_too_fine_is_not_confirmed() -> None:
    source = "MODULE main VAR n : 0..3; ASSIGN init(n) := 0; next(n) := (n + 1) mod 4; DEFINE even := n mod 2 = 0; SPEC AG even"
    machine = read(Source("m.smv", source))
    fine = reduced(machine, list(machine.properties), "bfh")
    every = observe(machine, [*observable_parts(machine.properties, machine), Apply("<", (Name("n"), Constant(2)))])
    run = Run()
    finer = reduce_machine(machine, every, SymbolicSpaces(BuildOptions(), run), run)
    confirm_classes(finer.certificate, run)
    with pytest.raises(EvidenceRejected, match="distinguished"):
        confirm_classes(replace(finer, observation=fine.observation).certificate, run)


def test_a_confirmation_that_nobody_asked_for_keeps_to_its_share(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no work is allowed, walking through four states takes too much, unless it is asked for."""
    source = "MODULE main VAR n : 0..3; ASSIGN init(n) := 0; next(n) := (n + 1) mod 4; SPEC AG n < 4"
    machine = read(Source("m.smv", source))
    reduction = reduced(machine, list(machine.properties), "bfh")
    assert are_confirmed(reduction, Run())
    monkeypatch.setattr("coarsest.tuning.WORK_ON_CLASSES", 0.0)
    assert not are_confirmed(reduction, Run())
    assert are_confirmed(reduction, Run(), Confirm.ALWAYS)
