"""Explanations of temporal verdicts as text, JSON and HTML."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from msgspec.structs import replace

import coarsest
from coarsest.check.decide.branching import why_no_proof
from coarsest.evidence.confirmation import UNASKED, Enumerated, Unconfirmed
from coarsest.evidence.explanation import Explanation
from coarsest.evidence.reading import Reading, TruthRow
from coarsest.evidence.verdict import Answer, Fails, Holds
from coarsest.logic.parse import parse_expression
from coarsest.model.trace import Trace
from coarsest.render.data.json import answer_to_object, object_to_text
from coarsest.render.page.html import answers_to_html
from coarsest.render.text.explanation_text import MOST_LINES
from coarsest.render.text.text import DetailLevel, answer_to_text
from coarsest.render.text.truth_text import truths_to_lines

TRAIN = coarsest.loads("""
MODULE main
VAR at : {depot, platform, tunnel, wreck}; bell : boolean; unrelated : 0..3;
ASSIGN
  init(at) := depot;
  next(at) := case at = depot : platform; at = platform : {platform, tunnel}; at = tunnel : {depot, wreck}; TRUE : wreck; esac;
  init(bell) := FALSE;
  next(bell) := at = platform;
  init(unrelated) := 0;
""")
LAMP = coarsest.loads("""
MODULE main
VAR step : 0..3; lit : boolean;
ASSIGN
  init(step) := 0; next(step) := step < 3 ? step + 1 : 3;
  init(lit) := FALSE; next(lit) := step = 1;
""")
FAIR = coarsest.loads("MODULE main VAR x : boolean; ASSIGN init(x) := FALSE; JUSTICE x;")


def shown(formula: str, look: DetailLevel | None = None, model: coarsest.Model = TRAIN) -> list[str]:
    return answer_to_text(model.check(formula)[0], look or DetailLevel()).split("\n")


def test_ltl_counterexample() -> None:
    assert shown("G (lit -> F step = 1)", model=LAMP) == [
        "fails    G (lit -> F step = 1)",
        "    counterexample of 4 states (confirmed by replay)",
        "    because lit is true at state 2, and step = 1 is false from there on",
        "    0 | step = 0   lit = FALSE",
        "    1 | step = 1",
        "    2 | step = 2   lit = TRUE",
        "    -- the loop starts here",
        "    3 | step = 3   lit = FALSE",
        "    -- back to state 3",
        "    state                  0  1  2  3*",
        "    lit                    ·  ·  ●  ·",
        "    step = 1               ·  ●  ·  ·",
        "    F step = 1             ●  ●  ·  ·",
        "    lit -> F step = 1      ●  ●  ·  ●",
        "    G (lit -> F step = 1)  ·  ·  ·  ●",
    ]


def test_ctl_counterexample_along_one_path() -> None:
    assert shown("AG (lit -> AF step = 1)", model=LAMP) == [
        "fails    AG (lit -> AF step = 1)",
        "    counterexample of 4 states (confirmed by replay)",
        "    because after 2 steps, lit -> AF step = 1 is false",
        "    0 | step = 0   lit = FALSE",
        "    1 | step = 1",
        "    2 | step = 2   lit = TRUE",
        "    -- the loop starts here",
        "    3 | step = 3   lit = FALSE",
        "    -- back to state 3",
        "    at state 2: lit is true and AF step = 1 is false",
        "      at state 2: AF step = 1 is false, because on this path step = 1 is always false",
        "    state                    0  1  2  3*",
        "    lit                      ·  ·  ●  ·",
        "    step = 1                 ·  ●  ·  ·",
        "    AF step = 1                    ·  ·",
        "    lit -> AF step = 1             ·",
        "    AG (lit -> AF step = 1)  ·  ·  ·",
    ]


def test_claims_that_branch_off_have_paths_of_their_own() -> None:
    lines = shown("EG EF at = wreck")
    assert re.fullmatch("    witness of [0-9] states .confirmed by replay.", lines[1])
    place = lines.index("    at state 0: EF at = wreck is true, because after 3 steps, at = wreck is true")
    assert lines[place + 1 : place + 5] == [
        "      a0 | state 0",
        "      a1 | at = platform",
        "      a2 | at = tunnel",
        "      a3 | at = wreck",
    ]
    assert lines[place + 5].startswith("    likewise at state")


def test_everything_is_unfolded_on_request() -> None:
    lines = shown("EG EF at = wreck", DetailLevel(trace="full"))
    assert any("at state 1: EF at = wreck is true" in line for line in lines)
    assert not any("likewise" in line for line in lines)
    assert any(line.startswith("      b0 | at = ") for line in lines)


def test_a_witness() -> None:
    assert shown("EF at = wreck")[1:3] == [
        "    witness of 4 states (confirmed by replay)",
        "    because after 3 steps, at = wreck is true",
    ]


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        ("AG EF at = wreck", "on every path FROM, EF at = wreck is always true"),
        ("AF at = platform", "every path FROM leads to a state where at = platform is true"),
        ("AX at = platform", "every step FROM leads to a state where at = platform is true"),
        ("A [at = depot U at = platform]", "on every path FROM, at = depot is true until at = platform is"),
        ("ABF 0..2 at = platform", "every path FROM leads to a state where at = platform is true between step 0 and step 2"),
        ("ABG 1..1 at = platform", "on every path FROM, at = platform is true between step 1 and step 1, throughout"),
        ("EX at = wreck", "no step FROM leads to a state where at = wreck is true"),
        ("EF (bell & at = platform & !bell)", "no path FROM leads to a state where bell & at = platform & !bell is true"),
        ("EG at = depot", "on every path FROM, at = depot is false at some time"),
        ("E [at = depot U at = wreck]", "on no path FROM is at = depot true until at = wreck is"),
        ("EBF 0..2 at = wreck", "no path FROM leads to a state where at = wreck is true between step 0 and step 2"),
        ("EBG 1..2 at = depot", "on every path FROM, at = depot is false between step 1 and step 2, at some time"),
        ("E [at = depot BU 0..1 at = wreck]", "on no path FROM is at = depot true until at = wreck is between step 0 and step 1"),
    ],
)  # fmt: skip
def test_claims_about_all_paths_are_said_in_words(formula: str, words: str) -> None:
    lines = shown(formula, DetailLevel(width=200))
    origin = "from an initial state" if lines[0].startswith("holds") else "from this initial state"
    assert lines[1].startswith(f"    {words.replace('FROM', origin)} (")
    assert not any("of 1 state" in line for line in lines)


def test_paths_are_fair_where_the_model_says_so() -> None:
    text = answer_to_text(FAIR.check("AF x")[0])
    assert "every fair path from an initial state leads to a state where x is true" in text
    assert "fair" not in answer_to_text(FAIR.check("AX (x | !x)")[0])


def test_variables_without_influence_are_left_out_unless_all_are_wanted() -> None:
    invariant = TRAIN.check("at != wreck")[0]
    assert "unrelated" not in answer_to_text(invariant)
    assert "-- 2 more variables (--trace full)" in answer_to_text(invariant)
    assert "unrelated = 0" in answer_to_text(invariant, DetailLevel(trace="full"))


def test_of_many_variables_only_those_that_tell_something() -> None:
    names = [f"v{n}" for n in range(30)]
    same = " & ".join(f"next({name}) = {name}" for name in names)
    wide = coarsest.loads(
        f"MODULE main VAR n : 0..3; {' '.join(f'{name} : boolean;' for name in names)} "
        f"INIT n = 0 & {' & '.join(names)} TRANS next(n) = (n + 1) mod 4 & {same}"
    )
    text = answer_to_text(wide.check("v7 -> n < 2")[0])
    assert "0 | n = 0   v7 = TRUE" in text
    assert "-- 29 more variables (--trace full)" in text


def test_quiet_and_documents_show_no_paths() -> None:
    answer = LAMP.check("G (lit -> F step = 1)")[0]
    assert answer_to_text(answer, DetailLevel(quiet=True)).count("\n") == 0
    assert " | " not in answer_to_text(answer, DetailLevel(trace="vcd"))
    assert "because lit is true" in answer_to_text(answer, DetailLevel(trace="vcd"))


def test_marks_without_unicode() -> None:
    assert "    lit                    .  .  T  ." in shown("G (lit -> F step = 1)", DetailLevel(unicode=False), LAMP)


def nested(depth: int) -> Explanation:
    """A different path at every level."""
    formula = parse_expression("EX " * depth + "p") if depth else parse_expression("p")
    trace = Trace(tuple({"x": depth * 10 + i} for i in range(3)))
    parts = ((1, nested(depth - 1)), (2, nested(depth - 1))) if depth else ()
    return Explanation(formula, True, "of this path", trace, parts)


def test_a_large_explanation_is_cut_and_says_so() -> None:
    whole = nested(9)
    answer = Answer("", "ctl", "big", Fails(whole.longest(), whole, confirmation=UNASKED))
    lines = answer_to_text(answer).split("\n")
    assert len(lines) < MOST_LINES + 30
    assert any("--trace full shows all" in line for line in lines)
    full = answer_to_text(answer, DetailLevel(trace="full")).split("\n")
    assert len(full) > 500
    assert not any("--trace full" in line for line in full)


def test_the_same_claim_for_another_reason_is_shown() -> None:
    state = Trace(({"x": 0},))
    claim = parse_expression("x = 1 & EF x = 2")
    reasons = ("x = 1 is false", "x = 1 is false", "EF x = 2 is false")
    whole = Explanation(
        parse_expression("A [x = 0 U (x = 1 & EF x = 2)]"),
        False,
        "after 2 steps, both are false",
        Trace(({"x": 0},) * 3),
        tuple((at, Explanation(claim, False, because, state)) for at, because in enumerate(reasons)),
    )
    lines = answer_to_text(Answer("", "ctl", "f", Fails(whole.longest(), whole, confirmation=UNASKED))).split("\n")
    assert lines[-3:] == ["    at state 0: x = 1 is false", "    likewise at state 1", "    at state 2: EF x = 2 is false"]


def test_a_wide_table_goes_on_below() -> None:
    rows = tuple(TruthRow(name, tuple((n + i) % 2 == 0 for n in range(40))) for i, name in enumerate("pqr"))
    trace = Trace(tuple({"x": n} for n in range(40)), loop=0)
    answer = Answer("", "ltl", "f", Fails(trace, confirmation=UNASKED), reading=Reading(truths=rows, relevant=frozenset("x")))
    lines = answer_to_text(answer, DetailLevel(width=60)).split("\n")
    assert sum(line.startswith("    state ") for line in lines) == 4
    assert all(line == line.rstrip() and len(line) <= 60 for line in lines)


def test_states_without_a_difference_share_a_column() -> None:
    rows = [TruthRow(name, (True, True, False, False, False)) for name in "pqr"]
    assert next(truths_to_lines(rows, loop=3, width=80, marks="T.")).split() == ["state", "0-1", "2", "3*-4"]
    assert list(truths_to_lines(rows[:2], loop=3, width=80)) == []
    assert list(truths_to_lines([TruthRow(name, (True, True)) for name in "pqr"], loop=0, width=80)) == []


def test_long_lines_are_folded() -> None:
    assert max(map(len, shown("AG (lit -> AF step = 1)", DetailLevel(width=50), LAMP))) <= 50


def test_json_of_an_explanation() -> None:
    found = _object("AG (lit -> AF step = 1)", LAMP)
    explanation = found["explanation"]
    assert list(explanation) == ["formula", "holds", "because", "complete", "trace", "parts"]
    assert explanation["formula"] == "AG (lit -> AF step = 1)"
    assert explanation["holds"] is False
    (implication,) = explanation["parts"]
    assert (implication["at"], implication["formula"]) == (2, "lit -> AF step = 1")
    assert [(part["at"], part["formula"], part["holds"]) for part in implication["parts"]] == [
        (0, "lit", True),
        (0, "AF step = 1", False),
    ]
    assert implication["parts"][1]["trace"]["loop"] == 1
    assert len(found["trace"]["states"]) == 4
    assert {"formula": "lit", "values": [False, False, True, False]} in found["truths"]
    assert {"formula": "AF step = 1", "values": [None, None, False, False]} in found["truths"]


def test_json_of_a_linear_counterexample_and_of_a_witness() -> None:
    lasso = _object("F at = wreck")
    assert lasso["explanation"]["because"] == "at = wreck is never true"
    assert lasso["explanation"]["parts"] == []
    witness = _object("EF at = wreck")
    assert witness["verdict"] == "holds"
    assert witness["trace"]["states"][-1]["at"] == "wreck"
    universal = _object("AG EF at = wreck")
    assert universal["trace"] is None
    assert universal["explanation"]["complete"] is False
    assert universal["explanation"]["because"] == "on every path from here, EF at = wreck is always true"


def _object(formula: str, model: coarsest.Model = TRAIN) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(object_to_text(answer_to_object(model.check(formula)[0])))
    return found


def test_html() -> None:
    page = answers_to_html([*LAMP.check("AG (lit -> AF step = 1)"), *TRAIN.check("EG EF at = wreck", "AG EF at = wreck")])
    assert "because after 2 steps, lit -&gt; AF step = 1 is false" in page
    assert "<ul><li>at state 2: <code>lit -&gt; AF step = 1</code> is false" in page
    assert "<td>●</td>" in page
    assert "on every path from an initial state" in page
    assert page.count("<table") == page.count("</table>")
    assert page.count("<ul>") == page.count("</ul>")


@pytest.mark.parametrize(
    ("formula", "doubt"),
    [
        ("AG EF at = wreck", "it rests on the fixpoint"),
        ("AG EF at = depot", "claims about all paths rest on the fixpoint"),
        ("EF at = wreck", "a path has no inputs in its last state, and the formula mentions them"),
    ],
)
def test_why_evidence_is_no_proof_by_itself(formula: str, doubt: str) -> None:
    claim = TRAIN.formula(formula)
    answer = TRAIN.check(claim, confirm=False)[0]
    assert answer.doubt == "" and isinstance(answer.verdict, Holds | Fails)
    assert answer.verdict.explanation is not None
    assert why_no_proof(TRAIN.machine, answer.verdict.explanation) == doubt
    doubted = replace(answer, verdict=replace(answer.verdict, confirmation=Unconfirmed(doubt)))
    assert f"(not confirmed: {doubt})" in answer_to_text(doubted, DetailLevel(width=200))


def test_nothing_is_decided_without_a_word_about_who_believes_it() -> None:
    with pytest.raises(TypeError, match="confirmation"):
        Holds()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="confirmation"):
        Fails()  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="reason"):
        Unconfirmed("")


def test_a_certificate_may_say_how_it_confirms() -> None:
    explanation = TRAIN.check("AG EF at = wreck")[0].verdict.explanation
    linear = Answer("", "ltl", "F p", Holds(confirmation=Enumerated(7)))
    assert answer_to_text(linear) == "holds    F p\n    confirmed on all 7 reachable states by explicit enumeration"
    branching = Answer("", "ctl", "AG EF p", Holds(None, explanation, confirmation=Enumerated(7)))
    (_, line) = answer_to_text(branching, DetailLevel(width=150)).split("\n")
    assert line.endswith("is always true (confirmed on all 7 reachable states by explicit enumeration)")


def test_a_report_says_when_evidence_was_not_wanted() -> None:
    answer = TRAIN.check("EF at = wreck", confirm=False)[0]
    assert answer_to_text(answer).split("\n")[1] == "    witness of 4 states (not confirmed)"


SEQUENCES = coarsest.loads("""
MODULE main
VAR step : 0..3;
ASSIGN init(step) := 0; next(step) := step < 3 ? step + 1 : 3;
PSLSPEC always ({step = 0; step = 1} |=> {step = 3})
""")


def test_psl_counterexample() -> None:
    (answer,) = SEQUENCES.check()
    assert answer.confirmed
    lines = answer_to_text(answer, DetailLevel(width=120)).split("\n")
    assert lines[2].startswith("    because {(step = 0); (step = 1); TRUE} matches from state 0 to state 2, and {(step = 3)}")
    assert "    step = 3                                                  ·  ·  ·  ●" in lines


def test_no_explanation_is_made_for_long_traces() -> None:
    long = coarsest.loads("MODULE main VAR n : 0..600; ASSIGN init(n) := 0; next(n) := n < 600 ? n + 1 : 600;")
    answer = long.check("F n = 601 - 602")[0]
    assert answer.verdict.word == "fails"
    assert answer.reading is not None
    assert answer.reading.truths == ()


def test_what_the_only_part_says_is_said_once() -> None:
    lines = shown("AX (at = platform & AX at = tunnel)")
    assert [line.strip() for line in lines if "at state 1" in line] == [
        "at state 1: AX at = tunnel is false, because a step leads to a state where at = tunnel is false",
    ]
