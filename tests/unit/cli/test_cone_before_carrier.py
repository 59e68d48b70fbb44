"""What has no bounds and does not matter is left out before anybody asks for bounds, or takes formulas for sets."""

from pathlib import Path

import pytest

import coarsest
from coarsest.cli.app import main
from coarsest.errors import Unsupported
from coarsest.space.smt.formula_spaces import FormulaSpaces

LUSTRE = """
node main (open, code_ok, clock : bool; k : int) returns (locked : bool; hours : int; last : int);
let
  locked = true -> if open and code_ok then false else if not open then true else pre locked;
  hours = 0 -> pre hours + 1;
  last = 0 -> if clock then k else pre last;
  --%PROPERTY not open => locked;
tel
"""
SMV = """
MODULE main
VAR n : integer; x : 0..3;
ASSIGN init(n) := 0; next(n) := n + x; init(x) := 0; next(x) := (x + 1) mod 4;
INVARSPEC x < 4
CTLSPEC AG EF x = 2
LTLSPEC G F x = 1
"""


@pytest.fixture
def without_formulas(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("sets are formulas")

    monkeypatch.setattr(FormulaSpaces, "space", refuse)


@pytest.mark.usefixtures("without_formulas")
@pytest.mark.parametrize("reduce", ["none", "bisimulation"])
def test_properties(reduce: str) -> None:
    smv, lustre = coarsest.loads(SMV), coarsest.loads(LUSTRE, format="lustre")
    assert smv.check(reduce=reduce).holds and lustre.check(reduce=reduce).holds
    assert [a.verdict.word for a in lustre.check("AG EF !locked", "G F locked", reduce=reduce)] == ["holds", "fails"]
    (answer,) = smv.check("G x < 3", reduce=reduce)
    assert answer.verdict.word == "fails" and answer.confirmed
    assert [state["n"] for state in answer.verdict.trace.states] == [0, 0, 1, 3]  # type: ignore[union-attr]


@pytest.mark.usefixtures("without_formulas")
def test_reductions_and_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small = coarsest.loads(SMV).reduce(observe=["x = 1"])
    assert (small.states_before, small.states, small.confirmed) == (None, 4, True)
    path = tmp_path / "lock.lus"
    path.write_text(LUSTRE, encoding="utf-8")
    for suffix in ("c", "py", "aut"):
        assert main(["reduce", str(path), "--observe", "locked", "--reactions", "-o", str(tmp_path / f"lock.{suffix}")]) == 0
        assert "states       ? -> 3\n" in capsys.readouterr().out
    assert " k;" not in (tmp_path / "lock.c").read_text(encoding="utf-8")


def test_what_does_matter_still_needs_formulas() -> None:
    pytest.importorskip("z3")
    both = coarsest.loads(SMV).check("n >= 0", "x < 4")
    assert [answer.verdict.word for answer in both] == ["holds", "holds"]
    assert ["questions" in answer.statistics for answer in both] == [True, False]
    assert coarsest.loads(SMV).check("x < 4", cone=False, carrier="smt").holds


def test_a_control_automaton_is_finite() -> None:
    model = coarsest.loads(LUSTRE, format="lustre")
    for name, message in (("hours", "no bounds are known"), ("last = 3", "is unbounded")):
        with pytest.raises(Unsupported, match=message) as refusal:
            model.control_automaton(observe=[name])
        assert "carrier" not in (refusal.value.diagnostic.hint or "carrier")
