"""BLIF-MV: the same states and verdicts as those of the definition, value by value; real files agree with AIGER versions."""

from __future__ import annotations

from pathlib import Path

import pytest

import coarsest
from coarsest.errors import NameProblem
from coarsest.formats.blif_mv.read import read
from coarsest.logic.expr import Apply, Constant, Name, Value, conjunction
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Property
from coarsest.text import Source
from command_lines import Runner
from oracles import blif_mv_tables as oracle
from random_tables import random_blif_mv

ROOT = Path(__file__).parents[3]
FILES = ROOT.parent / "shared" / "benchmarks" / "blif-mv"


def agrees(seed: int) -> None:
    text = random_blif_mv(seed)
    model, definition = coarsest.loads(text, format="blif-mv"), oracle.parse(text)
    assert model.reach().states == len(oracle.reached_states(definition))
    signals = [name for table in definition.tables for name in table.outputs]
    for name in signals:
        values = definition.values[name]
        for number, value in enumerate(values):
            shown = value if values != ["0", "1"] else "FALSE" if number == 0 else "TRUE"
            try:
                holds = model.check(f"{name} != {shown}").holds
            except NameProblem:  # a value that nothing of the machine has
                holds = True
            assert holds is not oracle.can_have(definition, name, value), (name, value)


@pytest.mark.parametrize("seed", range(60))
def test_random_tables(seed: int) -> None:
    agrees(seed)


@pytest.mark.nightly
@pytest.mark.parametrize("first", range(100, 2100, 100))
def test_many_random_tables(first: int) -> None:
    for seed in range(first, first + 100):
        agrees(seed)


TWO_CELLS = """.model top
.inputs go
.outputs both
.mv a.colour, b.colour 3 red green blue
.subckt cell a go=go colour=a.colour other=b.colour
.subckt cell b go=go colour=b.colour other=a.colour
.table a.colour b.colour -> both
.default 0
- =a.colour 1
.end
.model cell
.inputs go other
.outputs colour
.mv other,colour,follows 3 red green blue
.table go other colour -> follows
1 - !blue (red, green)
1 - blue =other
0 - - =colour
.latch follows colour
.r colour
red
.end
"""


def test_a_hierarchy_with_several_values(run: Runner) -> None:
    Path("cells.mv").write_text(TWO_CELLS, encoding="utf-8")
    assert run("reach", "cells.mv").out.startswith("states    4\n")
    answer = run("check", "cells.mv", "a.colour != blue", "!(both & a.colour = green)", "AG EF both", "--quiet")
    verdicts = [line.split()[0] for line in answer.out.splitlines()]
    assert verdicts == ["holds", "fails", "holds"]
    assert run("check", "cells.mv", "--format", "blif-mv:cell", "colour != blue", "--quiet").code == 0
    assert "there is no model `cel`" in run("check", "cells.mv", "--format", "blif-mv:cel").err


def test_a_table_without_inputs_is_an_input() -> None:
    text = ".model m\n.mv x,y 4\n.table x\n(0,2)\n3\n.table -> y\n-\n.table x y -> same\n.def 0\n- =x 1\n.end"
    machine = read(Source("m.mv", text))
    assert {name: str(variable.type) for name, variable in machine.variables.items()} == {"x": "{0, 2, 3}", "y": "0..3"}
    assert coarsest.Model(machine).check("same -> y != 1").holds


def test_first_values_that_depend_on_inputs_go_together() -> None:
    text = ".model m\n.inputs i\n.latch a a\n.latch b b\n.r i -> a\n- =i\n.r i -> b\n- =i\n.end"
    model = coarsest.loads(text, format="blif-mv")
    assert model.reach().states == 2
    assert model.check("a = b").holds


def test_an_arrow_out_of_place_and_a_table_with_gaps() -> None:
    text = ".model m\n.inputs a\n.names b\n1\n.names a -> b c\n.def 0\n1 1 1\n.names a d\n1 1\n.spec m.ctl\n.end"
    model = coarsest.loads(text, format="blif-mv")
    assert model.check("c <-> a").holds
    assert model.check("a -> d").holds
    assert not model.check("d -> a").holds
    assert [warning.message.partition(":")[0] for warning in model.warnings] == [
        "the default has one value, so `c` is read as the only output", "`.spec` is not read",
        "the table of `d` has no row for some inputs",
    ]  # fmt: skip


AGREE = ("good_bakery.plain2", "good_bakery.atom", "huff")


@pytest.mark.nightly
@pytest.mark.skipif(not FILES.exists(), reason="shared benchmarks not present")
@pytest.mark.parametrize("name", [*AGREE, "good_bakery.plain", "good_bakery.atom.nondet"])
def test_files_agree_with_their_aiger_versions(name: str) -> None:
    """Where a circuit has one latch more, that one says whether the others have their first values: all begin with 0."""
    model, circuit = coarsest.load(FILES / "mchyper" / f"{name}.mv"), coarsest.load(FILES / "mchyper" / f"{name}.aag")
    states, expected = model.reach().states, circuit.reach().states
    if len(circuit.machine.state_variables) > len(model.machine.state_variables):
        report = model.check(*map(never_again, Interpreter(model.machine).initial_states()))
        expected += sum(answer.verdict.word == "holds" for answer in report) - 1
    assert states == expected


def never_again(state: dict[str, Value]) -> Property:
    """A state that begins, and does not come back."""
    here = conjunction([Apply("=", (Name(name), Constant(value))) for name, value in state.items()])
    return Property(PropertyKind.CTL, Apply("AX", (Apply("AG", (Apply("not", (here,)),)),)), text="never again")


@pytest.mark.skipif(not FILES.exists(), reason="shared benchmarks not present")
@pytest.mark.parametrize("path", sorted(FILES.rglob("*.mv")), ids=lambda path: path.stem)
def test_files_are_read(path: Path) -> None:
    assert coarsest.load(path).machine.definitions
