"""What a plain install of a wheel is: small, without a compiler, fast from the first call on, and all that the README shows."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from coarsest._kernels.library import library
from literate_pages import ROOT, run_commands

pytestmark = pytest.mark.installed
WHEEL = os.environ.get("COARSEST_WHEEL", "")
"""The wheel that `make release-check` made; without one, the tests make theirs."""
PURE = WHEEL.endswith("-any.whl") if WHEEL else library() is None
needs_library = pytest.mark.skipif(PURE, reason="kernels are not compiled ahead on this platform")

MOST_MEGABYTES = 120
USED = """
import sys
from coarsest._kernels.call_kinds import called_with, modules
from coarsest._kernels.library import library
assert all(library().function(module, *call) for module in modules() for call in called_with(module))
print("numba" in sys.modules, "llvmlite" in sys.modules)
"""


def python(*words: str, **variables: str) -> str:
    """What a command of Python says."""
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "COARSEST_LIBRARY")}
    done = subprocess.run(words, env={**environment, **variables}, cwd="/", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def built(folder: Path, **variables: str) -> Path:
    python(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT), **variables)
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of an environment with a plain install."""
    folder = tmp_path_factory.mktemp("installed")
    python(sys.executable, "-m", "venv", str(folder / "venv"))
    programs = folder / "venv" / "bin"
    python(str(programs / "python"), "-m", "pip", "install", "--quiet", str(ROOT / WHEEL if WHEEL else built(folder)))
    return programs


@needs_library
def test_it_is_small_and_has_kernels_but_no_compiler(installed: Path) -> None:
    (packages,) = installed.parent.glob("lib/*/site-packages")
    for tool in ("pip", "setuptools", "pkg_resources"):
        shutil.rmtree(packages / tool, ignore_errors=True)
    size = sum(path.stat().st_size for path in packages.rglob("*") if path.is_file())
    assert size < MOST_MEGABYTES * 1_000_000
    assert not any((packages / name).exists() for name in ("numba", "llvmlite"))
    assert python(str(installed / "python"), "-c", USED) == "False False\n"


@needs_library
@pytest.mark.parametrize("relation", ["bisimulation", "branching-bisimulation", "simulation"])
def test_graphs_are_reduced_at_once_where_nothing_can_be_written(installed: Path, relation: str, tmp_path: Path) -> None:
    lines = [f"({state}, {'abi'[state % 3]}, {(state * 7 + 1) % 2000})\n" for state in range(2000)]
    (tmp_path / "graph.aut").write_text("".join(["des (0, 2000, 2000)\n", *lines]))
    (tmp_path / "file").touch()
    words = [str(installed / "coarsest"), "reduce", "--by", relation, str(tmp_path / "graph.aut")]
    home = str(tmp_path / "file")
    answers = {python(*words, HOME=home, **more) for more in ({}, {"COARSEST_LIBRARY": "none"})}
    assert len(answers) == 1 and "states" in answers.pop()


def test_commands_of_the_readme(installed: Path, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    run_commands(ROOT / "README.md", tmp_path, PATH=f"{installed}{os.pathsep}{os.environ['PATH']}", PYTHONPATH="")


def test_a_wheel_for_all_platforms(tmp_path: Path) -> None:
    wheel = built(tmp_path, COARSEST_LIBRARY="none")
    assert wheel.name.endswith("-py3-none-any.whl")
    assert not [name for name in zipfile.ZipFile(wheel).namelist() if name.endswith(".so")]
