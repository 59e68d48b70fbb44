"""What people try first: options that belong to another kind of input, names that are none, tables without their columns."""

from __future__ import annotations

import ctypes
import json
from pathlib import Path

import pytest

from coarsest.cli.app import _comes_from_an_interrupt
from command_lines import Runner

MODEL = "MODULE main VAR x : boolean; y : boolean; ASSIGN init(x) := FALSE; next(x) := !x; INVARSPEC x -> y | !y\n"
GRAPH = "des (0, 2, 2)\n(0, a, 1)\n(1, b, 0)\n"


@pytest.fixture(autouse=True)
def here(run: Runner) -> None:
    Path("m.smv").write_text(MODEL)
    Path("g.aut").write_text(GRAPH)
    Path("g.ba").write_text("[0]\na,[0]->[1]\n[1]\n")
    Path("t.csv").write_text("source,action,target\n0,a,1\n")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("reduce t.csv --observe x", "--observe is for"),
        ("reduce t.csv --actions x", "--actions is for"),
        ("reduce t.csv --certificate c.json", "--certificate is for"),
        ("reduce t.csv --minimal", "--minimal is for"),
        ("reduce t.csv --keep-unreachable", "--keep-unreachable is for"),
        ("reduce t.csv --save-order o", "--save-order is for"),
        ("reduce t.csv --trace-partitions d", "--trace-partitions is for"),
        ("reduce t.csv -o q.hoa --initial 0", "known endings are .parquet, .pq, .csv, .tsv, .aut, .ba, .npz\n"),
        ("reduce g.aut --save-order o", "--save-order is for models, not for explicit graphs"),
        ("reduce g.aut --trace-partitions d", "--trace-partitions is for models, not for explicit graphs"),
        ("reduce g.ba -o q.aut", "write .ba instead"),
        ("reduce m.smv -o m.c --save-order o", "--save-order is for models, not for control automata"),
        ("reduce m.smv --carrier smt --save-order o", "--save-order belongs to --carrier bdd"),
        ("reach m.smv --save-order -", "--save-order writes a file"),
        ("check m.smv --output=", "the name of a file to write is empty"),
        ("reduce m.smv --trace-partitions=", "the name of a directory to write into is empty"),
        ("simulate m.smv -i --timeout 3", "--timeout is for random walks, not for a walk by hand"),
        ("simulate m.smv -i --json", "--json with --interactive needs a file"),
        ("confirm t.csv t.csv", "'t.csv' has no column 'state'"),
        ("confirm t.csv t.csv --columns x,y", "'t.csv' has no column 'x'"),
    ],
)
def test_refused_before_anything_is_written(run: Runner, words: str, complaint: str) -> None:
    before = sorted(Path().iterdir())
    found = run(*words.split(" "))
    assert found.code == 2
    assert complaint in found.err
    assert sorted(Path().iterdir()) == before


def test_the_order_that_a_reduction_ends_with(run: Runner) -> None:
    assert run("reduce", "m.smv", "--save-order", "order").code == 0
    assert sorted(Path("order").read_text().split()) == ["x.0", "y.0"]
    assert run("reduce", "m.smv", "--order", "order").code == 0


def test_a_certificate_on_standard_output(run: Runner) -> None:
    found = run("reduce", "g.aut", "--certificate", "-", "-q")
    assert found.code == 0
    text, _ = json.JSONDecoder().raw_decode(found.out)
    assert text["kind"] == "partition"
    assert not Path("-").exists()


def test_a_walk_that_cannot_begin(run: Runner) -> None:
    Path("m.smv").write_text("MODULE main VAR x : boolean; INIT x & !x")
    assert run("simulate", "m.smv").err == "note: there is no initial state\n"


def test_a_walk_by_hand_in_a_file(run: Runner) -> None:
    assert run("simulate", "m.smv", "-i", "-o", "walk.json", stdin="1\nq\n").code == 0
    assert len(json.loads(Path("walk.json").read_text())["trace"]["states"]) == 1


def test_an_error_that_is_its_own_cause() -> None:
    """It was looked through for ever."""
    error = ValueError("x")
    error.__cause__ = error
    assert not _comes_from_an_interrupt(error)
    error.__cause__ = KeyboardInterrupt()
    assert _comes_from_an_interrupt(error)


def test_ctrl_c_while_ctypes_converts_an_argument() -> None:
    """z3 is called through ctypes, which makes an error of its own of what is raised there, without a cause."""

    class Interrupted:
        @classmethod
        def from_param(cls, value: object) -> object:
            raise KeyboardInterrupt

    function = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(lambda number: number)
    function.argtypes = [Interrupted]  # type: ignore[assignment]
    with pytest.raises(ctypes.ArgumentError) as raised:
        function(1)
    assert _comes_from_an_interrupt(raised.value)
    function.argtypes = [ctypes.c_int]
    with pytest.raises(ctypes.ArgumentError) as raised:
        function("one")
    assert not _comes_from_an_interrupt(raised.value)
