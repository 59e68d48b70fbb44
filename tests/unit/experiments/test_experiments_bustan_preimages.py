"""Tables 6.3 to 6.5 of Bustan's thesis: its numbers say what its text says, and the claims would notice anything else."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from coarsest.experiments.bustan_circuits.preimages import ALGORITHMS, NODES, OURS, PROPERTIES, SECONDS, TABLES, THEIRS
from coarsest.experiments.bustan_circuits.transitive_preimages import measure, properties
from coarsest.experiments.points import Facts, PointOutcome
from coarsest.run import Run

CIRCUITS = ("examples/arbiter.v", "multiplier:2")


@pytest.mark.parametrize("circuit", CIRCUITS)
def test_all_algorithms_find_the_same_states(circuit: str) -> None:
    facts = {algorithm: measure(circuit, algorithm, run=Run()) for algorithm in (*ALGORITHMS, *OURS)}
    assert len({(one["states"], one["preimages"]) for one in facts.values()}) == 1
    assert all(one["nodes"] >= 0 and one["seconds"] > 0 for one in facts.values())
    assert facts["inverse"]["nodes"] == facts["functions"]["nodes"], "one is the other, inside the BDD package"


def test_the_properties_of_a_circuit() -> None:
    assert properties("multiplier:2", run=Run()) == {"inputs": 3, "latches": 3, "outputs": 0}


def test_the_numbers_of_the_thesis_say_what_it_says() -> None:
    assert PROPERTIES.keys() == SECONDS.keys() == NODES.keys()
    for numbers in (SECONDS, NODES):
        for inverse, _, _, expound in numbers.values():
            assert inverse is not None
            assert expound is None or inverse < expound


def outcomes(facts: Mapping[str, Facts]) -> dict[str, PointOutcome]:
    return {
        name: PointOutcome(paper="bustan", point=name, measure="", arguments={}, facts=dict(one), seconds=1, mebibytes=1)
        for name, one in facts.items()
    }


@pytest.mark.parametrize(("table", "claim", "fact"), [("6.4", 0, "seconds"), ("6.5", 0, "nodes")])
def test_the_claim_about_inverse_can_fail(table: str, claim: int, fact: str) -> None:
    (judge,) = (one.claims[claim].judge for one in TABLES if one.name == table)
    row = next(iter(THEIRS), "arbiter")
    assert judge(outcomes({f"{row}, inverse": {fact: 1}, f"{row}, expound": {fact: 2}}))[0] == "holds"
    assert judge(outcomes({f"{row}, inverse": {fact: 2}, f"{row}, expound": {fact: 1}}))[0] == "fails"
    assert judge({})[0] == "unknown"
