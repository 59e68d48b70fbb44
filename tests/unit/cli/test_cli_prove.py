"""`coarsest prove`: what follows from steps about components, what does not, and what is wrong with a script."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copytree

import pytest

from broken_texts import with_words_replaced
from coarsest import Model, load
from coarsest.api.prove import prove
from coarsest.model.composition.compose import compose
from coarsest.model.composition.rename import renamed
from command_lines import Runner

ROOT = Path(__file__).parents[3]

LEFT = "MODULE main VAR x : boolean; IVAR y : boolean; ASSIGN init(x) := FALSE; next(x) := y;"
RIGHT = "MODULE main VAR y : boolean; IVAR x : boolean; ASSIGN init(y) := FALSE; next(y) := x;"
AT_ONCE = "MODULE main VAR x : boolean; y : boolean; INVAR x = y;"
FREE = "MODULE main VAR x : boolean; n : 0..3; ASSIGN next(n) := {0, 1, 2, 3}; INVAR n = 0 -> !x;"
TURNS = "MODULE main VAR x : boolean; ASSIGN init(x) := FALSE; next(x) := !x;"
PARTS = "component left = left.smv\ncomponent right = right.smv\n"


@pytest.fixture
def run(run: Runner) -> Runner:
    texts = {"left": LEFT, "right": RIGHT, "at_once": AT_ONCE, "free": FREE, "turns": TURNS}
    for name, text in texts.items():
        Path(f"{name}.smv").write_text(text)
    return run


def proved(run: Runner, script: str) -> tuple[list[str], str]:
    """The verdicts, and what is said of the last one."""
    Path("s.proof").write_text(script)
    result = run("prove", "s.proof", "--json")
    answers = json.loads(result.out)["properties"]
    words = [answer["verdict"] for answer in answers]
    assert result.code == (1 if "fails" in words else 3 if "unknown" in words else 0), result.err
    return words, answers[-1]["reason"] or answers[-1]["certificate"] or ""


def test_a_chain_of_assumptions(run: Runner) -> None:
    script = PARTS + "step right |= AG (x -> AX y)\nstep assume AG !y : left |= AG !x\nconclude left || right |= AG (x -> AX y)"
    assert proved(run, script) == (["holds"] * 3, "it follows from step 1")


def test_invariants_that_last_longer_than_what_they_assume(run: Runner) -> None:
    """Neither x nor y is the first to become true."""
    steps = "step assume AG !y : left |= AG !x\nstep assume !x : right |= G !y\n"
    words, text = proved(run, PARTS + steps + "conclude left || right |= AG (!x & !y)")
    assert words == ["holds"] * 3
    assert text.startswith("it follows from steps 1 and 2; steps 1 and 2 assume one another")


def test_a_circle_within_one_state_proves_nothing(run: Runner) -> None:
    """Both components say x = y, and x and y may be true at once."""
    script = "component left = at_once.smv\ncomponent right = at_once.smv\n"
    steps = "step assume AG !y : left |= AG !x\nstep assume AG !x : right |= AG !y\n"
    words, text = proved(run, script + steps + "conclude left || right |= AG (!x & !y)")
    assert words == ["holds", "holds", "unknown"]
    assert "step 1 assumes AG !y, which is not shown: step 2 would show it, but cannot be used" in text


def test_a_circle_of_promises_proves_nothing(run: Runner) -> None:
    """Each becomes true some time if the other does; but nobody begins."""
    steps = "step assume AF y : left |= AF x\nstep assume AF x : right |= AF y\n"
    words, text = proved(run, PARTS + steps + "conclude left || right |= AF x")
    assert words == ["holds", "holds", "unknown"]
    assert "step 1 assumes A" in text


def test_a_structure_above_a_component(run: Runner) -> None:
    parts = "component turns = turns.smv\ncomponent free = free.smv\ncomponent right = right.smv\n"
    steps = "step turns <= free\nstep assume free : right |= AG (x -> AX y)\n"
    words, text = proved(run, parts + steps + "conclude turns || right |= AG (x -> AX y)")
    assert words == ["holds"] * 3
    assert "it follows from steps 1 and 2" in text
    words, text = proved(run, parts + "step free <= turns\n" + "conclude turns || right |= AG (x -> AX y)")
    assert words == ["fails", "unknown"]
    assert "step 1 does not hold" in text
    shown = run("prove", "s.proof").out
    assert "the adversary wins the game of simulation from the initial state with x = " in shown
    assert "a play: " in shown and "has no answer (confirmed by replay)" in " ".join(shown.split())
    assert "confirmed by replay" not in run("prove", "s.proof", "--no-confirm").out


def test_a_play_that_is_lost_at_once_or_never(run: Runner) -> None:
    text = "MODULE main VAR x : boolean; ASSIGN init(x) := {}; {}"
    for name, first, more in (("no", "FALSE", ""), ("yes", "TRUE", ""), ("fair", "FALSE", "JUSTICE x;")):
        Path(f"{name}.smv").write_text(text.format(first, more))
    parts = "".join(f"component {name} = {name}.smv\n" for name in ("no", "yes", "fair"))
    assert proved(run, parts + "step no <= yes\nstep no <= fair\nconclude no |= AG x")[0] == ["fails", "fails", "unknown"]
    shown = " ".join(run("prove", "s.proof").out.split())
    assert "a play: x = FALSE has no answer, because no initial state has the same labels (confirmed by replay)" in shown
    assert "can be answered forever, but not in such a way that fair paths answer fair paths" in shown


def test_graphs_are_no_structures(run: Runner) -> None:
    """Neither in a script nor as an assumption; and the place in the script is told."""
    Path("steps.aut").write_text("des (0, 1, 1)\n(0, a, 0)\n")
    Path("s.proof").write_text("component steps = steps.aut\nstep steps |= AG x\nconclude steps |= AG x")
    for arguments in (("prove", "s.proof"), ("assume", "steps.aut", "left.smv", "AG x")):
        result = run(*arguments)
        assert result.code == 2
        assert "'steps.aut' is a graph" in result.err and "hint: name a model" in result.err
    assert "s.proof:1:19" in run("prove", "s.proof").err


def test_what_a_structure_alone_names_is_not_of_the_system(run: Runner) -> None:
    parts = "component turns = turns.smv\ncomponent free = free.smv\n"
    script = parts + "step turns <= free\nstep free |= AG (x -> n > 0)\nconclude turns |= AG (x -> AX !x)"
    words, text = proved(run, script)
    assert words == ["holds", "holds", "unknown"]
    assert "step 2 mentions 'n', which is not in the system" in text


def test_definitions_of_components_that_are_not_of_the_system(tmp_path: Path) -> None:
    """`grant1` is defined by the arbiter; without the arbiter, nothing keeps two grants apart."""
    copytree(ROOT / "examples/bus", tmp_path / "bus")
    script = tmp_path / "bus/bus.proof"
    steps, words = script.read_text().partition("conclude")[0], []
    for others in ("arbiter || ", ""):
        script.write_text(f"{steps}conclude {others}one || two |= AG !(one.driving & two.driving)\n")
        words.append(prove(script)[-1].verdict.word)
    assert words == ["holds", "unknown"]


def test_the_bus_by_its_composition() -> None:
    """What the example concludes without building the composition is true of it."""
    arbiter, master = (load(ROOT / f"examples/bus/{name}.smv").machine for name in ("arbiter", "master"))

    def numbered(name: str, number: int) -> str:
        return f"{name}{number}" if name in ("request", "grant") else f"m{number}.{name}"

    masters = [renamed(master, lambda name, number=number: numbered(name, number)) for number in (1, 2, 3)]
    model = Model(compose(arbiter, *masters))
    assert model.check("AG !(m1.driving & m2.driving | m2.driving & m3.driving)", "AG (m1.waits -> AF m1.driving)").holds
    assert not model.check("AG !m1.driving").holds


@pytest.mark.parametrize(
    ("script", "place", "message"),
    [
        ("", "1:1", "there is no conclusion"),
        (PARTS + "stp left |= AG x\n", "3:1", "no statement begins with 'stp'"),
        (PARTS + "step left = AG x\n", "3:1", "this 'step' is not complete"),
        (PARTS + "step lft |= AG x\nconclude left |= AG x", "3:6", "there is no component 'lft'"),
        (PARTS + "step left |= AG z\nconclude left |= AG x", "3:17", "`z` is not declared"),
        (PARTS + "step assume EF y : left |= AG x\nconclude left |= AG x", "3:13", "is not in ACTL"),
        (PARTS + "step left |= AG EF x\nconclude left |= AG x", "3:17", "says that there is a path"),
        (PARTS + "step left <= right\nconclude left || middle |= AG x", "4:18", "there is no component 'middle'"),
        (PARTS + PARTS + "conclude left |= AG x", "3:11", "'left' is declared twice"),
        ("component left = nowhere.smv\nconclude left |= AG x", "1:18", "cannot read"),
        ("component left = left.smv with z as y\nconclude left |= AG x", "1:32", "has no variable 'z'"),
        ("component left = left.smv with x\nconclude left |= AG x", "1:32", "is not of the form NAME as NAME"),
        ("component left = left.smv\nconclude left |= AG (x", "2:", "expected"),
    ],
)
def test_what_is_wrong_is_shown_where_it_is(run: Runner, script: str, place: str, message: str) -> None:
    Path("s.proof").write_text(script)
    result = run("prove", "s.proof")
    assert result.code == 2
    assert f"s.proof:{place}" in result.err
    assert message in result.err


def test_limits_leave_steps_undecided(run: Runner) -> None:
    Path("s.proof").write_text(PARTS + "step left |= AG (x -> AX x)\nconclude left |= AG x")
    result = run("prove", "s.proof", "--timeout", "0.001")
    assert result.code == 3


@pytest.mark.parametrize("seed", range(60))
def test_broken_scripts_are_shown_where_they_break(run: Runner, seed: int) -> None:
    script = PARTS + "step assume AG !y : left |= AG !x\nstep left <= right\nconclude left || right |= AG (x -> AX y)\n"
    lines = script.splitlines()
    words = ["|=", ":", "assume", "<=", "AG", "(", "||"]
    lines[seed % len(lines)] = with_words_replaced(lines[seed % len(lines)].split(), words, seed)
    Path("s.proof").write_text("\n".join(lines))
    result = run("prove", "s.proof")
    assert result.code in (0, 1, 2, 3), result.err
    assert result.code != 2 or "s.proof:" in result.err


def test_a_script_on_standard_input(run: Runner) -> None:
    script = "component one = turns.smv\nstep one |= AG (x -> AX !x)\nconclude one |= AG (x -> AX !x)\n"
    found = run("prove", "-", "--json", stdin=script)
    assert (found.code, [one["verdict"] for one in json.loads(found.out)["properties"]]) == (0, ["holds", "holds"])
