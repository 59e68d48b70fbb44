"""What the site has beside the pages of this folder: the algorithms by their headers, the names of the package, files elsewhere.

Pages link to files of the project outside of this folder, as a reader of the source expects; on the site, documents become pages
of the reference, and examples are files of it.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "coarsest"
DOCUMENTS = ("ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")
FIELDS = ("Reference", "Symbols", "Invariant", "Deviates", "Cost")
ROOMS = {
    "automata": "Automata", "bdd": "Decision diagrams", "check": "Deciding properties", "encode": "Encoding",
    "evidence": "Judges",
    "lts": "Explicit graphs", "model": "Models", "reduce": "Smaller models", "render": "Drawing", "search": "Searching",
    "space": "State spaces", "explain": "Explaining", "formats": "Formats", "logic": "Logic", "_kernels": "Array kernels",
    "experiments": "Experiments", "api": "Interface",
}  # fmt: skip
LINK = re.compile(r"\[(?P<words>[^\]\[]*)\]\((?P<target>[^)#\s:]+)(?P<anchor>#[^)\s]*)?\)")


# The algorithms


def headers() -> Iterator[tuple[str, str, dict[str, str]]]:
    """Each file with the header of an algorithm: its path, its first sentence, and the five fields."""
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "\nReference:" not in text:
            continue
        header = ast.get_docstring(ast.parse(text)) or ""
        fields = _fields(header)
        if fields.get("Reference", "–") not in ("", "–"):
            yield path.relative_to(PACKAGE).as_posix(), header.split("\n\n")[0].replace("\n", " "), fields


def _fields(header: str) -> dict[str, str]:
    fields: dict[str, str] = {}
    name = ""
    for line in header.splitlines():
        begun = re.match(rf"({'|'.join(FIELDS)}):\s*(.*)", line)
        if begun:
            name = begun[1]
            fields[name] = begun[2]
        elif name and line.startswith(" "):
            fields[name] += f" {line.strip()}"
        else:
            name = ""
    return fields


def algorithms_page() -> str:
    """Every algorithm with its paper and its cost, by what it is for."""
    told = "Made from the headers of their files; `coarsest algorithms` lists those that can be chosen."
    lines = ["# Algorithms", "", told, ""]
    by_room: dict[str, list[str]] = {}
    for path, summary, fields in headers():
        entry = [f"### {_escaped(summary)}", "", f"`{path}`", ""]
        entry += [f"* **{name}:** {_escaped(fields[name])}" for name in FIELDS if fields.get(name, "–") not in ("", "–")]
        by_room.setdefault(path.split("/")[0], []).extend([*entry, ""])
    for room, entries in sorted(by_room.items(), key=lambda one: ROOMS.get(one[0], one[0])):
        lines += [f"## {ROOMS.get(room, room)}", "", *entries]
    return "\n".join(lines)


def _escaped(text: str) -> str:
    return re.sub(r"([*_<>|\[\]`\\])", r"\\\1", text)


# The names of the package


def names_page() -> str:
    """The names that people import, each with its signature and what it says of itself."""
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    (known,) = (node for node in tree.body if isinstance(node, ast.If))
    names = [
        f"{node.module}.{alias.name}" for node in known.body if isinstance(node, ast.ImportFrom) for alias in node.names
    ]
    lines = ["# All names", "", "What `import coarsest` offers; [The Python interface](../python-api.md) is the tour.", ""]
    for name in sorted(names, key=lambda name: name.rpartition(".")[2].lower()):
        lines += [f"::: {name}", ""]
    return "\n".join(lines)


# The site


def on_files(files: Any, *, config: Any) -> Any:
    """Put what is generated, and what lies elsewhere, among the files of the site."""
    from mkdocs.structure.files import File

    made = {"reference/algorithms.md": algorithms_page(), "reference/names.md": names_page()}
    made |= {f"reference/{name}": (ROOT / name).read_text(encoding="utf-8") for name in DOCUMENTS}
    for name, content in made.items():
        files.append(File.generated(config, name, content=content))
    for path in sorted((ROOT / "examples").rglob("*")):
        if path.is_file():
            name = f"examples/{path.relative_to(ROOT / 'examples').as_posix()}.txt"
            files.append(File.generated(config, name, content=path.read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, *, page: Any, config: Any, files: Any) -> str:
    """Let links that leave this folder lead to their places on the site."""
    return moved_links(markdown, page.file.src_uri)


def moved_links(markdown: str, place: str) -> str:
    """The text of a page with the links that it has on the site.

    >>> moved_links("[a](../ARCHITECTURE.md) [b](../examples/mutex.smv) [c](smv.md#x)", "index.md")
    '[a](reference/ARCHITECTURE.md) [b](examples/mutex.smv.txt) [c](smv.md#x)'
    """
    at_home = place.removeprefix("reference/") in DOCUMENTS
    folder = "." if at_home else os.path.dirname(f"docs/{place}")

    def moved(link: re.Match[str]) -> str:
        goal = os.path.normpath(os.path.join(folder, link["target"])).replace(os.sep, "/")
        if goal in DOCUMENTS:
            goal = f"reference/{goal}"
        elif goal.startswith("examples/"):
            goal = f"{goal}.txt"
        elif goal.startswith("docs/"):
            goal = goal.removeprefix("docs/")
        else:
            return link["words"]  # a file that is no part of the site
        way = os.path.relpath(goal, os.path.dirname(place) or ".").replace(os.sep, "/")
        return f"[{link['words']}]({way}{link['anchor'] or ''})"

    return LINK.sub(moved, markdown) if not place.startswith("reference/") or at_home else markdown
