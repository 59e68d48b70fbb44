"""What the documents say about the house is so: its rooms, its folders and files; and their lines can be read anywhere."""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from source_files import PACKAGE, ROOT, folders

WIDEST = 120
"""Lines of prose end at this column; tables, code and lines that are one link may be longer."""

PATH = re.compile(r"`([\w./]+(?:/|\.py))`")
"""A folder or a file of ours, as documents name it."""


def documents() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=False)
    names = listed.stdout.split() or [path.relative_to(ROOT).as_posix() for path in ROOT.glob("**/*.md")]
    return [ROOT / name for name in names if not name.startswith("experiments/") or name.endswith("README.md")]


def prose(document: Path) -> Iterator[tuple[int, str]]:
    """The lines outside of tables and code, with their numbers."""
    fenced = False
    for number, line in enumerate(document.read_text(encoding="utf-8").splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced and not line.startswith(("    ", "|")):
            yield number, line


@pytest.mark.parametrize("document", documents(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_lines_of_prose_end_in_time(document: Path) -> None:
    whole = re.compile(r"\S+|.*\]\(.*|`[^`]*`[.,;:]?")  # a word, a link or code, which cannot be divided
    wide = [number for number, line in prose(document) if len(line) > WIDEST and not whole.fullmatch(line.strip())]
    assert wide == []


def test_the_architecture_names_every_folder() -> None:
    """But for those of languages, of which it says that there is one for each."""
    named = set(PATH.findall((ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")))
    languages = {folder for folder in folders() if folder.startswith("formats/") and folder != "formats/"}
    assert folders() - languages - named == set()


@pytest.mark.parametrize("name", ["ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_what_is_named_is_there(name: str) -> None:
    named = set(PATH.findall((ROOT / name).read_text(encoding="utf-8")))
    assert named
    assert {path for path in named if not (PACKAGE / path).exists() and not (ROOT / path).exists()} == set()


def test_the_picture_of_the_rooms_shows_them_all() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    picture = text.partition("## Rooms")[2].partition("```")[2].partition("```")[0]
    shown = {word.strip() for line in picture.splitlines() for word in re.split(r"\s{2,}", line.strip())[0].split("│")} - {""}
    rooms = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    outside = {"__init__", "__main__", "registry"}
    assert {word for entry in shown for word in entry.split()} == rooms - outside


def test_the_picture_of_the_rooms_has_the_layers_of_the_contract() -> None:
    """From top to bottom; a room that stands above another in the picture may import it."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    picture = text.partition("## Rooms")[2].partition("```")[2].partition("```")[0]
    shown = [{*re.split(r"\s{2,}", line.strip())[0].split(" │ ")} for line in picture.splitlines() if line.strip()]
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    enforced = [{room.removeprefix("coarsest.") for room in layer.split(" | ")} - {"registry"} for layer in layers]
    assert shown == enforced


ADDED = ("engine", "relation", "format", "reduction", "kind of property", "BDD package", "option", "command", "table of a paper")
"""What people add to the house."""


@pytest.mark.parametrize("what", ADDED)
def test_how_to_add_is_shown_by_files(what: str) -> None:
    """There is a paragraph about each, and it names files of ours; that they exist is tested above."""
    section = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## How to add")[2].partition("\n## ")[0]
    (paragraph,) = (text for text in section.split("\n\n") if re.match(rf"\*\*An? {what}\b", text))
    assert [path for path in PATH.findall(paragraph) if path.endswith(".py")]
