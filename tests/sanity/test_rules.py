"""General claims of ARCHITECTURE.md and CONTRIBUTING.md: who prints, who exits, who reads a clock, what files are called."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from source_files import modules, room_of

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
