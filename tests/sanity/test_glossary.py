"""Words that mean one thing (CONTRIBUTING.md, "Words"), names that say something, and constants that are explained.

Rooms in which names are still to be changed are listed: nothing may be added, and who empties a list deletes it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

import pytest
from source_files import definitions, modules, names_given, room_of

PARTICIPLES = {"found", "known", "kept", "seen", "thing", "wanted", "chosen"}
"""They say that something happened, and not what something is."""
MOST_PARTICIPLES = 265
"""So many names are still such words; the number may only become smaller."""

FRAGMENTS = (
    "Of ", "And ", "They ", "The same for ", "Times ", "Begins ", "Is ", "Named ", "At once", "So many are ", "As far as they ",
)  # fmt: skip
"""Beginnings of sentences that need the line above."""


def test_participles_are_no_names() -> None:
    """Variables and parameters; say what was found, known or chosen."""
    count = sum(
        (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in PARTICIPLES)
        or (isinstance(node, ast.arg) and node.arg in PARTICIPLES)
        for tree in modules().values()
        for node in ast.walk(tree)
    )  # fmt: skip
    assert count <= MOST_PARTICIPLES


Breach = Callable[[str, ast.Module, str], bool]
"""Of a path, its syntax tree, and a name given there: does the name use a word for something else?"""


def _assertion_graph_by_half(path: str, tree: ast.Module, name: str) -> bool:
    if "graph" not in name.lower() or "assertion" in name.lower() or "graphviz" in name:
        return False
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}
    about = path == "model/assertion_graph.py" or ("AssertionGraph" in imported and "Graph" not in imported)
    return about and any(node.name == name for node in definitions(tree))


def _package_as_engine(path: str, _tree: ast.Module, name: str) -> bool:
    return room_of(path) == "bdd" and "engine" in name.lower()


def _database_as_engine(path: str, _tree: ast.Module, name: str) -> bool:
    return path.startswith("lts/tables/") and "engine" in name.lower()


def _diagram_as_graph(_path: str, _tree: ast.Module, name: str) -> bool:
    return bool(re.fullmatch(r"_?decision_?graphs?|_?graph_?writer", name, re.I))


def _images_as_relations(path: str, _tree: ast.Module, name: str) -> bool:
    return room_of(path) not in ("lts", "reduce", "cli", "api") and name in ("RELATIONS", "Relation", "choose_relation")


GLOSSARY: dict[str, Breach] = {
    "a graph is explicit; an assertion graph is named in full": _assertion_graph_by_half,
    "an engine decides questions; OxiDD and CUDD are BDD packages": _package_as_engine,
    "an engine decides questions; DuckDB and Spark are databases": _database_as_engine,
    "a set inside a certificate is a decision diagram": _diagram_as_graph,
    "a relation is between systems; how images are computed is an image method": _images_as_relations,
}
"""What words mean, and how names break it."""


@pytest.mark.parametrize("meaning", GLOSSARY)
def test_words_mean_one_thing(meaning: str) -> None:
    breaks = GLOSSARY[meaning]
    names = {f"{path}:{name}" for path, tree in modules().items() for name, _ in names_given(tree) if breaks(path, tree, name)}
    assert names == set()


MOST_NAMES_OF_SEVERAL_CLASSES = 10
"""This many public class names are defined more than once in the package; the number may only become smaller."""


def test_class_names_mean_one_thing() -> None:
    """A name says of what: `BtorNode`, not `Node`. The interface has a `Graph` and an `Automaton` that extend those inside."""
    places: dict[str, list[str]] = {}
    for path, tree in modules().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(path)
    several = {name: paths for name, paths in places.items() if len(paths) > 1}
    assert len(several) <= MOST_NAMES_OF_SEVERAL_CLASSES, several


def explained(tree: ast.Module) -> list[tuple[int, str]]:
    """The texts below constants of a module, with their lines."""
    return [
        (text.lineno, text.value.value)
        for constant, text in zip(tree.body, tree.body[1:])
        if isinstance(constant, ast.Assign | ast.AnnAssign)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
        and isinstance(text.value.value, str)
    ]


def test_constants_are_explained_in_whole_sentences() -> None:
    halves = [
        f"{path}:{line}: {text}"
        for path, tree in modules().items()
        for line, text in explained(tree)
        if text[0].islower() or not text.rstrip().endswith(".") or text.startswith(FRAGMENTS)
    ]
    assert halves == []
