"""Interrupts at random moments of reductions: reading, compiling, refining, numbering, writing. No process crashes."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from coarsest.lts.relations import names

INTERRUPTS = 17  # for each relation and each state of the cache: more than 200 together
SIZE = 20_000
START = "import sys; from coarsest.cli.app import main; print('begun', file=sys.stderr, flush=True); sys.exit(main())"
ENDINGS = (0, 130, -signal.SIGINT)  # the last is 130 for a shell: Python was beginning or had ended


class Reductions:
    """Processes that reduce one graph, with kernels in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.cache = folder, folder / "cache"
        random = Random(1)
        lines = "".join(f"({state}, {random.choice('ai')}, {random.randrange(SIZE)})\n" for state in range(SIZE) for _ in "ab")
        (folder / "large.aut").write_text(f"des (0, {2 * SIZE}, {SIZE})\n{lines}")

    def start(self, relation: str, output: str = "small.aut") -> subprocess.Popen[str]:
        command = [sys.executable, "-X", "faulthandler", "-c", START, "reduce", "large.aut", "--by", relation, "-o", output]
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(self.cache)}
        process = subprocess.Popen(
            command, cwd=self.folder, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert process.stderr is not None
        assert process.stderr.readline() == "begun\n"
        return process

    def whole(self, relation: str) -> float:
        """Seconds of a run that nobody interrupts, with all kernels at hand."""
        for _ in range(2):
            started = time.monotonic()
            code, err = self.end(self.start(relation))
            assert code == 0, err
        return time.monotonic() - started

    def end(self, process: subprocess.Popen[str]) -> tuple[int, str]:
        _, err = process.communicate()
        assert process.returncode in ENDINGS, err
        assert "internal error" not in err and "Fatal" not in err, err
        return process.returncode, err


@pytest.fixture(scope="module")
def reductions(tmp_path_factory: pytest.TempPathFactory) -> Reductions:
    return Reductions(tmp_path_factory.mktemp("interrupted"))


def interrupted(reductions: Reductions, relation: str, random: Random, seconds: float, *, together: int, kill: bool) -> list[int]:
    processes = [reductions.start(relation, f"small-{number}.aut") for number in range(together)]
    time.sleep(random.uniform(0, seconds))
    if kill:  # one that is killed must leave nothing that harms the others
        with processes.pop() as killed:
            killed.kill()
    for process in processes:
        process.send_signal(signal.SIGINT)
    return [reductions.end(process)[0] for process in processes]


@pytest.mark.nightly
@pytest.mark.skipif(os.name != "posix", reason="signals are sent")
@pytest.mark.parametrize("state", ["warm", "cold", "shared"])
@pytest.mark.parametrize("relation", names(reducing=True))
def test_interrupts_at_random_moments(reductions: Reductions, relation: str, state: str) -> None:
    """A cold cache has lost some kernels, a shared one is written to by three processes, of which one is killed."""
    random = Random(f"{relation} {state}")
    seconds = reductions.whole(relation)
    kernels = [path for path in reductions.cache.rglob("*.nbc") if path.is_file()]
    spare = reductions.folder / "kernels"
    shutil.copytree(reductions.cache, spare, dirs_exist_ok=True)
    codes: list[int] = []
    while len(codes) < INTERRUPTS:
        if state != "warm":
            for path in random.sample(kernels, random.randrange(len(kernels))):
                path.unlink(missing_ok=True)
        together = 3 if state == "shared" else 1
        longer = seconds if state == "warm" else 3 * seconds
        codes += interrupted(reductions, relation, random, longer, together=together, kill=state == "shared")
    shutil.copytree(spare, reductions.cache, dirs_exist_ok=True)
    print(relation, state, {code: codes.count(code) for code in set(codes)})
    first = (reductions.folder / "small.aut").read_bytes()
    reductions.end(reductions.start(relation, "again.aut"))
    assert (reductions.folder / "again.aut").read_bytes() == first
