"""What people import is written down, documented, and cheap to begin with; what the commands do, people can do in Python."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import grimp
import pytest

import coarsest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*")]
SURFACE = {
    "load", "load_design", "loads", "read_graph", "read_automaton", "read_assertion_graphs",
    "Model", "Graph", "Automaton", "AssertionGraph", "Property", "Trace",
    "assume", "automaton", "compare", "confirm", "convert", "draw", "maximal_model", "prove", "reduce_tables", "spectrum",
    "trace_to_text", "algorithms",
    "Report", "Answer", "Holds", "Fails", "Unknown", "Explanation", "Reach", "Comparison", "Confirmation", "Spectrum",
    "Run", "Limits", "Event",
    "CoarsestError", "InputError", "LimitExceeded", "EvidenceRejected",
    "__version__",
}  # fmt: skip
OPEN_TO_COMMANDS = {"tuning", "api", "cli", "errors", "files", "options", "render", "run", "text"}
"""The rooms that a command may import; the names of the surface are open to all."""
EXCEPTIONS = {
    ("coarsest.cli.commands.reduce.automaton", "coarsest.formats"): "asks the table of formats what can be written",
    ("coarsest.cli.commands.reduce.graph", "coarsest.formats"): "asks the table of formats what can be written",
    ("coarsest.cli.commands.reduce.tables", "coarsest.formats"): "asks the table of formats what can be written",
    ("coarsest.cli.frame.kinds", "coarsest.formats"): "asks the table of formats what a file holds",
    ("coarsest.cli.commands.reproduce", "coarsest.experiments.points"): "is about experiments",
    ("coarsest.cli.commands.reproduce", "coarsest.experiments.report"): "is about experiments",
    ("coarsest.cli.commands.reproduce", "coarsest.experiments.reproduce"): "is about experiments",
}


def test_the_surface_is_what_is_written_here() -> None:
    assert sorted(SURFACE) == sorted(coarsest.__all__) == sorted(dir(coarsest))


def test_type_checkers_and_python_find_each_name_in_one_place() -> None:
    (known,) = (node for node in ast.parse(Path(coarsest.__file__).read_text()).body if isinstance(node, ast.If))
    told = {
        (node.module.removeprefix("coarsest."), alias.name)
        for node in known.body
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }
    assert told == {(place, name) for place, names in coarsest._PLACES.items() for name in names}
    assert {name for _, name in told} == SURFACE - {"__version__"}


@pytest.mark.parametrize("name", sorted(SURFACE - {"__version__"}))
def test_a_name_is_documented(name: str) -> None:
    documentation = getattr(coarsest, name).__doc__ or ""
    assert documentation and not documentation.startswith(f"{name}("), "an own docstring is missing"
    assert re.search(rf"\b{name}\b", (ROOT / "docs" / "python-api.md").read_text(encoding="utf-8"))


def test_no_page_imports_what_is_ours() -> None:
    ours = re.compile(r"(?:from|import) coarsest\.\w+|`coarsest\.(?:\w+)\.\w[\w.]*`")
    wrong = {str(page.relative_to(ROOT)): ours.findall(page.read_text(encoding="utf-8")) for page in PAGES if page.is_file()}
    assert {page: lines for page, lines in wrong.items() if lines} == {}


def test_a_bare_import_loads_nothing_else() -> None:
    script = "import sys, coarsest; print(*sorted(name for name in sys.modules if name.startswith('coarsest')))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["coarsest"]


def test_commands_only_talk() -> None:
    """They call the interface and render what it gives: whatever they import past it is named here, with the reason."""
    graph = grimp.build_graph("coarsest", exclude_type_checking_imports=True)
    commands = [name for name in graph.modules if name.startswith(("coarsest.cli.commands.", "coarsest.cli.frame."))]
    past = {
        (command, module)
        for command in commands
        for module in graph.find_modules_directly_imported_by(command)
        if module != "coarsest" and module.split(".")[1] not in OPEN_TO_COMMANDS
    }
    assert past == set(EXCEPTIONS)
    assert len(list((ROOT / "src" / "coarsest" / "cli" / "commands").glob("*.py"))) <= 17, "sixteen commands beside __init__.py"


def test_no_modules_import_one_another_in_a_circle() -> None:
    """Imports inside functions count, those for type checkers do not."""
    graph = grimp.build_graph("coarsest", exclude_type_checking_imports=True)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    while True:  # what imports nothing, or is imported by nothing, is in no circle
        users = {imported for targets in imports.values() for imported in targets}
        left = {module: targets & imports.keys() for module, targets in imports.items()}
        left = {module: targets for module, targets in left.items() if targets and module in users}
        if len(left) == len(imports):
            break
        imports = left
    assert imports.keys() == set()
