"""The short way of a command prints and writes what the long way does, and is taken where nothing else is asked for."""

import subprocess
import sys
from pathlib import Path

import pytest

from coarsest._kernels import library
from coarsest.api.graphs import written
from coarsest.cli import short_way
from coarsest.cli.app import main
from coarsest.lts.relations import reduction_called

pytestmark = pytest.mark.skipif(library.library() is None, reason="there is no library")

GRAPH = 'des (0, 4, 4)\n(0, "a", 1)\n(0, "a", 2)\n(1, i, 3)\n(2, i, 3)\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("graph.aut").write_text(GRAPH)
    return tmp_path


@pytest.mark.parametrize("by", written.PRESERVED_BY)
@pytest.mark.parametrize("judged_up_to", [0, 100])
def test_both_ways_print_and_write_the_same(
    by: str, judged_up_to: int, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("coarsest.tuning.CONFIRMED_TRANSITIONS", judged_up_to)
    if by.endswith("divergence"):
        Path("graph.aut").write_text(GRAPH.replace("i", "b"))
    elif by == "weak-bisimulation" and not judged_up_to:
        pytest.skip("only small graphs go this way")
    assert short_way.answered(["reduce", "graph.aut", "--by", by, "-o", "small.aut"], 0.0) == 0
    shortly, text = capsys.readouterr(), Path("small.aut").read_text()
    words = ["reduce", "graph.aut", "--by", by, "-o", "./small.aut"]
    assert short_way.answered(words, 0.0) is None
    assert main(words) == 0
    assert capsys.readouterr() == shortly
    assert Path("small.aut").read_text() == text


def test_what_is_preserved_is_what_the_table_of_relations_says() -> None:
    assert {name: reduction_called(name).preserves for name in written.PRESERVED_BY} == written.PRESERVED_BY


OTHERS = (
    "reduce graph.aut", "reduce graph.aut -o", "reduce graph.aut -o small.svg", "reduce graph.aut -o none/small.aut",
    "reduce none.aut -o small.aut", "reduce graph.aut -o small.aut --json", "reduce graph.aut -o small.aut --by simulation",
    "reduce graph.aut graph.aut -o small.aut", "reduce -o small.aut", "reduce graph.aut -o -", "show graph.aut -o small.aut",
    "reduce graph.aut -o folder.aut", "reduce graph.aut -o link.aut", "reduce --by=bisimulation graph.aut -o small.aut",
)  # fmt: skip


@pytest.mark.parametrize("line", OTHERS)
def test_all_else_goes_the_long_way(line: str, folder: Path) -> None:
    Path("folder.aut").mkdir()
    Path("link.aut").symlink_to("nowhere.aut")
    before = sorted(folder.iterdir())
    assert short_way.answered(line.split(), 0.0) is None
    assert sorted(folder.iterdir()) == before


def test_people_at_a_terminal_see_how_it_goes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert short_way.answered(["reduce", "graph.aut", "-o", "small.aut"], 0.0) is None


def test_an_interrupt_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(*arguments: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(short_way, "written_quotient", interrupted)
    assert short_way.answered(["reduce", "graph.aut", "-o", "small.aut"], 0.0) == short_way.INTERRUPTED
    assert capsys.readouterr().out == "unknown: the run was interrupted\n"


def test_it_loads_neither_numpy_nor_msgspec(folder: Path) -> None:
    script = (
        "import sys, atexit\nfrom coarsest.cli.app import main\n"
        "atexit.register(lambda: print([name for name in ('numpy', 'msgspec', 'argparse') if name in sys.modules], flush=True))\n"
        "sys.argv[1:] = ['reduce', 'graph.aut', '-o', 'small.aut']\nsys.exit(main())"
    )
    printed = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout
    assert printed.splitlines()[-2:] == ["written      small.aut", "[]"]


def test_a_profile_is_still_printed(folder: Path) -> None:
    """The process must not end before whoever watches it has written what it saw."""
    words = ["-m", "cProfile", "-m", "coarsest", "reduce", "graph.aut", "-o", "small.aut"]
    assert "function calls" in subprocess.run([sys.executable, *words], check=True, capture_output=True, text=True).stdout
