"""`coarsest show` from the command line: every kind of file, every kind of picture, wrong use."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import pytest

from coarsest.cli.app import main
from command_lines import Runner

SVG = "{http://www.w3.org/2000/svg}"
MODEL = """MODULE main
IVAR go : boolean; IVAR slow : boolean;
VAR n : 0..2; flag : boolean; fixed : boolean;
ASSIGN init(n) := 0; next(n) := go & !slow ? (n + 1) mod 3 : n; init(flag) := FALSE; next(flag) := n = 1;
  init(fixed) := TRUE; next(fixed) := fixed;
"""
GRAPHS = "GRAPH one VERTEX a INITIAL ANT x < 2 VERTEX b FINAL EDGE a -> b\nGRAPH two VERTEX c INITIAL EDGE c -> c"
AUT = 'des (0, 3, 2)\n(0, "a<b", 1)\n(1, i, 0)\n(1, i, 1)\n'


@pytest.fixture
def run(run: Runner) -> Runner:
    for name, text in (("m.smv", MODEL), ("g.ag", GRAPHS), ("l.aut", AUT)):
        Path(name).write_text(text)
    return partial(run, "show")


def drawn(path: str) -> tuple[list[str], list[str]]:
    """The texts and the tooltips of a drawing."""
    root = ElementTree.parse(path).getroot()
    return [e.text or "" for e in root.iter(f"{SVG}text")], [e.text or "" for e in root.iter(f"{SVG}title")]


def test_states_of_a_model(run: Runner) -> None:
    assert run("m.smv", "-o", "m.svg", "--mark", "n = 1", "--mark", "flag").code == 0
    texts, tooltips = drawn("m.svg")
    assert "m.smv" in texts
    assert texts.count("n = 2") == 2  # with and without flag
    assert "everywhere: fixed = TRUE" in texts
    assert "go & !slow" in texts
    assert "!go | slow" in texts
    assert {"n = 1", "flag"} <= set(texts)
    assert any("fixed" in tooltip for tooltip in tooltips)


def test_assertion_graphs(run: Runner) -> None:
    assert run("g.ag", "-o", "g.svg").code == 0
    texts, _ = drawn("g.svg")
    assert {"one", "two", "if x < 2", "a", "b", "c"} <= set(texts)
    assert run("g.ag", "-o", "one.svg", "--graph", "one").code == 0
    assert "two" not in drawn("one.svg")[0]


def test_graphs_and_automata(run: Runner) -> None:
    assert run("l.aut", "-o", "l.svg").code == 0
    texts, _ = drawn("l.svg")
    assert {"a<b", "2 states, 3 transitions"} <= set(texts)
    Path("b.ba").write_text("[1]\na,[1]->[2]\nb,[2]->[1]\n[2]\n")
    assert run("b.ba", "-o", "b.svg").code == 0
    assert {"a", "b"} <= set(drawn("b.svg")[0])
    assert main(["automaton", "G F a & G F b", "--kind", "generalised", "-o", "a.hoa"]) == 0
    assert run("a.hoa", "-o", "a.svg").code == 0
    assert any("¹" in text for text in drawn("a.svg")[0])
    assert main(["automaton", "a U b", "-o", "u.svg"]) == 0
    assert "a U b" in drawn("u.svg")[0]


def test_pages_and_dot(run: Runner) -> None:
    assert run("g.ag", "-o", "g.html").code == 0
    page = Path("g.html").read_text()
    assert page.count("<svg ") == 2
    assert "{{" not in page
    result = run("g.ag", "-o", "-", "--to", "dot")
    assert result.out.count("digraph") == 2


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["m.smv"], "needs -o PICTURE"),
        (["m.smv", "-o", "m.png"], "the format of 'm.png' is not known by its name"),
        (["m.smv", "-o", "-"], "--to svg|html|dot"),
        (["m.smv", "-o", "m.svg", "--most", "2", "--large", "refuse"], "more than 2 reachable states"),
        (["l.aut", "-o", "l.svg", "--most", "1", "--large", "refuse"], "has 2 states, too many"),
        (["l.aut", "-o", "l.svg", "--observe", "x"], "--observe is for models"),
        (["m.smv", "-o", "m.svg", "--graph", "one"], "--graph is for files with assertion graphs"),
        (["g.ag", "-o", "g.svg", "--graph", "onr"], "did you mean 'one'?"),
        (["g.ag", "-o", "g.svg", "--mark", "x"], "--mark is for models"),
        (["m.smv", "-o", "m.svg", "--mark", "F flag"], "not a condition on states"),
        (["m.smv", "-o", "m.svg", "--mark", "flog"], "did you mean `flag`?"),
        (["m.smv", "-o", "m.dot", "--layout", "graphviz"], "--layout graphviz draws SVG"),
        (["nothing.smv", "-o", "m.svg"], "nothing.smv"),
        (["m.xyz", "-o", "m.svg"], "m.xyz"),
    ],
)
def test_wrong_use(run: Runner, arguments: list[str], complaint: str) -> None:
    result = run(*arguments)
    assert result.code == 2
    assert complaint in result.err


def test_graphviz_where_there_is_none(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    result = run("m.smv", "-o", "m.svg", "--layout", "graphviz")
    assert result.code == 2
    assert "Graphviz is not installed" in result.err


def test_limits(run: Runner) -> None:
    Path("big.smv").write_text("MODULE main IVAR i : 0..1000000; VAR x : 0..1; ASSIGN next(x) := i mod 2;")
    result = run("big.smv", "-o", "big.svg", "--timeout", "0.4")
    assert result.code == 3
    assert "unknown" in result.err
    assert not Path("big.svg").exists()
