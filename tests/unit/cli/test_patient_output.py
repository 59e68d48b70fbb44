"""A reader of standard output who leaves early, as `head` does, does not keep a file from being written."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

MODEL = Path(__file__).parents[3] / "examples" / "mutex.smv"


@pytest.mark.parametrize(
    ("options", "name"),
    [(["-o"], "report.html"), (["--timeout", "60", "-o"], "report.xml"), (["--certificate"], "proofs.json"), ([], "")],
)
def test_files_are_written_though_nobody_reads(options: list[str], name: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "coarsest", "check", str(MODEL), *options, *filter(None, [name])]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    complaints = process.stderr.read().decode()
    process.stderr.close()
    assert "Traceback" not in complaints
    assert process.wait() == (1 if name else 141)
    if name:
        assert (tmp_path / name).stat().st_size > 100
