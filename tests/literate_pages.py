"""The commands and examples of the documentation, and how its commands are run."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path, language: str) -> list[tuple[int, str]]:
    """The code blocks in a language, each with its line number."""
    text = page.read_text(encoding="utf-8")
    return [(text[: m.start()].count("\n") + 1, m.group(2)) for m in FENCE.finditer(text) if m.group(1) == language]


def levelled(output: str) -> str:
    """Output without what differs from machine to machine and from one variable order to another."""
    return re.sub(r"\b\d+\.\d+ s\b", "0.00 s", re.sub(r"\b\d+ nodes\b", "0 nodes", output))


def commands(page: Path) -> list[tuple[str, str]]:
    """Commands and their expected outputs, in order."""
    found = []
    for _, block in blocks(page, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


def run_commands(page: Path, folder: Path, **variables: str) -> None:
    """Run the commands of a page in a folder, and complain of the first with another output."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for command, expected in commands(page):
        shell, environment = ["bash", "-c", command], {**os.environ, "COLUMNS": "100", "PATH": path, **variables}
        result = subprocess.run(shell, cwd=folder, env=environment, text=True, check=False, capture_output=False,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)  # fmt: skip
        matches = doctest.OutputChecker().check_output(levelled(expected), levelled(result.stdout), FLAGS)
        assert matches, f"{page.name}: {command}\nexpected\n{expected}\nfound\n{result.stdout}"
