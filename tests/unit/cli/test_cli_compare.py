"""`compare`, `confirm` and `reduce` of graphs from the command line: results, JSON, exit codes, wrong use."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from coarsest.api import confirm
from coarsest.lts.certificate_json import KINDS
from coarsest.lts.relations import names
from command_lines import Runner

EXAMPLES = Path(__file__).parents[3] / "examples"
TEA, LUCK = (str(EXAMPLES / f"{name}.aut") for name in ("coffee_or_tea", "coffee_by_luck"))


def test_every_kind_of_certificate_has_a_checker() -> None:
    assert set(KINDS) <= set(confirm.KINDS)


@pytest.mark.parametrize("by", names())
def test_a_graph_is_related_to_itself(run: Runner, by: str) -> None:
    found = run("compare", TEA, TEA, "--by", by, "--json", "--certificate", "proof.json")
    assert found.code == 0
    facts = json.loads(found.out)
    assert (facts["schema"], facts["related"], facts["formula"], facts["confirmed"]) == (1, True, None, True)
    assert run("confirm", TEA, TEA, "proof.json").code == 0
    again = run("confirm", TEA, LUCK, "proof.json", "--json")
    assert again.code == 1
    assert json.loads(again.out)["accepted"] is False


def test_not_related(run: Runner) -> None:
    found = run("compare", TEA, LUCK, "--json", "--certificate", "proof.json")
    assert found.code == 1
    facts = json.loads(found.out)
    assert (facts["related"], facts["formula"], facts["true_in"], facts["depth"]) == (False, "[coin]<tea>true", "first", 2)
    assert not Path("proof.json").exists()
    assert run("compare", TEA, LUCK, "--quiet").out == "not related by bisimulation\n"


def test_one_of_them_may_be_standard_input(run: Runner) -> None:
    assert run("compare", "-", TEA, stdin=Path(TEA).read_text()).code == 0
    assert "both" in run("compare", "-", "-").err


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["compare", TEA], "needs A and B"),
        (["compare", TEA, LUCK, "--by", "bisim"], "bisim"),
        (["compare", TEA, LUCK, "--preorder"], "preorders are"),
        (["compare", TEA, "missing.aut"], "missing.aut"),
        (["compare", TEA, "picture.png"], "graphs and models are read as"),
        (["compare", TEA, "-", "--format", "nusmv"], "no format"),
        (["compare", TEA, LUCK, "--observe", "x"], "--observe is for models"),
        (["compare", TEA, str(EXAMPLES / "mutex.smv"), "--certificate", "c.json"], "--certificate is for graphs"),
        (["compare", TEA, str(EXAMPLES / "mutex.smv"), "--observe", "no_such_name"], "no_such_name"),
        (["compare", TEA, LUCK, "--certificate", "no/such/place.json"], "no directory"),
        (["confirm", TEA], "needs"),
        (["confirm", TEA, TEA], "not JSON"),
        (["confirm", TEA, "-"], "not JSON"),
        (["reduce", TEA, "--minimal"], "--certificate"),
        (["reduce", TEA, "--by", "simulation", "--minimal", "--certificate", "c.json"], "bisimulations only"),
        (["reduce", TEA, "--by", "simulation", "--algorithm", "valmari"], "--algorithm"),
        (["reduce", str(EXAMPLES / "mutex.smv"), "--by", "branching-bisimulation"], "explicit graphs"),
        (["reduce", str(EXAMPLES / "mutex.smv"), "--certificate", "c.json"], "--certificate"),
    ],
)
def test_wrong_use(run: Runner, argv: list[str], words: str) -> None:
    found = run(*argv, stdin="")
    assert found.code == 2
    assert words in found.err
    assert "Traceback" not in found.err


STRANGE = b'des (0, 2, 3)\n(0, "a\x1b[31mred", 1)\n(0, "b\xff\x07", 2)\n'
"""Names with what a terminal would obey, and with a byte that is no text."""


def test_names_that_a_terminal_would_obey(run: Runner) -> None:
    Path("strange.aut").write_bytes(STRANGE)
    Path("other.aut").write_bytes(STRANGE.replace(b"(0, 2", b"(0, 1").rpartition(b"(0, ")[0])
    for name in ("strange", "other"):  # the same with paths that go on for ever, about which `exists` and `words` are
        text = Path(f"{name}.aut").read_bytes().replace(b"1)\n", b"0)\n").replace(b"2)\n", b"0)\n").replace(b"3)\n", b"1)\n")
        Path(f"{name}_for_ever.aut").write_bytes(text)
    for by in names():
        kind = "_for_ever" if by in ("exists", "words") else ""
        shown = run("compare", f"strange{kind}.aut", f"other{kind}.aut", "--by", by)
        assert shown.code == 1
        assert shown.out.replace("\n", "").isprintable()
        assert r'"b\udcff\x07"' in shown.out
    run("reduce", "strange.aut", "--certificate", "classes.json", "--minimal", "-o", "small.aut")
    assert b"\xff\x07" in Path("small.aut").read_bytes()
    assert run("confirm", "strange.aut", "classes.json").code == 0
    Path("classes.json").write_text(Path("classes.json").read_text().replace("[0,1,1]", "[0,0,1]"))
    rejected = run("confirm", "strange.aut", "classes.json")
    assert rejected.code == 1
    assert rejected.out.replace("\n", "").isprintable()
    for picture in ("s.svg", "s.dot", "s.html"):
        assert run("show", "strange.aut", "-o", picture).code == 0
        assert "\x1b" not in Path(picture).read_text()


NO_EVIDENCE = ["[]", "3", "{}", '{"kind": 3}', '{"kind": "partition"}', "[" * 100_000, '{"kind": "partition", ']


@pytest.mark.parametrize("text", NO_EVIDENCE)
def test_evidence_that_is_none(run: Runner, text: str) -> None:
    found = run("confirm", TEA, "-", stdin=text)
    assert found.code == 2
    assert "Traceback" not in found.err


def test_too_many_models(run: Runner) -> None:
    run("compare", TEA, TEA, "--certificate", "proof.json")
    assert "one graph or two" in run("confirm", TEA, TEA, TEA, "proof.json").err


def test_limits(run: Runner) -> None:
    rows = [f"({s}, a, {s + 1})" for s in range(4000)]
    Path("one.aut").write_text(f"des (0, {len(rows)}, 4001)\n" + "\n".join(rows) + "\n")
    Path("other.aut").write_text(f"des (0, {len(rows) - 1}, 4000)\n" + "\n".join(rows[:-1]) + "\n")
    found = run("compare", "one.aut", "other.aut", "--json")
    assert found.code == 1
    assert json.loads(found.out)["depth"] == 4000
    shown = run("compare", "one.aut", "other.aut", "--by", "simulation", "--timeout", "600")
    assert shown.code == 1
    assert "depth 4000" in shown.out
    assert len(shown.out) < 1000


def test_reduced_by_each_relation(run: Runner) -> None:
    for by in ("bisimulation", "simulation", "branching-bisimulation", "branching-bisimulation-divergence"):
        found = run("reduce", LUCK, "--by", by, "-o", "small.aut", "--certificate", "classes.json", "--json")
        assert found.code == 0
        assert json.loads(found.out)["relation"] == by
        assert run("compare", LUCK, "small.aut", "--by", by).code == 0
        assert run("confirm", LUCK, "classes.json").code == 0


def test_what_is_told_without_confirmation(run: Runner) -> None:
    for other, code in ((TEA, 0), (LUCK, 1)):
        assert "(not confirmed)" in run("compare", TEA, other, "--no-confirm").out
        told = [json.loads(run("compare", TEA, other, "--json", "--confirm", when).out) for when in ("auto", "never")]
        assert [one.pop("confirmed") for one in told] == [True, False]
        assert all(one.pop("seconds") >= 0 for one in told)
        assert told[0] == told[1]
        assert {"first", "second"} <= set(told[0])
        assert run("compare", TEA, other, "--no-confirm").code == code


FREE = "MODULE main VAR w : word[14]; INIT w = 0ud14_0; "
NOW = f"{FREE}JUSTICE w = 0ud14_0"
LATE = f"{FREE}VAR late : boolean; ASSIGN init(late) := FALSE; next(late) := w = 0ud14_0; JUSTICE late"


def fair_models(now: str, late: str) -> None:
    Path("now.smv").write_text(now)
    Path("late.smv").write_text(late)


def test_large_models_are_compared_on_sets_of_pairs(run: Runner) -> None:
    """Nothing is confirmed of a yes; a no by steps alone is replayed."""
    fair_models(NOW, LATE)
    above = run("compare", "now.smv", "late.smv", "--observe", "w", "--by", "delay", "--preorder", "--json")
    facts = json.loads(above.out)
    assert (above.code, facts["related"], facts["confirmed"], facts["statistics"]["pairs"]) == (0, True, False, 2**15)
    told = run("compare", "now.smv", "late.smv", "--observe", "w", "--by", "direct")
    assert told.code == 1
    assert "the spoiler wins against late.smv (confirmed by replay)\n    w = 0ud14_0 has no answer" in told.out
    below = json.loads(run("compare", "now.smv", "late.smv", "--observe", "w", "--by", "delay", "--json").out)
    assert (below["related"], below["play"]["begins"]["in"], below["play"]["states"], below["confirmed"]) == (
        False, "second", [], False
    )  # fmt: skip


def test_small_models_are_confirmed_by_their_quotients(run: Runner) -> None:
    fair_models(*(text.replace("[14]", "[2]").replace("ud14_", "ud2_") for text in (NOW, LATE)))
    models = ["compare", "now.smv", "late.smv", "--observe", "w"]
    for by, related in (("delay", False), ("game", True)):
        found = run(*models, "--by", by, "--algorithm", "pairs")
        assert found.code == int(not related)
        assert "(confirmed by games between quotients)" in found.out
        quotients = json.loads(run(*models, "--by", by, "--json").out)
        assert (quotients["related"], quotients["confirmed"], "play" in quotients) == (related, True, False)
    assert "(not confirmed)" in run(*models, "--by", "game", "--algorithm", "pairs", "--confirm", "never").out


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["--by", "exists", "--algorithm", "pairs"], "sets of pairs are not for exists"),
        (["--algorithm", "pairs"], "sets of pairs are not for bisimulation"),
        (["--by", "game", "--algorithm", "pairs", "--actions", "i"], "--actions has no effect with --algorithm pairs"),
        (["--by", "game", "--algorithm", "pairs", "--play", "spoiler"], "sets of pairs are not played on"),
        (["--spectrum", "--algorithm", "pairs"], "--algorithm is for one relation and a game with you, not for all relations"),
    ],
)
def test_what_sets_of_pairs_are_not_for(run: Runner, argv: list[str], words: str) -> None:
    text = "MODULE main IVAR i : boolean; VAR x : boolean; ASSIGN next(x) := i;"
    fair_models(text, text)
    found = run("compare", "now.smv", "late.smv", "--observe", "x", *argv)
    assert found.code == 2 and words in found.err
    assert "not for graphs" in run("compare", TEA, LUCK, "--by", "delay", "--algorithm", "pairs").err


def test_steps_ahead(run: Runner) -> None:
    """Who knows what will be asked for can choose in time."""
    choice = ["compare", TEA, LUCK, "--by", "direct"]
    assert run(*choice).code == 1
    found = run(*choice, "--lookahead", "2", "--json")
    assert found.code == 0
    assert json.loads(found.out)["confirmed"] is True
    cells = [str(EXAMPLES / f"{name}.aut") for name in ("buffer", "two_cells")]
    facts = json.loads(run("compare", *cells, "--by", "direct", "--lookahead", "3", "--json").out)
    assert (facts["related"], facts["refutation"]["kind"], facts["refutation"]["ahead"]) == (False, "attacks", 3)
    for argv, words in (
        (["--by", "delay"], "delay has no lookahead"), (["--by", "direct", "--certificate", "c.json"], "no certificates"),
        (["--by", "direct", "--play", "spoiler"], "one step at a time"), (["--spectrum"], "--lookahead is for one relation"),
        (["--by", "direct", "--algorithm", "pairs"], "--lookahead has no effect with --algorithm pairs"),
    ):  # fmt: skip
        wrong = run("compare", TEA, LUCK, "--lookahead", "2", *argv)
        assert wrong.code == 2 and words in wrong.err, argv


def test_refutations_speak_of_values_of_models(run: Runner) -> None:
    """Classes have numbers that nobody knows; a state of a class that is shown can be reached."""
    Path("up.smv").write_text("MODULE main VAR n : 0..7; ASSIGN init(n) := 5; next(n) := n = 7 ? 5 : n + 1;")
    Path("down.smv").write_text("MODULE main VAR n : 0..7; ASSIGN init(n) := 5; next(n) := n = 5 ? 6 : 5;")
    for by in ("direct", "game", "exists"):
        result = run("compare", "up.smv", "down.smv", "--observe", "n = 7", "--by", by, "--algorithm", "quotients")
        assert result.code == 1
        assert "{n = 5}" in result.out and "{n = 7}" in result.out and "n = 0" not in result.out, result.out
    found = json.loads(run("compare", "up.smv", "down.smv", "--observe", "n = 7", "--by", "game", "--json").out)
    assert set(found["state_names"]["first"].values()) <= {"n = 5", "n = 6", "n = 7"}


def test_refutations_call_states_as_their_file_does(run: Runner) -> None:
    Path("one.ba").write_text("[idle]\na,[idle]->[2]\nb,[2]->[idle]\n[2]\n")
    Path("other.ba").write_text("[idle]\na,[idle]->[2]\nc,[2]->[idle]\n[2]\n")
    assert "    at idle against idle: a to 2; then at 2 against 2\n" in run("compare", "one.ba", "other.ba", "--by", "game").out
    assert "    idle a 2 (b idle a 2)^w is a fair path" in run("compare", "one.ba", "other.ba", "--by", "exists").out
    assert "1 | [action = a]   state = 1   name = 2   label = accepting\n" in run("check", "one.ba", "G a").out
