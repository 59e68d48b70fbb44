"""`coarsest reduce` on models, and `Model.reduce`: outputs, what is observed, pictures of partitions, wrong input."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

import coarsest
import coarsest.evidence.replay.replay
from coarsest.api.options import ReduceOptions
from coarsest.check.invariants.measured_invariant import MEASURED
from coarsest.cli.app import main
from coarsest.errors import InputError, LimitExceeded, NameProblem, Unsupported
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Property
from coarsest.options.option import words
from coarsest.reduce.bisimulation.algorithms import MINIMISERS
from coarsest.run import Limits, Run

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
PAPER = str(EXAMPLES / "minimal_graph.smv")

MEALY = """
MODULE main
VAR n : 0..5;
IVAR up : boolean; noise : boolean;
ASSIGN init(n) := 0; next(n) := case up : (n + 1) mod 6; TRUE : n; esac;
DEFINE even := n mod 2 = 0;
LTLSPEC G F even
INVARSPEC n < 6
"""
STUCK = "MODULE main VAR n : 0..4; INIT n = 0 TRANS n < 3 & next(n) = n + 1 DEFINE low := n < 2; SPEC EF !low"

Run_ = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run_:
    def execute(*argv: str) -> tuple[int, str, str]:
        code = main(list(argv))
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return execute


def test_a_model_with_very_many_initial_states_is_not_walked_through() -> None:
    bits = [f"b{number}" for number in range(40)]
    declared = "".join(f"{bit} : boolean; " for bit in bits)
    found = coarsest.loads(f"MODULE main VAR {declared} DEFINE odd := {' xor '.join(bits)};").reduce(observe=["odd"], count=False)
    assert (found.states, found.transitions, found.confirmed) == (2, 4, False)


@pytest.mark.parametrize("algorithm", [*MINIMISERS, "bfh", "auto"])
def test_every_algorithm_from_the_command_line(run: Run_, algorithm: str) -> None:
    code, out, _ = run("reduce", PAPER, "--observe", "output", "--algorithm", algorithm, "--json")
    found = json.loads(out)
    assert code == 0
    assert (found["states"], found["transitions"]) == ({"before": 10, "after": 5}, {"before": 20, "after": 7})
    assert (found["schema"], found["relation"], found["confirmed"]) == (1, "bisimulation", True)
    assert found["algorithm"] in MINIMISERS and found["seconds"] >= 0


def test_the_graph_the_model_and_the_picture(run: Run_, tmp_path: Path) -> None:
    for suffix in ("aut", "dot", "svg", "smv"):
        assert run("reduce", PAPER, "--observe", "x | y", "-o", str(tmp_path / f"small.{suffix}"))[0] == 0
    assert (tmp_path / "small.aut").read_text().startswith("des (0, 7, 5)\n")
    assert (tmp_path / "small.dot").read_text().count("->") >= 7
    ElementTree.fromstring((tmp_path / "small.svg").read_text())
    small = coarsest.load(tmp_path / "small.smv")
    assert small.reach().states == 5
    assert small.check("G F observed_1", "AG (!observed_1 -> AX observed_1)").holds


def test_the_model_on_standard_output(run: Run_) -> None:
    code, out, _ = run("reduce", PAPER, "--observe", "output", "-o", "-")
    assert code == 0
    assert coarsest.loads(out).reduce(observe=["output"]).states == 5


def test_several_initial_states_and_states_without_steps_in_aldebaran_text(run: Run_, tmp_path: Path) -> None:
    model, small = tmp_path / "m.smv", tmp_path / "m.aut"
    model.write_text("MODULE main VAR n : 0..2; TRANS n < 2 & next(n) = n + 1 DEFINE last := n = 2;")
    assert run("reduce", str(model), "--observe", "last", "-o", str(small))[0] == 0
    text = small.read_text()
    assert text.startswith("des (0, 6, 4)") and text.count('"start"') == 3 and '"stopped, last"' in text


def test_pictures_of_the_partitions_have_the_names_of_the_paper(run: Run_, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "steps"
    assert run("reduce", PAPER, "--observe", "output", "--algorithm", "bfh", "--trace-partitions", str(folder))[0] == 0
    pictures = [path.read_text() for path in sorted(folder.iterdir())]
    assert len(pictures) == 11
    assert set(re.findall(r">(C\d+)</text>", pictures[-1])) == {"C1121", "C1122", "C111", "C12", "C21", "C22", "C23"}
    assert set(re.findall(r">(C\d+)</text>", pictures[0])) == {"C1", "C2"}
    for picture in pictures:
        ElementTree.fromstring(picture)


@pytest.mark.parametrize("algorithm", MINIMISERS)
def test_pictures_of_other_algorithms(run: Run_, tmp_path: Path, algorithm: str) -> None:
    arguments = ("--observe", "at", "--algorithm", algorithm, "--trace-partitions", str(tmp_path / "p"))
    model = tmp_path / "m.smv"
    model.write_text("MODULE main VAR n : 0..20; ASSIGN init(n) := 0; next(n) := (n + 1) mod 10; DEFINE at := n mod 5 = 0;")
    assert run("reduce", str(model), *arguments)[0] == 0
    for path in (tmp_path / "p").iterdir():
        ElementTree.fromstring(path.read_text())


def test_what_is_observed_when_nothing_is_said() -> None:
    model = coarsest.loads(MEALY)
    assert model.reduce().states == 2  # even, and n < 6, which is always true
    assert model.reduce(observe=["n"]).states == 6
    assert model.reduce(observe=["G (n = 0 -> F n = 3)"]).states == 6
    with pytest.raises(InputError, match="neither outputs nor properties"):
        coarsest.loads("MODULE main VAR x : boolean;").reduce()


def test_actions() -> None:
    model = coarsest.loads(MEALY)
    plain = model.reduce(observe=["even"])
    acting = model.reduce(observe=["even"], actions=["up"])
    assert (plain.transitions, acting.transitions) == (4, 4)
    assert acting.graph.action_names == ("up = FALSE", "up = TRUE")
    assert acting.transitions_before == 12 and plain.transitions_before == 12
    assert {v.name for v in acting.model.machine.input_variables} == {"up"}
    assert acting.model.check("G (even & up -> X !even)").holds
    lifted = acting.reduction.lift_trace(acting.model.simulate(steps=5))
    coarsest.evidence.replay.replay.confirm_trace(model.machine, lifted, violates=None)


def test_observed_inputs_are_part_of_the_state() -> None:
    small = coarsest.loads(MEALY).reduce(observe=["even & up"])
    assert small.states == 3 and small.states_before == 12


def test_states_without_successors() -> None:
    small = coarsest.loads(STUCK).reduce()
    assert (small.states, small.transitions) == (4, 3)
    assert small.model.check().holds and small.confirmed


def test_wrong_input() -> None:
    model = coarsest.loads(MEALY)
    for options, problem, text in (
        ({"observe": ["evn"]}, NameProblem, "even"),
        ({"observe": ["next(n)"]}, InputError, "next"),
        ({"observe": ["{1, 2}"]}, InputError, "one value"),
        ({"actions": ["upp"]}, NameProblem, "did you mean 'up'"),
        ({"actions": ["n"]}, NameProblem, "not an input"),
        ({"observe": ["up"], "actions": ["up"]}, InputError, "as well"),
        ({"algorithm": "page-tarjan"}, InputError, "paige-tarjan"),
        ({"by": "magic"}, InputError, "bisimulation"),
    ):
        with pytest.raises(problem, match=text):
            model.reduce(**options)
    with pytest.raises(Unsupported, match="4096"):
        coarsest.loads("MODULE main VAR n : 0..9000; DEFINE m := n; SPEC AG m > 1").reduce(observe=["n"])


def test_limits(run: Run_, tmp_path: Path) -> None:
    model = coarsest.loads("MODULE main VAR n : 0..4000; ASSIGN next(n) := (n + 1) mod 4001; INVARSPEC n < 3")
    for algorithm in MINIMISERS:
        with pytest.raises(LimitExceeded):
            model.reduce(algorithm=algorithm, run=Run(Limits(steps=5)))
    path = tmp_path / "m.smv"
    path.write_text(model.to_smv())
    code, out, _ = run("reduce", str(path), "--timeout", "0.2", "--algorithm", "relation", "-o", str(tmp_path / "no.smv"))
    assert code == 3 and out.startswith("unknown:")
    assert not (tmp_path / "no.smv").exists()


def test_check_on_the_quotient(run: Run_) -> None:
    mutex = str(EXAMPLES / "mutex.smv")
    found = [json.loads(run("check", mutex, "--json", *more)[1])["properties"] for more in ((), ("--reduce", "bisimulation"))]
    assert [p["verdict"] for p in found[0]] == [p["verdict"] for p in found[1]]
    assert all(p["confirmed"] for p in found[1])
    assert [i for i, p in enumerate(found[1]) if "classes" in p["statistics"]] == [0, 1, 3]  # CTL under fairness of inputs is not
    assert [p["formula"] for p in found[0]] == [p["formula"] for p in found[1]]


@pytest.mark.parametrize("engine", ["bfh", *(engine for engine in MEASURED if engine != "forward")])
def test_invariants_by_minimisers(run: Run_, engine: str) -> None:
    code, out, _ = run("check", str(EXAMPLES / "mutex.smv"), "--json", "--engine", engine)
    found = json.loads(out)["properties"]
    assert code == 1
    assert [p["verdict"] for p in found[:2]] == ["fails", "holds"]
    assert all(p["confirmed"] for p in found)
    assert found[0]["statistics"]["iterations"] >= 5 and found[0]["statistics"]["images"] >= 5


def test_an_invariant_on_a_quotient_has_no_use_for_fairness() -> None:
    """Whoever asks for fair paths sees who moves; whoever asks for an invariant that holds sees nothing happen."""
    model = coarsest.load(Path(__file__).parents[3] / "examples" / "mutex.smv")
    good = "lock -> first.at = critical | second.at = critical"
    invariant, on_fair_paths = Property(PropertyKind.INVARIANT, model.formula(good).formula), model.formula(f"G ({good})")
    answers = model.check(invariant, on_fair_paths, reduce="bisimulation").answers
    assert [answer.statistics["classes"] for answer in answers] == [1, 2]
    assert all(answer.confirmed for answer in answers)


def test_every_word_for_a_relation_is_one() -> None:
    """The documentation's table for models once had all words for graphs as well."""
    model = coarsest.load("examples/mutex.smv")
    for word in words(ReduceOptions, "by"):
        assert model.reduce(by=word).facts.relation == word
