"""Certificates of properties that are false: each was once taken for a proof.

In most of them a condition about the step chosen for a state was true of every state, because none could be chosen at all.
"""

from __future__ import annotations

import pytest

import coarsest
from coarsest.errors import CoarsestError, EvidenceRejected
from coarsest.evidence.certificate import (
    Certificate,
    EveryPath,
    Inevitable,
    PathLayer,
    Possible,
    Proof,
    Removal,
    StepChoice,
    Stuck,
)
from coarsest.evidence.decision_diagrams import Bit, DecisionDiagrams
from coarsest.evidence.effort import NotConfirmed
from coarsest.evidence.sat.certificate_check import confirm_certificate
from coarsest.evidence.verdict import Fails
from coarsest.run import Run

FROZEN = """MODULE main FROZENVAR f : boolean; VAR x : boolean;
    ASSIGN init(x) := FALSE; next(x) := case f : TRUE; TRUE : {FALSE, TRUE}; esac;"""

CODES = """MODULE main IVAR p : 0..2; VAR x : 0..2; y : boolean; z : 0..2; w : 0..2;
    ASSIGN init(y) := FALSE; next(y) := FALSE; next(x) := p; next(w) := next(z);"""

STUCK_CODES = """MODULE main IVAR p : 0..2; VAR x : 0..2; y : boolean;
    ASSIGN next(x) := p; init(y) := FALSE; next(y) := TRUE; TRANS p = 2 & x = 1 & next(x) = 0;"""

STUCK = "MODULE main VAR x : boolean; IVAR i : boolean; ASSIGN init(x) := FALSE; TRANS FALSE"

EVERYWHERE = 1
ONES = StepChoice(((0, 1), (1, 1)))


def certificate(
    variables: str, *proofs: Proof, bits: tuple[Bit, ...] = (), inputs: str = "", stuck: Stuck | None = None
) -> Certificate:
    """Its invariant has all states."""
    graphs = DecisionDiagrams(bits, [])
    return Certificate(graphs, tuple(variables), tuple(inputs), EVERYWHERE, stuck=stuck, proofs=proofs)


def step(choice: StepChoice) -> Possible:
    """From every state the step chosen leads to where it should."""
    return Possible(EVERYWHERE, EVERYWHERE, (PathLayer(EVERYWHERE, choice),))


def refusal(text: str, formula: str, wrong: Certificate) -> CoarsestError:
    """What is said against a certificate of a property that is false."""
    model = coarsest.loads(text)
    claim = model.formula(formula)
    with pytest.raises((EvidenceRejected, NotConfirmed)) as refused:
        confirm_certificate(model.machine, claim, wrong, run=Run())
    return refused.value


def test_what_is_frozen_cannot_be_chosen() -> None:
    """Its bits after the step are those of now: to choose them would be to choose the state."""
    choice = StepChoice(((0, 0), (1, 0)))
    wrong = certificate("fx", step(choice), bits=(Bit("f", 0, after=True), Bit("x", 0, after=True)))
    assert "chooses bit 0 where it must not" in str(refusal(FROZEN, "EX !x", wrong))


def test_an_input_that_is_no_value_cannot_be_chosen() -> None:
    """The equation next(x) := p has no solution then."""
    wrong = certificate("pxy", step(ONES), bits=(Bit("p", 0), Bit("p", 1)))
    assert "represent no value" in str(refusal(CODES, "EX y", wrong))


def test_a_next_value_that_is_none_cannot_be_chosen() -> None:
    """The equation next(w) := next(z) has no solution then."""
    wrong = certificate("zwy", step(ONES), bits=(Bit("z", 0, after=True), Bit("z", 1, after=True)))
    assert "represent no value" in str(refusal(CODES, "EX y", wrong))


@pytest.mark.parametrize("inputs", ["", "p"])
@pytest.mark.parametrize("formula, proof", [
    ("AX y", EveryPath(EVERYWHERE, EVERYWHERE)),
    ("X y", Inevitable(EVERYWHERE, EVERYWHERE, (Removal(EVERYWHERE, "leave"),))),
])  # fmt: skip
def test_a_state_without_step_is_found_out(formula: str, proof: Proof, inputs: str) -> None:
    """A step is chosen for it with an input that is no value."""
    nowhere = Stuck(0, EVERYWHERE, ONES)
    wrong = certificate("pxy", proof, bits=(Bit("p", 0), Bit("p", 1)), inputs=inputs, stuck=nowhere)
    assert "represent no value" in str(refusal(STUCK_CODES, formula, wrong))


@pytest.mark.parametrize("inputs", ["", "i"])
@pytest.mark.parametrize("formula", ["G i", "AG i"])
def test_where_there_is_no_step_inputs_have_values_all_the_same(formula: str, inputs: str) -> None:
    """The path that stays in a state may have any inputs: an invariant about steps says nothing of them."""
    assert isinstance(coarsest.loads(STUCK).check(formula)[0].verdict, Fails)
    refusal(STUCK, formula, certificate("xi", inputs=inputs))


def test_where_there_is_no_step_the_next_state_is_this_one() -> None:
    refusal(STUCK, "G next(x)", certificate("x"))


@pytest.mark.parametrize("number", [10**9, -1])
def test_graphs_that_there_are_not(number: int) -> None:
    """Also where it is looked at first whether they depend on inputs."""
    proof = EveryPath(number, EVERYWHERE)
    wrong = certificate("xi", proof, inputs="i", stuck=Stuck(1, 1, StepChoice()))
    assert "has no node" in str(refusal(STUCK, "AG (i | TRUE)", wrong))
    assert "has no node" in str(refusal(STUCK, "AG i", certificate("xi", inputs="i", stuck=Stuck(number, 1, StepChoice()))))
