"""Kernels on disk: many processes, kills, no place to write; and Ctrl-C in the middle of the compiler."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from coarsest._kernels.disk_cache import ABANDONED, _Entries

NAME = "module.function-7.py311"

COUNT = """
import numpy as np
from coarsest._kernels.csr import count_rows
counts = np.zeros(4, dtype=np.int64)
count_rows(np.array([0, 2, 2], dtype=np.{kind}), counts)
assert counts.tolist() == [0, 1, 1, 3], counts
print(counts.tolist(), sum(count_rows.stats.cache_hits.values()))
"""


def python(script: str, cache: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    return subprocess.Popen(
        [sys.executable, "-c", script], env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def said(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate()
    assert (process.returncode, err) == (0, "")
    return out


@pytest.fixture
def entries(tmp_path: Path) -> _Entries:
    return _Entries(str(tmp_path), NAME, "stamp")


def missing(entries: _Entries, key: object) -> bool:
    try:
        return entries.load(key) is None
    except OSError:
        return True


def test_an_entry_is_found_by_its_key_and_stamp(entries: _Entries, tmp_path: Path) -> None:
    entries.save("int32", "code of int32")
    _Entries(str(tmp_path), NAME, "stamp").save("int64", "code of int64")
    assert [entries.load(key) for key in ("int32", "int64")] == ["code of int32", "code of int64"]
    assert missing(entries, "float64")
    assert missing(_Entries(str(tmp_path), NAME, "another stamp"), "int32")


def test_half_an_entry_is_none(entries: _Entries, tmp_path: Path) -> None:
    """Whatever a disk that was full or lost its power has kept."""
    entries.save("int32", "code")
    (path,) = tmp_path.iterdir()
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        assert missing(entries, "int32")
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    assert missing(entries, "int32")
    entries.save("int32", "code")
    assert entries.load("int32") == "code"


def test_what_is_out_of_date_is_removed_and_what_others_write_is_not(entries: _Entries, tmp_path: Path) -> None:
    for stamp, name in (("old", NAME), ("old", NAME.replace("7", "9"))):
        _Entries(str(tmp_path), name, stamp).save("int32", "old code")
    other = _Entries(str(tmp_path), NAME.replace("function", "other"), "old")
    other.save("int32", "code of another function")
    unfinished, abandoned = (Path(f"{entries._path('int64')}.tmp.{number}") for number in "12")
    unfinished.touch()
    abandoned.touch()
    os.utime(abandoned, (0, abandoned.stat().st_mtime - ABANDONED - 1))
    entries.save("int32", "code")
    assert set(tmp_path.iterdir()) == {entries._path("int32"), other._path("int32"), unfinished}


def test_processes_that_compile_at_once_do_not_take_the_code_of_others(tmp_path: Path) -> None:
    kinds = ("int32", "int64", "int32", "int64")
    for hits in (None, 1):
        answers = [said(process) for process in [python(COUNT.format(kind=kind), tmp_path) for kind in kinds]]
        assert len({answer.rpartition(" ")[0] for answer in answers}) == 1
        assert hits is None or all(answer.endswith(" 1\n") for answer in answers)
    assert len(list(tmp_path.rglob("*.nbc"))) == 2


NOWHERE = "from numba.core.caching import CacheImpl\nCacheImpl._locator_classes = []\n"
GONE = "import shutil\nfrom pathlib import Path\nfrom coarsest._kernels import csr\nshutil.rmtree({0!r})\nPath({0!r}).touch()\n"


def test_without_a_place_to_write_kernels_are_compiled_all_the_same(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    for before in (NOWHERE, GONE.format(str(cache))):
        assert said(python(before + COUNT.format(kind="int32"), cache)).endswith(" 0\n")


INTERRUPTED = """
import os, signal
from llvmlite.binding import ffi
import numba
calls = 0

class Interrupting:
    argtypes = restype = None

    def __init__(self, function):
        self.function = function

    def __call__(self, *arguments):
        global calls
        answer = self.function(*arguments)
        calls += 1
        if calls <= MOST:
            os.kill(os.getpid(), signal.SIGINT)
        return answer

ffi.lib._fntab[NAME] = Interrupting(getattr(ffi.lib, NAME))

interrupts = 0
while True:
    try:
        exec(COUNT)
        break
    except KeyboardInterrupt:
        interrupts += 1
assert interrupts > 0
"""


@pytest.mark.skipif(os.name != "posix", reason="signals are sent")
@pytest.mark.parametrize("name", ["LLVMPY_LinkModules", "LLVMPY_AddModule", "LLVMPY_FinalizeObject"])
def test_interrupts_after_calls_of_the_compiler(name: str, tmp_path: Path) -> None:
    """When LLVM has taken something over and that is not noted yet, an interrupt made a segmentation fault of it."""
    script = f"NAME, MOST = {name!r}, 20\nCOUNT = {COUNT.format(kind='int32')!r}\n" + INTERRUPTED
    assert said(python(script, tmp_path))
    assert said(python(COUNT.format(kind="int32"), tmp_path)).endswith(" 1\n")
