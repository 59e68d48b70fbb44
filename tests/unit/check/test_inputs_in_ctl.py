"""Inputs in CTL: refused beside what is said of all steps, with the formula of LTL; elsewhere they have one meaning."""

from __future__ import annotations

from pathlib import Path

import pytest

import coarsest
from coarsest.errors import Unsupported
from command_lines import Runner, runner

MODEL = """MODULE main
IVAR cmd : {read, write};
VAR x : boolean;
DEFINE writes := cmd = write;
ASSIGN init(x) := FALSE; next(x) := writes;
"""
JOINED = [
    ("AG (cmd = write -> AX x)", "G (cmd = write -> X x)"),
    ("AG (writes -> AX x)", "G (writes -> X x)"),
    ("cmd = write -> AX x", "cmd = write -> X x"),
    ("AG AF (x & (cmd = read | AX x))", "G F (x & (cmd = read | X x))"),
    ("A [cmd = write U AX x]", "cmd = write U X x"),
    ("EF (cmd = write & EX !x)", ""),
    ("AG !(cmd = write & EX !x)", ""),
    ("A (G (cmd = write -> E (X x)))", ""),
]


@pytest.mark.parametrize(("formula", "linear"), JOINED)
def test_what_ctl_cannot_join(formula: str, linear: str) -> None:
    model = coarsest.loads(MODEL)
    with pytest.raises(Unsupported) as caught:
        model.check(formula)
    hint = caught.value.diagnostic.hint
    assert "about the inputs of one step" in str(caught.value)
    assert hint == (f"in LTL, both are about the same step: {linear}" if linear else hint) and ("LTL" in hint) == bool(linear)


@pytest.mark.parametrize(
    ("formula", "holds"),
    [
        ("G (cmd = write -> X x)", True),
        ("A (G (cmd = write -> X x))", True),
        ("AG (cmd = write | cmd = read)", True),
        ("AG !(cmd = write & x)", False),
        ("AG EF writes", True),
        ("E [cmd = read U x]", False),
        ("A [cmd = read U !x]", True),
        ("AX (x | !x) & EF writes", True),
    ],
)
def test_what_has_one_meaning(formula: str, holds: bool) -> None:
    assert coarsest.loads(MODEL).check(formula).holds is holds


def test_the_others_are_checked(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """One refused property of several is undecided, with the reason; alone, it is an error at its place."""
    run: Runner = runner(monkeypatch, capsys)
    path = tmp_path / "m.smv"
    path.write_text(f"{MODEL}CTLSPEC AG (cmd = write -> AX x)\nLTLSPEC G (cmd = write -> X x)\n")
    code, out, _ = run("check", str(path))
    assert code == 3 and "unknown  AG (cmd = write -> AX x)" in out and "holds    G (cmd = write -> X x)" in out
    code, _, err = run("check", str(path), "--property", "1")
    assert code == 2 and "m.smv:6:13: error: `cmd = write` is about the inputs of one step" in err
    assert "G (cmd = write -> X x)" in err
