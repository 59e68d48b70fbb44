"""Code of kernels on disk: many processes, kills, no place to write, and no Numba where kernels are called."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import coarsest
from coarsest._kernels import compiler, object_cache
from coarsest._kernels.native import processor
from coarsest._kernels.object_cache import ABANDONED, CODE, UNFINISHED, WISH, Code, Entry, Wish, wishes

WISHED = Wish("module", "function", ("i4.1C",))
CODED = Code("name", "i8", b"code")

COUNT = """
import sys
import numpy as np
from coarsest._kernels.choose import kernels
counts = np.zeros(4, dtype=np.int64)
kernel = kernels("csr", {transitions}, {choice!r}).count_rows
ordered = kernel(np.array([0, 2, 2], dtype=np.{kind}), counts)
assert (ordered, counts.tolist()) == (True, [0, 1, 1, 3]), counts
print(sorted(kernel._codes), "numba" in sys.modules)
"""


def python(cache: Path, *, kind: str = "int32", choice: str = "compiled", **variables: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "COARSEST_CACHE": str(cache), "COARSEST_LIBRARY": "none", **variables}
    return subprocess.Popen(
        [sys.executable, "-c", COUNT.format(kind=kind, choice=choice, transitions=10**6)], env=environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def said(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate()
    assert (process.returncode, err) == (0, "")
    return out


@pytest.fixture
def entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Entry:
    monkeypatch.setenv("COARSEST_CACHE", str(tmp_path))
    return Entry(WISHED, "processor")


def test_an_entry_is_found_by_its_kinds_processor_and_sources(
    entry: Entry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry.write(tmp_path, CODED)
    other = Entry(Wish("module", "function", ("i8.1C",)), "processor")
    assert other.read() is None
    other.write(tmp_path, Code("other", "", b"other code"))
    assert (entry.read(), other.read()) == (CODED, Code("other", "", b"other code"))
    assert Entry(WISHED, "another processor").read() is None
    monkeypatch.setattr(object_cache, "sources", lambda: "0" * 16)
    assert entry.read() is None


def test_half_an_entry_is_none(entry: Entry, tmp_path: Path) -> None:
    """Whatever a disk that was full or lost its power has kept."""
    entry.write(tmp_path, CODED)
    (path,) = tmp_path.iterdir()
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        assert entry.read() is None
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    assert entry.read() is None
    entry.write(tmp_path, CODED)
    assert entry.read() == CODED


def test_what_is_out_of_date_is_removed_and_what_others_write_is_not(
    entry: Entry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as before:
        before.setattr(object_cache, "sources", lambda: "0" * 16)
        entry.write(tmp_path, CODED)
        entry.wanted(tmp_path)
        other = Entry(Wish("module", "other", ()), "processor")
        other.write(tmp_path, CODED)
        kept = {path.name for path in tmp_path.glob("module.other.*")}
    unfinished, abandoned = (tmp_path / f"{entry.name}{CODE}{number}{UNFINISHED}" for number in "12")
    unfinished.touch()
    abandoned.touch()
    os.utime(abandoned, (0, abandoned.stat().st_mtime - ABANDONED - 1))
    entry.write(tmp_path, CODED)
    assert {path.name for path in tmp_path.iterdir()} == {entry.name + CODE, unfinished.name} | kept


def test_wishes_are_granted_once(entry: Entry, tmp_path: Path) -> None:
    wish = Entry(Wish("csr", "count_rows", ("i4.1C", "i8.1C")), processor())
    nonsense = Entry(Wish("csr", "count_rows", ("f8.1C", "i8.1C")), processor())
    for one in (wish, wish, nonsense):
        one.wanted(tmp_path)
    assert len(list(wishes(tmp_path))) == 2
    assert compiler.start(tmp_path).wait() == 0
    assert not list(tmp_path.glob(f"*{WISH}"))
    code, none = wish.read(), nonsense.read()
    assert code is not None and code.code and code.result == "b1"
    assert none == Code("", "", b""), "floating-point numbers are no places"


def test_processes_that_compile_at_once_do_not_take_the_code_of_others(tmp_path: Path) -> None:
    kinds = ("int32", "int64", "int32")
    answers = [said(process) for process in [python(tmp_path, kind=kind) for kind in kinds]]
    expected = [f"[('i{kind[-2:].replace('32', '4').replace('64', '8')}.1C', 'i8.1C')] False\n" for kind in kinds]
    assert answers == expected
    assert len(list(tmp_path.iterdir())) == 2


def test_without_a_place_to_write_kernels_are_compiled_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert said(python(tmp_path / "file")) == "[('i4.1C', 'i8.1C')] False\n"
    assert said(python(tmp_path / "file", choice="auto", COARSEST_KERNELS="")) == "[] False\n"


def test_nobody_waits_where_the_twin_is_quick(tmp_path: Path) -> None:
    assert said(python(tmp_path, choice="auto", COARSEST_KERNELS="never")) == "[] False\n"
    assert not list(tmp_path.iterdir())
    assert said(python(tmp_path, choice="auto", COARSEST_KERNELS="")) == "[] False\n"
    compiler.start(tmp_path).wait()  # the first to come has the lock; after both, the wish is granted
    process = python(tmp_path, choice="auto", COARSEST_KERNELS="wait")
    assert said(process) == "[('i4.1C', 'i8.1C')] False\n"


PART = "from coarsest._kernels.compile import inlined\n@inlined\ndef part(number):\n    return number + {}\n"
KERNEL = "from coarsest._kernels.compile import compiled\nfrom coarsest._kernels.part import part\n" + (
    "@compiled\ndef kernel(number):\n    return part(number)\n"
)
CALL = "from coarsest._kernels.choose import Kernels\nprint(Kernels('own', patient=True).kernel(1))"


def test_kernels_are_compiled_again_when_a_part_in_another_file_changes(tmp_path: Path) -> None:
    folder = tmp_path / "coarsest" / "_kernels"
    folder.mkdir(parents=True)
    for package in (folder, folder.parent):
        (package / "__init__.py").touch()
    modules = "aside choose columns compile compiler library native object_cache object_code sources"
    for module in modules.split():
        shutil.copy(Path(coarsest.__file__).parent / "_kernels" / f"{module}.py", folder)
    (folder / "own.py").write_text(KERNEL)
    (folder / "own_pure.py").write_text("kernel = None")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "COARSEST_CACHE": str(tmp_path / "cache")}

    def answer() -> str:
        command = [sys.executable, "-c", CALL]
        return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout.strip()

    for number in (10, 200):
        (folder / "part.py").write_text(PART.format(number))
        assert [answer(), answer()] == [f"{number + 1}"] * 2
        assert len(list((tmp_path / "cache").iterdir())) == 1


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
