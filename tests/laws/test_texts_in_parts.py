"""Texts of graphs read and written by one thread or by several: the result is the same, and so is what is said of wrong ones."""

from itertools import product
from pathlib import Path
from random import Random
from time import sleep

import pytest
from benchmarks.graph_families import FAMILIES

from coarsest import tuning
from coarsest._kernels import library
from coarsest.cli.app import main
from coarsest.formats.aut import read, text_to_text
from coarsest.formats.aut.text_to_text import quotient_text
from coarsest.run import Run
from coarsest.tuning import CONFIRMED_TRANSITIONS

pytestmark = pytest.mark.skipif(library.library() is None, reason="there is no library")

TRANSITIONS = 3000
MANY = 4


@pytest.fixture(autouse=True)
def _everything_is_worth_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuning, "AUT_PIECE", 1)
    monkeypatch.setattr(tuning, "TEXT_SLICE", 1 << 10)
    monkeypatch.setattr(tuning, "AUT_TRANSITIONS_FOR_A_WRITER", 0)
    monkeypatch.setattr(tuning, "AUT_PIECE", 1 << 12)


def _lines(family: str) -> list[str]:
    edges = FAMILIES[family](TRANSITIONS)
    rows = list(zip(edges.sources.tolist(), edges.actions.tolist(), edges.targets.tolist()))
    Random(family).shuffle(rows)  # actions appear in another order in each part
    lines = [f'({source}, "{edges.names[action]}", {target})\n' for source, action, target in rows]
    return [f"des (0, {len(rows)}, {edges.states})\n", *lines]


def _reduced(path: Path, threads: int, *, by: str) -> tuple[bytes, object] | None:
    small = quotient_text(str(path), by=by, judged_up_to=CONFIRMED_TRANSITIONS, run=Run(), threads=threads)
    return None if small is None else (b"".join(map(bytes, small.pieces)), small[:4])


@pytest.mark.parametrize(("family", "by"), list(product(FAMILIES, ("bisimulation", "branching-bisimulation"))))
def test_the_number_of_threads_changes_nothing(family: str, by: str, tmp_path: Path) -> None:
    path = tmp_path / "graph.aut"
    path.write_text("".join(_lines(family)))
    alone = _reduced(path, 1, by=by)
    assert alone is not None
    for threads in range(2, MANY + 1):
        assert _reduced(path, threads, by=by) == alone


def test_a_piece_stays_as_it_is_while_the_next_one_is_made(tmp_path: Path) -> None:
    path = tmp_path / "graph.aut"
    path.write_text("".join(_lines("grid")))
    small = quotient_text(str(path), by="bisimulation", judged_up_to=0, run=Run(), threads=2)
    assert small is not None
    for piece in small.pieces:
        at_first = bytes(piece)
        sleep(0.002)
        assert bytes(piece) == at_first


WRONG = ("", "(0, a)\n", "(0, a, 99999999)\n", "(99999999, a, 0)\n", "0, a, 0\n", "(0, a, 0) x\n", '(0, "a, 0)\n(0, a, 0)\n')


@pytest.mark.parametrize(("line", "share"), list(product(WRONG, (0.0, 0.3, 0.6, 1.0))))
def test_a_wrong_line_is_found_in_every_part(
    line: str, share: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An empty one in place of a transition, too: then there are fewer than the header says."""
    lines = _lines("random")
    place = 1 + int(share * (len(lines) - 2))
    lines[place] = line
    path, output = tmp_path / "graph.aut", tmp_path / "small.aut"
    path.write_text("".join(lines))
    messages = set()
    for threads in range(1, MANY + 1):
        assert _reduced(path, threads, by="bisimulation") is None
        for module in (read, text_to_text):
            monkeypatch.setattr(module, "processors", lambda threads=threads: threads)
        assert main(["reduce", str(path), "-o", str(output)]) == 2
        messages.add(capsys.readouterr().err)
    assert len(messages) == 1
    assert not output.exists()
    if line.count("\n") == 1:
        assert f"{path}:{place + 1}:" in messages.pop()


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\n\n", " \n"])
def test_ends_of_lines_may_be_of_any_kind(ends: str, tmp_path: Path) -> None:
    path = tmp_path / "graph.aut"
    lines = [line.rstrip("\n") for line in _lines("oddlabels")]
    path.write_bytes(ends.join(lines).encode())  # the last one has none
    texts = {_reduced(path, threads, by="bisimulation") for threads in range(1, MANY + 1)}
    assert len(texts) == 1
    assert None not in texts
