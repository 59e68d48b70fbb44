"""What a file assumes counts for formulas as it does for its own properties: AIGER, BTOR2, Verilog, Lustre, programs, SMV."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from campaigns import blocks
from coarsest import Model, load, loads
from coarsest.api.confirm import confirm
from coarsest.errors import InputError
from coarsest.formats.aiger.write import to_ascii
from coarsest.logic.show import show
from command_lines import Runner
from random_btor2 import random_btor2
from random_circuits import random_circuit

EXAMPLES = Path(__file__).parents[2] / "examples"
VERILOG = Path(__file__).parents[1] / "unit" / "yosys"
FAKE = Path(__file__).parents[1] / "fake_yosys.py"
CIRCUITS = 12
"""So many circuits are in a block."""
HELD_BY_A_LATCH = b"aag 2 1 1 0 0 1 1\n2\n4 4 4\n5\n4\n"
CONDITIONS = ("{}", "G ({})", "AG ({})", "!F !({})", "!EF !({})")
"""Ways to say that a condition always holds."""
ON_PATHS = ("F {p}", "G F {p}", "F G {p}", "G ({p} -> X {p})", "{p} U !{p}", "X {p}")

WITH_ASSUMPTIONS = {
    "btor2": ("1 sort bitvec 1\n2 zero 1\n3 input 1 i\n4 state 1 s\n5 init 1 4 2\n6 next 1 4 3\n7 not 1 3\n8 constraint 7 c\n"
              "9 bad 4 b\n", ("!s", "!i"), ("s", "i")),
    "lustre": ("node m(i : bool) returns (s : bool);\nlet\n  s = false -> pre i;\n  assert not i;\n  --%PROPERTY not s;\ntel\n",
               ("!s", "!i"), ("s",)),
    "program": ("var s : boolean; var i : boolean;\ns := false; i := false;\nloop\n read(i);\n assume not i;\n"
                " assert not s;\n s := i;\n write(s);\nend;\n", ("!s",), ("s",)),
    "smv": ("MODULE main VAR s : boolean; VAR i : boolean; INVAR !i ASSIGN init(s) := FALSE; next(s) := i; INVARSPEC !s\n",
            ("!s", "!i"), ("s", "i")),
}  # fmt: skip
"""In each format: a model that says about an input what keeps a state from being reached, what therefore holds, what fails."""


def test_a_latch_that_a_constraint_holds() -> None:
    model = loads(HELD_BY_A_LATCH, format="aiger")
    report = model.check(*(way.format("latch_0") for way in CONDITIONS), "F latch_0", "EF latch_0", "always latch_0")
    assert {answer.verdict.word for answer in report} == {"holds"}, str(report)
    assert not any("step to itself" in text for text in report.warnings)
    report = model.check(*(way.format("!latch_0") for way in CONDITIONS), "F !latch_0", "EF !latch_0")
    assert {answer.verdict.word for answer in report} == {"fails"}, str(report)


@pytest.mark.parametrize("format", WITH_ASSUMPTIONS)
def test_formats(format: str) -> None:
    text, true, false = WITH_ASSUMPTIONS[format]
    model = loads(text, format=format)
    assert model.check().holds
    for conditions, word in ((true, "holds"), (false, "fails")):
        report = model.check(*(way.format(condition) for condition in conditions for way in CONDITIONS))
        assert {answer.verdict.word for answer in report} == {word}, str(report)


@pytest.fixture
def yosys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program `yosys`, first on the path."""
    program = tmp_path / "bin" / "yosys"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{FAKE}" "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")


@pytest.mark.usefixtures("yosys")
def test_verilog() -> None:
    model = load(EXAMPLES / "fifo.sv")
    assert model.machine.assumptions
    for claim in model.properties:
        condition = show(claim.formula)
        report = model.check(claim, *(way.format(condition) for way in CONDITIONS))
        assert len({answer.verdict.word for answer in report}) == 1, (condition, str(report))


@pytest.mark.usefixtures("yosys")
@pytest.mark.parametrize(
    ("design", "count"), [("fifo", 4), ("statements", 5), ("open_wires", 2), ("pipeline", 2), ("two_clocks", 1)]
)
def test_statements_as_formulas(design: str, count: int) -> None:
    """What a statement of the top module says, written as a formula: words, literals and names are those of Verilog."""
    path = EXAMPLES / "fifo.sv" if design == "fifo" else VERILOG / f"{design}.sv"
    model, compared = load(path), 0
    for claim in model.properties:
        if "." in claim.name or claim.name == "wraps":  # names are those of an instance; it is asked at some moments only
            continue
        statement = re.fullmatch(r"(assert|cover) \((s_eventually )?(.*)\)", claim.text)
        assert statement is not None, claim.text
        kind, live, condition = statement.groups()
        formula = f"AG !({condition})" if kind == "cover" else f"G F ({condition})" if live else condition
        own, other = (answer.verdict.word for answer in model.check(claim, formula))
        assert (own == other) == (kind == "assert"), (claim.name, formula, own, other)
        compared += 1
    assert compared == count


def _formulas(bad: int, justice: Sequence[int]) -> list[str]:
    """Formulas about outputs: that many are bad, and each justice property is about the next ones."""
    formulas, first = [f"!o{number}" for number in range(bad)], bad
    for length in justice:
        parts = [f"G F o{number}" for number in range(first, first + length)] or ["G F TRUE"]
        formulas, first = [*formulas, f"!({' & '.join(parts)})"], first + length
    return formulas


@pytest.mark.parametrize("block", blocks(8, by_day=1))
def test_own_properties_as_formulas(block: int) -> None:
    """Each property of a file, and the formula that says the same of lines that nothing was assumed of."""
    words = set()
    for seed in range(block * CIRCUITS, (block + 1) * CIRCUITS):
        circuit = random_circuit(seed)
        literals = [*circuit.bad, *(literal for row in circuit.justice for literal in row)]
        names = {f"o{number}": f"o{number}" for number in range(len(literals))}
        aiger = to_ascii(replace(circuit, outputs=literals, symbols=names)).decode()
        lines = random_btor2(seed).splitlines()
        claims = [line.split() for line in lines]
        rows = [row[3:] for row in claims if row[1] == "justice"]
        for number, line in enumerate([row[2] for row in claims if row[1] == "bad"] + [line for row in rows for line in row]):
            lines.append(f"{len(lines) + 1} output {line} o{number}")
        bad = sum(row[1] == "bad" for row in claims)
        for text, format, formulas in (
            (aiger, "aiger", _formulas(len(circuit.bad), list(map(len, circuit.justice)))),
            ("\n".join(lines) + "\n", "btor2", _formulas(bad, list(map(len, rows)))),
        ):
            try:
                model = loads(text, format=format)
            except InputError:
                continue
            if formulas:
                own = [answer.verdict.word for answer in model.check()]
                assert own == [answer.verdict.word for answer in model.check(*formulas)], (seed, format, formulas)
                words.update(own)
    assert words == {"holds", "fails"}


@pytest.mark.parametrize("block", blocks(8, by_day=1))
def test_random_circuits(block: int) -> None:
    """A bad state that the file names is one for whoever states the condition, too; and formulas about paths are about those on
    which constraints hold for ever, as a circuit without constraints says with a premise."""
    words = set()
    for seed in range(block * CIRCUITS, (block + 1) * CIRCUITS):
        circuit = random_circuit(seed)
        last = circuit.gates[-1].literal
        bad, constraint = Random(seed).sample(range(2, last + 2), 2)
        circuit = replace(circuit, outputs=[bad], bad=[bad], constraints=[constraint], fairness=[], justice=[], symbols={})
        try:
            model = loads(to_ascii(circuit), format="aiger")
        except InputError:
            continue
        own, *others = model.check(model.properties[0], *(way.format("!output_0") for way in CONDITIONS))
        assert {answer.verdict.word for answer in others} == {own.verdict.word}, seed
        free = Model(replace(model.machine, transition_constraints=(), assumptions=()))
        for text in ON_PATHS:
            stated = text.format(p="output_0")
            found, expected = model.check(stated)[0], free.check(f"G constraint_0 -> ({stated})")[0]
            assert found.verdict.word == expected.verdict.word, (seed, stated)
            words.add(found.verdict.word)
        words.add(own.verdict.word)
    assert words == {"holds", "fails"}


def test_evidence_is_confirmed(run: Runner, tmp_path: Path) -> None:
    """Traces and certificates about what was asked are confirmed, and a path that violates a constraint is none."""
    circuit = tmp_path / "c.aag"
    circuit.write_bytes(HELD_BY_A_LATCH)
    for formula in ("G !latch_0", "!latch_0", "F !latch_0"):
        written = run("check", str(circuit), formula, "--json").out
        (tmp_path / "t.json").write_text(written, encoding="utf-8")
        assert confirm(tmp_path / "t.json", circuit).accepted, formula
        forged = written.replace("true", "false")
        (tmp_path / "t.json").write_text(forged.replace(formula, formula.replace("!", "")), encoding="utf-8")
        assert not confirm(tmp_path / "t.json", circuit).accepted, formula
    for formula in ("latch_0", "AG latch_0", "G F latch_0"):
        run("check", str(circuit), formula, "--certificate", str(tmp_path / "c.json"))
        assert confirm(tmp_path / "c.json", circuit).accepted, formula
    run("check", str(circuit), "--certificate", str(tmp_path / "c.json"))
    assert confirm(tmp_path / "c.json", circuit).accepted
