"""The benchmarks' own machinery: generators, references and targets, processes, tables. Nothing is timed."""

from __future__ import annotations

import json
import shutil
import sys
from argparse import Namespace
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[3]))  # the benchmarks are not part of the package

from benchmarks import reference, suite, tabulate
from benchmarks.execute import Limits, Measurement, Sample, measure
from benchmarks.generate import FAMILIES
from benchmarks.graph_families import FAMILIES as GRAPH_FAMILIES
from benchmarks.graph_processes import whole_rows, whole_table
from benchmarks.option_table import option_cases, option_table
from benchmarks.related_graphs import brothers_of

import coarsest.api.graph
from coarsest.formats import read_graph, write_graph
from coarsest.lts.branching.branching_bisimulation import minimise_by_branching_bisimulation
from coarsest.lts.labelled import Graph
from coarsest.lts.minimise.minimise import minimise
from coarsest.phases import PHASES

COLLECTION = Path(__file__).parents[4] / "shared" / "benchmarks"


def sample(cpu: float, *, ended: str = "complete", **findings: object) -> Sample:
    return Sample(ended=ended, cpu=cpu, wall=2 * cpu, mebibytes=30.0, findings=findings)


def measurement(case: suite.Case, *samples: Sample) -> Measurement:
    return Measurement(case=case, samples=samples)


@pytest.mark.parametrize(
    ("family", "n", "states", "fails"),
    [
        ("philosophers", 3, 3 * 45, {"AG EF p0 = eat", "AG (p0 = hungry -> EF p0 = eat)", "G (p0 = hungry -> F p0 = eat)"}),
        ("mutex", 3, 3 * 3 * 3 * 2**2, set()),  # who runs, whose turn it is, that process, the others
        ("bakery", 3, 3 * (1 + 2 * (3 + 6 + 6)), set()),  # who runs, queues without repetition whose first may be served
        ("ring", 4, 4 * 3 * 2**3, set()),  # who has the token, that station, the others
        ("counters", 5, 2**5, set()),
    ],
)
def test_families_have_the_expected_states_and_verdicts(family: str, n: int, states: int, fails: set[str]) -> None:
    model = coarsest.loads(FAMILIES[family](n).text())
    assert model.reach().states == states
    assert {answer.formula for answer in model.check() if answer.verdict.word != "holds"} == fails


@pytest.mark.parametrize(("family", "n"), [("philosophers", 8), ("mutex", 8), ("bakery", 4)])
def test_families_are_those_of_the_collection(family: str, n: int) -> None:
    path = COLLECTION / "scaling" / f"{family}{n}.smv"
    if not path.exists():
        pytest.skip("shared benchmarks not present")
    ours, theirs = coarsest.loads(FAMILIES[family](n).text()), coarsest.load(path)
    assert ours.machine.variables.keys() == theirs.machine.variables.keys()
    assert ours.reach().states == theirs.reach().states
    assert [p.kind for p in ours.properties] == [p.kind for p in theirs.properties]


def test_specifications_are_chosen_by_kind() -> None:
    model = FAMILIES["mutex"](2)
    assert [str(p.kind) for p in coarsest.loads(model.text(["ltl"])).properties] == ["ltl"] * len(model.ltl)
    assert coarsest.loads(model.text([])).properties == ()


def test_references_and_targets() -> None:
    best = {example.model: example.best for example in reference.examples()}
    assert best["abp8"] == 0.02
    assert best["production-cell"] == 0.30
    assert reference.family_seconds("philosophers", "ctl")[14] == 10.92
    assert reference.family_target("philosophers", "ctl", 16) == pytest.approx(21.24 / 5)
    assert suite.family_case("philosophers", "reach", 32).target == 5.0
    assert suite.family_case("ring", "all", 8).target is None


def test_names_of_cases_are_unique() -> None:
    for chosen in (suite.cases(), option_cases()):
        assert len({(case.group, case.name) for case in chosen}) == len(chosen)


def test_a_case_runs_in_a_process_of_its_own() -> None:
    found = measure(suite.family_case("counters", "all", 3), Limits(repeat=2))
    assert found.ended == "complete"
    assert len(found.samples) == 2
    assert found.findings["verdicts"] == ["holds"] * 3
    assert found.cpu > 0 and found.wall > 0 and found.mebibytes > 1
    counted = measure(suite.family_case("counters", "reach", 3), Limits(repeat=1))
    assert counted.findings["states"] == 8
    assert counted.findings["diameter"] == 8


def test_limits_end_a_process() -> None:
    case = suite.family_case("counters", "reach", 24)  # 16 million steps
    assert measure(case, Limits(seconds=0.5)).ended == "time limit"
    assert measure(case, Limits(mebibytes=1)).ended == "memory limit"


def test_wrong_usage_is_no_result() -> None:
    case = suite.family_case("counters", "reach", 3).with_options("--no-such-option")
    assert measure(case, Limits(repeat=1)).ended == "exit 2"


def test_a_row_of_the_table() -> None:
    case = suite.family_case("mutex", "ltl", 14)
    phases = [dict(zip(PHASES, (0.01, 0.02, 0.03, 0.04, 0.05, evidence))) for evidence in (0.1, 0.3, 0.2)]
    samples = [sample(0.5, verdicts=["holds"] * 3, peak_nodes=12345, phases=phases[0])]
    samples += [sample(0.1, phases=phases[1]), sample(0.9, phases=phases[2])]
    fast = measurement(case, *samples)
    assert tabulate.row(fast) == [
        "mutex14", "ltl", "3 holds", "0.01", "0.02", "0.03", "0.04", "0.05", "0.20",
        "0.50", "1.00", "30", "12 345", "3.23", "6.5", "0.65", "yes",
    ]  # fmt: skip
    slow = measurement(case, sample(1.0, verdicts=["fails", "holds", "unknown"]))
    assert tabulate.row(slow)[2] == "1 holds, 1 fails, 1 unknown"
    assert tabulate.target_met(slow) is False
    assert tabulate.target_met(measurement(case, sample(0.1, verdicts=["unknown"]))) is False
    assert tabulate.row(measurement(case, sample(30.2, ended="time limit")))[2:10] == ["time limit", *[""] * 6, "> 30"]
    assert tabulate.totals([fast, slow]) == "1 of 2 targets met; missed: mutex14 ltl (1.00 s)"


def test_answers_are_compared_with_the_known_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"here": {"reachable": 8, "properties": [{"verdict": "holds"}, {"verdict": "fails"}]}}
    monkeypatch.setattr(reference, "oracles", lambda: known)
    case = suite.Case(model="m", task="all", group="examples", arguments=("check",), oracle="here")
    assert tabulate.agrees(measurement(case, sample(1, states=8))) is True
    assert "wrong" in tabulate.summary(measurement(case, sample(1, states=9)))
    assert tabulate.agrees(measurement(case, sample(1, verdicts=["fails", "holds"]))) is True
    assert tabulate.agrees(measurement(case, sample(1, verdicts=["holds", "holds"]))) is False
    assert tabulate.agrees(measurement(case, sample(1, verdicts=["holds"]))) is None


def test_lines_are_unrounded() -> None:
    line = json.loads(tabulate.as_line(measurement(suite.family_case("ring", "all", 8), sample(1 / 3, states=5))))
    assert line["cpu"] == 1 / 3
    assert line["samples"][0]["findings"]["states"] == 5


def test_the_table_of_options_has_a_column_for_each_choice() -> None:
    case = suite.family_case("mutex", "ltl", 10)
    late = sample(9.0, ended="time limit")
    text = option_table([measurement(case, sample(1.0)), measurement(case.with_options("--no-cone"), late)])
    assert text.splitlines()[0].split("|")[1:-1] == [" model   ", " task ", " default ", " no cone "]
    assert "1.00" in text and "> 9" in text


def test_many_brothers_have_few_classes_by_simulation() -> None:
    graph = coarsest.api.graph.Graph.of(brothers_of(60, 8))
    assert graph.reduce().graph.states > 3 * graph.reduce(by="simulation").graph.states


@pytest.mark.parametrize("family", GRAPH_FAMILIES)
def test_families_of_graphs(family: str, tmp_path: Path) -> None:
    states, sources, actions, targets, names = GRAPH_FAMILIES[family](2000)
    assert (np.diff(sources) >= 0).all()
    assert 0 < len(sources) <= 4000
    graph = Graph.from_edges(states, sources, actions, targets, action_names=names)
    write_graph(graph, tmp_path / "graph.aut")
    again = read_graph(tmp_path / "graph.aut")
    assert [again.action_names[a] for a in again.actions.tolist()] == [names[a] for a in graph.actions.tolist()]
    branching = minimise_by_branching_bisimulation(again, keep_unreachable=True).graph
    assert branching.states <= minimise(again, keep_unreachable=True).graph.states


def test_whole_processes_are_measured_beside_others(tmp_path: Path) -> None:
    """A process that fails is said to; what one has written is gone before the next one starts."""
    copy = "cp {graph} {small}"
    refuse = f"{sys.executable} -c 'import os, sys; sys.exit(os.path.exists(sys.argv[1]) or 3)' {{small}}"
    arguments = Namespace(
        family=["chain"], size=[300], repeat=2, branching=True, boa=None, peer=[copy, refuse]
    )  # fmt: skip
    (row,) = whole_rows(arguments, lambda family, size, path: shutil.copy(_graph(tmp_path), path))
    assert [run["code"] for run in row["runs"][Path(sys.executable).name]] == [3, 3]
    ours, copied = row["programs"]["ours"], row["programs"]["cp"]
    assert ours["code"] == copied["code"] == 0
    assert 0 < ours["cpu"] == min(run["cpu"] for run in row["runs"]["ours"])
    assert ours["mebibytes"] > copied["mebibytes"] > 0
    assert whole_table([row]).splitlines()[-1].endswith("| fails |")


def _graph(folder: Path) -> Path:
    path = folder / "graph.aut"
    path.write_text("des (0, 2, 3)\n(0, a, 1)\n(1, i, 2)\n")
    return path
