"""Every engine of the table decides what it does not object to as the definition does; engines can be added from outside."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NoReturn

import pytest

import coarsest
from coarsest import tuning
from coarsest.check import strategy
from coarsest.check.composed import beside
from coarsest.errors import InputError, Unsupported
from coarsest.evidence.verdict import Fails, Holds, Unknown
from coarsest.logic.expr import Apply, Expr
from coarsest.logic.show import show
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Machine, Property
from coarsest.options.engines import BRANCHING, ENGINE_WORDS, INVARIANTS, LINEAR, ON_BITS, QUANTITIES, Entry, engines, registered
from coarsest.run import Limits, Run
from oracles.brute_force import BruteForce
from oracles.temporal import Temporal
from random_expressions import Expressions
from random_machines import random_scheduled_machine, seeded_machine
from temporal_laws import ask, cases, conditions, ctl_formulas, ltl_formulas

COUNTER = "MODULE main VAR n : 0..7; ASSIGN init(n) := 0; next(n) := n < 5 ? n + 1 : n; "
TOY = Entry("toy", INVARIANTS, "toy_engine", "looks at states one by one")
STEPS = 40


@pytest.mark.parametrize("entry", [e for e in engines() if e.decides == INVARIANTS], ids=lambda e: e.name)
def test_engines_of_invariants_agree_with_the_definition(entry: Entry) -> None:
    verdicts = set()
    for seed in range(25):
        machine = seeded_machine(5000 + seed) if seed % 2 else random_scheduled_machine(Random(seed), processes=2)
        oracle, model = BruteForce(machine), coarsest.Model(machine)
        expressions = Expressions(Random(seed), {v.name: v.type for v in machine.state_variables})
        for good in [expressions.boolean(3) for _ in range(2)]:
            expected = oracle.shortest_counterexample(good) is None
            claim = Property(PropertyKind.INVARIANT, good)
            (answer,) = model.check(claim, engine=entry.name, run=Run(Limits(steps=STEPS))).answers
            verdicts.add(answer.verdict.word)
            match answer.verdict:
                case Holds():
                    assert expected, (seed, entry.name)
                    assert answer.confirmed, (seed, entry.name, answer.doubt)
                case Fails(trace):
                    assert not expected, (seed, entry.name)
                    assert trace is not None
                    assert answer.confirmed
                case Unknown():
                    assert entry.name in ("bmc", "k-induction", "both-ends")
    assert verdicts >= ({"fails"} if entry.name == "bmc" else {"holds", "fails"})


def test_a_search_that_is_left_for_a_question_agrees_with_the_definition(monkeypatch: pytest.MonkeyPatch) -> None:
    """Is the condition itself inductive? Asked at once here; a search that was left goes on where it was."""
    monkeypatch.setattr("coarsest.tuning.STEPS_OF_A_SHORT_SEARCH", 1)
    ways = set()
    for seed in range(40):
        machine = seeded_machine(5000 + seed) if seed % 2 else random_scheduled_machine(Random(seed), processes=2)
        oracle, model = BruteForce(machine), coarsest.Model(machine)
        expressions = Expressions(Random(seed), {v.name: v.type for v in machine.state_variables})
        for good in [expressions.boolean(3) for _ in range(2)]:
            (answer,) = model.check(Property(PropertyKind.INVARIANT, good)).answers
            expected = oracle.shortest_counterexample(good)
            assert (answer.verdict.word, answer.confirmed) == ("holds" if expected is None else "fails", True), seed
            if isinstance(answer.verdict, Fails):
                assert answer.verdict.trace is not None
                assert len(answer.verdict.trace) == expected
            ways.add((answer.verdict.word, "inductive" in answer.statistics))
    assert ways == {("holds", True), ("holds", False), ("fails", False)}


def test_what_is_inductive_is_not_searched_for() -> None:
    steps = "MODULE main VAR x : 0..1000000; ASSIGN init(x) := 0; next(x) := x < 900000 ? x + 1 : 0;"
    for good in ("x <= 1000000", "x <= 900000"):
        (answer,) = coarsest.loads(steps).check(good).answers
        assert answer.verdict.word == "holds" and answer.confirmed
        assert answer.statistics["inductive"] == "the condition itself"
        assert answer.statistics["rings"] == tuning.STEPS_OF_A_SHORT_SEARCH - 1


def test_an_engine_that_proves_by_paths_that_end() -> None:
    model = coarsest.loads("MODULE main VAR x : 0..3; INIT x = 0; TRANS next(x) = x + 1;")
    (answer,) = model.check(Property(PropertyKind.INVARIANT, model.formula("x <= 3").formula), engine="bmc").answers
    assert isinstance(answer.verdict, Holds)
    assert answer.confirmed
    assert answer.verdict.shown_by == "no path has 4 steps, and no shorter path violates it"


def test_an_engine_added_from_outside() -> None:
    model = coarsest.loads(COUNTER)
    with pytest.raises(InputError, match="unknown engine 'toy'"):
        model.check("n < 4", engine="toy")
    with registered(TOY):
        assert "toy" in ENGINE_WORDS
        (answer,) = model.check("n < 4", engine="toy").answers
        assert isinstance(answer.verdict, Fails)
        assert answer.confirmed
        assert answer.statistics["traces"] == 5
        (answer,) = model.check("n < 6", engine="toy").answers
        assert isinstance(answer.verdict, Unknown) and answer.verdict.because == "this engine proves nothing"
        wide = coarsest.loads("MODULE main VAR " + "".join(f"x{i} : boolean; " for i in range(12)))
        with pytest.raises(InputError, match="cannot decide this: it only looks at models with fewer than ten variables"):
            wide.check(" & ".join(f"x{i}" for i in range(12)), engine="toy")
    assert "toy" not in ENGINE_WORDS


@pytest.mark.parametrize("word", ["bmc", "k-induction", "ic3"])
def test_engines_on_bits_object_to_what_has_no_bounds(word: str) -> None:
    model = coarsest.loads("MODULE main VAR n : integer; ASSIGN init(n) := 0; next(n) := n + 1;")
    with pytest.raises((InputError, Unsupported), match=r"variables without bounds|unbounded"):
        model.check("n < 4", engine=word)


def test_an_engine_of_paths_is_refused_for_invariants_alone() -> None:
    for entry in engines():
        if entry.decides == LINEAR and entry.name not in ON_BITS:
            with pytest.raises(InputError, match="cannot decide invariants; it decides"):
                coarsest.loads(COUNTER).check("n < 4", engine=entry.name)


def test_the_first_of_several() -> None:
    model = coarsest.loads(COUNTER + "INVARSPEC n < 6; INVARSPEC n < 5; LTLSPEC F G n = 5; CTLSPEC EF n = 5; LTLSPEC G n < 3;")
    report = model.check(engine="first-of")
    assert [answer.verdict.word for answer in report.answers] == ["holds", "fails", "holds", "holds", "fails"]
    assert all(answer.confirmed for answer in report.answers)
    assert report.answers[0].statistics["engine"] in strategy.FIRST_OF_INVARIANTS
    assert report.answers[2].statistics["engine"] in ("partitioned", "ic3", "bmc", "smc")
    assert "engine" not in report.answers[3].statistics


def test_properties_side_by_side_are_decided_as_one_after_the_other() -> None:
    """With warnings, evidence, certificates and what it cost; answers come in the order of the properties."""
    text = COUNTER + "INVARSPEC n < 6; INVARSPEC n < 5; LTLSPEC F G n = 5; CTLSPEC EF n = 5; LTLSPEC G n < 3;"
    model = coarsest.loads(text)
    alone = model.check(certificates=True)
    for jobs in (2, 3, 9):
        heard: list[str] = []
        report = model.check(certificates=True, jobs=jobs, on_answer=lambda answer: heard.append(answer.formula))
        assert [a.verdict for a in report.answers] == [a.verdict for a in alone.answers]
        assert heard == [a.formula for a in alone.answers]
        assert report.warnings == alone.warnings
        assert report.statistics["peak_nodes"] > 0


def test_a_limit_counts_for_all_processes() -> None:
    model = coarsest.loads(COUNTER + "INVARSPEC n < 6; LTLSPEC F G n = 5;")
    report = model.check(jobs=2, run=Run(Limits(steps=0)))
    assert [answer.verdict.word for answer in report.answers] == ["unknown", "unknown"]


def test_no_order_is_saved_of_several_processes(tmp_path: Path) -> None:
    model = coarsest.loads(COUNTER + "INVARSPEC n < 6; LTLSPEC F G n = 5;")
    with pytest.raises(InputError, match="--save-order belongs to --jobs 1, and --jobs is 2 here"):
        model.check(jobs=2, save_order=str(tmp_path / "order"))
    assert list(tmp_path.iterdir()) == []
    assert model.check("n < 3", deadlock="ignore", jobs=2).answers  # and one property is decided here


def test_what_is_refused_is_refused_side_by_side() -> None:
    model = coarsest.loads("MODULE main VAR n : integer; ASSIGN init(n) := 0; next(n) := n + 1;")
    with pytest.raises((InputError, Unsupported), match=r"variables without bounds|unbounded"):
        model.check("n < 4", "n < 5", engine="ic3", jobs=2)


def test_wide_models_with_shallow_violations_need_no_diagrams() -> None:
    """Neither a product of 40 bits nor a permutation has small diagrams, but the violation is two steps away."""
    variables = "".join(f"x{i} : 0..1023; " for i in range(20))
    assignments = "".join(f"init(x{i}) := {i}; next(x{i}) := (x{i} * x{(i * 7 + 3) % 20} + {i}) mod 1024; " for i in range(20))
    model = coarsest.loads(f"MODULE main VAR {variables} ASSIGN {assignments}")
    (answer,) = model.check(" & ".join(f"x{i} != {(i * ((i * 7 + 3) % 20) + i) % 1024}" for i in range(3, 20))).answers
    assert isinstance(answer.verdict, Fails)
    assert answer.confirmed
    assert "bound" in answer.statistics


@pytest.mark.parametrize(
    "entry",
    # What need not come to an end has laws of its own, within limits (test_paths_on_bits).
    [e for e in engines() if e.decides in (LINEAR, BRANCHING, QUANTITIES) and e.name not in ("bmc", "k-induction")],
    ids=lambda e: e.name,
)
def test_engines_of_formulas_agree_with_the_definition(entry: Entry) -> None:
    """Whatever engine is named: a claim that it does not object to, and that is not for others, is decided as it is meant."""
    decided = set()
    for seed, machine, oracle in cases(range(9000, 9025)):
        rng = Random(seed)
        for kind, formula, expected in claims(rng, machine, oracle):
            try:
                _, (answer,) = ask(machine, kind, [formula], engine=entry.name, vacuity=False)
            except InputError as refusal:
                assert "cannot decide this" in str(refusal)
                continue
            value = answer.statistics["value"] if kind is PropertyKind.COMPUTE else answer.verdict.word
            assert value == expected, (seed, show(formula))
            decided.add(kind)
    assert decided >= {PropertyKind.LTL, PropertyKind.COMPUTE}


def claims(rng: Random, machine: Machine, oracle: Temporal) -> Iterator[tuple[PropertyKind, Expr, object]]:
    """A claim of each kind, and what is true of it by definition."""
    words = {True: "holds", False: "fails"}
    (ctl,), (ltl,) = ctl_formulas(rng, machine, 1), ltl_formulas(rng, machine, 1)
    yield PropertyKind.CTL, ctl, words[oracle.holds_branching(ctl)]
    yield PropertyKind.LTL, ltl, words[oracle.holds_linear(ltl)]
    star = Apply("E", (ltl,))
    yield PropertyKind.CTL_STAR, star, words[oracle.holds_branching(star)]
    draw = conditions(rng, machine, inputs=0.0)
    start, goal = draw(), draw()
    fewest = oracle.fewest_steps(start, goal)
    yield PropertyKind.COMPUTE, Apply("MIN", (start, goal)), "undefined" if fewest is None else fewest


def test_products_of_wide_words_are_looked_at_on_bits_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """They have no small diagrams; the violation is one step away, and whoever builds a diagram is told so."""

    def refuse(*_: object) -> NoReturn:
        raise AssertionError("diagrams were asked for")

    monkeypatch.setattr(beside, "with_companion", refuse)
    words = "".join(f"{name} : unsigned word[32]; " for name in "abc")
    steps = "init(a) := 0ud32_7; init(b) := 0ud32_9; init(c) := 0ud32_1; next(a) := a * b + c; next(b) := b + a * c;"
    (answer,) = coarsest.loads(f"MODULE main VAR {words} ASSIGN {steps}").check("a != 0ud32_64").answers
    assert (answer.verdict.word, answer.confirmed, answer.statistics["engine"]) == ("fails", True, "bmc")
