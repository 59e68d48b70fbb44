"""The house keeps its measures: folders that one can look over, files that one can read, functions of one thought."""

from __future__ import annotations

import ast
from collections import Counter
from statistics import median

import grimp
from source_files import definitions, lines_of, modules, room_of

MOST_MODULES = 16
"""A folder with more modules is to be divided."""
MEDIAN_LINES = 150
"""Half of the files have fewer lines than this."""
MANY_LINES = 350
"""Few files have more lines than this."""
MOST_LONG_FILES = 8
"""So many files may have many lines."""
MOST_LINES = 420
"""No file has more lines than this."""
LONG_FUNCTION = 40
"""Few functions have more lines than this."""
MOST_LONG_FUNCTIONS = 10
"""So many functions may be long: kernels above all, whose loops are not worth a call."""
MOST_LINES_OF_A_FUNCTION = 60
"""No function has more lines than this."""

LONGER = {"tuning.py"}
"""One table, four lines for each number, is looked up and not read. No other file may be added."""


def test_folders_can_be_looked_over() -> None:
    count = Counter(path.rpartition("/")[0] for path in modules() if not path.endswith("__init__.py"))
    assert {folder: number for folder, number in count.items() if number > MOST_MODULES} == {}


def test_files_can_be_read() -> None:
    lines = {path: lines_of(path) for path in modules() if lines_of(path)}
    assert median(lines.values()) < MEDIAN_LINES
    assert {path for path, number in lines.items() if number > MOST_LINES} <= LONGER
    many = sorted(path for path, number in lines.items() if number > MANY_LINES)
    assert len(many) <= MOST_LONG_FILES, many


def test_functions_are_short() -> None:
    sizes = {
        f"{path}:{node.lineno} {node.name}": (node.end_lineno or node.lineno) - node.lineno + 1
        for path, tree in modules().items()
        for node in definitions(tree)
        if not isinstance(node, ast.ClassDef)
    }
    assert {name for name, size in sizes.items() if size > MOST_LINES_OF_A_FUNCTION} == set()
    long = sorted(name for name, size in sizes.items() if size > LONG_FUNCTION)
    assert len(long) <= MOST_LONG_FUNCTIONS, long


FILES_THAT_NAME_KINDS = 9
"""Other files ask for facts of a kind of property, or make properties by functions: a new kind does not concern them."""


def test_few_files_name_the_kinds_of_properties() -> None:
    names = [path for path, tree in modules().items() if any(_names_a_kind(node) for node in ast.walk(tree))]
    assert len(names) <= FILES_THAT_NAME_KINDS, names


def _names_a_kind(node: ast.AST) -> bool:
    return (isinstance(node, ast.Name) and node.id == "PropertyKind") or (
        isinstance(node, ast.alias) and node.name == "PropertyKind"
    )


SMALL = 60
"""A file with fewer lines that only one other of its room imports is part of that one, if there is room in it."""
APART = {
    "bdd/autoref.py": "a BDD package is one file",
    "bdd/cudd.py": "a BDD package is one file",
    "bdd/oxidd_twin.py": "a second manager to try orders in: an idea of its own",
    "bdd/oxidd_native.py": "a module that loads its names when they are asked for",
    "check/setting/share.py": "what evidence may cost: an idea of its own",
    "space/bdd/reachable.py": "a step relation that knows of no unreachable states: an idea of its own",
    "space/smt/smt_actions.py": "loaded when inputs are observed, and not before",
    "formats/automaton_as_graph.py": "loaded when an automaton is read as a graph, and not before",
}
"""Small files that stand alone, and why."""
LATER = {"check/certify/certify_ltl.py"}
"""Small files that are still to be merged; none may be added."""


def test_small_files_are_part_of_those_that_use_them() -> None:
    graph = grimp.build_graph("coarsest", exclude_type_checking_imports=False, cache_dir=None)
    alone = set()
    for path, tree in modules().items():
        name = f"coarsest.{path.removesuffix('.py').replace('/', '.')}"
        users = graph.find_modules_that_directly_import(name) if name in graph.modules else set()
        is_engine = path.startswith("check/engines/")  # of which each is one file
        if path.endswith("__init__.py") or is_engine or len(users) != 1 or lines_of(path) >= SMALL:
            continue
        user = f"{next(iter(users)).removeprefix('coarsest').removeprefix('.').replace('.', '/')}"
        user = f"{user}.py" if f"{user}.py" in modules() else f"{user}/__init__.py"
        has_room = room_of(user) == room_of(path) and lines_of(user) + lines_of(path) < MANY_LINES
        if has_room and "Reference:" not in (ast.get_docstring(tree) or ""):
            alone.add(path)
    assert alone - APART.keys() - LATER == set()
