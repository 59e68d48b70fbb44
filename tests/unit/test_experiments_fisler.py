"""The iterations that are expected of backward reachability, counted by hand on the graph of all states."""

from __future__ import annotations

import pytest

import coarsest
from coarsest.experiments.fisler import DESIGNS, TABLES, Design
from coarsest.experiments.fisler_invariants import measure
from coarsest.experiments.points import Outcome, shipped
from coarsest.run import Run
from coarsest.space.explicit.enumerate import enumerate_machine

SMALL = [design for design in DESIGNS if "model" in design.arguments and not design.row.startswith("elevator")]


def iterations_by_hand(design: Design) -> tuple[bool, int]:
    """Distances from the bad states backwards: to an initial state, or as far as there are states."""
    model = coarsest.load(shipped(design.arguments["model"]))
    (formula,) = [prop.formula for prop in model.properties if prop.name == design.arguments["invariant"]]
    space = enumerate_machine(model.machine, reachable_only=False)
    before: dict[int, set[int]] = {state: set() for state in range(space.graph.nodes)}
    for source, target in zip(space.graph.sources.tolist(), space.graph.targets.tolist()):
        before[target].add(source)
    ring = {state for state, good in enumerate(space.where(formula).mask.tolist()) if not good}
    initial = {state for state, first in enumerate(space.initial.mask.tolist()) if first}
    reached, steps = set(ring), 0
    while ring and not ring & initial:
        ring = {source for state in ring for source in before[state]} - reached
        reached |= ring
        steps += 1
    return not ring, steps


@pytest.mark.parametrize("design", SMALL, ids=lambda design: design.row)
def test_iterations(design: Design) -> None:
    assert iterations_by_hand(design) == (design.holds, design.iterations)
    facts = measure("backward", run=Run(), **design.arguments)
    assert (facts["holds"], facts["iterations"], facts["images"]) == (design.holds, design.iterations, design.iterations)


def test_a_lemma_that_is_broken_fails() -> None:
    """Its design is named, with the numbers."""
    (lemma,) = [claim for claim in TABLES[0].claims if claim.text.startswith("lemma 7")]
    outcomes = {}
    for column, iterations in (("BR", 6), ("LY", 6)):
        (point,) = [point for point in TABLES[0].points if point.name == f"mutex*, {column}"]
        outcomes[point.name] = Outcome(paper="fisler", point=point.name, measure=point.measure, arguments={},
                                       facts={"iterations": iterations}, seconds=1.0, mebibytes=1)  # fmt: skip
    assert lemma.judge(outcomes) == ("fails", "mutex*: BR 6, LY 6")
    assert lemma.judge({}) == ("unknown", "0 designs")
