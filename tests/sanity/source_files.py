"""The source as the sanity tests look at it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "coarsest"


@cache
def modules() -> dict[str, ast.Module]:
    """The syntax tree of each source file, by its path in the package."""
    files = sorted(PACKAGE.rglob("*.py"))
    return {path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in files}


@cache
def lines_of(path: str) -> int:
    return len((PACKAGE / path).read_text(encoding="utf-8").splitlines())


def folders() -> set[str]:
    """Every folder of the package, as it is named in documents: `room/` or `room/folder/`."""
    return {f"{path.parent.relative_to(PACKAGE).as_posix()}/" for path in PACKAGE.rglob("__init__.py")} - {"./"}


def room_of(path: str) -> str:
    return path.partition("/")[0]


def definitions(tree: ast.Module) -> Iterator[ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef))


def names_given(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Every name that is given to something, with its line: variables, parameters, attributes, functions and classes."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name, node.lineno
            case ast.arg(arg=name):
                yield name, node.lineno
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name, node.lineno
