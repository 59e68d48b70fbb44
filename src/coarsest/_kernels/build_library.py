"""`python -m coarsest._kernels.build_library [FILE]`: all kernels in a shared library, for every processor of one kind.

A wheel is built with it, and where an installed package has no library, this makes one. It needs Numba, and something that links:
the C compiler of the system, or that of Zig.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from typing import TypeAlias

from coarsest._kernels.call_kinds import called_with, modules
from coarsest._kernels.library import CONTENTS, FILE, HERE, NAMED, LibraryContents, key, opened, sources

PROCESSORS = {"x86_64": "x86-64-v2", "aarch64": "generic", "arm64": "apple-m1"}
"""The processors that kernels are compiled for: what all of a kind can do that are no older than about fifteen years."""
ONLY_LINKED = ["-shared", "-nostdlib"]
LATER = ["-undefined", "dynamic_lookup"] if sys.platform == "darwin" else []
"""The few functions of the C library that kernels call are found when the library is loaded, since Python has loaded them."""

Symbols: TypeAlias = dict[str, tuple[str, str]]


def build(target: Path) -> str:
    """Write the whole library, or return the reason why it could not be made."""
    if sys.platform not in ("linux", "darwin") or platform.machine() not in PROCESSORS:
        return f"kernels are not compiled ahead for {sys.platform} on {platform.machine()}"
    if find_spec("numba") is None:
        return "there is no Numba to compile kernels with: pip install 'coarsest[compile]'"
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as room:
        folder, made_from = Path(room), sources()
        _write_contents(folder / "contents.o", LibraryContents(made_from, _compiled_into(folder)))
        made = folder / FILE
        problem = _link(sorted(folder.glob("*.o")), made)
        if not problem and opened(made) is None:
            problem = "the library that was linked cannot be loaded"
        if not problem:
            os.replace(made, target)
        return problem


def _compiled_into(folder: Path) -> Symbols:
    """Compile all kernels to object code, each module in one of several processes."""
    for variable, value in {"NUMBA_CPU_NAME": PROCESSORS[platform.machine()], "NUMBA_CPU_FEATURES": ""}.items():
        os.environ[variable] = value  # for the processes that compile, which import Numba
    longest_first = sorted(modules(), key=lambda module: -(Path(HERE) / f"{module.replace('.', '/')}.py").stat().st_size)
    symbols: Symbols = {}
    with ProcessPoolExecutor(min(4, os.cpu_count() or 1), get_context("spawn")) as processes:
        for some in processes.map(_compile_module, longest_first, [folder] * len(longest_first)):
            symbols.update(some)
    return symbols


def _compile_module(module: str, folder: Path) -> Symbols:
    from coarsest._kernels.object_code import library_code

    symbols: Symbols = {}
    for number, (function, kinds) in enumerate(called_with(module)):
        symbol = f"{module}.{function}.{number}".replace(".", "_")
        kernel = getattr(import_module(f"coarsest._kernels.{module}"), function)
        result, code = library_code(kernel, kinds, symbol, PROCESSORS[platform.machine()])
        (folder / f"{symbol}.o").write_bytes(code)
        symbols[key(module, function, kinds)] = symbol, result
    return symbols


def _write_contents(path: Path, contents: LibraryContents) -> None:
    from coarsest._kernels.object_code import constant_code

    path.write_bytes(constant_code(CONTENTS, contents.to_text().encode() + b"\0"))


def _linkers() -> Iterator[list[str]]:
    """The programs that can link, as far as they are installed."""
    for name in filter(None, (os.environ.get("CC"), "cc", "gcc", "clang")):
        if path := shutil.which(name):
            yield [path]
    if find_spec("ziglang") is not None:
        yield [sys.executable, "-m", "ziglang", "cc"]


def _link(objects: list[Path], target: Path) -> str:
    """Link the library, or return the reason why that failed."""
    reason = "there is no compiler of C to link kernels with: install one, or pip install ziglang"
    for linker in _linkers():
        words = [*linker, *ONLY_LINKED, *LATER, "-o", str(target), *map(str, objects)]
        try:
            subprocess.run(words, check=True, capture_output=True, text=True)
        except (OSError, subprocess.CalledProcessError) as problem:
            reason = f"{problem}: {getattr(problem, 'stderr', '')}"
        else:
            return ""
    return reason


def main() -> None:
    """Build the library that the command line names, unless it is up to date."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(HERE) / FILE
    if opened(target) is not None:
        return
    try:
        reason = build(target)
    except OSError as problem:
        sys.exit(f"{target} cannot be written: {problem.strerror}; name another file, and that one in the variable {NAMED}")
    if reason:
        sys.exit(reason)


if __name__ == "__main__":
    main()
