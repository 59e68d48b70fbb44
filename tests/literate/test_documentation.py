"""Every command and every Python example in the documentation does what the page says.

In a `console` block, `$ ` begins a command, run by a shell in a copy of the project; what follows is its output, standard
error included. In a `pycon` block, the examples of one page are one session. `...` stands for any text, as in doctest; times
and numbers of nodes may differ.
"""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path, language: str) -> list[tuple[int, str]]:
    """The code blocks in a language, each with its line number."""
    text = page.read_text(encoding="utf-8")
    return [(text[: m.start()].count("\n") + 1, m.group(2)) for m in FENCE.finditer(text) if m.group(1) == language]


def levelled(output: str) -> str:
    """Output without what differs from machine to machine and from one variable order to another."""
    return re.sub(r"\b\d+\.\d+ s\b", "0.00 s", re.sub(r"\b\d+ nodes\b", "0 nodes", output))


def commands(page: Path) -> list[tuple[str, str]]:
    """Commands and their expected outputs, in order."""
    found = []
    for _, block in blocks(page, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands(page: Path, copy: Path) -> None:
    environment = {**os.environ, "COLUMNS": "100", "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    for command, expected in commands(page):
        shell = ["bash", "-c", command]
        result = subprocess.run(shell, cwd=copy, env=environment, text=True, check=False, capture_output=False,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)  # fmt: skip
        matches = doctest.OutputChecker().check_output(levelled(expected), levelled(result.stdout), FLAGS)
        assert matches, f"{page.name}: {command}\nexpected\n{expected}\nfound\n{result.stdout}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_examples(page: Path, copy: Path) -> None:
    names: dict[str, object] = {}
    for line, block in blocks(page, "pycon"):
        session = doctest.DocTestParser().get_doctest(block, names, page.name, str(page), line)
        report: list[str] = []
        outcome = doctest.DocTestRunner(optionflags=FLAGS, verbose=False).run(session, out=report.append, clear_globs=False)
        assert outcome.failed == 0, "".join(report)
        names = session.globs


@pytest.mark.parametrize("page", [*PAGES, *ROOT.glob("*.md")], ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8")):
        assert target.startswith("https://") or (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_documentation_has_examples() -> None:
    assert sum(len(commands(page)) for page in PAGES) > 10
    assert sum(len(blocks(page, "pycon")) for page in PAGES) > 3


def test_the_architecture_describes_what_is_there() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    package = ROOT / "src" / "coarsest"
    for name in re.findall(r"`((?:\w+/)*\w+\.py|(?:\w+/)+)`", text):
        assert (package / name).exists() or (ROOT / name).exists(), f"ARCHITECTURE.md names {name}"
    for folder in package.iterdir():
        if (folder / "__init__.py").exists():
            assert f"`{folder.name}/`" in text, f"ARCHITECTURE.md does not mention {folder.name}/"
