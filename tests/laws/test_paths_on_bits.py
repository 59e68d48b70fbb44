"""Linear formulas by SAT: verdicts as the definition says, lassos that replay, certificates that are confirmed, and no others."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

import coarsest
from campaigns import blocks
from coarsest.check.certify.certificate_diagrams import DiagramWriter
from coarsest.check.certify.certify_ltl import fair_path_certificate
from coarsest.check.engines.on_bits.ic3_of_paths import ByRounds
from coarsest.check.products.violating_paths import violating_paths
from coarsest.check.questions.finding import Proved, Refuted
from coarsest.check.questions.question import Linear
from coarsest.check.setting.session import CheckOptions, Session
from coarsest.errors import EvidenceRejected, InputError
from coarsest.evidence import proof as proofs
from coarsest.evidence.certificate import CountedRounds, NoReturn
from coarsest.evidence.sat.certificate_check import confirm_certificate
from coarsest.evidence.verdict import Fails, Holds, Unknown
from coarsest.formats.aiger.read import to_machine
from coarsest.logic.expr import TRUE, Apply, Expr
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Property, ltl
from coarsest.options.engines import LINEAR, Entry, engines
from coarsest.options.methods import BuildOptions
from coarsest.run import Limits, Run
from random_circuits import random_circuit
from temporal_laws import cases, conditions, is_violating_lasso, ltl_formulas

MACHINES, CIRCUITS = 12, 25
STEPS = 60


def formulas(rng: Random, machine: coarsest.Model) -> list[Expr]:
    """Any of LTL, and what is true again and again, or from some time on."""
    draw = conditions(rng, machine.machine, inputs=0.3)
    often = [Apply("G", (Apply("F", (draw(),)),)), Apply("F", (Apply("G", (draw(),)),))]
    both = Apply("implies", tuple(often))
    return [*ltl_formulas(rng, machine.machine, 2, inputs=0.3), *often, both, Apply("not", (both,))]


@pytest.mark.parametrize("block", blocks(20, by_day=2))
def test_ic3_decides_linear_formulas_as_the_definition(block: int) -> None:
    words, kinds = set(), set()
    for seed, machine, oracle in cases(range(block * MACHINES, (block + 1) * MACHINES)):
        if machine.may_be_stuck:
            continue
        model = coarsest.Model(machine)
        for claim in formulas(Random(seed), model):
            (answer,) = model.check(Property(PropertyKind.LTL, claim), engine="ic3").answers
            assert answer.verdict.word == ("holds" if oracle.holds_linear(claim) else "fails"), (seed, claim)
            assert answer.confirmed, (seed, claim, answer.doubt)
            words.add(answer.verdict.word)
            if isinstance(answer.verdict, Holds) and answer.verdict.certificate is not None:
                kinds.update(type(proof) for proof in answer.verdict.certificate.proofs)
    assert words == {"holds", "fails"}
    assert kinds & {CountedRounds, NoReturn}


@pytest.mark.parametrize("block", blocks(40, by_day=2))
def test_justice_of_circuits_as_a_search_through_all_states(block: int) -> None:
    """With constraints, too: a path that cannot go on counts for nothing."""
    words = set()
    for seed in range(block * CIRCUITS, (block + 1) * CIRCUITS):
        model = coarsest.Model(to_machine(random_circuit(seed, gates=14), "random"))
        claims = [claim for claim in model.properties if claim.kind is PropertyKind.LTL]
        for claim, answer in zip(claims, model.check(*claims, engine="ic3").answers if claims else (), strict=True):
            (expected,) = model.check(claim, carrier="explicit").answers
            assert (answer.verdict.word, answer.confirmed) == (expected.verdict.word, True), (seed, claim, answer.doubt)
            words.add(answer.verdict.word)
    assert words == {"holds", "fails"}


@pytest.mark.parametrize("block", blocks(20, by_day=2))
def test_bounded_search_finds_lassos(block: int) -> None:
    """Also where paths may end: those that it finds go on for ever."""
    words = set()
    for seed, machine, oracle in cases(range(5000 + block * MACHINES, 5000 + (block + 1) * MACHINES)):
        model = coarsest.Model(machine)
        for claim in formulas(Random(seed), model):
            named = Property(PropertyKind.LTL, claim)
            (answer,) = model.check(named, engine="bmc", cone=False, run=Run(Limits(steps=STEPS))).answers
            words.add(answer.verdict.word)
            match answer.verdict:
                case Fails(trace):
                    assert not oracle.holds_linear(claim), (seed, claim)
                    assert answer.confirmed
                    assert trace is not None
                    assert trace.loop is None or is_violating_lasso(oracle, trace, claim)
                case Holds():
                    assert oracle.holds_linear(claim), (seed, claim)
                case Unknown():
                    assert oracle.holds_linear(claim) or machine.may_be_stuck, (seed, claim)
    assert {"fails", "unknown"} <= words


@pytest.mark.parametrize("block", blocks(20, by_day=2))
def test_induction_decides_linear_formulas_as_the_definition(block: int) -> None:
    """Where it does; a proof is confirmed by clauses, and a lasso by replay."""
    words = set()
    for seed, machine, oracle in cases(range(7000 + block * MACHINES, 7000 + (block + 1) * MACHINES)):
        if machine.may_be_stuck:
            continue
        model = coarsest.Model(machine)
        for claim in formulas(Random(seed), model):
            named = Property(PropertyKind.LTL, claim)
            (answer,) = model.check(named, engine="k-induction", run=Run(Limits(steps=STEPS))).answers
            words.add(answer.verdict.word)
            expected = "holds" if oracle.holds_linear(claim) else "fails"
            assert answer.verdict.word in (expected, "unknown"), (seed, claim)
            assert answer.confirmed or isinstance(answer.verdict, Unknown), (seed, claim, answer.doubt)
    assert {"holds", "fails"} <= words


@pytest.mark.parametrize("entry", [e for e in engines() if e.decides == LINEAR], ids=lambda e: e.name)
def test_what_cannot_be_violated_holds_where_paths_may_end(entry: Entry) -> None:
    """Engines and judges watch such formulas in different ways, and either may see where a path ends where the other does not."""
    decided = 0
    for seed, machine, oracle in cases(range(40)):
        if not machine.may_be_stuck:
            continue
        model, draw = coarsest.Model(machine), conditions(Random(seed), machine, inputs=0.3)
        for claim in never_violated(draw(), draw()):
            assert oracle.holds_linear(claim)
            try:
                named, run = Property(PropertyKind.LTL, claim), Run(Limits(steps=STEPS))
                (answer,) = model.check(named, engine=entry.name, run=run).answers
            except InputError as refusal:
                assert entry.name == "ic3" and "may have states without successor" in str(refusal)
                continue
            if not isinstance(answer.verdict, Unknown):
                assert isinstance(answer.verdict, Holds) and answer.confirmed, (seed, claim, answer.doubt)
                decided += 1
    assert decided > 10


def never_violated(p: Expr, q: Expr) -> list[Expr]:
    always, until = Apply("or", (p, Apply("not", (p,)))), Apply("U", (p, q))
    return [Apply("F", (always,)), Apply("X", (TRUE,)), Apply("or", (until, Apply("not", (until,))))]


def test_equal_variables_say_nothing_of_where_paths_end() -> None:
    """Merged, the machine has a step everywhere; a judge does not know which variables are equal."""
    words = "".join(f"a{i} : boolean; b{i} : boolean; " for i in range(20))
    steps = "".join(f"init({x}{i}) := FALSE; next({x}{i}) := !{x}{i}; " for i in range(20) for x in "ab")
    model = coarsest.loads(f"MODULE main VAR {words} ASSIGN {steps} TRANS a0 | !b0;")
    claim = " & ".join(f"(a{i} = b{i})" for i in range(20))
    for engine in ("ic3", "k-induction"):
        (answer,) = model.check(f"F G ({claim})", engine=engine, run=Run(Limits(steps=STEPS))).answers
        assert (answer.verdict.word, answer.confirmed) == ("holds", True)


def test_rounds_alone_prove_what_holds() -> None:
    """Where a path meets a condition at most so often, it is counted; nothing that fails is proved."""
    words = set()
    for seed, machine, oracle in cases(range(300, 330)):
        if machine.may_be_stuck:
            continue
        draw = conditions(Random(seed), machine, inputs=0.0)
        for claim in [Apply("F", (Apply("G", (draw(),)),)) for _ in range(2)]:
            session = Session(machine, BuildOptions(), CheckOptions(), Run())
            setting = session.setting([claim])
            product = violating_paths(setting.machine, Linear((claim,), lambda: pytest.fail("nothing stands beside"), claim))
            search = ByRounds(product, Run())
            finding = search.go_on()
            search.close()
            assert isinstance(finding, Proved) == oracle.holds_linear(claim), (seed, claim)
            words.add(type(finding))
            if isinstance(finding, Proved):
                assert isinstance(finding.proof, proofs.ClauseRounds)
                certificate = fair_path_certificate(setting, claim, finding.proof, DiagramWriter(), Run())
                confirm_certificate(machine, ltl(claim), certificate, run=Run())
                with pytest.raises(EvidenceRejected):
                    one_less = replace(certificate, proofs=(CountedRounds(finding.proof.most - 1),))
                    confirm_certificate(machine, ltl(claim), one_less, run=Run())
    assert words == {Proved, Refuted}


def test_forged_rounds_and_clauses_are_rejected() -> None:
    """A certificate with another number of rounds, or a clause less, is believed only where that is a proof, too."""
    outcomes = set()
    for seed, machine, oracle in cases(range(700, 760)):
        if machine.may_be_stuck:
            continue
        model = coarsest.Model(machine)
        for claim in formulas(Random(seed), model)[2:]:
            (answer,) = model.check(Property(PropertyKind.LTL, claim), engine="ic3", certificates=True).answers
            if not isinstance(answer.verdict, Holds) or answer.verdict.certificate is None:
                continue
            honest = answer.verdict.certificate
            (proof,) = honest.proofs
            others = [CountedRounds(0)]
            if isinstance(proof, CountedRounds):
                others = [CountedRounds(proof.most - 1), CountedRounds(proof.most + 1), NoReturn()]
            forged = [replace(honest, proofs=(other,)) for other in others]
            forged += [replace(honest, parts=honest.parts[1:]), replace(honest, parts=()), replace(honest, proofs=())]
            for certificate in forged:
                try:
                    confirm_certificate(machine, ltl(claim), certificate, run=Run())
                except EvidenceRejected:
                    outcomes.add("rejected")
                else:
                    outcomes.add("accepted")
            for false in (Apply("not", (claim,)), Apply("and", (claim, Apply("not", (claim,))))):
                if oracle.holds_linear(false):
                    continue
                with pytest.raises(EvidenceRejected):
                    confirm_certificate(machine, ltl(false), honest, run=Run())
    assert "rejected" in outcomes
