"""Wrong input and usage: exit code 2, a message that helps, never a traceback, nothing on standard output."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from coarsest.cli.app import main

GOOD = "MODULE main\nVAR x : 0..3;\nASSIGN init(x) := 0; next(x) := (x + 1) mod 4;\nINVARSPEC x < 4\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.smv").write_text(GOOD)
    (tmp_path / "claimless.smv").write_text("MODULE main VAR x : 0..3;\n")
    (tmp_path / "good.aut").write_text('des (0, 1, 2)\n(0, "a", 1)\n')
    (tmp_path / "good.proof").write_text("component one = p.json\nstep one |= AG x < 4\nconclude one |= AG x < 4\n")
    (tmp_path / "p.json").write_text("{}")
    (tmp_path / "folder.smv").mkdir()
    for suffix in ("xyz", "ag", "csv"):
        (tmp_path / f"good.{suffix}").write_text(GOOD)
    return tmp_path


@pytest.fixture
def refuse(here: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    def run(*argv: str) -> str:
        code = main(argv)
        out, err = capsys.readouterr()
        assert code == 2, f"exit code {code}\n{out}\n{err}"
        assert out == ""
        assert "Traceback" not in err
        assert "error: " in err
        return err

    return run


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        (["chek", "good.smv"], "did you mean 'check'?"),
        (["frobnicate"], "the commands are check, "),
        (["good.smv"], "coarsest check good.smv"),
        (["--quiet"], "options come after a command"),
        (["help", "nothing"], "there is no command 'nothing'"),
        (["check"], "needs MODEL\n"),
        (["confirm", "good.smv"], "needs MODEL and EVIDENCE\n"),
        (["convert", "good.smv"], "needs IN and OUT"),
        (["reach", "good.smv", "extra"], "unexpected argument 'extra'"),
        (["check", "good.smv", "--timout", "3"], "did you mean '--timeout'?"),
        (["check", "good.smv", "--time", "3"], "has no option '--time'"),
        (["check", "good.smv", "--timeout", "0"], "expected a number above 0, found '0'"),
        (["check", "good.smv", "--timeout", "soon"], "expected a number above 0, found 'soon'"),
        (["check", "good.smv", "--timeout", "inf"], "expected a number above 0"),
        (["check", "good.smv", "--timeout"], "--timeout"),
        (["check", "good.smv", "--memory", "-1"], "expected a whole number above 0"),
        (["check", "good.smv", "--memory", "1.5"], "expected a whole number"),
        (["check", "good.smv", "--nodes", "many"], "expected a whole number, found 'many'"),
        (["check", "good.smv", "--threads", "0"], "expected a whole number from 1 to 256"),
        (["check", "good.smv", "--trace", "pretty"], "'pretty'\n  hint: it is one of changes, full, table, json, vcd, itf, aige"),
        (["reduce", "good.smv", "--by", "simulaton"], "--by cannot be 'simulaton'\n  hint: did you mean 'simulation'?\n"),
        (["convert", "good.smv", "out.prog"], "the format `program` is read but not written"),
        (["check", "good.smv", "--engine", "fast"], "'fast'"),
        (["check", "good.smv", "--relation", "fast"], "'fast'"),
        (["check", "good.smv", "--bdd", "buddy"], "'buddy'"),
        (["check", "good.smv", "--format", "snv"], "did you mean smv?"),
        (["check", "good.smv", "--format", "pdf"], "formats are smv"),
        (["convert", "good.smv", "out", "--to", "pdf"], "formats are smv"),
        (["check", "good.smv", "--order", "fource"], "did you mean 'force'?"),
        (["check", "good.smv", "--order", "folder.smv"], "no file 'folder.smv'"),
        (["simulate", "good.smv", "--steps", "-3"], "0 or more"),
        (["simulate", "good.smv", "--seed", "x"], "expected a whole number"),
        (["simulate", "-", "--interactive"], "standard input cannot be both"),
        (["convert", "good.smv", "out.xyzzy"], "models end in .smv"),
        (["convert", "good.smv", "out"], "say which: --to NAME"),
        (["convert", "good.smv", "picture.dot"], "draw it: coarsest show good.smv -o picture.dot"),
        (["check", "good.xyz"], "say which: --format NAME"),
        (["check", "good.smv", "--bmc"], "did you mean '--engine bmc'?"),
        (["compare", "a.aut", "b.aut", "--by", "weak"], "did you mean 'weak-bisimulation'?"),
        (["compare", "a.aut", "b.aut", "--by", "strong"], "did you mean 'bisimulation'?"),
        (["reduce", "good.smv", "--by", "words"], "models are reduced by bisimulation, simulation, direct, delay, symmetry"),
        (["graph", "good.smv"], "hint: did you mean 'show'?"),
        (["check", "good.smv", "other.smv"], "there is no file 'other.smv'"),
        (["assume", "other.smv", "good.smv"], "there is no file 'other.smv'"),
        (["assume", "other.smv", "claimless.smv"], "there is no file 'other.smv'"),
        (["check", "good.aut", "other.aut"], "there is no file 'other.aut'"),
        (["check", "good.aut", "no/other.aut"], "there is no file 'no/other.aut'"),
        (["convert", "good.aut", "out.smv"], "'out.smv' is the name of a model, not of a graph"),
        (["convert", "good.aut", "out.hoa"], "'out.hoa' is the name of an automaton, not of a graph"),
        (["reduce", "good.aut", "-o", "out.smv"], "'out.smv' is the name of a model, not of a graph"),
        (["check", "good.ag"], "assertion graphs are for coarsest gste and show"),
        (["check", "good.csv"], "graphs in tables are for coarsest reduce"),
        (["automaton", "G a", "-o", "a.xyz"], "known endings are .hoa, .smv, .svg, .html, .dot"),
        (["automaton", "G a", "--nodes", "5"], "has no option '--nodes'"),
        (["check", "good.smv", "--threads", "1000"], "expected a whole number from 1 to 256, found '1000'"),
        (["reduce", "good.smv", "--columns", "a,b"], "--columns is for graphs in tables"),
        (["reduce", "good.smv", "--initial", "0"], "--initial is for graphs in tables"),
        (["reduce", "good.smv", "--keep-unreachable"], "--keep-unreachable is for explicit graphs"),
        (["check", "missing.smv"], "cannot read 'missing.smv'"),
        (["check", "no/such/folder.smv"], "there is no directory"),
        (["check", "folder.smv"], "there is no design in the folder 'folder.smv'"),
        (["check", "good.smv/inside.smv"], "cannot read"),
        (["check", "good.smv\0"], "cannot read"),
        (["check", ""], "cannot read"),
        (["check", "good.smv", "-o", "no/such/report.txt"], "there is no directory"),
        (["check", "good.smv", "-o", "folder.smv"], "it is a directory"),
        (["reach", "good.smv", "-o", "good.smv/report.txt"], "cannot write"),
        (["reach", "good.smv", "--save-order", "no/such/order"], "there is no directory"),
        (["convert", "good.smv", "folder.smv"], "it is a directory"),
        (["check", "good.smv", "-o", "./good.smv"], "-o ./good.smv would overwrite a file that is read"),
        (["check", "good.smv", "--certificate", "good.smv"], "--certificate good.smv would overwrite a file that is read"),
        (["reduce", "good.smv", "--save-order", "good.smv"], "--save-order good.smv would overwrite a file that is read"),
        (["confirm", "good.smv", "p.json", "-o", "p.json"], "-o p.json would overwrite a file that is read"),
        *(
            (["check", "good.smv", option, "p.json", "-o", "p.json"], "-o p.json would overwrite a file that is read")
            for option in ("--generators", "--hints", "--properties", "--fairness", "--automaton", "--order", "--expect")
        ),
        (["reduce", "good.smv", "--generators", "p.json", "-o", "p.json"], "-o p.json would overwrite a file that is read"),
        (["reach", "good.smv", "--order", "p.json", "--save-order", "p.json"], "--save-order p.json would overwrite a file"),
        (["gste", "good.smv", "p.json", "-o", "p.json"], "-o p.json would overwrite a file that is read"),
        (["assume", "p.json", "good.smv", "AG x", "-o", "p.json"], "-o p.json would overwrite a file that is read"),
        (["automaton", "-F", "p.json", "-o", "p.json"], "-o p.json would overwrite a file that is read"),
        (["prove", "good.proof", "-o", "p.json"], "-o p.json would overwrite a file that is read"),
        (["check", "good.smv", "-o", "x", "--certificate", "x"], "-o and --certificate are one file: x"),
        (["check", "good.smv", "x <"], "error: "),
        (["check", "good.smv", "y < 3"], "y"),
        (["check", "good.smv", ""], "error: "),
        (["check", "good.smv", "\x1b[2J"], "found `\u241b`, expected an expression\n  1 | \u241b[2J\n"),  # not obeyed
        (["check", "good.smv", "x + 1"], "error: "),
        (["check", "good.smv", "--ltl", "tablo"], "'tablo'"),
        (["check", "good.smv", "--fair", "never"], "'never'"),
        (["check", "good.smv", "--no-vacuty"], "did you mean '--no-vacuity'?"),
    ],
)
def test_usage(refuse: Callable[..., str], argv: list[str], expected: str) -> None:
    assert expected in refuse(*argv)


@pytest.mark.parametrize(
    ("formula", "place", "hint"),
    [
        ("G (att = on -> F x = 1)", "1:4", "did you mean `at`?"),
        ("AG (x = 1 -> F x = 2)", "1:14", "in LTL write `G` for `AG`, in CTL write `AF` for `F`, in CTL* `A (F …)`"),
        ("EX (x = 1 U x = 2)", "1:5", "in CTL* `A (U …)`"),
        ("F x", "1:1", "compare the value with another one: `x = …`"),
        ("AG at", "1:1", "compare the value with another one"),
        ("G !at = on", "1:3", "write `a != b` or `!(a = b)`"),
        ("ABF 3..1 x = 1", "1:1", "the first bound is 0 or more"),
        ("A [x = 1]", "1:9", "write `A [p U q]`, or `A (…)` around a linear formula"),
        ("AG x = 1 | E [x = 1 U F x = 2]", "1:23", "in CTL write `AF` for `F`"),
        ("always att = on", "1:8", "did you mean `at`?"),
        ("always {x = 1; at} |-> x = 2", "1:8", "compare the value with another one"),
        ("always {x = 1; [*2} |-> x = 2", "1:19", ""),
        ("G (x = 1", "1:9", ""),
        ("x = 1 U", "1:8", ""),
    ],
)
def test_wrong_formulas(refuse: Callable[..., str], here: Path, formula: str, place: str, hint: str) -> None:
    (here / "two.smv").write_text("MODULE main VAR x : 0..3; at : {on, off};")
    message = refuse("check", "two.smv", formula)
    assert f"<formula>:{place}: error: " in message
    assert "^" in message
    assert hint in message


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "error: "),
        (b"\n\n  \n", "error: "),
        (b"-- only a comment\n", "error: "),
        (b"\x7fELF\x02\x01\x01\x00\x00\x00", "error: "),
        (b"MODULE main\nVAR caf\xe9 : boolean;\n", "save the file as UTF-8"),
        (b"\xff\xfeM\x00O\x00D\x00", "error: "),
        (b"MODULE main VAR x : bolean;", "did you mean `boolean`?"),
        (b"MODULE main VAR w : word[4]; n : 0..7; ASSIGN next(w) := w << n; INVARSPEC w = w", "limit the amount"),
        (b"MODULE main VAR n : 0..7; ASSIGN next(n) := 3 / n; INVARSPEC n = n", "guard the division"),
        (b"MODULE main VAR x : boolean", "error: "),
        (b"MODULE main VAR x : boolean; ASSIGN next(y) := TRUE;", "y"),
        (b"MODULE main VAR x : boolean; x : boolean;", "x"),
        (b"MODULE main VAR x : 0..3; ASSIGN next(x) := x & TRUE;", "error: "),
        (b"MODULE main DEFINE a := b; b := a; VAR x : boolean; INVARSPEC a", "error: "),
        (b"MODULE notmain VAR x : boolean;", "main"),
        (b"MODULE main VAR x : main;", "error: "),
        (b"MODULE main VAR x : 3..0;", "error: "),
        (b"MODULE main VAR p : nowhere(1);", "nowhere"),
        (b"MODULE main VAR x : boolean; ASSIGN init(x) := FALSE; init(x) := TRUE;", "error: "),
        (b"MODULE main VAR x : boolean; INVARSPEC " + b"(" * 100_000 + b"x", "error: "),
        (b"MODULE main VAR x : boolean; INVARSPEC " + b"!" * 100_000 + b"x", "error: "),
        (b"<html><body>404</body></html>", "error: "),
        (b"{\"json\": true}", "error: "),
    ],
)
def test_files(refuse: Callable[..., str], here: Path, content: bytes, expected: str) -> None:
    (here / "bad.smv").write_bytes(content)
    message = refuse("check", "bad.smv")
    assert expected in message
    assert len(message) < 5000


def test_a_complaint_names_file_line_and_column(refuse: Callable[..., str], here: Path) -> None:
    (here / "bad.smv").write_text("MODULE main\nVAR\n  x : bolean;\n")
    message = refuse("reach", "bad.smv")
    assert "bad.smv:3:7" in message
    assert "      ^^^^^^" in message


def test_bad_standard_input(refuse: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"MODULE main VAR x : bolean;")))
    assert "<stdin>:1:21" in refuse("check", "-")


def test_under_supervision_the_complaint_is_the_same(refuse: Callable[..., str], here: Path) -> None:
    (here / "bad.smv").write_text("MODULE main\nVAR\n  x : bolean;\n")
    assert refuse("check", "bad.smv", "--timeout", "600") == refuse("check", "bad.smv")


def test_an_output_that_cannot_be_written_leaves_the_old_file(refuse: Callable[..., str], here: Path) -> None:
    (here / "bad.smv").write_text("MODULE main VAR x : bolean;")
    (here / "flat.smv").write_text("precious")
    before = sorted(os.listdir(here))
    refuse("convert", "bad.smv", "flat.smv")
    assert (here / "flat.smv").read_text() == "precious"
    assert sorted(os.listdir(here)) == before
