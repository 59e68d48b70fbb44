"""The example of Bouajjani, Fernandez, Halbwachs, Raymond and Ratel 1994, literally: every class and `pre` of section 4."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import coarsest
from coarsest.model.query.formula import parse_value
from coarsest.reduce.bisimulation import bouajjani_fernandez_halbwachs
from coarsest.reduce.partition.observed import Observed, Snapshot
from coarsest.run import Run
from coarsest.space.bdd.build import build
from coarsest.space.explicit.enumerate import enumerate_machine

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "minimal_graph.smv"

CLASSES = {
    "C1": "x | y",
    "C2": "!x & !y",
    "C11": "x & (!y | w | a) | (y & a)",
    "C12": "(!x | !w) & y & !a",
    "C111": "((x & w) | a) & y",
    "C112": "x & !y",
    "C1121": "x & !y & (w | a)",
    "C1122": "x & !y & !w & !a",
    "C21": "!x & !y & a",
    "C22": "!x & !y & !a & w",
    "C23": "!x & !y & !a & !w",
}
"""As the paper writes them."""

PRE = {
    "C1": "(x & w) | !y | a",
    "C2": "(!x | !w) & y & !a",
    "C11": "(x & w) | !y | a",
    "C12": "((x & w) | a) & y",
    "C111": "(x & w) | a",
    "C112": "(!x | !w) & !y & !a",
    "C1121": "(!x | !w) & !y & !a",
    "C1122": "!x & !y & w & !a",
    "C21": "(!x | !w) & y & !a",
    "C23": "(!x | !w) & y & !a",
    "C22": "FALSE",
}

STEPS = [
    # chosen, the partition afterwards, what is accessible, what is stable
    ("C1", "C2 C11 C12", "C11", ""),
    ("C11", "C2 C12 C111 C112", "C112", ""),
    ("C112", "C2 C12 C111 C1121 C1122", "C1121", ""),
    ("C1121", "C2 C12 C111 C1121 C1122", "C1121 C111", "C1121"),
    ("C111", "C2 C12 C111 C1121 C1122", "C1121 C111 C12", "C1121 C111"),
    ("C12", "C2 C12 C111 C1121 C1122", "C1121 C111 C12 C2", "C1121 C111 C12"),
    ("C2", "C12 C111 C1121 C1122 C21 C22 C23", "C1121 C111 C12", "C1121 C111"),
    ("C12", "C12 C111 C1121 C1122 C21 C22 C23", "C1121 C111 C12 C21 C23", "C1121 C111 C12"),
]
"""The last two steps find C21 and C23 stable, in either order."""


@pytest.fixture(scope="module", params=["symbolic", "explicit"])
def example(request: pytest.FixtureRequest) -> tuple[Any, dict[str, Any]]:
    machine = coarsest.load(EXAMPLE).machine
    space: Any = build(machine) if request.param == "symbolic" else enumerate_machine(machine, reachable_only=False)
    return space, {name: space.where(parse_value(text, machine)) for name, text in CLASSES.items()}


def names_of(sets: dict[str, Any], blocks: Any, numbers: Any = None) -> set[str]:
    chosen = blocks if numbers is None else [blocks[n] for n in numbers]
    return {next(name for name, states in sets.items() if states == block) for block in chosen}


def test_preimages(example: tuple[Any, dict[str, Any]]) -> None:
    space, sets = example
    machine = coarsest.load(EXAMPLE).machine
    for name, text in PRE.items():
        assert space.pre(sets[name]) == space.where(parse_value(text, machine)), name


def test_steps_1_to_10(example: tuple[Any, dict[str, Any]]) -> None:
    space, sets = example
    seen: list[Snapshot[Any]] = []
    observed = Observed.by(space, [sets["C1"]])
    found = bouajjani_fernandez_halbwachs.minimise(observed, Run(), seen.append)
    assert len(seen) == 10
    for snapshot, (chosen, partition, accessible, stable) in zip(seen, STEPS):
        assert snapshot.chosen == sets[chosen]
        assert names_of(sets, snapshot.blocks) == set(partition.split())
        assert names_of(sets, snapshot.blocks, snapshot.accessible) == set(accessible.split())
        assert names_of(sets, snapshot.blocks, snapshot.stable) == set(stable.split())
    assert {name for s in seen[8:] for name in names_of(sets, [s.chosen])} == {"C21", "C23"}
    assert names_of(sets, found.classes) == {"C1121", "C111", "C12", "C21", "C23"}
    assert names_of(sets, found.others) == {"C1122", "C22"}


def test_the_minimal_graph_is_figure_4(example: tuple[Any, dict[str, Any]]) -> None:
    space, sets = example
    found = bouajjani_fernandez_halbwachs.minimise(Observed.by(space, [sets["C1"]]), Run())
    names = [next(name for name, states in sets.items() if states == block) for block in found.classes]
    assert {(names[a], names[b]) for a, _, b in found.edges} == {
        ("C1121", "C111"), ("C111", "C111"), ("C111", "C12"), ("C12", "C21"), ("C12", "C23"), ("C21", "C111"), ("C23", "C1121"),
    }  # fmt: skip
    assert [names[n] for n in found.initial] == ["C1121"]


def test_sizes_are_those_of_the_table() -> None:
    small = coarsest.load(EXAMPLE).reduce(observe=["x | y"], algorithm="bfh")
    assert (small.states_before, small.transitions_before) == (10, 20)
    assert (small.states, small.transitions) == (5, 7)
    assert len(small.reduction.partition.classes) + len(small.reduction.partition.others) == 7
