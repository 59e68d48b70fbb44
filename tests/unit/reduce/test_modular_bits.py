"""The bits of classes in modular minimisation: where they stand in the order of variables, and that none is there twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import coarsest
from coarsest.bdd.packages import new_manager
from coarsest.logic.expr import Name
from coarsest.options.methods import BuildOptions
from coarsest.reduce.modular.algorithms import REDUCERS, atoms_of, parts_of
from coarsest.reduce.modular.improved_bustan_grumberg import one_by_one
from coarsest.reduce.modular.moore import Bench
from coarsest.reduce.modular.parts import parted
from coarsest.reduce.modular.view import machine_of
from coarsest.run import Run
from coarsest.space.bdd.build import build

PHILOSOPHERS = Path(__file__).parents[3] / "examples" / "philosophers.smv"
SHARED = """MODULE main
IVAR up : boolean;
VAR a : boolean; b : boolean; c : boolean;
ASSIGN next(a) := up; next(b) := a xor b; next(c) := a xor !c;
"""


def whole_machine(model: Any, labels: list[str]) -> Any:
    space = build(model.machine, Run(), BuildOptions(relation="clustered", reorder=False))
    whole = machine_of(space, [space.where(Name(label)) for label in labels], Run())
    return space, whole, atoms_of(space, whole)


def small_machine(model: Any, algorithm: str, labels: list[str]) -> Any:
    space, whole, atoms = whole_machine(model, labels)
    return REDUCERS[algorithm](whole, atoms, parts_of(space, whole, atoms), Run(), one_by_one)


def test_a_bit_of_a_class_stays_beside_the_bit_that_it_comes_from() -> None:
    manager: Any = new_manager(bits=8)
    a, b, c = manager.add_variables(["a", "b", "c"])
    bench = Bench(manager)
    bench.beside([a], [b, c], outputs=1)
    (of_a,) = bench.twins([a])
    bench.beside([of_a, b], [c], outputs=1)
    again, of_b = bench.twins([of_a, b])
    bench.beside([again, of_b], [c], outputs=1)
    assert [place for place in manager.order if place in (a, of_a, again, b, of_b, c)] == [a, of_a, again, b, of_b, c]


def test_what_two_outputs_have_in_common_is_told_once() -> None:
    smaller = small_machine(coarsest.loads(SHARED), "improved3", ["b", "c"])
    functions = list(smaller.classes.values())
    assert len(functions) == len(set(functions)) == len(smaller.machine.latches) == 3
    assert smaller.machine.states == 8


def test_outputs_are_shared_where_one_half_reads_them_all() -> None:
    """With all outputs in one part, the improved algorithm would reduce the whole at once."""
    _, whole, (a, b, c) = whole_machine(coarsest.loads(SHARED), ["b", "c"])
    assert [list(part.outputs) for part in parted(whole, [[a], [b, c]])] == [[], [0, 1]]
    assert [list(part.outputs) for part in parted(whole, [[a], [b, c]], shared=True)] == [[1], [0]]
    assert [list(part.outputs) for part in parted(whole, [[a, b], [c]], shared=True)] == [[0], [1]]


def test_legal_states_of_many_parts_take_few_nodes() -> None:
    """With the bits of the two parts apart from each other, the domain had 1156 nodes, and its relation took many seconds."""
    model = coarsest.load(PHILOSOPHERS)
    smaller = small_machine(model, "improved", ["p0.eats", "p1.eats"])
    assert smaller.bench.manager.size(smaller.machine.domain) < 500
