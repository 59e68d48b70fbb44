"""`coarsest check`, `reach`, `simulate` and `convert` on explicit graphs."""

import json
import re
from pathlib import Path
from random import Random

import pytest

from coarsest.api.graph import Graph
from coarsest.cli.commands.check import GRAPHS, MODELS, command
from coarsest.logic.modal.hennessy_milner import action_text
from command_lines import Runner, runner

SHOP = 'des (0, 4, 4)\n(0, "coin", 1)\n(1, "tea", 0)\n(1, i, 2)\n(2, "send !1", 3)\n'
"""State 3 is a dead end."""
WARNING = "warning: 1 reachable state has no successor, for example 3; each is given a step to itself\n"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Runner:
    monkeypatch.chdir(tmp_path)
    Path("session.aut").write_text(SHOP)
    return runner(monkeypatch, capsys)


def test_verdicts_with_evidence(run: Runner) -> None:
    result = run("check", "session.aut", "<coin><i><send !1>true", "AG (<coin>true -> [coin]<tea>true)", "G (coin -> X tea)")
    assert result.code == 1
    assert result.out == (
        "holds    <coin><i><send !1>true\n    confirmed on all 4 states by explicit enumeration\n"
        "holds    AG (<coin>true -> [coin]<tea>true)\n    confirmed on all 4 states by explicit enumeration\n"
        "fails    G (coin -> X tea)\n    counterexample of 4 states (confirmed by replay)\n"
        "    0 | state = 0\n    1 | [action = coin]   state = 1\n    2 | [action = i]   state = 2\n"
        "    -- the loop starts here\n    3 | [action = send !1]   state = 3\n    -- back to state 3\n"
    )


@pytest.mark.parametrize("quiet", [[], ["-q"]])
def test_dead_ends_are_told_before_the_first_verdict_they_concern(run: Runner, quiet: list[str]) -> None:
    assert run("check", "session.aut", "<coin>true", *quiet).err == ""
    result = run("check", "session.aut", "<coin>true", "AF AG !<coin>true", "AG EF <coin>true", *quiet)
    assert result.code == 1
    assert result.err.startswith(WARNING)
    assert result.err.count("no successor") == 1


def test_the_internal_action_has_two_names(run: Runner) -> None:
    for name in ("i", "tau"):
        assert run("check", "session.aut", f"[coin]<{name}>true", "-q").code == 0
        assert run("check", "session.aut", f"F {name}", "-q").code == 1
        assert run("check", "session.aut", f"G !action {name}", "-q").code == 1
    Path("both.aut").write_text('des (0, 2, 3)\n(0, i, 1)\n(1, "tau", 2)\n')
    assert run("check", "both.aut", "<tau><tau>true", "-q").code == run("check", "both.aut", "<i><i>true", "-q").code == 0


def test_a_formula_without_temporal_operators_may_be_about_the_first_step(run: Runner) -> None:
    """It is about paths then, and refuted by one. A label comes before an action of its name."""
    Path("g.aut").write_text('des (0,2,3)\n(0,"a",1)\n(1,"b",2)\n')
    result = run("check", "g.aut", "!a", "a", "a -> <a>true", "!b")
    assert [line.split()[0] for line in result.out.splitlines() if line[0] in "hf"] == ["fails", "holds", "holds", "holds"]
    assert "each is given a step to itself" in result.err
    assert "this is about a state" in run("check", "g.aut", "<a>b").err
    labelled = Graph.from_edges(2, [0, 1], [0, 1], [1, 0], labels=[1, 0], action_names=("p", "q"), label_names=("p", "r"))
    assert [answer.verdict.word for answer in labelled.check("!p", "!q", "r").answers] == ["holds", "holds", "holds"]


def test_json_and_endings(run: Runner) -> None:
    said = json.loads(run("check", "session.aut", "AG EF <coin>true", "--json").out)
    assert (said["schema"], said["model"], said["warnings"]) == (1, "session.aut", [WARNING[9:-1]])
    (claim,) = said["properties"]
    assert (claim["kind"], claim["verdict"], claim["confirmed"]) == ("ctl", "fails", True)
    assert claim["trace"]["inputs"] == [{"action": "coin"}, {"action": "i"}]
    assert said["statistics"] == {"states": 4, "transitions": 4}
    for ending, begins in {"json": "{", "html": "<!DOCTYPE html>", "txt": "fails", "vcd": "$"}.items():
        assert run("check", "session.aut", "AG EF <coin>true", "-o", f"x.{ending}").code == 1
        assert Path(f"x.{ending}").read_text().startswith(begins)
    table = run("check", "session.aut", "G (coin -> X tea)", "--trace", "table").out
    assert "[action]     coin  i  send !1" in table


def test_confirmation_as_asked(run: Runner) -> None:
    ways = {"--confirm=always": True, "--confirm=auto": True, "--no-confirm": False, "--confirm=never": False}
    for option, confirmed in ways.items():
        said = json.loads(run("check", "session.aut", "AF AG !<coin>true", "<coin>true", "--json", option).out)
        assert [claim["confirmed"] for claim in said["properties"]] == [confirmed, confirmed]


def test_other_formats_and_standard_input(run: Runner) -> None:
    Path("g.ba").write_text("[0]\na,[0]->[1]\nb,[1]->[0]\n[1]\n")
    assert run("check", "g.ba", "AG (accepting -> <b>true)", "G F accepting", "-q").code == 0
    Path("g.hoa").write_text('HOA: v1\nStates: 1\nStart: 0\nAP: 1 "p"\nAcceptance: 0 t\n--BODY--\nState: 0\n[0] 0\n--END--\n')
    assert run("check", "g.hoa", "AG <p>true", "-q").code == 0
    assert run("check", "-", "--format", "aut", "<coin>true", "-q", stdin=SHOP).code == 0
    assert run("check", "session.aut").err.startswith("the model has no properties; one can be given as a formula")


OPTIONS = (
    "--property p", "--automaton a.hoa", "--certificate c.json", "--nodes 9", "--engine forward", "--reduce bisimulation",
    "--ltl tableau", "--fair lockstep", "--property-variables top", "--encoding one-hot", "--safety", "--no-cone", "--no-vacuity",
    "--search chaining", "--carrier smt", "--relation functions", "--bdd cudd", "--order force", "--save-order o.ord",
    "--no-reorder", "--threads 2", "--seed 3", "--no-merge", "--algorithm sigma-step", "--generators g.txt",
    "--wrong-generators use", "--representatives smallest", "--subset dense", "--hint x", "--rounds 3", "--hints h.hint",
    "--deadlock fail", "--expect v.txt", "--show x", "--traces 2", "--jobs 2", "--no-race", "--plan",
    "--properties p.ctl", "--fairness f.fair", "--depth 5", "--depth-suffices", "--parts halves",
)  # fmt: skip
OF_DESIGNS = ("--top top", "--define A", "--include rtl", "--param N=8", "--file-list list.f", "--task prove")


def test_every_option_without_meaning_is_in_the_list() -> None:
    foreign = {action.option_strings[-1] for action in command.parser()._actions if action.dest in MODELS.names - GRAPHS.names}
    assert {option.split()[0] for option in (*OPTIONS, *OF_DESIGNS)} == foreign


@pytest.mark.parametrize("option", (*OPTIONS, *OF_DESIGNS))
def test_options_without_meaning_are_refused_with_a_reason(run: Runner, option: str) -> None:
    result = run("check", "session.aut", "<coin>true", *option.split())
    name = option.split(maxsplit=1)[0]
    assert result.code == 2
    if option in OF_DESIGNS:
        assert re.match(r"error: -\S+ is for (designs in Verilog|projects of SymbiYosys)", result.err)
    else:
        assert result.err.startswith(f"error: {name} is for models, not for explicit graphs")
        assert f"hint: leave out {name}" in result.err
    assert sorted(path.name for path in Path().iterdir()) == ["session.aut"]


def test_limits_give_unknown(run: Runner) -> None:
    result = run("check", "session.aut", "G F coin", "--timeout", "0.000001")
    assert (result.code, result.out[:7]) == (3, "unknown")


def test_wrong_formulas_come_before_any_verdict(run: Runner) -> None:
    result = run("check", "session.aut", "<coin>true", "AG <tee>true")
    assert (result.code, result.out) == (2, "")
    assert result.err == (
        "<formula>:1:5: error: the graph has no action 'tee'\n  1 | AG <tee>true\n    |     ^^^\n  hint: did you mean tea?\n"
    )


def test_reachable_states(run: Runner) -> None:
    Path("more.aut").write_text(SHOP.replace("des (0, 4, 4)", "des (0, 5, 6)") + '(5, "coin", 0)\n')
    result = run("reach", "more.aut")
    assert result.out == "states       4\ndiameter     4\ntransitions  4\n"
    assert result.err == "warning: 1 reachable state has no successor, for example 3\n"
    said = json.loads(run("reach", "more.aut", "--json").out)
    assert (said["states"], said["diameter"], said["transitions"], said["nodes"], said["complete"]) == (4, 4, 4, None, True)
    assert run("reach", "more.aut", "--order", "force").code == run("simulate", "more.aut", "--nodes", "7").code == 2


def test_random_walks_follow_the_transitions(run: Runner) -> None:
    steps = {tuple(line.strip("()").replace('"', "").split(", ")) for line in SHOP.splitlines()[1:]}
    for seed in range(8):
        walk = json.loads(run("simulate", "session.aut", "--steps", "6", "--seed", str(seed), "--json").out)["trace"]
        numbers = [state["state"] for state in walk["states"]]
        for source, step, target in zip(numbers, walk["inputs"], numbers[1:]):
            assert (str(source), step["action"], str(target)) in steps
    result = run("simulate", "session.aut", "--steps", "500")
    assert result.err == f"note: state {len(result.out.splitlines()) - 1} has no successor (a deadlock)\n"


def test_walking_by_hand(run: Runner) -> None:
    result = run("simulate", "session.aut", "--interactive", stdin="1\n1\n2\nt\nb\nq\n")
    assert "    1  [action = tea]   state = 0\n    2  [action = i]   state = 2\n" in result.out
    assert "0 | state = 0\n1 | [action = coin]   state = 1\n2 | [action = i]   state = 2\n" in result.out


def test_conversions(run: Runner) -> None:
    assert run("convert", "session.aut", "session.ba").code == 0
    assert Path("session.ba").read_text().splitlines()[:2] == ["[0]", "coin,[0]->[1]"]
    assert run("convert", "session.aut", "-").out == SHOP
    assert run("convert", "-", "-", "--from", "aut", "--to", "ba", stdin=SHOP).out == Path("session.ba").read_text()
    for target in ("session.hoa", "session.smv"):
        assert "graphs are written as .aut, .ba" in run("convert", "session.aut", target).err
    assert "graphs are written as aut, ba" in run("convert", "session.aut", "x.ba", "--to", "smv").err
    assert "leave them out" in run("convert", "session.aut", "x.ba", "--graph", "g").err


SIGNS = "ab<>[]()\"\\ -!&\n\tü\x07{}.'"


@pytest.mark.parametrize("seed", range(40))
def test_every_name_can_be_written(seed: int) -> None:
    random = Random(seed)
    action, label = ("".join(random.choices(SIGNS, k=random.randint(1, 8))) for _ in range(2))
    graph = Graph.from_edges(2, [0, 1], [0, 1], [1, 0], labels=[0, 1], action_names=(action, "b"), label_names=(label, "z"))
    shown = action_text(action)
    texts = [f"<{shown}>true", f"[{shown}]z", f"label {quoted(label)}", f"G F action {quoted(action)}"]
    assert graph.check(*texts, confirm="always").holds


def quoted(name: str) -> str:
    shown = action_text(name)
    return shown if shown.startswith('"') else f'"{shown}"'


def test_a_name_of_a_label_and_an_action() -> None:
    graph = Graph.from_edges(2, [0, 1], [0, 1], [1, 0], labels=[1, 0], action_names=("p", "q"), label_names=("p", "q"))
    assert graph.check("G (label q <-> action p)", "q", "[p]p", confirm="always").holds
    with pytest.raises(Exception, match="is an action and a label"):
        graph.check("G q")
