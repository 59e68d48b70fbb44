"""Rules for all rooms: which files start processes, where errors belong, and what may change in a module."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from source_files import modules

STARTING = {
    "_kernels/build_library.py": "compilers",
    "api/drawings/drawing.py": "dot",
    "cli/process/supervise.py": "the worker",
    "experiments/point_process.py": "measurements",
    "formats/yosys/call.py": "yosys",
    "lts/tables/scratch.py": "one that removes files when this process is killed",
    "memory_use.py": "ps",
    "processes.py": "computations in other processes",
}
"""The files that may start processes, and which."""
OUTSIDE_OF_THE_TREE = {"cli/serve/work.py:Refused", "reduce/bisimulation/signatures_on_arrays.py:NoRoom",
                       "reduce/partition/partition.py:TooManyBlocks"}  # fmt: skip
"""Errors that are not in the tree of `errors.py` as yet; none may be added."""
CHANGING = {
    "_kernels/choose.py:_missed": "advice that is given once",
    "formats/__init__.py:_FORMATS": "the table, filled when it is first needed",
    "logic/expr.py:_names_of": "a cache",
    "model/interpret/interpret.py:_recent": "a cache",
    "tuning.py:_rows": "the table, filled by the rows below it",
}
"""What may change at the level of a module: none of it changes a result."""


def calls(tree: ast.Module) -> Iterator[str]:
    """The functions of modules that are called, as `module.function`."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=module), attr=function)):
                yield f"{module}.{function}"


def callers_of(functions: set[str]) -> set[str]:
    return {path for path, tree in modules().items() if functions & set(calls(tree))}


def test_one_room_starts_processes_that_compute() -> None:
    assert callers_of({"subprocess.Popen", "subprocess.run", "os.fork"}) <= STARTING.keys()


def errors_outside() -> Iterator[str]:
    own = {name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)}
    for path, tree in modules().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and any(isinstance(base, ast.Name) and base.id in own for base in node.bases):
                yield f"{path}:{node.name}"


def test_errors_are_of_the_tree() -> None:
    assert set(errors_outside()) <= {"errors.py:CoarsestError", *OUTSIDE_OF_THE_TREE}


def changed_in(tree: ast.Module) -> Iterator[str]:
    """Names that a module gives an empty collection at its level, or assigns anew inside of functions."""
    for node in tree.body:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict(keys=[]) | ast.List(elts=[]))
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.Dict(keys=[]) | ast.List(elts=[]))
            ):
                yield name
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id="set" | "dict" | "list"), args=[]))
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.Call(func=ast.Name(id="set" | "dict" | "list"), args=[]))
            ):
                yield name
    for inner in ast.walk(tree):
        if isinstance(inner, ast.Global):
            yield from inner.names


def test_nothing_changes_at_the_level_of_modules() -> None:
    assert {f"{path}:{name}" for path, tree in modules().items() for name in changed_in(tree)} <= CHANGING.keys()
