"""Limits that are reached before the work has begun: every property is named, and the time since the start is counted."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from coarsest.cli.process import supervise
from command_lines import Runner

MODEL = """MODULE main
VAR a : word[40]; b : word[40];
INVARSPEC NAME easy := TRUE
LTLSPEC NAME hard := G a * b != a / b
INVARSPEC a = b
"""
GRAPHS = "GRAPH one VERTEX v INITIAL FINAL CONS a != b\nGRAPH two VERTEX v INITIAL FINAL CONS a = b"
SLOW = """
import sys, time
while time.process_time() < 1.0: pass
sys.argv = ["coarsest", "check", "small.smv", "--json"]
from coarsest.cli.app import main
sys.exit(main())
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(supervise, "PLANNING", 600.0)  # however busy this machine is
    Path("model.smv").write_text(MODEL)
    Path("graphs.ag").write_text(GRAPHS)
    Path("small.smv").write_text("MODULE main VAR x : boolean; INVARSPEC x | !x")
    return tmp_path


@pytest.mark.parametrize("limit", [["--timeout", "0.001"], ["--memory", "1"]])
def test_all_properties_are_named(run: Runner, limit: list[str]) -> None:
    found = run("check", "model.smv", "--json", *limit)
    assert found.code == 3
    properties = json.loads(found.out)["properties"]
    assert [(one["name"], one["verdict"]) for one in properties] == [("easy", "unknown"), ("hard", "unknown"), ("", "unknown")]
    assert all("limit of" in one["reason"] for one in properties)
    text = run("check", "model.smv", *limit).out
    assert [line[:8] for line in text.splitlines() if line.startswith("unknown")] == ["unknown "] * 3
    assert [line for line in text.splitlines() if "hard: " in line]


def test_all_graphs_are_named(run: Runner) -> None:
    found = run("gste", "model.smv", "graphs.ag", "--json", "--timeout", "0.001")
    assert found.code == 3
    graphs = json.loads(found.out)["properties"]
    assert [(one["name"], one["verdict"]) for one in graphs] == [("one", "unknown"), ("two", "unknown")]


def test_wrong_input_is_no_limit(run: Runner) -> None:
    Path("model.smv").write_text("MODULE main VAR x : ;")
    found = run("check", "model.smv", "--timeout", "0.001")
    assert found.code == 2
    assert "model.smv:1:21" in found.err


def test_what_python_does_before_our_first_line_counts() -> None:
    result = subprocess.run([sys.executable, "-c", SLOW], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["seconds"] > 1.0
