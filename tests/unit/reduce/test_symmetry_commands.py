"""`coarsest symmetry`, and `check --reduce symmetry`: what they say, and what they refuse."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_lines import Runner

TURNS = str(Path(__file__).parents[3] / "examples" / "turns.smv")


def test_the_group_in_words_of_json(run: Runner) -> None:
    result = run("symmetry", TURNS, "--count", "--json")
    facts = json.loads(result.out)
    assert result.code == 0
    assert (facts["order"], facts["states"], facts["orbits"], facts["detected"]) == (24, 96, 12, True)
    assert [claim["order"] for claim in facts["properties"]] == [24, 2, 6, 24]
    assert all(one["symmetry"] and one["witness"] is None for one in facts["generators"])


def test_a_wrong_generator_is_told_with_its_image(run: Runner, tmp_path: Path) -> None:
    given = tmp_path / "given.sym"
    given.write_text("swap p1 p2, turn: 1 2\nswap p1 p2\n", encoding="utf-8")
    result = run("symmetry", TURNS, "--generators", str(given), "--json")
    good, wrong = json.loads(result.out)["generators"]
    assert result.code == 1
    assert good["symmetry"] and not wrong["symmetry"]
    states, images = wrong["witness"]["states"], wrong["image"]["states"]
    assert [state["p1.at"] for state in states] == [image["p2.at"] for image in images]


def test_without_symmetries_nothing_is_kept(run: Runner, tmp_path: Path) -> None:
    model = tmp_path / "one.smv"
    model.write_text("MODULE main VAR n : 0..3; ASSIGN next(n) := (n + 1) mod 4; INVARSPEC n < 4", encoding="utf-8")
    result = run("symmetry", str(model))
    assert (result.code, result.out) == (0, "group     of order 1: no symmetries are known\n")


def test_wrong_generators_are_left_out_or_used(run: Runner, tmp_path: Path) -> None:
    given = tmp_path / "given.sym"
    given.write_text("swap p1 p2", encoding="utf-8")
    how = ("check", TURNS, "--property", "exclusive", "--reduce", "symmetry", "--generators", str(given))
    left_out = run(*how)
    assert left_out.code == 0 and "'swap p1 p2' is not a symmetry of the model" in left_out.err
    used = run(*how, "--wrong-generators", "use")
    assert used.code == 3
    assert "because no violation was found, but 'swap p1 p2' is not a symmetry of the model" in used.out


@pytest.mark.parametrize("algorithm", ["sigma-step", "create-xi", "orbit-to-xi"])
def test_formulas_about_paths_are_decided_on_quotients(run: Runner, algorithm: str) -> None:
    result = run("check", TURNS, "--reduce", "symmetry", "--algorithm", algorithm, "--json")
    answers = json.loads(result.out)["properties"]
    assert [answer["verdict"] for answer in answers] == ["holds", "fails", "holds", "fails"]
    assert all(answer["confirmed"] for answer in answers)


def test_the_restricted_model_only_refutes(run: Runner) -> None:
    how = ("check", TURNS, "--reduce", "symmetry", "--algorithm", "live-rep")
    assert run(*how, "--property", "somebody_gets_in").code == 1
    held = run(*how, "AG (p1.at = trying -> AX p1.at != idle)")
    assert held.code == 3 and "no violation was found among representatives" in held.out


@pytest.mark.parametrize("formula", ["never {p1.at = critical; p1.at = trying}", "never {p1.at = trying; p1.at = critical}"])
def test_sequences_are_watched_by_a_satellite(run: Runner, formula: str) -> None:
    """Section 6.2: the automaton of a regular expression beside the model, and symmetries that it does not notice."""
    plain = json.loads(run("check", TURNS, formula, "--json").out)["properties"][0]
    reduced = json.loads(run("check", TURNS, formula, "--reduce", "symmetry", "--json").out)["properties"][0]
    assert plain["verdict"] == reduced["verdict"] and reduced["confirmed"]


@pytest.mark.parametrize("method", ["auto", "tableau", "automaton", "partitioned"])
@pytest.mark.parametrize("inner", ["p1.at = critical", "p1.at != critical"])
def test_safety_of_ltl_on_products(run: Runner, method: str, inner: str) -> None:
    """Section 6.1: what becomes of `G (trying -> X !idle)`, and of something that is false."""
    formula = f"G (p1.at = trying -> X ({inner} | p1.at = trying))"
    how = ("--reduce", "symmetry", "--safety", "--ltl", method, "--json")
    plain = json.loads(run("check", TURNS, formula, "--json").out)["properties"][0]
    reduced = json.loads(run("check", TURNS, formula, *how).out)["properties"][0]
    assert plain["verdict"] == reduced["verdict"] and reduced["confirmed"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--generators", "x.sym"], "--generators belongs to --reduce symmetry, and --reduce is none here"),
        (["--hint", "TRUE"], "--hint belongs to --reduce symmetry"),
        (["--reduce", "symmetry", "--hint", "TRUE"], "--hint belongs to --algorithm hints-sym"),
        (["--reduce", "symmetry", "--engine", "forward"], "--engine has no effect with --reduce symmetry"),
        (["--reduce", "symmetry", "--algorithm", "create"], "--algorithm cannot be 'create'"),
        (["--reduce", "symmetry", "--generators", "nowhere.sym"], "cannot read 'nowhere.sym'"),
        (["--reduce", "symmetry", "--algorithm", "hints-sym", "--hint", "p9 = 1"], "p9"),
        (["--reduce", "symmetry", "--algorithm", "live-rep", "EF p1.at = critical"], "a part of the model can only refute"),
        (["--reduce", "symmetry", "--algorithm", "iterative", "AF p1.at = critical"], "'iterative' is for invariants"),
    ],
)
def test_what_has_no_meaning_is_refused(run: Runner, options: list[str], message: str) -> None:
    formula = [] if len(options) > 4 and "=" in options[-1] and options[-2] != "--hint" else ["--property", "exclusive"]
    result = run("check", TURNS, *formula, *options)
    assert result.code == 2 and message in result.err


def test_a_model_is_reduced_by_symmetry_and_checked_again(run: Runner, tmp_path: Path) -> None:
    small = tmp_path / "orbits.smv"
    result = run("reduce", TURNS, "--by", "symmetry", "-o", str(small), "--json")
    facts = json.loads(result.out)
    assert (result.code, facts["states"], facts["symmetries"]) == (0, {"before": 96, "after": 60}, 2)
    assert facts["confirmed"] and facts["relation"] == "symmetry" and facts["preserves"] == "CTL*"
    answers = [json.loads(run("check", file, "--json").out)["properties"] for file in (str(small), TURNS)]
    words = [[answer["verdict"] for answer in of_file] for of_file in answers]
    assert words[0] == words[1] == ["holds", "fails", "holds", "fails"]


def test_a_wrong_generator_makes_no_quotient(run: Runner, tmp_path: Path) -> None:
    given = tmp_path / "given.sym"
    given.write_text("swap p1 p2", encoding="utf-8")
    result = run("reduce", TURNS, "--by", "symmetry", "--generators", str(given))
    assert result.code == 2
    assert "'swap p1 p2' is not a symmetry of the model: it maps a step to one that does not exist" in result.err
    assert "turn = 1, p1.at = idle, p2.at = trying" in result.err


@pytest.mark.parametrize(
    "options, message",
    [
        (["--by", "symmetry", "--algorithm", "signatures"], "there is no algorithm 'signatures' for symmetry"),
        (["--by", "symmetry", "--carrier", "smt"], "not in formulas"),
        (["--by", "symmetry", "--trace-partitions", "steps"], "no partitions on the way"),
        (["--by", "symmetry", "--generators", "nowhere.sym"], "nowhere.sym"),
        (["--generators", "given.sym"], "--generators belongs to --by symmetry"),
    ],
)
def test_what_has_no_meaning_for_quotients_is_refused(run: Runner, options: list[str], message: str) -> None:
    result = run("reduce", TURNS, *options)
    assert result.code == 2 and message in result.err


INPUTS = """-- symmetry: swap x1 x2, i1 i2
MODULE main
VAR x1 : boolean; x2 : boolean; IVAR i1 : boolean; i2 : boolean;
ASSIGN init(x1) := FALSE; init(x2) := FALSE; next(x1) := i1 & !x2; next(x2) := i2 & !x1;
LTLSPEC G F (i1 & x1)
CTLSPEC AG (x1 -> EF x2)
LTLSPEC F (i1 & i2)
"""


def test_a_property_may_speak_of_one_of_two_like_inputs(run: Runner, tmp_path: Path) -> None:
    """That input is then part of the state, and the other is not: they cannot change places."""
    model = tmp_path / "inputs.smv"
    model.write_text(INPUTS, encoding="utf-8")
    facts = json.loads(run("symmetry", str(model), "--json").out)
    assert [claim["order"] for claim in facts["properties"]] == [1, 1, 2]
    for how in (["--algorithm", "sigma-step"], ["--algorithm", "live-rep"], ["--carrier", "explicit"], []):
        answers = json.loads(run("check", str(model), "--reduce", "symmetry", "--json", *how).out)["properties"]
        plain = ["fails", "unknown" if "live-rep" in how else "holds", "fails"]
        assert [answer["verdict"] for answer in answers] == plain, how


def test_inputs_that_fairness_speaks_of_have_to_be_moved(run: Runner, tmp_path: Path) -> None:
    model, given = tmp_path / "inputs.smv", tmp_path / "given.sym"
    model.write_text(INPUTS + "JUSTICE i1 & i2;", encoding="utf-8")
    given.write_text("swap x1 x2", encoding="utf-8")
    forgetting = ("--generators", str(given))
    facts = json.loads(run("symmetry", str(model), *forgetting, "--json").out)
    assert facts["order"] == 2 and [claim["order"] for claim in facts["properties"]] == [1, 1, 1]
    told = run("check", str(model), "F (x1 | x2)", "--reduce", "symmetry", *forgetting).err
    assert "'swap x1 x2' is not a symmetry of the model with i1, i2 in its states" in told
