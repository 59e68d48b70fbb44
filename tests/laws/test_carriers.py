"""Whatever a set of states is, verdicts, evidence, counts and quotients are the same: `--carrier`, on random machines.

The machines have inputs, fairness, states without successor and any number of initial states; the judge is the definition.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from campaigns import blocks
from coarsest.api.model import Model
from coarsest.errors import LimitExceeded, Unsupported
from coarsest.evidence.verdict import Fails, Holds
from coarsest.logic.expr import Apply, Expr
from coarsest.model.assertion_graph import Semantics
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Machine, Property
from coarsest.run import Limits, Run
from oracles.assertion_graphs import System, refutes
from oracles.fair_graphs import FairGraph
from oracles.temporal import Temporal
from random_graphs import random_graph
from random_machines import random_condition, seeded_fair_machine, seeded_machine
from random_sequences import parse, psl
from temporal_laws import block, cases, conditions, ctl_formulas, ltl_formulas, over_machine

BLOCKS, MACHINES = 4, 60
FIRST = 40_000

KINDS = PropertyKind


def claims(rng: Random, machine: Machine) -> list[Property]:
    """Claims of every kind."""
    draw = conditions(rng, machine, inputs=0.2)
    of_states = conditions(rng, machine, inputs=0)
    found: list[tuple[PropertyKind, Expr]] = [(KINDS.INVARIANT, draw()), (KINDS.INVARIANT, of_states())]
    found += [(KINDS.CTL, formula) for formula in ctl_formulas(rng, machine, 2, inputs=0.2)]
    found += [(KINDS.LTL, formula) for formula in ltl_formulas(rng, machine, 2, inputs=0.2)]
    linear = ltl_formulas(rng, machine, 2, past=False)
    inner = Apply(rng.choice("AE"), (linear[1],))
    found += [(KINDS.CTL_STAR, Apply("A", (Apply("or", (linear[0], inner)),))), (KINDS.CTL_STAR, Apply("E", (linear[0],)))]
    found += [(KINDS.PSL, over_machine(parse(psl(rng, 2)), rng, machine))]
    found += [(KINDS.COMPUTE, Apply(rng.choice(("MIN", "MAX")), (of_states(), of_states())))]
    return [Property(kind, formula) for kind, formula in found]


def truth(oracle: Temporal, claim: Property) -> bool | None:
    """What the definition says, where the oracle knows the kind of claim."""
    match claim.kind:
        case KINDS.LTL:
            return oracle.holds_linear(claim.formula)
        case KINDS.CTL | KINDS.CTL_STAR:
            return oracle.holds_branching(claim.formula)
    return None


def answers(model: Model, asked: list[Property], **options: Any) -> list[tuple[str, bool, Any, tuple[str, ...]]]:
    report = model.check(*asked, **options)
    return [(a.verdict.word, a.confirmed, a.statistics.get("value"), a.warnings) for a in report.answers]


@pytest.mark.parametrize("number", blocks(BLOCKS, by_day=2))
def test_every_kind_of_claim(number: int) -> None:
    words = set()
    for seed, machine, oracle in cases(block(number, of=BLOCKS, machines=MACHINES, first=FIRST)):
        rng, model = Random(seed), Model(machine)
        asked = claims(rng, machine)
        cone = rng.random() < 0.5
        by_bdds, listed = (answers(model, asked, carrier=carrier, cone=cone) for carrier in ("bdd", "explicit"))
        for claim, one, other in zip(asked, by_bdds, listed):
            assert one == other, (seed, claim.kind)
            expected = truth(oracle, claim)
            assert expected is None or other[0] == ("holds" if expected else "fails"), (seed, claim.kind)
            words.add((str(claim.kind), other[0]))
    kinds = {str(kind) for kind in (KINDS.INVARIANT, KINDS.CTL, KINDS.LTL, KINDS.CTL_STAR, KINDS.PSL)}
    assert words >= {(kind, word) for kind in kinds for word in ("holds", "fails")}


def system_of(oracle: Temporal, semantics: Semantics) -> System:
    """Pairs of a state and inputs that lead on; only infinite paths stay where nothing follows."""
    graph: FairGraph[Any] = oracle.graph
    if semantics is Semantics.FINITE:
        graph = FairGraph({pair: [] if pair[0] in oracle.stuck else after for pair, after in graph.after.items()})
    return System(oracle.initial, graph, oracle.where)


@pytest.mark.parametrize("carrier", ["explicit", "smt"])
def test_assertion_graphs(carrier: str) -> None:
    decided = 0
    for seed, machine, oracle in cases(range(FIRST, FIRST + (60 if carrier == "explicit" else 10))):
        random, semantics = Random(seed), list(Semantics)[seed % 2]
        inputs = random.random() < 0.5
        graph = random_graph(random, lambda: random_condition(random, machine, inputs=inputs), semantics=semantics)
        refuted = refutes(system_of(oracle, semantics), graph, fair=semantics is Semantics.FAIR)
        try:
            report = Model(machine).gste(graph, carrier=carrier, run=Run(Limits(steps=2000)))
        except Unsupported:
            assert carrier == "smt"  # formulas cannot hold words
            continue
        (answer,) = report.answers
        if answer.verdict.word == "unknown":
            assert carrier == "smt"
            continue
        decided += 1
        assert isinstance(answer.verdict, Fails if refuted else Holds), seed
        assert answer.confirmed
    assert decided >= (50 if carrier == "explicit" else 3)


@pytest.mark.parametrize("carrier", ["explicit", "smt"])
def test_reachable_states(carrier: str) -> None:
    compared = 0
    for seed in range(FIRST, FIRST + (60 if carrier == "explicit" else 20)):
        machine = seeded_machine(seed) if seed % 2 else seeded_fair_machine(seed)
        by_bdds = Model(machine).reach()
        try:
            found = Model(machine).reach(carrier=carrier)
        except Unsupported:
            assert carrier == "smt"
            continue
        if not found.complete:
            assert carrier == "smt"
            continue
        compared += 1
        assert (found.states, found.diameter) == (by_bdds.states, by_bdds.diameter), seed
        if carrier == "explicit":
            assert len(found.warnings) == len(by_bdds.warnings)  # which name different states
    assert compared >= (60 if carrier == "explicit" else 3)


@pytest.mark.parametrize("algorithm", ["auto", "bfh", "lee-yannakakis", "paige-tarjan", "relation", "reach-then-refine"])
def test_quotients(algorithm: str) -> None:
    for seed in range(FIRST, FIRST + 20):
        machine = seeded_machine(seed)
        rng, model = Random(seed), Model(machine)
        seen = [random_condition(rng, machine, inputs=False) for _ in range(2)]
        actions = [v.name for v in machine.input_variables][:1]
        found = [
            model.reduce(observe=seen, actions=actions, algorithm=algorithm, carrier=carrier) for carrier in ("bdd", "explicit")
        ]
        sizes = [(r.states_before, r.transitions_before, r.states, r.transitions, r.confirmed) for r in found]
        assert sizes[0] == sizes[1], seed
        assert sizes[0][-1]


@pytest.mark.parametrize("number", range(2))
def test_on_quotients(number: int) -> None:
    for seed, machine, _ in cases(block(number, of=2, machines=16, first=FIRST + 500)):
        asked = [claim for claim in claims(Random(seed), machine) if claim.kind is not KINDS.PSL]
        try:
            direct, reduced = (answers(Model(machine), asked, carrier="explicit", reduce=how) for how in ("none", "bisimulation"))
        except (Unsupported, LimitExceeded):
            continue
        for claim, one, other in zip(asked, direct, reduced):
            assert one[0] == other[0], (seed, claim.kind)
