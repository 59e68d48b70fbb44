"""`coarsest automaton` from the command line."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from coarsest.automata.translate import from_text
from coarsest.cli.app import main
from coarsest.errors import LimitExceeded
from oracles.hoa_words import parse


def test_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["automaton", "G (p0 = eat -> F p0 = think)"]) == 0
    text = capsys.readouterr().out
    assert 'name: "G (p0 = eat -> F p0 = think)"' in text
    found = parse(text)
    assert (found.states, found.sets, found.atoms) == (2, 1, ["p0 = eat", "p0 = think"])


def test_words_that_were_hardly_meant_as_atoms(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["automaton", "GFa & Fuel & Fb = 1"]) == 0
    found = capsys.readouterr()
    assert found.err == "warning: `GFa` is taken for `G F a`\nwarning: `Fb` is taken for an atom\n"
    assert parse(found.out).atoms == ["a", "Fuel", "Fb = 1"]
    assert main(["automaton", "G true"]) == 0
    assert parse(capsys.readouterr().out).atoms == []
    assert main(["automaton", "{true; a}"]) == 2
    found = capsys.readouterr()
    assert (found.out, found.err) == ("", "error: `true` would be an atom\n  hint: the boolean constant is written TRUE\n")


def test_negation_and_kind(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["automaton", "--negate", "F G !a | F G !b", "--kind", "generalised"]) == 0
    found = parse(capsys.readouterr().out)
    assert (found.states, found.sets) == (1, 2)
    assert "trans-acc" in found.properties


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["automaton", "a U b", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    wanted = {"schema": 1, "formula": "a U b", "negated": False, "kind": "buchi", "states": 2, "edges": 3, "acceptance_sets": 1,
              "atoms": 2, "deterministic": True, "complete": False, "strength": "terminal"}  # fmt: skip
    assert {key: facts[key] for key in wanted} == wanted
    assert parse(facts["automaton"]).states == 2


def test_file_and_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"G a\n")))
    assert main(["automaton", "-", "-o", str(tmp_path / "a.hoa")]) == 0
    assert capsys.readouterr().out == ""
    assert parse((tmp_path / "a.hoa").read_text()).states == 1


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["AG p"], "`AG` is CTL"),
        (["G (p"], "^"),
        (["G p", "--kind", "rabin"], "rabin"),
        (["G p", "-o", "no/such/folder/x.hoa"], "there is no directory"),
        ([], "needs FORMULA or -F FILE"),
        (["G p", "-F", "list.ltl"], "and not both"),
        (["-F", "list.ltl", "-o", "x.svg"], "a picture shows one formula"),
        (["-F", "no.ltl"], "no.ltl"),
    ],
)
def test_wrong_use(arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["automaton", *arguments]) == 2
    assert complaint in capsys.readouterr().err


def test_a_limit_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    text = " & ".join(f"(G F p{number} | F G q{number})" for number in range(9))
    assert main(["automaton", text, "--timeout", "0.3"]) == 3
    assert "time limit" in capsys.readouterr().err


LIST = "# liveness\n\nG F a\n  [](a -> <>b)\r\na U b\n"


def test_a_word_in_many_formulas_is_told_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "list.ltl").write_text("GFp\nGFp & q\nFGr -> GFp\n")
    assert main(["automaton", "-F", str(tmp_path / "list.ltl")]) == 0
    assert capsys.readouterr().err == "warning: `GFp` is taken for `G F p`\nwarning: `FGr` is taken for `F G r`\n"


def test_a_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """One automaton after the other, on standard output, in a file or as facts; each is that of the formula alone."""
    (tmp_path / "list.ltl").write_text(LIST, newline="")
    assert main(["automaton", "-F", str(tmp_path / "list.ltl"), "--negate"]) == 0
    text = capsys.readouterr().out
    single = []
    for formula in ("G F a", "[](a -> <>b)", "a U b"):
        assert main(["automaton", "--negate", formula]) == 0
        single.append(capsys.readouterr().out)
    assert text == "".join(single)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LIST.encode())))
    assert main(["automaton", "-F", "-", "--negate", "-o", str(tmp_path / "all.hoa")]) == 0
    assert capsys.readouterr().out == ""
    assert (tmp_path / "all.hoa").read_text() == text
    assert main(["automaton", "-F", str(tmp_path / "list.ltl"), "--negate", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["automaton"] for one in found["automata"]] == single
    assert [one["formula"] for one in found["automata"]] == ["G F a", "[](a -> <>b)", "a U b"]


def test_a_wrong_line_is_told_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "list.ltl").write_text("G a\n  G (b\n")
    assert main(["automaton", "-F", str(tmp_path / "list.ltl")]) == 2
    found = capsys.readouterr()
    assert found.out == ""
    assert "list.ltl:2:7: error: found the end of the text, expected `)`" in found.err


def test_an_empty_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "list.ltl").write_text("# nothing\n")
    assert main(["automaton", "-F", str(tmp_path / "list.ltl")]) == 0
    assert capsys.readouterr().out == ""


def test_a_limit_leaves_what_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    translate = from_text.automaton_of_formula

    def tired(formula: Any, **options: Any) -> Any:
        if str(formula) == "F a":
            raise LimitExceeded("time", "the time limit of 1 s was reached")
        return translate(formula, **options)

    monkeypatch.setattr(from_text, "automaton_of_formula", tired)
    (tmp_path / "list.ltl").write_text("G a\nF a\na U b\n")
    assert main(["automaton", "-F", str(tmp_path / "list.ltl")]) == 3
    found = capsys.readouterr()
    assert parse(found.out).states == 1
    assert "2 of 3 formulas are left" in found.err


def test_a_maximal_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is read back as a model, drawn with its fairness constraints coloured, and described in JSON."""
    path = tmp_path / "until.smv"
    assert main(["automaton", "--actl", "A [a U b]", "-o", str(path)]) == 0
    assert path.read_text().splitlines()[:2] == ["-- the maximal model of A [a U b]", "-- assumed.1 promises AX A [a U b]"]
    assert main(["check", str(path), "A [a U b]", "-q"]) == 0
    assert main(["check", str(path), "AX a", "-q"]) == 1
    capsys.readouterr()
    assert main(["automaton", "--actl", "!E [!p U q]", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["atoms"] == ["p", "q"] and facts["fairness"] == []
    assert facts["promises"] == {"assumed.1": "AX !(E [!p U q])"}
    for ending in ("svg", "html", "dot"):
        picture = tmp_path / f"until.{ending}"
        assert main(["automaton", "--actl", "A [a U b]", "-o", str(picture)]) == 0
        assert "assumed.1 -&gt; b" in picture.read_text() or "!assumed.1 | b" in picture.read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--actl", "EF p"], "is not in ACTL"),
        (["--actl", "A [a U b]", "--negate"], "--negate is for automata, not for --actl"),
        (["--actl", "A [a U b]", "--kind", "generalised"], "--kind is for automata"),
        (["--actl", "A [a U b]", "-o", "until.hoa"], "'until.hoa' is for an automaton, and this is a model"),
        (["a U b", "-o", "until.smv"], "'until.smv' is for a model, and this is an automaton"),
        (["--actl", "AG true"], "`true` would be an atom"),
    ],
)
def test_what_is_no_maximal_model(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["automaton", *arguments]) == 2
    assert message in capsys.readouterr().err
