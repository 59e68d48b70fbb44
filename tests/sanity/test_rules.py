"""General claims of ARCHITECTURE.md and CONTRIBUTING.md: who prints, who exits, who reads a clock, what files are called."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

import pytest
from source_files import modules, room_of

from coarsest.evidence.verdict import Fails, Holds

NO_NAMES = {"utils", "misc", "common", "helpers", "base", "manager"}
"""They say nothing of what is in a file."""
PRINTING = {"print", "sys.stdout.write", "sys.stderr.write"}
EXITING = {"exit", "quit", "sys.exit", "os._exit"}
CLOCKS = {"monotonic", "perf_counter", "process_time", "thread_time"}
PROGRAMS = {"__main__.py", "_kernels/build_library.py", "experiments/point_process.py", "experiments/sebastiani/plots.py"}
"""Files that are programs of their own."""
PROCESSES = {"processes.py", "_kernels/worker_threads.py"}
"""They end processes that we started ourselves, or whose main thread is inside a library."""
TIMEKEEPERS = {"run.py", "phases.py", "reduce/modular/at_once.py"}
"""They count the seconds of a run and of its phases; the last one shares a limit among processes."""
WITH_CLOCKS = {"cli", "api", "check", "experiments"}
"""Rooms that say how long something took. No algorithm below them knows the time."""
INCOMPLETE = {"model/assertion_graph.py", "model/checks/dependencies.py", "space/counting.py"}
"""Headers that are no algorithm's, or lack a field as yet; none may be added."""
FIELDS = ("Reference:", "Symbols:", "Invariant:", "Deviates:", "Cost:")


def calls(tree: ast.Module) -> Iterator[str]:
    return (ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call))


def test_nothing_below_the_command_line_prints() -> None:
    printing = {path for path, tree in modules().items() if room_of(path) != "cli" and PRINTING & {*calls(tree)}}
    assert printing - PROGRAMS == set()


def test_nothing_below_the_command_line_exits() -> None:
    exiting = {path for path, tree in modules().items() if room_of(path) != "cli" and EXITING & {*calls(tree)}}
    assert exiting - PROGRAMS - PROCESSES == set()


def test_algorithms_read_no_clock() -> None:
    """So a command gives the same output twice, on a busy machine, too."""
    reading = {
        path
        for path, tree in modules().items()
        if room_of(path) not in WITH_CLOCKS and any(name.rpartition(".")[2] in CLOCKS for name in calls(tree))
    }
    assert reading - TIMEKEEPERS == set()


def test_files_are_named_by_what_is_in_them() -> None:
    assert {path for path in modules() if path.rpartition("/")[2].removesuffix(".py") in NO_NAMES} == set()


def test_headers_of_algorithms_are_complete() -> None:
    """Who says what the symbols mean says the rest, too."""
    headers = {path: ast.get_docstring(tree) or "" for path, tree in modules().items()}
    lacking = {path for path, text in headers.items() if "Symbols:" in text and not all(field in text for field in FIELDS)}
    assert lacking - INCOMPLETE == set()


def test_numbers_are_final() -> None:
    """A number at the top of a module is a constant; one that was chosen by measuring is a row of `tuning.py`."""
    numbers = {
        f"{path}:{ast.unparse(node.targets[0])}"
        for path, tree in modules().items()
        for node in tree.body
        if isinstance(node, ast.Assign) and _is_a_number(node.value)
    }
    assert numbers == set()


def _is_a_number(value: ast.expr) -> bool:
    match value:
        case ast.Constant(value=constant):
            return isinstance(constant, int | float) and not isinstance(constant, bool)
        case ast.UnaryOp(operand=operand):
            return _is_a_number(operand)
        case ast.BinOp(left=left, right=right):
            return _is_a_number(left) or _is_a_number(right)
        case _:
            return False


def outside_functions(tree: ast.Module) -> Iterator[ast.AST]:
    """The nodes that are evaluated when a module is imported; default values of parameters are among them."""
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            waiting += [default for default in [*node.args.defaults, *node.args.kw_defaults] if default is not None]
        elif not isinstance(node, ast.Lambda) and not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
            yield node
            waiting += ast.iter_child_nodes(node)


def test_thresholds_are_read_inside_functions() -> None:
    """Otherwise `--tune` and the tests that draw values would change nothing."""
    early = {
        f"{path}:{node.lineno}"
        for path, tree in modules().items()
        for node in outside_functions(tree)
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "tuning" and node.attr.isupper()
    }
    assert early == set()


def imported(nodes: Iterable[ast.AST]) -> set[str]:
    """The packages that import statements name."""
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module and not node.level}
    return {name.partition(".")[0] for name in names}


EXPENSIVE = {
    "numpy", "scipy", "pandas", "pyarrow", "networkx", "numba", "cupy", "dd", "oxidd", "igraph", "z3", "pysat", "duckdb", "ibis",
}  # fmt: skip
LIGHT = {"text", "errors.py", "run.py", "logic", "model", "formats", "cli", "options"}
"""Rooms that every command loads."""


def test_light_rooms_import_nothing_expensive_at_the_top() -> None:
    light = ((path, tree) for path, tree in modules().items() if room_of(path) in LIGHT)
    assert {path for path, tree in light if imported([*outside_functions(tree)]) & EXPENSIVE} == set()


def test_records_are_no_dataclasses() -> None:
    assert {path for path, tree in modules().items() if "dataclasses" in imported([*ast.walk(tree)])} == set()


def test_random_numbers_have_a_seed() -> None:
    """The module `random` is used for its class `Random` alone, and NumPy for no random numbers."""
    used = set()
    for path, tree in modules().items():
        nodes = [*ast.walk(tree)]
        from_random = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module == "random"]
        plain = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
        places = {"np.random", "numpy.random", *({"random"} & {*plain})}
        names = {alias.name for node in from_random for alias in node.names}
        names |= {node.attr for node in nodes if isinstance(node, ast.Attribute) and ast.unparse(node.value) in places}
        used |= {f"{path}:{name}" for name in names - {"Random"}}
    assert used == set()


def test_options_are_keyword_only() -> None:
    wrong = {
        node.name
        for tree in modules().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and "Options" in map(ast.unparse, node.bases)
        and not any(keyword.arg == "kw_only" for keyword in node.keywords)
    }  # fmt: skip
    assert wrong == set()


PUBLISHING = {"cli/commands/automaton.py", "cli/commands/serve.py"}
"""Commands that write to standard output themselves: a list of automata as it grows, and the address of the page."""


def test_commands_write_into_the_ledger() -> None:
    commands = ((path, tree) for path, tree in modules().items() if path.startswith("cli/commands/"))
    assert {path for path, tree in commands if {"print", "sys.stdout.write"} & {*calls(tree)}} == PUBLISHING


@pytest.mark.parametrize("verdict", [Holds, Fails])
def test_no_decided_verdict_without_a_confirmation(verdict: type[Holds | Fails]) -> None:
    with pytest.raises(TypeError, match="confirmation"):
        verdict()  # type: ignore[call-arg]
