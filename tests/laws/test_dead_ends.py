"""Deadlocks of random machines against the definition; and the warnings about verdicts that rest on the steps added there."""

from __future__ import annotations

from random import Random

import pytest

from campaigns import blocks
from coarsest import Model
from coarsest.errors import InputError
from oracles.brute_force import BruteForce, Undefined
from random_machines import random_machine, random_relational_machine

MACHINES = 60
"""So many machines are in a block."""


def distance_to_a_dead_end(oracle: BruteForce) -> int | None:
    """The number of states of a shortest path to a state without successor; None if there is none."""
    leaving = {before for before, _ in oracle.steps}
    return next((number for number, ring in enumerate(oracle.rings(), start=1) if ring - leaving), None)


@pytest.mark.parametrize("carrier", ["bdd", "explicit"])
@pytest.mark.parametrize("block", blocks(8, by_day=1))
def test_deadlocks(block: int, carrier: str) -> None:
    lengths = set()
    for seed in range(block * MACHINES, (block + 1) * MACHINES):
        random = Random(f"dead ends {seed}")
        machine = random_relational_machine(random, variables=2) if seed % 2 else random_machine(random, state_bits=4)
        try:
            expected = distance_to_a_dead_end(BruteForce(machine))
            report = Model(machine).check("AG EX TRUE", "EF AX FALSE", deadlock="fail", carrier=carrier)
        except (InputError, Undefined):  # an expression without a value somewhere
            continue
        deadlock, always, sometimes = report
        assert deadlock.verdict.word == ("holds" if expected is None else "fails") and deadlock.confirmed
        if expected is not None:
            trace = deadlock.verdict.trace  # type: ignore[union-attr]
            assert trace is not None and len(trace) == expected
        assert always.verdict.word == "holds"
        assert sometimes.verdict.word == ("fails" if BruteForce(machine).initial else "holds")
        told = [text.partition(" only because")[0] for text in report.warnings if "only because" in text]
        assert told[:1] == ([] if expected is None else ["AG EX TRUE holds"])
        assert told[1:] in ([], ["EF AX FALSE fails"])  # fails anyway where not every initial state leads to a dead end
        lengths.add(expected)
    assert lengths >= {None, 1}
