"""The short way from text to text gives what the long way gives, or nothing."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from coarsest import read_graph, tuning
from coarsest._kernels import library
from coarsest.api.graphs import texts, written
from coarsest.formats.aut import text_to_text
from coarsest.formats.aut.text_to_text import quotient_text
from coarsest.lts.judge.quotients import is_quotient
from coarsest.lts.labelled import INTERNAL
from coarsest.run import Run
from coarsest.tuning import CONFIRMED_TRANSITIONS

pytestmark = pytest.mark.skipif(library.library() is None, reason="there is no library")

NAMES = ["a", "b, c", 'say "hi"', "tau", "grüße"]


def _text(random: Random, names: list[str]) -> bytes:
    states = random.choice([1, 5, 40, 400])
    rows = [(random.randrange(states), random.choice(names), random.randrange(states)) for _ in range(3 * states)]
    if random.random() < 0.5:
        rows.sort()
    lines = [f'({source}, "{name}", {target})\n' for source, name, target in rows]
    return "".join([f"des ({random.randrange(states)}, {len(rows)}, {states})\n", *lines]).encode()


@pytest.mark.parametrize("by", ["bisimulation", "branching-bisimulation"])
@pytest.mark.parametrize("seed", range(30))
def test_both_ways_give_the_same(seed: int, by: str, tmp_path: Path) -> None:
    path = tmp_path / "graph.aut"
    random = Random(seed)
    path.write_bytes(_text(random, random.sample(NAMES, random.randint(1, 5))))
    small = quotient_text(str(path), by=by, judged_up_to=CONFIRMED_TRANSITIONS, run=Run())
    usual = read_graph(path).reduce(by=by)
    assert small is not None
    assert b"".join(map(bytes, small.pieces)).decode() == usual.graph.to_text()
    assert (small.states, small.transitions) == tuple(
        (sizes.before, sizes.after) for sizes in (usual.facts.states, usual.facts.transitions)
    )
    assert small.claim is not None
    assert is_quotient(small.claim)
    assert usual.state_of.tolist() == small.claim.state_of.to_list(small.states[0])
    assert quotient_text(str(path), by="branching-bisimulation", judged_up_to=0, run=Run()).claim is None  # type: ignore[union-attr]


@pytest.mark.parametrize("by", ["branching-bisimulation-divergence", "weak-bisimulation", "weak-bisimulation-divergence"])
def test_what_is_no_more_than_another_relation_is_the_same_as_well(by: str, tmp_path: Path) -> None:
    """Without internal steps, or if none are left and divergence does not count; all else is left to the long way."""
    path, ways = tmp_path / "graph.aut", Counter[tuple[bool, bool]]()
    for seed in range(60):
        random = Random(seed)
        path.write_bytes(_text(random, random.sample(NAMES, random.randint(1, 5))))
        small, usual = quotient_text(str(path), by=by, judged_up_to=CONFIRMED_TRANSITIONS, run=Run()), read_graph(path)
        ways["tau" in usual.action_names, small is None] += 1
        if small is not None:
            assert b"".join(map(bytes, small.pieces)).decode() == usual.reduce(by=by).graph.to_text()
            assert small.claim is not None and is_quotient(small.claim)
    assert not ways[False, True]
    assert ways[False, False] > 10 and ways[True, True] > 10
    assert (ways[True, False] > 0) == (by == "weak-bisimulation")


@pytest.mark.parametrize("by", ["bisimulation", "branching-bisimulation"])
def test_small_graphs_are_reduced_and_confirmed_without_numpy(by: str, tmp_path: Path) -> None:
    path, output = tmp_path / "graph.aut", tmp_path / "small.aut"
    path.write_bytes(_text(Random(2), NAMES))
    words = ["reduce", str(path), "--by", by, "-o", str(output), "--json"]
    script = f"import sys; from coarsest.cli.app import main; main({words!r}); print('numpy' in sys.modules)"
    printed = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout.splitlines()
    assert printed[-1] == "False"
    assert json.loads("\n".join(printed[:-1]))["confirmed"] is True
    assert output.read_text() == read_graph(path).reduce(by=by).graph.to_text()


def test_a_quotient_that_is_not_confirmed_is_made_the_long_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, output = tmp_path / "graph.aut", tmp_path / "small.aut"
    path.write_bytes(_text(Random(2), NAMES))
    monkeypatch.setattr(written, "is_quotient", lambda claim: False)
    assert texts.reduce_text(str(path), str(output), by="bisimulation", run=Run()) is None
    assert not output.exists()


ODD = b"", b"des (0, 1, 1)\n", b"des (0, 1, 1)\n(0, a, 1)\n", b"des (0, 2, 1)\n(0, i, 0)\n(0, tau, 0)\n", b"des (0, 0, 1)\n"


@pytest.mark.parametrize("text", ODD)
def test_what_is_out_of_the_ordinary_is_left_to_the_long_way(text: bytes, tmp_path: Path) -> None:
    path = tmp_path / "graph.aut"
    path.write_bytes(text)
    assert quotient_text(str(path), by="bisimulation", judged_up_to=CONFIRMED_TRANSITIONS, run=Run()) is None


def test_nothing_is_done_without_a_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "graph.aut"
    path.write_bytes(b"des (0, 1, 2)\n(0, a, 1)\n")
    assert quotient_text(str(path), by="bisimulation", judged_up_to=CONFIRMED_TRANSITIONS, run=Run()) is not None
    assert quotient_text(str(tmp_path / "none.aut"), by="bisimulation", judged_up_to=CONFIRMED_TRANSITIONS, run=Run()) is None
    monkeypatch.setattr(text_to_text, "library", lambda: None)
    assert quotient_text(str(path), by="bisimulation", judged_up_to=CONFIRMED_TRANSITIONS, run=Run()) is None


def test_long_texts_are_left_to_the_long_way_where_there_may_be_a_gpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "graph.aut"
    path.write_bytes(b"des (0, 1, 2)\n(0, a, 1)\n")
    monkeypatch.setattr(tuning, "AUT_BYTES_FOR_A_GPU", 10)
    for spec, is_left in ((None, False), (sys.__spec__, True)):
        monkeypatch.setattr(text_to_text, "find_spec", lambda name, spec=spec: spec)
        assert (quotient_text(str(path), by="bisimulation", judged_up_to=CONFIRMED_TRANSITIONS, run=Run()) is None) is is_left
    monkeypatch.setattr(text_to_text, "MOST_BYTES", 10)
    monkeypatch.setattr(text_to_text, "find_spec", lambda name: None)
    assert quotient_text(str(path), by="bisimulation", judged_up_to=CONFIRMED_TRANSITIONS, run=Run()) is None


def test_the_internal_action_is_that_of_the_long_way() -> None:
    assert set(INTERNAL) == text_to_text.INTERNAL


def test_any_number_of_names_is_read(tmp_path: Path) -> None:
    path = tmp_path / "names.aut"
    path.write_text("des (0, 70000, 2)\n" + "".join(f'(0, "{number:05}", 1)\n' for number in range(70_000)))
    small = quotient_text(str(path), by="bisimulation", judged_up_to=0, run=Run())
    assert small is not None
    assert b"".join(map(bytes, small.pieces)) == path.read_bytes()


def test_a_text_that_is_too_short_for_its_header_is_left_to_the_long_way(tmp_path: Path) -> None:
    """There would be no memory for what it promises, and nobody would say why."""
    path = tmp_path / "short.aut"
    path.write_text('des (0, 99999999999, 5)\n(0, "a", 1)\n')
    assert quotient_text(str(path), by="bisimulation", judged_up_to=CONFIRMED_TRANSITIONS, run=Run()) is None
