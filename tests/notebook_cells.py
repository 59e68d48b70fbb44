"""Notebooks, run cell by cell in one namespace, without a server: what they print and show."""

from __future__ import annotations

import ast
import io
import json
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))


def read(path: Path) -> dict[str, Any]:
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return notebook


def code_cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def run_cell(source: str, names: dict[str, Any]) -> list[dict[str, Any]]:
    """The outputs of a cell, as notebooks write them: what was printed, and the value of the last expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(tree, "<cell>", "exec"), names)
        value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names) if last is not None else None
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": printed.getvalue().splitlines(keepends=True)})
    if value is not None:
        outputs.append({"data": _shown(value), "execution_count": None, "metadata": {}, "output_type": "execute_result"})
    return outputs


def _shown(value: Any) -> dict[str, list[str]]:
    """A value in every form that it has for notebooks."""
    forms = {"text/plain": repr(value)}
    for kind, method in (("image/svg+xml", "_repr_svg_"), ("text/html", "_repr_html_")):
        text = getattr(value, method)() if hasattr(value, method) else None
        if text is not None:
            forms[kind] = str(text)
    return {kind: text.splitlines(keepends=True) for kind, text in forms.items()}


def rewrite(path: Path) -> None:
    """Run a notebook, and write what comes out beside what was put in."""
    notebook, names = read(path), {}
    for number, cell in enumerate(code_cells(notebook), start=1):
        cell["outputs"], cell["execution_count"] = run_cell("".join(cell["source"]), names), number
        for output in cell["outputs"]:
            if "execution_count" in output:
                output["execution_count"] = number
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    for notebook_path in NOTEBOOKS:
        rewrite(notebook_path)
