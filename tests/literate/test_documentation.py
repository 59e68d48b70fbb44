"""Every command and every Python example in the documentation does what the page says.

In a `console` block, `$ ` begins a command, run by a shell in a copy of the project; what follows is its output, standard
error included. In a `pycon` block, the examples of one page are one session. `...` stands for any text, as in doctest; times
and numbers of nodes may differ.
"""

from __future__ import annotations

import doctest
import re
import shutil
from pathlib import Path

import pytest

from literate_pages import FLAGS, PAGES, ROOT, blocks, commands, run_commands


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands(page: Path, copy: Path) -> None:
    run_commands(page, copy)


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
