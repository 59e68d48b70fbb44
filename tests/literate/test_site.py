"""The documentation as a site: what is generated for it, without the packages that build it (`make docs` does that)."""

from __future__ import annotations

import doctest
import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

import coarsest
from coarsest.logic.tokens import KEYWORDS, SECTIONS
from coarsest.registry import ALGORITHMS

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


@pytest.fixture(scope="module")
def hooks() -> ModuleType:
    specification = importlib.util.spec_from_file_location("site_hooks", DOCS / "hooks.py")
    assert specification is not None and specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_every_page_has_its_place() -> None:
    nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")[2]
    listed = re.findall(r"- (\S+\.md)$", nav, re.MULTILINE)
    assert len(set(listed)) == len(listed)
    assert {path.name for path in DOCS.glob("*.md")} == {name for name in listed if "/" not in name}


def test_every_algorithm_is_told_with_its_paper(hooks: ModuleType) -> None:
    page = hooks.algorithms_page()
    for algorithm in ALGORITHMS:
        if algorithm.reference not in ("", "–"):
            assert f"`{algorithm.file}`" in page, algorithm.name
    told = {path: fields for path, _, fields in hooks.headers()}
    fields = told["lts/rounds/distinguish_cleaveland.py"]
    assert fields["Reference"].startswith("Cleaveland 1990") and fields["Reference"].endswith("branching bisimulation.")
    assert set(fields) == set(hooks.FIELDS)


def test_every_name_is_in_the_reference(hooks: ModuleType) -> None:
    listed = re.findall(r"^::: \S+\.(\w+)$", hooks.names_page(), re.MULTILINE)
    assert sorted(listed) == sorted(set(coarsest.__all__) - {"__version__"})


def test_links_are_moved(hooks: ModuleType) -> None:
    assert doctest.testmod(hooks).failed == 0
    moved = hooks.moved_links("[why](docs/decisions/README.md) [it](LICENSE)", "reference/CONTRIBUTING.md")
    assert moved == "[why](../decisions/README.md) it"


def test_the_grammar_knows_the_words_of_smv() -> None:
    page = (DOCS / "grammars.md").read_text(encoding="utf-8")
    smv = page[page.index("## Expressions") : page.index("## Boolean programs")]
    words = set(re.findall(r'"([A-Za-z]\w+)"', smv))
    assert words - {"integer", "real"} <= KEYWORDS
    assert SECTIONS - words == {"FUN"}


def test_all_requests_have_their_row() -> None:
    numbers = re.findall(r"^\| (\d+) \|", (DOCS / "requests.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert numbers == [str(number) for number in range(1, 26)]
    rows = [line for line in (DOCS / "requests.md").read_text(encoding="utf-8").splitlines() if re.match(r"\| \d", line)]
    assert [row for row in rows if row.count("`") < 2] == [], "each row has a command, an option or a word to write"
