"""The library of kernels: it has them all, is made from the sources that are there or not used, and can be missing."""

import ast
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from coarsest._kernels import build_library, library
from coarsest._kernels.call_kinds import CALLED_WITH, called_with, modules
from coarsest._kernels.choose import ADVICE, kernels
from coarsest._kernels.library import opened
from coarsest._kernels.sources import HERE

FINISHED = """
import sys
sys.modules["numba"] = sys.modules["llvmlite"] = None
import numpy as np
from coarsest._kernels.choose import advice, compiled_kernels, kernels
counts = np.zeros(3, dtype=np.int32)
assert advice() is None and not compiled_kernels()
print(kernels("csr", 10**6).count_rows(np.array([0, 1, 1], dtype=np.int32), counts), counts.tolist(), advice())
"""


def test_every_kernel_is_in_it() -> None:
    names = {
        f"{'.'.join(path.relative_to(HERE).with_suffix('').parts)}.{function.name}"
        for path in Path(HERE).rglob("*.py")
        for function in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(function, ast.FunctionDef) and "compiled" in map(ast.unparse, function.decorator_list)
    }
    assert names == set(CALLED_WITH)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library with some of the kernels."""
    target = tmp_path_factory.mktemp("library") / "some.so"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build_library, "modules", lambda: ["csr"])
        for variable in ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES"):
            patch.setenv(variable, "")
        if not any(build_library._linkers()):
            pytest.skip("there is neither a compiler of C nor Zig, and nothing is linked")
        build_library.build(target)
    return target


def test_it_is_called_and_has_nothing_else(built: Path) -> None:
    some = opened(built)
    assert some is not None and [path.name for path in built.parent.iterdir()] == ["some.so"]
    for (function, kinds), wide in zip(called_with("csr"), (np.int32, np.int64)):
        counts, kernel = np.zeros(4, dtype=np.int32), some.function("csr", function, kinds)
        assert kernel is not None and kernel(np.array([0, 2, 2], dtype=wide), counts)
        assert counts.tolist() == [0, 1, 1, 3]
    assert some.function("csr", "count_rows", ("f8.1C", "i8.1C")) is None


def test_it_is_not_used_when_the_sources_have_changed(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "sources", lambda: "0" * 16)
    assert opened(built) is None


def test_what_is_no_library_is_not_used(built: Path, tmp_path: Path) -> None:
    assert opened(tmp_path / "missing") is None
    (tmp_path / "half").write_bytes(built.read_bytes()[:100])
    assert opened(tmp_path / "half") is None


def test_without_anything_that_links_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_library, "_compiled_into", lambda folder: {})
    monkeypatch.setattr(build_library, "_linkers", list)
    with pytest.raises(build_library.NotBuilt, match="link"):
        build_library.build(tmp_path / "some.so")
    assert not list(tmp_path.iterdir())


def test_without_library_and_compiler_twins_do_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COARSEST_LIBRARY", "none")
    done = subprocess.run([sys.executable, "-c", FINISHED], capture_output=True, text=True, check=True)
    assert done.stdout == f"True [0, 1, 3] {ADVICE}\n"


def test_an_array_that_a_kernel_hands_back_is_the_one_it_was_given() -> None:
    """Its memory is not the kernel's: whoever frees or forgets it makes a hole."""
    number, narrow, none = np.zeros(2, dtype=np.int64), np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int64)
    above, pending = np.ones((1, 1), dtype=np.uint64), np.zeros((1, 1), dtype=np.uint64)
    kernel = kernels("simulation.simulation", 0, "compiled").refine_simulation
    arguments = (number[:1], narrow, narrow, narrow, number[:1], none, number, none, number[:1], above, pending)
    finished, *arrays = kernel(*arguments, np.array([1]), 1)
    assert finished and arrays[0] is above and arrays[1] is pending


@pytest.mark.skipif(library.library() is None, reason="there is no library")
def test_all_calls_are_those_of_the_library() -> None:
    whole = library.library()
    assert whole is not None
    for module in modules():
        for function, kinds in called_with(module):
            assert whole.function(module, function, kinds) is not None
