"""Smaller fair structures are equivalent to the ones they stand for, by the definitions; models keep verdicts and fairness."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from coarsest.check.certify.confirm_classes import are_confirmed
from coarsest.errors import EvidenceRejected, Unsupported
from coarsest.evidence.verdict import Fails, Unknown
from coarsest.formats.smv.read import read
from coarsest.formats.smv.write import write
from coarsest.logic.branching.ltl_to_ctl import deterministic_as_ltl
from coarsest.logic.show import show
from coarsest.lts.compare.confirm_reduction import confirm_fair_reduction
from coarsest.lts.fair import FairGraph, as_fair, as_labelled
from coarsest.lts.games.simulation_game import fair_side_by_side
from coarsest.lts.labelled import Graph
from coarsest.lts.simulation.fair_quotients_bustan import smaller
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Machine, Property
from coarsest.model.query.formula import parse_formula
from coarsest.options.option import Confirm
from coarsest.options.relations import FAIR_SIMULATIONS as FAIR
from coarsest.reduce.partition.observation import observable_parts, observe
from coarsest.reduce.reduce import reduce_machine
from coarsest.reduce.simulation.fair_reduction import FairReduction
from coarsest.run import Run
from coarsest.space.bdd.build import BuildOptions
from coarsest.space.carriers import spaces_for
from coarsest.text import Source
from oracles import fair_simulations as oracle
from quotient_laws import answers, lifted_counterexamples
from random_fair_graphs import random_fair_graph
from random_machines import seeded_fair_machine
from temporal_laws import claims_about

SEEDS = range(80)
CAMPAIGN = range(1000, 2000)
MACHINES = 40


def check_graph(seed: int, by: str, *, states: int) -> tuple[int, int]:
    """Equivalent state by state, and as a whole; what is left is not larger, and nothing more can be left out by direct
    simulation. How many states there were that can be reached, and how many there are."""
    fair = oracle.staying(random_fair_graph(Random(seed), states=states))
    small = smaller(fair, Run(), by=by)
    both, start = fair_side_by_side(fair, small.fair), fair.graph.states
    relation = oracle.GAMES[by](both)
    of_states = [(p, start + q) for p, q in enumerate(small.state_of.tolist()) if q >= 0]
    assert all((p, q) in relation and (q, p) in relation for p, q in of_states)
    for ones, others in ((fair, small.fair), (small.fair, fair)):
        one, other = (0, start) if ones is fair else (start, 0)
        pairs = {(p + one, q + other) for p in ones.graph.initial.tolist() for q in others.graph.initial.tolist()} & relation
        assert {p for p, _ in pairs} == {p + one for p in ones.graph.initial.tolist()}
    _check_no_brothers(small.fair)
    assert confirm_fair_reduction(fair, small.fair, by)
    reached = len({p for p, _ in of_states})
    assert small.fair.graph.states <= reached
    assert small.fair.graph.transitions <= fair.graph.transitions
    return reached, small.fair.graph.states


def _check_no_brothers(small: FairGraph) -> None:
    direct, graph = {(p, q) for p, q in oracle.direct(small) if p != q}, small.graph
    assert not any((q, p) in direct for p, q in direct)
    steps = set(zip(graph.sources.tolist(), graph.actions.tolist(), graph.targets.tolist()))
    assert not any((s, a, above) in steps for s, a, target in steps for p, above in direct if p == target)


def test_graphs() -> None:
    """Delay unites no less than direct simulation."""
    sizes = [[check_graph(seed, by, states=6) for by in FAIR] for seed in SEEDS]
    assert sum(direct[1] < direct[0] for direct, _ in sizes) > 12
    assert all(delay[1] <= direct[1] for direct, delay in sizes)
    assert sum(delay[1] < direct[1] for direct, delay in sizes) > 5


@pytest.mark.nightly
@pytest.mark.parametrize("by", FAIR)
def test_graphs_campaign(by: str) -> None:
    for seed in CAMPAIGN:
        check_graph(seed, by, states=8)


@pytest.mark.parametrize("by", FAIR)
def test_other_graphs_are_rejected(by: str) -> None:
    """Without what lies in a fairness set, or with more in it, a structure is another one."""
    rejected = 0
    for seed in SEEDS:
        fair = random_fair_graph(Random(seed), sets=1)
        small = smaller(fair, Run(), by=by).fair
        other = FairGraph(small.graph, (~small.fairness[0],))
        if not all(oracle_related(one, two, by) for one, two in ((fair, other), (other, fair))):
            rejected += 1
            with pytest.raises(EvidenceRejected):
                confirm_fair_reduction(fair, other, by)
    assert rejected > 10


def oracle_related(first: FairGraph, second: FairGraph, by: str) -> bool:
    relation = oracle.GAMES[by](fair_side_by_side(first, second))
    start, others = first.graph.states, second.graph.initial.tolist()
    return all(any((p, start + q) in relation for q in others) for p in first.graph.initial.tolist())


def test_labels_that_are_acceptance() -> None:
    """A graph with the label `accepting` is the fair graph that it was."""
    for seed in SEEDS:
        fair = random_fair_graph(Random(seed), sets=1)
        fair = FairGraph(replace(fair.graph, labels=np.zeros_like(fair.graph.labels), label_names=("",)), fair.fairness)
        again = as_fair(as_labelled(fair))
        assert again.fairness[0].tolist() == fair.fairness[0].tolist()
        assert set(again.graph.label_names) == {""}


# Models


def reduced(machine: Machine, claims: list[Property], by: str, carrier: str = "bdd") -> FairReduction[Any]:
    run = Run()
    observation = observe(machine, observable_parts(claims, machine))
    spaces = spaces_for(observation.machine, BuildOptions(carrier=carrier), run)
    reduction = reduce_machine(machine, observation, spaces, run, relation=by)
    assert isinstance(reduction, FairReduction)
    return reduction


def check_machine(machine: Machine, claims: list[Property], by: str, carrier: str) -> tuple[set[str], int, int]:
    """Verdicts about the structure as it is read back from its SMV text; what it does not decide stays behind. Which verdicts, on
    how many formulas, and how many classes there are less than by bisimulation."""
    reduction = reduced(machine, claims, by, carrier)
    assert are_confirmed(reduction, Run(), Confirm.ALWAYS)
    moved = [reduction.carried(claim) for claim in claims]
    pairs = [(claim, other) for claim, other in zip(claims, moved) if other is not None]
    small = read(Source("quotient.smv", write(replace(reduction.machine, properties=tuple(p for _, p in pairs)))))
    assert len(small.justice) == len(machine.justice)
    expected = answers(machine, [claim for claim, _ in pairs])
    for (claim, _), one, other in zip(pairs, expected, answers(small, list(small.properties)), strict=True):
        assert one.verdict.word == other.verdict.word, (write(machine), claim.formula)
    return {one.verdict.word for one in expected}, len(pairs), len(reduction.inner.partition) - len(reduction.partition)


FORMULAS = (
    "G F p", "F G p", "G (p -> X p)", "p U !p", "!(G F p & G F !p)", "AG (p -> AF !p)", "AF AG p", "A [p U A [!p U p]]",
    "AG (p | AX p)", "EG p", "E [p U E [!p U p]]", "EF EG !p", "!(EX p) | AX p", "p | TRUE", "AG EF p", "AF EG p",
)  # fmt: skip


def structure(seed: int) -> Machine:
    """A random fair graph as a model of which a boolean is seen."""
    random = Random(seed)
    fair = random_fair_graph(random, states=8, total=random.random() < 0.9)
    graph, every = fair.graph, range(fair.graph.states)
    after = [graph.targets[graph.sources == state].tolist() for state in every]

    def members(states: list[int]) -> str:
        return f"s in {{{', '.join(map(str, states))}}}" if states else "FALSE"

    stuck = members([state for state in every if not after[state]])
    lines = [f"s = {state} : {{{', '.join(map(str, after[state]))}}};" for state in every if after[state]]
    text = f"MODULE main VAR s : 0..{max(1, graph.states - 1)}; INIT {members(graph.initial.tolist())} TRANS !({stuck})\n"
    text += f"ASSIGN next(s) := case {' '.join(lines)} TRUE : s; esac;\n"
    text += f"DEFINE p := {members([state for state in every if random.random() < 0.7])};\n"
    text += "".join(f"JUSTICE {members(np.flatnonzero(one).tolist())};\n" for one in fair.fairness)
    return read(Source("structure.smv", text))


def check_structure(seed: int, by: str) -> tuple[set[str], int, int]:
    machine = structure(seed)
    return check_machine(machine, [parse_formula(text, machine) for text in FORMULAS], by, ("bdd", "explicit")[seed % 2])


@pytest.mark.parametrize("by", FAIR)
def test_verdicts_about_structures(by: str) -> None:
    words, pairs, fewer = zip(*(check_structure(seed, by) for seed in range(MACHINES)))
    assert set().union(*words) == {"holds", "fails"}
    assert sum(pairs) > 8 * MACHINES
    assert sum(number > 0 for number in fewer) > MACHINES // 8


def test_verdicts_about_models() -> None:
    """With inputs in their states, dead ends, and all kinds of formulas, of which one at a time is observed."""
    fewer = 0
    for seed in range(MACHINES):
        machine = replace(seeded_fair_machine(seed), compassion=())
        fewer += check_machine(machine, claims_about(machine, seed)[:1], "delay", ("explicit", "bdd")[seed % 2])[2] > 0
    assert fewer > 5


@pytest.mark.nightly
def test_verdicts_campaign() -> None:
    for seed in CAMPAIGN:
        check_structure(seed, "delay")
        machine = replace(seeded_fair_machine(seed), compassion=())
        check_machine(machine, claims_about(machine, seed)[:1], "delay", ("explicit", "bdd")[seed % 2])


@pytest.mark.parametrize("by", FAIR)
def test_counterexamples_are_lifted_and_replayed(by: str) -> None:
    assert lifted_counterexamples(range(MACHINES // 2), by) > MACHINES // 4


def check_lifted(seed: int, by: str) -> int:
    """What is decided on the structure of a random fair graph, and how many counterexamples came back from it; formulas that
    are not preserved are refused."""
    machine = structure(seed)
    claims = [parse_formula(text, machine) for text in FORMULAS]
    lifted = 0
    for claim, one, other in zip(claims, answers(machine, claims), answers(machine, claims, reduce=by), strict=True):
        if isinstance(other.verdict, Unknown):
            assert "does not preserve" in other.verdict.because, (seed, other.verdict.because)
            continue
        assert one.verdict.word == other.verdict.word, (seed, claim.formula)
        assert other.confirmed, (seed, claim.formula)
        if isinstance(other.verdict, Fails):
            on_a_path = claim.kind is PropertyKind.LTL or deterministic_as_ltl(claim.formula) is not None
            assert (other.verdict.trace is not None) == on_a_path, (seed, claim.formula)
            lifted += on_a_path
    return lifted


@pytest.mark.parametrize("by", FAIR)
def test_lassos_of_structures_are_lifted(by: str) -> None:
    assert sum(check_lifted(seed, by) for seed in range(MACHINES // 3)) > MACHINES // 3


@pytest.mark.nightly
def test_lifted_campaign() -> None:
    assert sum(check_lifted(seed, FAIR[seed % 2]) for seed in CAMPAIGN) > len(CAMPAIGN)
    assert lifted_counterexamples(CAMPAIGN, "delay") > len(CAMPAIGN) // 2


def test_formulas_of_ctl_that_a_path_refutes() -> None:
    """They say the same as formulas of LTL; no others do that are recognised."""
    machines = [structure(seed) for seed in range(12)]
    for text, linear in (
        ("AG p", "G p"), ("AG (p -> AF !p)", "G (p -> F !p)"), ("A [p U !p]", "p U !p"), ("AX (AG p & AF p)", "X (G p & F p)"),
        ("p | AX p", "p | X p"), ("AF AG p", None), ("AG EF p", None), ("!(AG p)", None), ("AG p -> AF p", None),
        ("AX p | AG p", None), ("EF p", None),
    ):  # fmt: skip
        formula = deterministic_as_ltl(parse_formula(text, machines[0]).formula)
        assert (None if formula is None else show(formula)) == linear
        for machine in machines if linear else ():
            claims = [parse_formula(one, machine) for one in (text, linear or "")]
            assert len({answer.verdict.word for answer in answers(machine, claims)}) == 1, (text, write(machine))


def test_compassion_is_no_fairness_set() -> None:
    text = "MODULE main VAR x : boolean; COMPASSION (x, !x) LTLSPEC G F x"
    machine = read(Source("x.smv", text))
    with pytest.raises(Unsupported, match="COMPASSION"):
        reduced(machine, list(machine.properties), "delay")


def test_too_many_pairs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pairs by a game, which several fairness sets need, or states by a matrix of bits."""
    monkeypatch.setattr("coarsest.lts.simulation.fair_quotients_bustan.MOST_PAIRS", 7)
    members = np.array([True, False])
    graph = Graph.from_edges(2, [0, 1], [0, 0], [1, 0])
    with pytest.raises(Unsupported, match="2 states have too many"):
        smaller(FairGraph(graph, (members, ~members)), Run(), by="delay")
    assert smaller(FairGraph(graph, (members,)), Run(), by="delay").fair.graph.states == 1
    monkeypatch.setattr("coarsest.lts.simulation.fair_quotients_bustan.MOST_STATES", 1)
    with pytest.raises(Unsupported, match="more than 1 states"):
        smaller(FairGraph(graph, (members,)), Run(), by="delay")
    assert smaller(FairGraph(graph, (members,)), Run(), by="direct").fair.graph.states == 2
