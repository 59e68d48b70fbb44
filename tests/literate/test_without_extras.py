"""All that the README shows works where nothing is installed but what `make demo` installs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from literate_pages import ROOT, run_commands

NEEDED = {
    "oxidd": {"oxidd", "cffi", "_cffi_backend"},
    "numpy": {"numpy"},
    "msgspec": {"msgspec"},
    "python-sat": {"pysat", "pysolvers", "pycard", "six"},
}
"""The modules of each library that we need, with those that it needs itself."""

FILTER = """
import sys
PRESENT = {PRESENT!r} | set(sys.stdlib_module_names)

class Without:
    def __init__(self, finder):
        self.finder = finder

    def __getattr__(self, name):
        return getattr(self.finder, name)

    def find_spec(self, name, path=None, target=None):
        return self.finder.find_spec(name, path, target) if name.partition(".")[0] in PRESENT else None

sys.meta_path[:] = [Without(finder) for finder in sys.meta_path]
"""


@pytest.fixture
def alone(tmp_path: Path) -> dict[str, str]:
    """Variables for Python processes that find no other library than those we need."""
    folder = tmp_path / "without"
    folder.mkdir()
    present = {"coarsest", "__main__"}.union(*NEEDED.values())
    (folder / "sitecustomize.py").write_text(FILTER.replace("{PRESENT!r}", repr(present)))
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    return {"PYTHONPATH": os.pathsep.join([str(folder), str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])}


def test_what_is_needed_is_what_the_project_says() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {name.partition(">")[0] for name in project["dependencies"]} == set(NEEDED)


def test_extras_are_out_of_reach(alone: dict[str, str], tmp_path: Path) -> None:
    script = "import importlib.util, numpy; print(importlib.util.find_spec('pytest'), importlib.util.find_spec('z3'))"
    words, variables = [sys.executable, "-c", script], {**os.environ, **alone}
    shown = subprocess.run(words, cwd=tmp_path, env=variables, capture_output=True, text=True, check=True)
    assert shown.stdout == "None None\n"


def test_commands_of_the_readme(alone: dict[str, str], tmp_path: Path) -> None:
    run_commands(ROOT / "README.md", tmp_path, **alone)


def test_python_in_the_readme(alone: dict[str, str], tmp_path: Path) -> None:
    words = [sys.executable, "-m", "doctest", "-o", "ELLIPSIS", "-o", "NORMALIZE_WHITESPACE", str(ROOT / "README.md")]
    shown = subprocess.run(words, cwd=tmp_path, env={**os.environ, **alone}, capture_output=True, text=True, check=False)
    assert (shown.returncode, shown.stdout) == (0, ""), shown.stdout + shown.stderr
