"""`coarsest gste` from the command line: verdicts, evidence, JSON, exit codes, wrong use."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

import coarsest
from coarsest.errors import InputError
from coarsest.options.methods import FAIR_ALGORITHMS_ON_GRAPHS, PRUNING
from command_lines import Runner

MODEL = """MODULE main
IVAR go : boolean;
VAR n : 0..3;
ASSIGN init(n) := 0; next(n) := go ? (n + 1) mod 4 : n;
"""
GRAPHS = """GRAPH steps                       -- two steps lead to 2
VERTEX zero INITIAL ANT n = 0 & go
VERTEX one          ANT go          CONS n = 1
VERTEX two FINAL                    CONS n = 2
EDGE zero -> one -> two

GRAPH stays
VERTEX zero INITIAL ANT n = 0 & go
VERTEX one          ANT go          CONS n = 1
VERTEX end FINAL    ANT go
EDGE zero -> one -> one -> end
"""
FAIR = """GRAPH returns
VERTEX any INITIAL
VERTEX away ANT n != 0 CONS FALSE
EDGE any -> {any, away}, away -> away
FAIR {away}
"""


@pytest.fixture
def run(run: Runner) -> Runner:
    for name, text in (("m.smv", MODEL), ("g.ag", GRAPHS), ("f.ag", FAIR)):
        Path(name).write_text(text)
    return partial(run, "gste")


def test_text(run: Runner) -> None:
    code, out, _ = run("m.smv", "g.ag")
    assert code == 1
    assert out.split("\n") == [
        "holds    steps: 3 vertices, finite semantics",
        "    confirmed on all 4 reachable states by explicit enumeration",
        "fails    stays: 3 vertices, finite semantics",
        "    counterexample of 4 states (confirmed by replay)",
        "    because the antecedents hold along this path, but in state 2 the consequent of vertex one does",
        "        not: n = 1; the path ends at the final vertex end",
        "    0 | vertex = zero   go = TRUE   n = 0",
        "    1 | vertex = one   n = 1",
        "    2 | n = 2",
        "    3 | vertex = end   n = 3",
        "",
    ]


def test_inputs_at_the_end_of_a_path_are_shown(run: Runner) -> None:
    """The antecedent of the last vertex needs an input that no step has."""
    out = run("m.smv", "g.ag", "--trace", "table").out
    assert "    go      TRUE  .    .  ." in out


def test_quiet(run: Runner) -> None:
    assert run("m.smv", "g.ag", "-q") == (1, "holds    steps: 3 vertices, finite semantics\n"
                                             "fails    stays: 3 vertices, finite semantics\n", "")  # fmt: skip


def test_json(run: Runner) -> None:
    report = json.loads(run("m.smv", "g.ag", "--json").out)
    holds, fails = report["properties"]
    assert (holds["verdict"], holds["confirmed"], holds["kind"]) == ("holds", True, "assertion graph")
    assert holds["graph"]["semantics"] == "finite"
    assert fails["graph"] == {"name": "stays", "semantics": "finite", "vertices": ["zero", "one", "one", "end"],
                              "violations": [2], "last_inputs": {"go": True}}  # fmt: skip
    assert [state["n"] for state in fails["trace"]["states"]] == [0, 1, 2, 3]
    assert "vertex" not in fails["trace"]["states"][0]


def test_the_fair_semantics(run: Runner) -> None:
    code, out, _ = run("m.smv", "f.ag")
    assert code == 1
    assert "the path is fair" in out
    assert "-- back to state" in out
    assert "meets vertex away" in out


@pytest.mark.parametrize("prune", PRUNING)
@pytest.mark.parametrize("fair", FAIR_ALGORITHMS_ON_GRAPHS)
def test_no_choice_changes_a_verdict(run: Runner, prune: str, fair: str) -> None:
    Path("both.ag").write_text(GRAPHS + FAIR)
    words = [line.split()[0] for line in run("m.smv", "both.ag", "-q", "--prune", prune, "--fair", fair).out.splitlines()]
    assert words == ["holds", "fails", "fails"]


def test_semantics_may_be_chosen(run: Runner, tmp_path: Path) -> None:
    assert "finite semantics" in run("m.smv", "f.ag", "--semantics", "finite").out  # the one fair set is final
    code, _, err = run("m.smv", "g.ag", "--semantics", "fair")
    assert code == 2
    assert "`two` has no successor" in err
    (tmp_path / "both.ag").write_text("GRAPH g VERTEX a INITIAL FINAL EDGE a -> a FAIR {a}")
    code, _, err = run("m.smv", "both.ag")
    assert (code, "final vertices as well as fair sets" in err) == (2, True)
    assert run("m.smv", "both.ag", "--semantics", "fair").code == 0


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        ("GRAPH g VERTEX a INITIAL ANT n = 1 FINAL", "holds vacuously: along the antecedents, no path of the model reaches a"),
        ("GRAPH g VERTEX a INITIAL FINAL VERTEX b ANT n = 3 EDGE a -> b", "no path of the model reaches the vertex b"),
        ("GRAPH g VERTEX a INITIAL ANT n = 0 VERTEX b ANT n = 2 EDGE a -> {a, b}, b -> b FAIR {b}", "reaches every fair set"),
    ],
)
def test_what_is_vacuous_is_said(run: Runner, tmp_path: Path, text: str, warning: str) -> None:
    (tmp_path / "v.ag").write_text(text)
    code, out, _ = run("m.smv", "v.ag")
    assert code == 0
    assert warning in out
    assert warning not in run("m.smv", "v.ag", "--no-vacuity").out


def test_traces_as_documents(run: Runner, tmp_path: Path) -> None:
    assert run("m.smv", "g.ag", "--trace", "vcd", "-o", "t.vcd").code == 1
    assert "vertex" in (tmp_path / "t.vcd").read_text()
    assert run("m.smv", "g.ag", "--trace", "json", "-o", "t.json").code == 1
    assert "vertex" not in json.loads((tmp_path / "t.json").read_text())["states"][0]


@pytest.mark.parametrize(
    ("argv", "complaint"),
    [
        (["m.smv"], "needs MODEL and GRAPH"),
        (["m.smv", "none.ag"], "cannot read 'none.ag'"),
        (["m.smv", "m.smv"], "an assertion graph begins with `GRAPH name`"),
        (["-", "-"], "cannot both be standard input"),
        (["m.smv", "g.ag", "--semantics", "strong"], "strong"),
        (["m.smv", "g.ag", "--search", "chaining"], "has no option '--search'"),
        (["m.smv", "g.ag", "-o", "no/where"], "there is no directory"),
    ],
)
def test_wrong_use(run: Runner, argv: list[str], complaint: str) -> None:
    code, out, err = run(*argv)
    assert (code, out) == (2, "")
    assert complaint in err


def test_a_limit_is_said(run: Runner, tmp_path: Path) -> None:
    """Also for the graphs that were never looked at, and in the form that programs read."""
    cells = range(14)
    equations = " ".join(f"next(x{i}) := x{(i * 5 + 3) % 14} + x{(i * 3 + 1) % 14} * x{i};" for i in cells)
    (tmp_path / "big.smv").write_text(f"MODULE main VAR {' '.join(f'x{i} : word[8];' for i in cells)} ASSIGN {equations}")
    (tmp_path / "big.ag").write_text(
        "GRAPH one VERTEX a INITIAL VERTEX b FINAL CONS x0 != 0ud8_1 EDGE a -> a -> b\nGRAPH two VERTEX a INITIAL FINAL"
    )
    code, out, _ = run("big.smv", "big.ag", "--json", "--timeout", "1")
    assert code == 3
    assert [found["verdict"] for found in json.loads(out)["properties"]] == ["unknown", "unknown"]
    assert [found["graph"]["name"] for found in json.loads(out)["properties"]] == ["one", "two"]


def test_python_interface() -> None:
    model = coarsest.loads(MODEL)
    report = model.gste(GRAPHS, FAIR)
    assert [answer.verdict.word for answer in report] == ["holds", "fails", "fails"]
    assert report[1].path.vertices == (0, 1, 1, 2)  # type: ignore[attr-defined]
    with pytest.raises(InputError, match="unknown pruning"):
        model.gste(GRAPHS, prune="never")


def test_what_is_too_large_to_be_confirmed_says_so(run: Runner) -> None:
    Path("m.smv").write_text("MODULE main VAR n : 0..2999; ASSIGN init(n) := 0; next(n) := (n + 1) mod 3000;")
    Path("g.ag").write_text("GRAPH g VERTEX a INITIAL ANT n = 0 VERTEX b FINAL CONS n < 3000 EDGE a -> b EDGE b -> b")
    assert "not confirmed: there are more than 2,000 states" in run("m.smv", "g.ag", "--no-vacuity").out
    assert "not confirmed\n" in run("m.smv", "g.ag", "--confirm", "never").out
    found = run("m.smv", "g.ag", "--confirm", "always")
    assert found.code == 0 and "confirmed on all 3000 reachable states" in found.out


@pytest.mark.parametrize("confirm, confirmed", [("never", False), (False, False), ("auto", True), (True, True), ("always", True)])
def test_how_to_confirm_in_python(confirm: str | bool, confirmed: bool) -> None:
    model = coarsest.loads("MODULE main VAR n : 0..3; ASSIGN init(n) := 0; next(n) := (n + 1) mod 4;")
    (answer,) = model.gste("GRAPH g VERTEX a INITIAL ANT n = 0 VERTEX b FINAL CONS n = 1 EDGE a -> b", confirm=confirm)
    assert answer.confirmed is confirmed
    (answer,) = model.answers("AG n < 4", confirm=confirm)
    assert answer.confirmed is confirmed
