"""Section 6.2.1 of Bustan 2002: a machine with two latches and one input, and the predecessors of {01, 10}."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

import coarsest
from coarsest.bdd.packages import PACKAGES, new_manager
from coarsest.cli.app import main
from coarsest.options.methods import BuildOptions
from coarsest.run import Run
from coarsest.space.bdd.build import build
from coarsest.space.bdd.relation.expound_coudert_madre import Expound
from coarsest.space.bdd.relation.functions import VectorComposition
from coarsest.space.bdd.relation.inverse_bustan import Inverse

R_0 = {"001", "010", "100", "101", "111"}
R_1 = {"000", "001", "010", "011", "100", "111"}
FUNCTIONS = f"""MODULE main
IVAR i0 : boolean;
VAR x0 : boolean; x1 : boolean;
DEFINE step := word1(x0) :: word1(x1) :: word1(i0);
ASSIGN next(x0) := {" | ".join(f"step = 0ub3_{row}" for row in sorted(R_0))};
  next(x1) := {" | ".join(f"step = 0ub3_{row}" for row in sorted(R_1))};
"""


def minterms(manager: Any, rows: set[str]) -> Any:
    """The function that is true for these values of the variables 0, 1, …"""
    result = manager.false
    for row in rows:
        term = manager.true
        for number, value in enumerate(row):
            term = term & (manager.var(number) if value == "1" else ~manager.var(number))
        result = result | term
    return result


@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.parametrize("way", [VectorComposition, Inverse, Expound])
def test_the_example_of_the_thesis(package: str, way: Any) -> None:
    manager = new_manager(package)
    manager.add_variables(["x0", "x1", "i0"])
    preimage = way(manager, {0: minterms(manager, R_0), 1: minterms(manager, R_1)})
    pairs = preimage.of(minterms(manager, {"01", "10"}))
    assert pairs == minterms(manager, {"000", "011", "101"})
    assert manager.exists(pairs, manager.cube([2])) == minterms(manager, {"00", "01", "10"})


def test_table_6_2_is_what_the_functions_say() -> None:
    """The rows x0 x1 i0 x'0 x'1 of the table."""
    rows = ["00001", "00111", "01011", "01101", "10011", "10110", "11000", "11111"]
    assert {row[:3] for row in rows if row[3] == "1"} == R_0
    assert {row[:3] for row in rows if row[4] == "1"} == R_1
    assert len(rows) == len(list(product("01", repeat=3)))


@pytest.mark.parametrize("relation", ["auto", "monolithic", "clustered", "functions", "inverse", "expound"])
def test_predecessors_of_the_machine(relation: str) -> None:
    model = coarsest.loads(FUNCTIONS)
    space = build(model.machine, Run(), BuildOptions(relation=relation))
    target = space.where(model.condition("x0 != x1"))
    before = space.where(model.condition("!(x0 & x1)"))
    assert space.count(target) == 2
    assert space.pre(target) == before
    assert model.reach(towards="x0 != x1", relation=relation).states == 4  # 11 leads to 00


def test_a_complemented_edge_costs_inverse_nothing_and_expound_twice() -> None:
    """Of a parity, every node is met through edges of both kinds."""
    manager = new_manager()
    bits = 8
    manager.add_variables([f"x{n}" for n in range(bits)])
    parity = manager.false
    for number in range(bits):
        parity = parity ^ manager.var(number)
    functions = {number: manager.var((number + 1) % bits) for number in range(bits)}
    inverse, expound = Inverse(manager, functions), Expound(manager, functions)
    assert inverse.of(parity) == parity == expound.of(parity)
    assert inverse.operations == bits
    inverse.of(~parity)
    assert inverse.operations == bits, "what is known of a node is known of its complement, in the next call, too"
    edges = 2 + 4 * (bits - 2) + 2  # but for the first level, of a function and of its complement; none to the leaf 0
    assert expound.operations == 2 * edges


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["examples/mutex.smv", "--towards", "AG lock"], "is not a condition on states"),
        (["examples/mutex.smv", "--towards", "lock", "--carrier", "explicit"], "--towards has no effect with --carrier explicit"),
        (["examples/coffee_or_tea.aut", "--towards", "lock"], "--towards is for models, not for explicit graphs"),
        (["examples/mutex.smv", "--towards", "look"], "did you mean"),
    ],
)
def test_conditions_that_cannot_be_reached(arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reach", *arguments]) == 2
    assert complaint in capsys.readouterr().err
