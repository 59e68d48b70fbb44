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
from coarsest.api.results import Reduced
from coarsest.errors import EvidenceRejected, LimitExceeded, Unsupported
from coarsest.evidence.replay.replay import confirm_trace
from coarsest.evidence.smt.formula_invariant import FormulaInvariant, confirm_formula_invariant
from coarsest.evidence.verdict import Fails, Holds, Unknown
from coarsest.run import Limits, Run
from command_lines import wait_for_progress

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
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
    assert certificate.confirm(Run())
    (source, action, target), *others = partition.edges
    wrong = [
        replace(partition, edges=tuple(others)),
        replace(partition, edges=tuple(sorted([*others, (source, action, (target + 2) % 6)]))),
        replace(partition, initial=(1,)),
        replace(partition, classes=[*partition.classes[:-1], partition.classes[0]]),
    ]
    for spoilt in wrong:
        with pytest.raises(EvidenceRejected):
            replace(certificate, partition=spoilt).confirm(Run())


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
