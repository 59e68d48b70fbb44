"""The version in one letter, colours that are forced, and examples to begin with."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

import coarsest
from coarsest.cli.frame.publish import Screen
from coarsest.files import EXAMPLES
from command_lines import Runner

ROOT = Path(__file__).parents[3]


def test_the_version_says_whether_kernels_are_compiled(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    for library, kernels in ((object(), "compiled kernels"), (None, "without compiled kernels: large graphs take longer")):
        monkeypatch.setattr("coarsest._kernels.library.library", lambda library=library: library)
        assert run("-V")[:2] == run("--version")[:2] == (0, f"coarsest {coarsest.__version__} ({kernels})\n")


@pytest.mark.parametrize("variables, colour", [
    ({}, False), ({"FORCE_COLOR": "1"}, True), ({"FORCE_COLOR": "0"}, False), ({"FORCE_COLOR": ""}, False),
    ({"FORCE_COLOR": "1", "TERM": "dumb"}, True), ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
])  # fmt: skip
def test_colours(variables: dict[str, str], colour: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert Screen.of_standard_output().colour is colour


def test_examples_are_listed_and_copied(run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    listed = json.loads(run("examples", "--json").out)["examples"]
    files = {path.relative_to(ROOT / "examples").as_posix() for path in (ROOT / "examples").rglob("*") if path.is_file()}
    assert {one["name"] for one in listed} == files
    about = {one["name"]: one["about"] for one in listed}
    assert about["countdown.smv"].startswith("Counts down and ends")
    assert run("examples", "mutex.smv", "bus", "--into", "models").code == 0
    assert Path("models/mutex.smv").read_text() == (ROOT / "examples" / "mutex.smv").read_text()
    assert Path("models/bus/master.smv").is_file()
    assert "already exists" in run("examples", "mutex.smv", "--into", "models").err
    assert "did you mean 'mutex.smv'?" in run("examples", "mutx.smv").err
    Path("file").write_text("")
    assert "cannot make the directory" in run("examples", "mutex.smv", "--into", "file").err


def test_the_package_has_them() -> None:
    built = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert Path("src") / built["force-include"]["examples"] == Path(EXAMPLES[0]).relative_to(ROOT)
