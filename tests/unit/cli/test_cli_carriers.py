"""`--carrier`: what sets of states are, in every command that has them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import coarsest
from coarsest.errors import InputError, Unsupported
from coarsest.evidence.verdict import Fails, Holds, Unknown
from coarsest.run import Limits, Run
from coarsest.space.explicit import enumerate as listing

MODEL = """
MODULE main
IVAR go : boolean;
VAR n : 0..7; stays : boolean;
ASSIGN init(n) := 0; next(n) := go ? (n + 1) mod 8 : n; next(stays) := stays;
FAIRNESS go
INVARSPEC n < 8
INVARSPEC n < 5
INVARSPEC n = 3 & go -> next(n) = 4
CTLSPEC AG EF n = 0
CTLSPEC AF n = 9 mod 8
CTLSPEC EG n = 0
LTLSPEC G F n = 0
LTLSPEC F G n = 0
LTLSPEC G (go -> X n > 0)
PSLSPEC always {n = 1} |=> {n = 1[*]; n = 2}
COMPUTE MIN [n = 0, n = 5]
"""

CTL_STAR = "A (F G n = 0 | E (G F n = 1))"
GRAPHS = """
GRAPH holds VERTEX a INITIAL ANT n = 0 & go VERTEX b FINAL CONS n = 1 EDGE a -> b
GRAPH fails VERTEX a INITIAL ANT n = 0 VERTEX b FINAL CONS n = 1 EDGE a -> b
GRAPH fair VERTEX a INITIAL CONS n < 7 EDGE a -> a FAIR {a}
"""
COUNTER = "MODULE main VAR n : integer; ASSIGN init(n) := 0; next(n) := {0, n < 9 ? n + 3 : n}; INVARSPEC n <= 9 SPEC AG EF n = 0"


def verdicts(report: coarsest.Report) -> list[tuple[str, bool, Any]]:
    return [(a.verdict.word, a.confirmed, a.statistics.get("value")) for a in report.answers]


@pytest.mark.parametrize("reduce", ["none", "bisimulation"])
def test_every_kind_of_claim_on_listed_states(reduce: str) -> None:
    model = coarsest.loads(MODEL)
    claims = [*model.properties, model.formula(CTL_STAR)]
    by_bdds, listed = (model.check(*claims, carrier=carrier, reduce=reduce) for carrier in ("bdd", "explicit"))
    assert verdicts(by_bdds) == verdicts(listed)
    assert {answer.verdict.word for answer in listed} == {"holds", "fails"}
    assert by_bdds.warnings == listed.warnings


@pytest.mark.parametrize("carrier", ["explicit", "smt"])
def test_assertion_graphs(carrier: str) -> None:
    model = coarsest.loads(MODEL)
    report = model.gste(GRAPHS, carrier=carrier)
    assert [answer.verdict.word for answer in report] == ["holds", "fails", "fails"]
    assert all(answer.confirmed for answer in report)


@pytest.mark.parametrize("carrier", ["explicit", "smt"])
def test_reachable_states(carrier: str) -> None:
    found = coarsest.loads(MODEL).reach(carrier=carrier)
    assert (found.states, found.diameter, found.nodes) == (16, 8, None)
    assert found.transitions == (32 if carrier == "explicit" else None)


@pytest.mark.parametrize("algorithm", ["auto", "bfh", "lee-yannakakis", "paige-tarjan", "list-then-refine", "relation"])
def test_reduced(algorithm: str) -> None:
    model = coarsest.loads(MODEL.replace("FAIRNESS go", ""))
    sizes = [
        (small.states_before, small.transitions_before, small.states, small.transitions, small.confirmed)
        for small in (
            model.reduce(observe=["n mod 4 = 0"], actions=["go"], carrier=carrier, algorithm=algorithm)
            for carrier in ("bdd", "explicit")
        )
    ]
    assert sizes[0] == sizes[1]
    assert sizes[0][-1]


def test_an_algorithm_of_bdds() -> None:
    with pytest.raises(Unsupported, match="the algorithm 'signatures' works on BDDs, not on listed states"):
        coarsest.loads(MODEL).reduce(algorithm="signatures", observe=["n = 0"], carrier="explicit")


def test_certificates_whatever_the_carrier() -> None:
    """Above the number of states that are looked at one by one, too."""
    text = "MODULE main VAR m : 0..70; n : 0..70; ASSIGN init(m) := 0; init(n) := 0; next(m) := {m, (m + 1) mod 71};"
    text += " next(n) := {n, (n + 1) mod 71}; INVARSPEC m + n < 141; SPEC AG EF n = 0; LTLSPEC G n < 71 | F m = 1"
    model = coarsest.loads(text)
    for answer in model.check(carrier="explicit", certificates=True):
        assert isinstance(answer.verdict, Holds)
        assert answer.confirmed
        assert answer.verdict.certificate is not None


def test_without_bounds_but_with_few_states() -> None:
    report = coarsest.loads(COUNTER).check(carrier="explicit")
    assert verdicts(report) == [("holds", True, None)] * 2
    for answer in coarsest.loads(COUNTER).check(carrier="explicit", certificates=True):
        assert isinstance(answer.verdict, Holds)
        assert answer.verdict.certificate is None
        assert answer.confirmed


def test_too_many_states(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "MOST_STATES", 600)
    """Where they are listed one by one, since arrays cannot hold numbers without bounds."""
    text = "MODULE main VAR n : integer; ASSIGN init(n) := 0; next(n) := n < 1999 ? n + 1 : n; SPEC AG EF n = 9; INVARSPEC n >= 0"
    model = coarsest.loads(text)
    for answer in model.check(carrier="explicit"):
        assert isinstance(answer.verdict, Unknown)
        assert answer.verdict.because.startswith("there are more than 600 states, too many to be listed")
        assert "--carrier bdd" in answer.verdict.because
    found = model.reach(carrier="explicit")
    assert (found.complete, found.states) == (False, 1001)


def test_limits_while_states_are_listed() -> None:
    text = "MODULE main VAR n : 0..9999; ASSIGN init(n) := 0; next(n) := n < 9999 ? n + 1 : n; SPEC AG EF n = 9999"
    (answer,) = coarsest.loads(text).check(carrier="explicit", run=Run(Limits(steps=3)))
    assert isinstance(answer.verdict, Unknown)
    assert "enumerate" in answer.verdict.because


def _check(**options: Any) -> Any:
    return coarsest.loads(MODEL).check("n < 8", "G F n = 0", **options)


def _reach(**options: Any) -> Any:
    return coarsest.loads(MODEL).reach(**options)


def _reduce(**options: Any) -> Any:
    return coarsest.loads(MODEL).reduce(observe=["n = 0"], **options)


def _gste(**options: Any) -> Any:
    return coarsest.loads(MODEL).gste(GRAPHS, **options)


@pytest.mark.parametrize("task", [_check, _reach, _reduce, _gste])
@pytest.mark.parametrize(
    "option", [{"relation": "monolithic"}, {"order": "force"}, {"reorder": False}, {"threads": 2}, {"bdd": "cudd"}]
)
def test_options_of_bdds_are_refused(task: Callable[..., Any], option: dict[str, Any]) -> None:
    flag = "--no-reorder" if "reorder" in option else f"--{next(iter(option))}"
    with pytest.raises(InputError, match=f"{flag} belongs to --carrier bdd, and --carrier is explicit here") as refusal:
        task(carrier="explicit", **option)
    assert refusal.value.diagnostic.hint == f"leave out {flag}, or choose --carrier bdd"


@pytest.mark.parametrize("task", [_check, _reach, _reduce, _gste])
def test_limits_and_orders_of_bdds_are_refused(task: Callable[..., Any], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--nodes belongs to --carrier bdd"):
        task(carrier="explicit", run=Run(Limits(nodes=1000)))
    with pytest.raises(InputError, match="--save-order belongs to --carrier bdd"):
        task(carrier="explicit", save_order=str(tmp_path / "order"))


@pytest.mark.parametrize(
    ("task", "options", "reason"),
    [
        (_check, {"search": "chaining"}, "--search chaining belongs to --carrier bdd"),
        (_reach, {"search": "chaining"}, "--search chaining belongs to --carrier bdd"),
        (_check, {"ltl": "tableau"}, "variables of a tableau are beside those of the model in BDDs alone"),
        (_check, {"engine": "smc"}, "variables of an automaton are beside those of the model in BDDs alone"),
        (_gste, {"abstraction": "ternary"}, "--carrier belongs to --abstraction none"),
    ],
)
def test_what_listed_states_do_not_have_is_refused(task: Callable[..., Any], options: dict[str, Any], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        task(carrier="explicit", **options)


def test_an_engine_without_sets() -> None:
    model = coarsest.loads(MODEL)
    with pytest.raises(InputError, match="--carrier belongs to engines with sets of states, and bmc decides here"):
        model.check(model.properties[0], engine="bmc", carrier="explicit")


def test_traces_with_inputs() -> None:
    """The inputs of each step are found by the interpreter."""
    (answer,) = coarsest.loads(MODEL).check("n < 3", carrier="explicit")
    assert isinstance(answer.verdict, Fails)
    assert answer.verdict.trace is not None
    assert [step["go"] for step in answer.verdict.trace.inputs] == [True] * 3
