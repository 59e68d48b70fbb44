"""`!F p` and `!EF p`, which ask for a plan, are searched like an invariant; their evidence is judged as they are written."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

import coarsest
from coarsest.api.checking import answers_of, checker_of
from coarsest.check.decide.classify import stated_plainly
from coarsest.evidence.sat.certificate_check import invariant_behind
from coarsest.evidence.verdict import Unknown
from coarsest.logic.expr import Apply
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Property
from coarsest.render.text.text import answer_to_text
from coarsest.run import Limits, Run
from command_lines import Runner
from oracles.brute_force import BruteForce
from random_expressions import Expressions
from random_machines import seeded_machine

MODEL = """MODULE main
VAR x : 0..9; turn : {a, b};
ASSIGN init(x) := 0; next(x) := case turn = a & x < 5 : x + 1; TRUE : x; esac;
"""


def test_a_plan_is_a_path_that_ends_where_it_is_reached() -> None:
    model = coarsest.loads(MODEL + "LTLSPEC NAME plan := !F (x = 4)\nCTLSPEC NAME tree := !EF (x = 4)\nLTLSPEC !F x = 7")
    answers = list(model.check())
    assert [answer.verdict.word for answer in answers] == ["fails", "fails", "holds"]
    assert [len(answer.verdict.trace) for answer in answers[:2]] == [5, 5]
    assert all(answer.verdict.trace.loop is None for answer in answers[:2])
    assert [answer.formula for answer in answers] == ["!(F x = 4)", "!(EF x = 4)", "!(F x = 7)"]
    assert model.check("!F x = 4", engine="backward").holds is False  # an engine for invariants, which has an effect


@pytest.mark.parametrize(
    "more", ["JUSTICE turn = a\nLTLSPEC !F x = 4", "LTLSPEC !F G x = 3", "LTLSPEC F x = 4", "CTLSPEC !EF EG x = 3"]
)
def test_others_are_left_as_they_are(more: str) -> None:
    machine = coarsest.loads(MODEL + more).machine
    claim = machine.properties[0]
    assert stated_plainly(claim, machine) is claim


def test_certificates_and_traces_speak_of_the_formula_as_it_was_written(run: Runner) -> None:
    Path("m.smv").write_text(MODEL + "LTLSPEC !F x = 7\nCTLSPEC NAME tree := !EF x = 8\nLTLSPEC NAME plan := !F x = 4\n")
    assert run("check", "m.smv", "--certificate", "c.json").code == 1
    assert run("confirm", "m.smv", "c.json").code == 0
    assert [one["formula"] for one in json.loads(Path("c.json").read_text())["certificates"]] == ["!(F x = 7)", "!(EF x = 8)"]
    run("check", "m.smv", "--property", "plan", "--trace", "json", "-o", "t.json")
    assert run("confirm", "m.smv", "t.json").code == 0
    trace = json.loads(Path("t.json").read_text())
    trace["states"].pop()
    Path("t.json").write_text(json.dumps(trace))
    assert run("confirm", "m.smv", "t.json").code == 1


def test_the_judge_reads_them_by_itself() -> None:
    machine = coarsest.loads(MODEL + "LTLSPEC !F x = 7\nCTLSPEC !EF x = 7\nLTLSPEC !F G x = 7\nCTLSPEC !AF x = 7").machine
    conditions = [invariant_behind(machine, claim) for claim in machine.properties]
    assert [condition is not None for condition in conditions] == [True, True, False, False]
    assert conditions[0] == Apply("not", (machine.properties[0].formula.args[0].args[0],))  # type: ignore[union-attr]


@pytest.mark.parametrize("block", range(4))
def test_random_plans_are_as_long_as_brute_force_says(block: int) -> None:
    verdicts = set()
    for seed in range(block * 10, (block + 1) * 10):
        machine = seeded_machine(7000 + seed)
        goal = Expressions(Random(seed), {v.name: v.type for v in machine.state_variables}).boolean(3)
        shortest = BruteForce(machine).shortest_counterexample(Apply("not", (goal,)))
        for kind, op in ((PropertyKind.LTL, "F"), (PropertyKind.CTL, "EF")):
            claim = Property(kind, Apply("not", (Apply(op, (goal,)),)))
            if stated_plainly(claim, machine) is claim:
                continue  # fairness
            (answer,) = answers_of(checker_of(machine, Run(), {}), [claim])
            verdicts.add(answer.verdict.word)
            assert (answer.verdict.word == "holds") == (shortest is None)
            assert shortest is None or len(answer.verdict.trace) == shortest  # type: ignore[union-attr, arg-type]
            assert answer.confirmed
    assert verdicts == {"holds", "fails"}


@pytest.mark.parametrize(
    ("options", "advice"),
    [
        ({}, "--engine first-of, or --reduce bisimulation"),
        ({"engine": "bmc"}, "no --engine: several are tried then"),
        ({"reduce": "bisimulation"}, "--engine first-of, or no --reduce"),
    ],
)
def test_what_is_unknown_ends_with_what_to_try_next(options: dict[str, str], advice: str) -> None:
    model = coarsest.loads("MODULE main VAR x : 0..7; ASSIGN init(x) := 0; next(x) := x < 7 ? x + 1 : 0; INVARSPEC x <= 7")
    (answer,) = model.check(run=Run(Limits(steps=1)), **options).answers
    assert isinstance(answer.verdict, Unknown) and answer.verdict.advice == advice
    assert answer_to_text(answer).splitlines()[-1].strip() == f"to try next: {advice}"
