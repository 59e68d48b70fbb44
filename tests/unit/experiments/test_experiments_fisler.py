"""The iterations that are expected of backward reachability, counted by hand on the graph of all states."""

from __future__ import annotations

from typing import Any

import pytest

import coarsest
from coarsest.experiments import fisler_invariants
from coarsest.experiments.fisler import ENGINES, TABLES
from coarsest.experiments.fisler_designs import DESIGNS, MINIMISED, InvariantDesign, Minimised
from coarsest.experiments.fisler_invariants import measure, minimise
from coarsest.experiments.points import PointOutcome, collection, shipped
from coarsest.logic.temporal_operators import boolean_parts
from coarsest.model.machine import Machine
from coarsest.options.methods import BuildOptions
from coarsest.run import Run
from coarsest.space.bdd.build import build as symbolic
from coarsest.space.explicit.enumerate import enumerate_machine

SMALL = [
    design for design in DESIGNS
    if design.arguments.get("model", "").startswith("examples/") and not design.row.startswith("elevator")
]  # fmt: skip


def iterations_by_hand(design: InvariantDesign) -> tuple[bool, int]:
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
def test_iterations(design: InvariantDesign) -> None:
    assert iterations_by_hand(design) == (design.holds, design.iterations)
    facts = measure("backward", run=Run(), **design.arguments)
    assert (facts["holds"], facts["iterations"], facts["images"]) == (design.holds, design.iterations, design.iterations)


def test_the_image_method_is_fixed(monkeypatch: pytest.MonkeyPatch) -> None:
    """By `auto`, which looks at a clock, nodes differed from run to run, and with them two claims of table 3."""
    built: list[BuildOptions] = []

    def build(machine: Machine, run: Run, options: BuildOptions) -> Any:
        built.append(options)
        return symbolic(machine, run, options)

    monkeypatch.setattr(fisler_invariants, "build", build)
    measure("backward", run=Run(), **SMALL[0].arguments)
    assert [options.relation for options in built] == ["clustered"]


def blocks_by_hand(path: str, formula: str) -> tuple[int, int]:
    """States and classes by splitting classes until nothing changes, on the list of all states."""
    model = coarsest.load(shipped(path))
    space = enumerate_machine(model.machine, reachable_only=True)
    atoms = [space.where(atom).mask.tolist() for atom in boolean_parts(model.formula(formula).formula)]
    number = {state: tuple(atom[state] for atom in atoms) for state in range(space.graph.nodes)}
    after: dict[int, set[int]] = {state: set() for state in number}
    for source, target in zip(space.graph.sources.tolist(), space.graph.targets.tolist()):
        after[source].add(target)
    while True:
        signatures = {state: (number[state], frozenset(number[target] for target in after[state])) for state in number}
        names = {signature: index for index, signature in enumerate(dict.fromkeys(signatures.values()))}
        if len(names) == len(set(number.values())):
            return len(number), len(names)
        number = {state: (names[signature],) for state, signature in signatures.items()}


@pytest.mark.parametrize("design", [one for one in MINIMISED if not one.theirs], ids=lambda one: one.row)
def test_blocks(design: Minimised) -> None:
    assert blocks_by_hand(design.model, design.formula) == (design.states, design.blocks)


def test_blocks_of_the_paper() -> None:
    """Where they are present, the blocks of the smallest designs are as the paper has them."""
    if not (collection() / "vis").is_dir():
        pytest.skip("the designs of VIS are not here")
    for row in ("arbiter (L)", "dcnew1 (S)", "treearbiter4-1 (S)"):
        (design,) = [one for one in MINIMISED if one.row == row]
        facts = minimise(design.model, design.formula, fairness=design.fairness, run=Run())
        assert (facts["holds"], facts["agree"]) == (design.holds, True)
        assert (facts["states"], facts["blocks"]) == (design.theirs["states"], design.theirs["blocks"])


@pytest.mark.parametrize("design", [design for design in DESIGNS if design.theirs], ids=lambda design: design.row)
def test_what_the_paper_says_agrees_with_its_lemmas(design: InvariantDesign) -> None:
    """Were a number copied wrongly, a lemma or a bound of section 6 would most likely be broken by it."""
    n, theirs = design.iterations, design.theirs
    assert theirs["BR"]["iterations"] == theirs["BFH"]["iterations"] == n
    assert theirs["LY"]["split images"] in (5 * (n - 1), 6 * (n - 1))
    assert int(theirs["BFH"]["split images"]) >= (n * n + 3 * n) / 2
    assert int(theirs["PT"]["iterations"]) >= n and int(theirs["PT"]["split images"]) >= 2 * n


@pytest.mark.parametrize("row", ["gigamax", "coherence1", "tcp*"])
def test_designs_of_the_paper(row: str) -> None:
    """Where they are present, iterations and images are the paper's, where these do not depend on how ties are broken."""
    (design,) = [design for design in DESIGNS if design.row == row]
    if not (collection() / "vis").is_dir():
        pytest.skip("the designs of VIS are not here")
    for column in ("BR", "BFH"):
        facts = measure(ENGINES[column], run=Run(), **design.arguments)
        assert facts["holds"] == design.holds
        assert all(facts[name] == design.theirs[column][name] for name in ("iterations", "split images"))


def test_a_lemma_that_is_broken_fails() -> None:
    """Its design is named, with the numbers."""
    (third,) = [table for table in TABLES if table.name == "3"]
    (lemma,) = [claim for claim in third.claims if claim.text.startswith("lemma 7")]
    outcomes = {}
    for column, iterations in (("BR", 6), ("LY", 6)):
        (point,) = [point for point in third.points if point.name == f"mutex*, {column}"]
        outcomes[point.name] = PointOutcome(paper="fisler", point=point.name, measure=point.measure, arguments={},
                                       facts={"iterations": iterations}, seconds=1.0, mebibytes=1)  # fmt: skip
    assert lemma.judge(outcomes) == ("fails", "mutex*: BR 6, LY 6")
    assert lemma.judge({}) == ("unknown", "0 designs")
