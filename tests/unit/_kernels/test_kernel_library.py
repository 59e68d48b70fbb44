"""The library of kernels: it has them all, is made from the sources that are there or not used, and can be missing."""

import ast
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from coarsest import tuning
from coarsest._kernels import build_library, choose, library
from coarsest._kernels.call_kinds import CALLED_WITH, called_with, modules
from coarsest._kernels.choose import ADVICE, kernels
from coarsest._kernels.library import HERE, opened
from coarsest.formats.aut.write import pieces
from coarsest.lts import labelled
from coarsest.lts.branching import branching_bisimulation
from coarsest.lts.branching.branching_bisimulation import minimise_by_branching_bisimulation
from coarsest.lts.labelled import Graph
from coarsest.lts.minimise.minimise import Minimised, minimise

FINISHED = """
import sys
sys.modules["numba"] = sys.modules["llvmlite"] = None
import numpy as np
from coarsest._kernels.choose import advice, has_library, kernels
counts = np.zeros(3, dtype=np.int32)
assert advice() is None and not has_library()
kernels("csr", 5000)
assert advice() is None, "such a graph is small"
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
        assert build_library.build(target) == ""
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


def test_the_checksum_is_that_of_all_that_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "HERE", str(tmp_path))
    (tmp_path / "folder").mkdir()
    checksums = []
    for name in ("kernel.py", "folder/part.py", "kernel_pure.py", "choose.py", "part.txt"):
        (tmp_path / name).write_text("changed")
        checksums.append(library.sources.__wrapped__())
    assert len(set(checksums[:2])) == 2 and set(checksums[1:]) == {checksums[1]}


def test_what_is_no_library_is_not_used(built: Path, tmp_path: Path) -> None:
    assert opened(tmp_path / "missing") is None
    (tmp_path / "half").write_bytes(built.read_bytes()[:100])
    assert opened(tmp_path / "half") is None


def test_without_anything_that_links_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_library, "_compiled_into", lambda folder: {})
    monkeypatch.setattr(build_library, "_linkers", list)
    assert "link" in build_library.build(tmp_path / "some.so")
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
    finished, *arrays = kernel(*arguments, np.array([1]), 1, 2)
    assert finished and arrays[0] is above and arrays[1] is pending


needs_library = pytest.mark.skipif(
    os.environ.get(library.NAMED) == "none" or not any(build_library._linkers()), reason="no library can be made here"
)


@needs_library
def test_all_calls_are_those_of_the_library() -> None:
    pytest.importorskip("numba")
    whole = library.library()
    assert whole is not None, "kernels have changed, and tests would compare twins with themselves: make kernels"
    for module in modules():
        for function, kinds in called_with(module):
            assert whole.function(module, function, kinds) is not None


@needs_library
@pytest.mark.parametrize(
    "way", [partial(minimise, algorithm="signatures"), partial(minimise, algorithm="valmari"), minimise_by_branching_bisimulation]
)
def test_graphs_with_wide_offsets_are_no_matter_for_twins(way: Callable[..., Minimised], monkeypatch: pytest.MonkeyPatch) -> None:
    """A graph of 2^31 transitions has them; here it is one with more transitions than ten."""
    edges = [(0, 1, 1), (0, 2, 2), (2, 0, 3), (3, 1, 1), *[(state, action, 4) for state in range(4) for action in (0, 2)]]
    graph = Graph.from_edges(5, *zip(*edges), action_names=("a", "i", "b"))
    expected = b"".join(pieces(way(graph, choice="pure").graph, choice="pure"))
    for module in (labelled, branching_bisimulation):
        monkeypatch.setattr(module, "width", lambda largest: np.int64 if largest >= 10 else np.int32)
    monkeypatch.setattr(tuning, "KERNEL_TRANSITIONS", 0)
    monkeypatch.setattr(choose, "_twin", None)
    wide = Graph.from_edges(5, *zip(*edges), action_names=("a", "i", "b"))
    small = way(wide, choice="compiled").graph
    assert wide.offsets.dtype == np.int64 and wide.targets.dtype == np.int32
    assert b"".join(pieces(small, choice="compiled")) == expected


def test_owners_of_arguments_are_not_counted() -> None:
    """A kernel that makes no arrays has nothing to count, and what it makes is of one thread."""
    pytest.importorskip("numba")
    import llvmlite.binding as llvm

    from coarsest._kernels import csr
    from coarsest._kernels.object_code import _library_machine, _self_contained

    machine = _library_machine(llvm.get_host_cpu_name())
    counting, _ = _self_contained(csr.count_rows, ("i4.1C", "i4.1C"), "count_rows", machine)
    assert "NRT_" not in str(counting)
    gathering, _ = _self_contained(csr.gather_rows, ("i4.1C",) * 6, "gather_rows", machine)
    assert "atomic" not in str(gathering)
    assert "call void @NRT_" not in str(gathering)
