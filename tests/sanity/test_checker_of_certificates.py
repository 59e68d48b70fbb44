"""What checks certificates shares nothing with what makes them: neither the engines nor their encoding."""

from __future__ import annotations

import ast
from pathlib import Path

import coarsest

PACKAGE = Path(coarsest.__file__).parent
FORBIDDEN = ("coarsest.bdd", "coarsest.system", "coarsest.check", "coarsest.api.model", "coarsest.reduce")


def imported(module: str) -> set[str]:
    """The modules of ours that a module imports, anywhere in its text."""
    path = PACKAGE.parent / Path(*module.split("."))
    text = (path.with_suffix(".py") if path.with_suffix(".py").exists() else path / "__init__.py").read_text(encoding="utf-8")
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module}
            found |= {f"{node.module}.{alias.name}" for alias in node.names if _is_module(f"{node.module}.{alias.name}")}
    return {name for name in found if name.startswith("coarsest.")}


def _is_module(name: str) -> bool:
    path = PACKAGE.parent / Path(*name.split("."))
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()


def test_the_checker_needs_no_engine() -> None:
    waiting, reached = ["coarsest.evidence.sat.certificate_file"], set[str]()
    while waiting:
        module = waiting.pop()
        if module not in reached:
            reached.add(module)
            waiting.extend(imported(module))
    judges = {"coarsest.evidence.sat.clauses", "coarsest.evidence.sat.cnf_machine", "coarsest.evidence.claims.ltl_watcher"}
    assert judges <= reached
    assert not [module for module in reached if module.startswith(FORBIDDEN)]


def test_the_watcher_is_not_the_tableau_that_decides() -> None:
    assert not [name for name in imported("coarsest.evidence.claims.ltl_watcher") if name.startswith("coarsest.automata")]
