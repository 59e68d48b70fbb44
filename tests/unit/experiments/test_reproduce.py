"""`coarsest reproduce`: points in processes of their own, results that are kept, claims that hold or fail."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from coarsest.errors import FileProblem, LimitExceeded
from coarsest.experiments import reproduce as reproducing
from coarsest.experiments.point_process import measure_points
from coarsest.experiments.points import COLLECTION, Outcomes, Paper, PaperClaim, PaperTable, Point, Word, number, shipped
from coarsest.experiments.reproduce import PAPERS, Results, judge, paper_named, reproduce
from coarsest.run import Limits, Run
from command_lines import Runner, runner

LIMITS = Limits(seconds=20.0, mebibytes=1000)


def square(n: int, *, run: Run, trace: str = "", unlike: int = 0) -> Mapping[str, int]:
    """A measurement: it leaves a mark where it has been."""
    if trace:
        (Path(trace) / f"{n}-{time.monotonic_ns()}").touch()
    return {"square": n * n}


def turn(n: int, *, run: Run, tell: str = "") -> Mapping[str, int]:
    """A measurement that never ends, if `n` is more than 2."""
    if tell:
        Path(tell).write_text(str(os.getpid()), encoding="utf-8")
    while n > 2:
        n += 1
    return {"square": n * n}


def hoard(*, run: Run) -> Mapping[str, int]:
    block = bytearray(os.urandom(1 << 20) * 400)
    time.sleep(60)
    return {"square": len(block)}


def refuse(n: int, *, run: Run) -> Mapping[str, int]:
    if n == 1:
        raise FileProblem("the model is not here")
    if n == 2:
        raise LimitExceeded("nodes", "no more nodes")
    raise ValueError("no such square")


def point(n: int, function: str = "square", *, series: str = "", quick: bool = True, **arguments: Any) -> Point:
    return Point(
        row=f"n = {n}", column=function, measure=f"{__name__}:{function}", arguments={"n": n, **arguments},
        expected={"square": n * n}, paper={"square": n * n}, series=series, quick=quick,
    )  # fmt: skip


def largest_is_large(outcomes: Outcomes) -> tuple[Word, str]:
    value = number(outcomes, "n = 3, square", "square")
    return ("unknown", "") if value is None else ("holds" if value > 5 else "fails", f"{value:g}")


def toy(*points: Point, claims: tuple[PaperClaim, ...] = ()) -> Paper:
    return Paper("toy", "A toy", [PaperTable(name="1", title="Squares", facts=("square",), points=points, claims=claims)])


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Runner:
    return runner(monkeypatch, capsys)


@pytest.fixture
def register(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes a paper known to the command for the time of a test: a title, and a module with its tables."""

    def add(paper: Paper) -> None:
        module = type(sys)(f"coarsest.experiments.{paper.name}")
        module.TABLES = paper.tables  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, module.__name__, module)
        monkeypatch.setattr(reproducing, "PAPERS", {**PAPERS, paper.name: (paper.title, paper.name)})

    return add


def test_points_are_measured_in_processes_of_their_own() -> None:
    outcomes = list(measure_points("toy", [point(2), point(3)], LIMITS, jobs=2))
    assert {outcome.point: outcome.facts for outcome in outcomes} == {
        "n = 2, square": {"square": 4}, "n = 3, square": {"square": 9},
    }  # fmt: skip


def test_a_series_ends_at_the_time_limit() -> None:
    points = [point(n, "turn", series="turning") for n in (1, 2, 3, 4, 5)] + [point(6)]
    outcomes = {one.point: one for one in measure_points("toy", points, Limits(seconds=1.0, mebibytes=1000), jobs=2)}
    assert [outcomes[f"n = {n}, turn"].limit for n in (1, 2, 3, 4, 5)] == [None, None, "time", "before", "before"]
    assert outcomes["n = 3, turn"].ended == "over 1 s"
    assert outcomes["n = 6, square"].facts == {"square": 36}
    judged = judge(toy(*points).tables[0], outcomes)
    assert judged.code == 0  # a series may end
    alone = toy(point(3, "turn")).tables[0]
    assert judge(alone, outcomes).code == 3  # others must be measured


def test_the_memory_limit() -> None:
    greedy = Point(row="much", column="memory", measure=f"{__name__}:hoard", arguments={})
    (outcome,) = measure_points("toy", [greedy], Limits(seconds=20.0, mebibytes=200))
    assert (outcome.limit, outcome.ended) == ("memory", "over 200 MiB")


def test_why_there_are_no_facts() -> None:
    outcomes = {one.arguments["n"]: one for one in measure_points("toy", [point(n, "refuse") for n in (1, 2, 3)], LIMITS)}
    assert (outcomes[1].ended, outcomes[1].limit) == ("the model is not here", None)
    assert (outcomes[2].ended, outcomes[2].limit) == ("no more nodes", "memory")
    assert (outcomes[3].ended, outcomes[3].limit) == ("ValueError: no such square", None)


def test_what_was_measured_is_not_measured_again(tmp_path: Path) -> None:
    results, marks = str(tmp_path / "results.jsonl"), tmp_path / "marks"
    marks.mkdir()
    paper = toy(*(point(n, trace=str(marks)) for n in (1, 2)))
    first = reproduce(paper, LIMITS, Results(results))
    assert len(list(marks.iterdir())) == 2
    with open(results, "ab") as file:
        file.write(b'{"paper": "toy", "poi')  # somebody pulled the plug
    larger = toy(*(point(n, trace=str(marks)) for n in (1, 2, 3)))
    second = reproduce(larger, LIMITS, Results(results))
    assert len(list(marks.iterdir())) == 3
    assert {name: second[name] for name in first} == first
    assert len(Path(results).read_text(encoding="utf-8").splitlines()) == 3
    reproduce(toy(point(1, trace=str(marks), unlike=1)), LIMITS, Results(results))
    assert Results(results).outcomes[-1].arguments["unlike"] == 1  # another measurement by the same name


def test_a_higher_limit_is_tried(tmp_path: Path) -> None:
    results = str(tmp_path / "results.jsonl")
    paper = toy(point(3, "turn"))
    for seconds, lines in ((0.8, 1), (0.7, 1), (0.9, 2)):
        reproduce(paper, Limits(seconds=seconds, mebibytes=1000), Results(results))
        assert len(Path(results).read_text(encoding="utf-8").splitlines()) == lines, seconds


def test_other_files_are_refused(tmp_path: Path, run: Runner) -> None:
    (tmp_path / "other.jsonl").write_text('{"paper": 3}\n', encoding="utf-8")
    result = run("reproduce", "fisler:3", "-o", str(tmp_path / "other.jsonl"))
    assert result.code == 2
    assert "other.jsonl:1:1: error: not a result of 'coarsest reproduce'" in result.err
    assert run("reproduce", "fisler:3", "-o", str(tmp_path / "table.txt")).code == 2


@pytest.mark.parametrize(("values", "code", "word"), [((2, 3), 0, "holds"), ((1, 2), 3, "unknown")])
def test_claims_decide_the_exit_code(register: Any, run: Runner, values: tuple[int, ...], code: int, word: str) -> None:
    register(toy(*map(point, values), claims=(PaperClaim("nine is more than five", largest_is_large, quick=True),)))
    result = run("reproduce", "toy:1", "--quick")
    assert result.code == code, result
    assert f"{word:<8} nine is more than five" in result.out


def test_a_claim_that_fails(register: Any, run: Runner) -> None:
    register(toy(point(2), claims=(PaperClaim("two is three", lambda outcomes: ("fails", "2 and 3")),)))
    result = run("reproduce", "toy")
    assert result.code == 1
    assert "fails    two is three: 2 and 3\n" in result.out
    assert run("reproduce", "toy", "--quick").code == 0  # small sizes do not show it


def test_a_count_that_differs(register: Any, run: Runner) -> None:
    wrong = Point(row="two", column="squared", measure=f"{__name__}:square", arguments={"n": 2}, expected={"square": 5})
    register(toy(wrong, point(2)))
    result = run("reproduce", "toy", "--json")
    assert result.code == 1
    (table,) = json.loads(result.out)["tables"]
    assert {(one["claim"], one["verdict"], one["numbers"]) for one in table["claims"]} == {
        ("what is exact, at 1 points", "holds", ""), ("two, squared: square 5", "fails", "square 4"),
    }  # fmt: skip
    assert [(one["name"], one["facts"], one["paper"]) for one in table["points"]] == [
        ("two, squared", {"square": 4}, {}), ("n = 2, square", {"square": 4}, {"square": 4}),
    ]  # fmt: skip


def test_ours_stand_beside_theirs(register: Any, run: Runner) -> None:
    register(toy(point(2), point(3)))
    out = run("reproduce", "toy").out.splitlines()
    assert [line.split() for line in out[4:6]] == [["n", "=", "2", "4", "(4)"], ["n", "=", "3", "9", "(9)"]]


def drawn(outcomes: Outcomes) -> dict[str, str]:
    return {"squares": f"<svg>{len(outcomes)} points</svg>"}


def test_what_grows_is_plotted(register: Any, run: Runner, tmp_path: Path) -> None:
    (table,) = toy(point(2), point(3)).tables
    register(Paper("toy", "A toy", [replace(table, plots=f"{__name__}:drawn")]))
    assert run("reproduce", "toy", "--plots", str(tmp_path / "plots")).code == 0
    assert (tmp_path / "plots" / "squares.svg").read_text(encoding="utf-8") == "<svg>2 points</svg>"
    register(toy(point(2)))
    refused = run("reproduce", "toy", "--plots", str(tmp_path / "none"))
    assert refused.code == 2 and "nothing to plot" in refused.err


def test_a_page_from_results_that_are_not_complete(register: Any, run: Runner, tmp_path: Path) -> None:
    """What was measured is shown, nothing is measured, and what is missing is said."""
    results, page = str(tmp_path / "results.jsonl"), tmp_path / "report.html"
    (table,) = toy(point(2)).tables
    register(Paper("toy", "A <toy>", [replace(table, plots=f"{__name__}:drawn")]))
    assert run("reproduce", "toy", "--results", results).code == 0
    marks = tmp_path / "marks"
    marks.mkdir()
    register(Paper("toy", "A <toy>", [replace(table, plots=f"{__name__}:drawn", points=(point(2), point(3, trace=str(marks))))]))
    shown = run("reproduce", "toy", "--from", results, "-o", str(page))
    assert shown.code == 3 and not list(marks.iterdir())
    text = page.read_text(encoding="utf-8")
    assert all(part in text for part in ("A &lt;toy&gt;", "4 (4)", "<svg>1 points</svg>", "at 1 more points: not measured"))


def test_all_papers(register: Any, run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    register(toy(point(2)))
    monkeypatch.setattr(reproducing, "PAPERS", {"toy": reproducing.PAPERS["toy"]})
    assert "n = 2" in run("reproduce", "all").out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--from", "none.jsonl"), "there is no file 'none.jsonl'"),
        (("--from", "a.jsonl", "--results", "b.jsonl"), "--from measures nothing"),
        (("--results", "table.txt"), "the results cannot be kept in 'table.txt'"),
        (("-o", "table.txt"), "a report cannot be written to 'table.txt'"),
        (("--collection", "nowhere"), "there is no folder 'nowhere'"),
    ],
)
def test_files_that_cannot_be_meant(run: Runner, words: tuple[str, ...], message: str) -> None:
    result = run("reproduce", "bouajjani:5", *words)
    assert result.code == 2 and message in result.err


def test_the_collection_may_be_anywhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(COLLECTION, str(tmp_path))
    (tmp_path / "vis").mkdir()
    (tmp_path / "vis" / "a.v").touch()
    assert shipped("collection/vis/a.v") == tmp_path / "vis" / "a.v"
    with pytest.raises(FileProblem, match=r"'vis/b\.v' is not in the collection"):
        shipped("collection/vis/b.v")


def test_an_interrupted_run_keeps_its_results(tmp_path: Path) -> None:
    """Ctrl-C while the second point is at work: the first is in the file and in the table, and no process is left."""
    results, at_work = tmp_path / "results.jsonl", tmp_path / "at_work"
    program = (
        "import sys, test_reproduce as t\n"
        "from coarsest.experiments import reproduce as r\n"
        "from coarsest.cli.app import main\n"
        f"paper = t.toy(t.point(2), t.point(3, 'turn', tell={str(at_work)!r}))\n"
        "module = type(sys)('coarsest.experiments.toy'); module.TABLES = paper.tables\n"
        "sys.modules[module.__name__] = module; r.PAPERS = {'toy': ('A toy', 'toy')}\n"
        f"sys.exit(main(['reproduce', 'toy', '--jobs', '1', '-o', {str(results)!r}]))\n"
    )
    command = [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}\n{program}"]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not (at_work.exists() and at_work.read_text(encoding="utf-8")):
        assert child.poll() is None, child.communicate()
        time.sleep(0.05)
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate()
    assert child.returncode == 130
    with pytest.raises(ProcessLookupError):
        os.kill(int(at_work.read_text(encoding="utf-8")), 0)
    assert "4 (4)" in out and "ended early: the run was interrupted" in out
    assert len(results.read_text(encoding="utf-8").splitlines()) == 1


def test_papers_and_tables(run: Runner) -> None:
    listed = run("reproduce")
    assert listed.code == 0
    assert all(name in listed.out for name in (*PAPERS, "bouajjani:5", "fisler:3", "sebastiani:2", "barner:14"))
    assert run("reproduce", "--list", "--json").code == 0
    names = json.loads(run("reproduce", "fisler:4", "--list", "--json").out)["papers"][0]["tables"]
    assert [table["name"] for table in names] == ["4"]


@pytest.mark.parametrize(
    ("words", "message", "hint"),
    [
        ("fissler:3", "there is no paper 'fissler'", "did you mean 'fisler'?"),
        ("x", "there is no paper 'x'", "the papers are bouajjani, fisler, barner, bustan, sebastiani; 'all' means every one"),
        ("fisler:9", "'fisler' has no table '9' here", "it has fisler:1, fisler:3, fisler:3m, fisler:4, fisler:5"),
    ],
)
def test_unknown_words(run: Runner, words: str, message: str, hint: str) -> None:
    result = run("reproduce", words)
    assert result.code == 2
    assert result.err == f"error: {message}\n  hint: {hint}\n"


@pytest.mark.parametrize("name", PAPERS)
def test_points_can_be_found(name: str) -> None:
    """By one name each, with a function that exists; a quick run has points, and asserts something of every table."""
    for table in paper_named(name).tables:
        names = [one.name for one in table.points]
        assert len(set(names)) == len(names)
        for one in table.points:
            module, _, function = one.measure.partition(":")
            assert callable(getattr(import_module(module), function))
        quick = table.chosen(quick=True)
        assert 0 < len(quick) <= 40 and any(one.expected for one in quick)


def test_models_that_are_not_here() -> None:
    assert shipped("examples/mutex.smv").name == "mutex.smv"
    with pytest.raises(FileProblem, match=r"'examples/none\.smv' is not here"):
        shipped("examples/none.smv")


def test_a_table_of_the_simple_example(run: Runner, tmp_path: Path) -> None:
    """A whole table of a paper, quickly; and once more from what was kept."""
    results = str(tmp_path / "results.jsonl")
    first = run("reproduce", "bouajjani:5", "--quick", "-o", results)
    assert first.code == 0, first
    assert "10 (10)" in first.out and "20 (20)" in first.out
    lines = Path(results).read_bytes()
    again = run("reproduce", "bouajjani:5", "--quick", "-o", results)
    assert (again.code, Path(results).read_bytes()) == (0, lines)
