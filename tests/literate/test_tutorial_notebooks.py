"""The tutorial notebooks do what they say. After a change, `python tests/notebook_cells.py` writes them anew."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from literate_pages import levelled
from notebook_cells import NOTEBOOKS, code_cells, read, run_cell


def words(outputs: list[dict[str, Any]]) -> list[str]:
    """What a reader without pictures sees of the outputs, and which other forms there are."""
    shown = []
    for output in outputs:
        if output["output_type"] == "stream":
            shown.append(levelled("".join(output["text"])))
        else:
            shown.append(levelled("".join(output["data"]["text/plain"])))
            shown.extend(sorted(output["data"]))
    return shown


def test_there_are_three() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["controller_from_lustre_to_c", "graphs_made_small", "mutex_with_fairness"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_as_it_is_written(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for cell in code_cells(read(path)):
        assert words(run_cell("".join(cell["source"]), names)) == words(cell["outputs"]), "".join(cell["source"])


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_one(path: Path) -> None:
    """The fields that version 4.5 of the format asks for."""
    notebook = read(path)
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    assert len({cell["id"] for cell in notebook["cells"]}) == len(notebook["cells"])
    assert all(set(cell) >= {"cell_type", "id", "metadata", "source"} for cell in notebook["cells"])
    assert len(json.dumps(notebook)) < 300_000
