"""Workflows are run elsewhere: here they are read, and what they call has to exist."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

import coarsest

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def jobs(path: Path) -> dict[str, Any]:
    workflow: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert workflow.keys() >= {"name", True, "permissions", "jobs"}  # YAML reads `on` as a truth value
    read: dict[str, Any] = workflow["jobs"]
    return read


def test_there_are_workflows() -> None:
    assert [path.stem for path in WORKFLOWS] == ["docs", "release", "tests"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_steps_call_what_exists(path: Path) -> None:
    for name, job in jobs(path).items():
        assert "runs-on" in job, name
        assert set(job.get("needs", ())) <= set(jobs(path)), name
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step), step
            assert re.fullmatch(r"[\w/.-]+@(v\d+|release/v1)", step.get("uses", "a/b@v1")), step
            assert set(re.findall(r"\bmake ([a-z-]+)", step.get("run", ""))) <= TARGETS, step
        for used in re.findall(r"\$\{\{ matrix\.(\w+)", str(job)):
            assert used in job["strategy"]["matrix"], used


def test_every_version_and_system_is_tried() -> None:
    classifiers = [word.rpartition(" ")[2] for word in PROJECT["classifiers"] if "Python :: 3." in word]
    tests = jobs(ROOT / ".github" / "workflows" / "tests.yml")
    assert tests["whole"]["strategy"]["matrix"]["python"] == tests["core"]["strategy"]["matrix"]["python"] == classifiers
    assert tests["core"]["strategy"]["matrix"]["system"] == ["ubuntu-latest", "macos-latest", "windows-latest"]


def test_publishing_needs_no_password() -> None:
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    assert jobs(ROOT / ".github" / "workflows" / "release.yml")["publish"]["permissions"] == {"id-token": "write"}
    assert "secrets." not in text and "password:" not in text


def test_the_citation_is_of_this_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation.keys() >= {"cff-version", "message", "title", "authors"}
    assert (citation["version"], citation["license"]) == (coarsest.__version__, PROJECT["license"])
    assert citation["repository-code"] == PROJECT["urls"]["Source"]
