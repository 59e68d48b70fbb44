"""Programs with integers and reals that have no bounds: their quotients, their invariants, and where it does not end."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from msgspec.structs import replace

import coarsest
from coarsest.api.reductions import Reduced
from coarsest.check.certify.confirm_classes import confirm_classes
from coarsest.errors import EvidenceRejected, LimitExceeded, Unsupported
from coarsest.evidence.effort import NotConfirmed
from coarsest.evidence.proof import FormulaInvariant
from coarsest.evidence.replay.replay import confirm_trace
from coarsest.evidence.smt.classes import confirm_classes_by_solver
from coarsest.evidence.smt.invariant import confirm_formula_invariant
from coarsest.evidence.verdict import Fails, Holds, Unknown
from coarsest.logic.expr import FALSE, TRUE
from coarsest.reduce.partition.certificate import StableFormulas
from coarsest.run import Limits, Run
from command_lines import wait_for_progress

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
COMMAND = [sys.executable, "-m", "coarsest"]

QUOTIENTS = {  # what is observed, classes, and steps between them
    "watchdog": (("barks",), 6, 12),
    "lamp": (("lamp",), 7, 18),
    "bakery": (("a.state", "b.state"), 9, 18),
}


def load(name: str) -> coarsest.Model:
    return coarsest.load(EXAMPLES / f"{name}.smv")


def reduced(name: str, algorithm: str = "auto") -> Reduced:
    return load(name).reduce(observe=QUOTIENTS[name][0], algorithm=algorithm)


@pytest.mark.parametrize("name", QUOTIENTS)
def test_infinitely_many_states_in_few_classes(name: str) -> None:
    found = reduced(name)
    assert (found.states, found.transitions) == QUOTIENTS[name][1:]
    assert found.confirmed
    assert found.classes is not None and len(found.classes) == found.states
    space = found.reduction.observed.space
    assert max(space.cost(states)["atoms"] for states in found.reduction.partition.classes) <= 6
    finite = found.model  # the quotient is an ordinary model, and as small as can be
    assert finite.reach().states == found.states
    assert finite.reduce(observe=[next(iter(finite.machine.definitions))], count=False).states <= found.states


@pytest.mark.parametrize("name", ["watchdog", "lamp"])
def test_the_algorithms_agree(name: str) -> None:
    one, other = reduced(name), reduced(name, "lee-yannakakis")
    assert (one.states, one.transitions) == (other.states, other.transitions)
    space, elsewhere = one.reduction.observed.space, other.reduction.observed.space
    for states in one.reduction.partition.classes:  # each has a state that is in exactly one class of the other
        state = elsewhere.state(space.describe(space.pick(states)))  # type: ignore[attr-defined]
        assert sum(1 for theirs in other.reduction.partition.classes if state <= theirs) == 1


def test_the_classes_of_the_watchdog() -> None:
    assert reduced("watchdog").classes == ("ticks <= 0", "ticks = 1", "ticks = 2", "ticks = 3", "ticks = 4", "ticks >= 5")


def test_labelled_steps() -> None:
    found = load("lamp").reduce(observe=["lamp"], actions=["event"])
    assert (found.states, found.transitions, found.confirmed) == (7, 20, True)
    with pytest.raises(Unsupported, match="infinitely many actions"):
        load("lamp").reduce(observe=["lamp"], actions=["delay"])
    with pytest.raises(Unsupported, match="works on BDDs"):
        load("lamp").reduce(observe=["lamp"], algorithm="signatures")


def test_a_wrong_quotient_is_not_confirmed() -> None:
    reduction = reduced("watchdog").reduction
    certificate, partition = reduction.certificate, reduction.partition
    confirm_classes(certificate, Run())
    (source, action, target), *others = partition.edges
    wrong = [
        replace(partition, edges=tuple(others)),
        replace(partition, edges=tuple(sorted([*others, (source, action, (target + 2) % 6)]))),
        replace(partition, initial=(1,)),
        replace(partition, classes=[*partition.classes[:-1], partition.classes[0]]),
    ]
    for spoilt in wrong:
        with pytest.raises(EvidenceRejected):
            confirm_classes(replace(certificate, partition=spoilt), Run())


def test_wrong_claims_about_formulas_are_rejected() -> None:
    """Whatever is changed in what the solver is told about classes: labels, actions, formulas, bounds."""
    reduced_lamp = load("lamp").reduce(observe=["lamp"], actions=["event"]).reduction
    claim, quotient = reduced_lamp.certificate, reduced_lamp.certificate.claim
    assert isinstance(claim, StableFormulas)
    machine, classes, bounds = claim.observation.machine, claim.classes, claim.bounds
    confirm_classes_by_solver(machine, quotient, classes, bounds, Run())
    ((label, looks),) = quotient.labels.items()
    swapped = {label: (looks[1], looks[0], *looks[2:])} if looks[0] != looks[1] else {label: (looks[2], *looks[1:])}
    last = len(quotient.actions) - 1
    fewer = tuple(edge for edge in quotient.edges if edge[1] != last)
    wrong = [
        (replace(quotient, labels=swapped), classes, bounds, "look like"),
        (replace(quotient, actions=quotient.actions[:-1], edges=fewer), classes, bounds, "action that the quotient"),
        (quotient, [*classes[1:], classes[0]], bounds, "initial class"),
        (quotient, [TRUE, *classes[1:]], bounds, "does not look like"),
        (quotient, classes[:-1], bounds, "classes, but the quotient"),
        (quotient, classes, FALSE, "out of bounds"),
    ]
    for spoilt, formulas, kept, problem in wrong:
        with pytest.raises(EvidenceRejected, match=problem):
            confirm_classes_by_solver(machine, spoilt, formulas, kept, Run())


# Properties


@pytest.mark.parametrize(
    ("name", "formula", "verdict"),
    [
        ("watchdog", "ticks >= 0", "holds"),
        ("watchdog", "AG EF !barks", "holds"),
        ("watchdog", "G (barks -> X (ticks = 0 | barks))", "holds"),
        ("watchdog", "EF (ticks = 3 & EX ticks = 0)", "holds"),
        ("watchdog", "AF barks", "fails"),
        ("watchdog", "next(ticks) <= ticks + 1", "holds"),
        ("lamp", "lamp = bright -> on <= 10", "holds"),
        ("lamp", "lit -> pressed <= on", "holds"),
        ("lamp", "AG (lamp = bright -> EF lamp = off)", "holds"),
        ("lamp", "EF (lamp = dim & on > 9.5 & EX lamp = bright)", "fails"),
        ("bakery", "!(a.state = served & b.state = served)", "holds"),
        ("backlog", "backlog >= 0", "holds"),
    ],
)
def test_verdicts(name: str, formula: str, verdict: str) -> None:
    (answer,) = load(name).check(formula).answers
    assert answer.verdict.word == verdict
    assert answer.confirmed


@pytest.mark.parametrize(
    ("name", "formula", "states"),
    [("watchdog", "!barks", 6), ("lamp", "on < 9.25", 2), ("bakery", "n < 4", 9), ("backlog", "backlog != 3", 4)],
)
@pytest.mark.parametrize("engine", ["auto", "backward"])
def test_shortest_counterexamples(name: str, formula: str, states: int, engine: str) -> None:
    model = load(name)
    (answer,) = model.check(formula, engine=engine).answers
    assert isinstance(answer.verdict, Fails) and answer.confirmed
    trace = answer.verdict.trace
    assert trace is not None and len(trace) == states
    confirm_trace(model.machine, trace, violates=model.formula(formula).formula)
    broken = [dict(state) for state in trace.states]
    broken[-1] |= {key: value + 1 for key, value in broken[-1].items() if isinstance(value, int | Fraction)}
    with pytest.raises(EvidenceRejected):
        confirm_trace(model.machine, replace(trace, states=tuple(broken)), violates=None)


@pytest.mark.parametrize("engine", ["forward", "backward", "bfh", "lee-yannakakis"])
def test_engines_for_invariants(engine: str) -> None:
    model = coarsest.loads("""
        MODULE main VAR n : integer; up : boolean;
        ASSIGN init(n) := 0; next(n) := case n >= 3 : 0; up : n + 1; TRUE : n; esac;
        INVARSPEC n <= 3
        INVARSPEC n <= 2
    """)
    holds, fails = model.check(engine=engine).answers
    assert isinstance(holds.verdict, Holds) and holds.confirmed
    assert isinstance(fails.verdict, Fails) and fails.confirmed and fails.verdict.trace is not None
    assert len(fails.verdict.trace) == 4


def test_an_invariant_that_is_not_one_is_rejected() -> None:
    model = load("watchdog")
    good = model.formula("ticks >= 0").formula
    for text, problem in [("ticks >= 1", "initial"), ("ticks >= 0 & ticks < 9", "successor"), ("TRUE", "violates")]:
        certificate = FormulaInvariant(model.formula(text).formula)
        with pytest.raises(EvidenceRejected, match=problem):
            confirm_formula_invariant(model.machine, certificate, good, Run())


def test_an_invariant_of_expressions_without_value_is_rejected() -> None:
    model = coarsest.loads("MODULE main VAR n : integer; d : 0..1; ASSIGN init(n) := 0; next(n) := n / d;")
    with pytest.raises(EvidenceRejected, match="no value"):
        confirm_formula_invariant(model.machine, FormulaInvariant(TRUE), TRUE, Run())
    outside = coarsest.loads("MODULE main VAR n : integer; d : 0..1; ASSIGN init(n) := 0; next(d) := n;")
    with pytest.raises(EvidenceRejected, match="none of its type"):
        confirm_formula_invariant(outside.machine, FormulaInvariant(TRUE), TRUE, Run())


def test_what_the_judge_cannot_tell_is_not_confirmed() -> None:
    model = coarsest.loads("MODULE main VAR n : integer; m : integer; ASSIGN init(n) := 0; next(n) := n * m;")
    with pytest.raises(NotConfirmed, match="product of two variables"):
        confirm_formula_invariant(model.machine, FormulaInvariant(TRUE), TRUE, Run())


def test_a_lasso_that_never_closes_is_said_to() -> None:
    (answer,) = load("watchdog").check("G F !barks").answers
    assert answer.verdict.word == "fails" and not answer.confirmed
    assert "does not come back" in answer.doubt
    (closing,) = load("watchdog").check("F barks").answers
    assert isinstance(closing.verdict, Fails) and closing.confirmed
    assert closing.verdict.trace is not None and closing.verdict.trace.loop == 0


# What does not end


def test_an_infinite_quotient_ends_at_a_limit() -> None:
    with pytest.raises(LimitExceeded):
        load("backlog").reduce(observe=["busy"], run=Run(Limits(seconds=2)))
    (answer,) = load("backlog").check("AG EF !busy", run=Run(Limits(seconds=2))).answers
    assert isinstance(answer.verdict, Unknown)
    (answer,) = load("watchdog").check("ticks != 1000000", run=Run(Limits(steps=20))).answers
    assert isinstance(answer.verdict, Unknown)


def test_the_command_line_ends_at_a_limit() -> None:
    command = [*COMMAND, "reduce", str(EXAMPLES / "backlog.smv"), "--observe", "busy", "--timeout", "3", "--json"]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert result.returncode == 3
    found = json.loads(result.stdout)
    assert found["states"]["after"] is None and "time limit" in found["reason"]


def test_interrupt_while_the_solver_is_busy() -> None:
    command = [*COMMAND, "reduce", str(EXAMPLES / "backlog.smv"), "--observe", "busy", "-v"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as busy:
        try:
            wait_for_progress(busy, "step")
            busy.send_signal(signal.SIGINT)
            _, err = busy.communicate(timeout=600)
        finally:
            busy.kill()
    assert busy.returncode == 130
    assert "Traceback" not in err


def test_json_has_exact_numbers() -> None:
    command = [*COMMAND, "check", str(EXAMPLES / "lamp.smv"), "on <= 2.5 | lamp != dim", "--json"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 1
    last = json.loads(result.stdout)["properties"][0]["trace"]["states"][-1]
    assert Fraction(last["on"]) > Fraction("2.5")
