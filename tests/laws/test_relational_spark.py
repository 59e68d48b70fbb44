"""The tests of Spark, in a process of their own: Spark takes Ctrl-C, and starts a Java machine that stays."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pyspark", reason="PySpark is not installed: pip install 'coarsest[spark]'")


@pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java")
@pytest.mark.parametrize("chosen", ["not csv", pytest.param("csv", marks=pytest.mark.nightly)])
def test_on_spark(chosen: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pytest", "-p", "no:xdist", "-p", "no:cacheprovider", "--basetemp", str(tmp_path / "spark")]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    tests = str(Path(__file__).with_name("relational_spark.py"))
    result = subprocess.run([*command, tests, "-k", chosen], capture_output=True, text=True, check=False, env=environment)
    assert result.returncode == 0 and " passed" in result.stdout, result.stdout + result.stderr
