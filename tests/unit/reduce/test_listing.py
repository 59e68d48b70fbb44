"""States and steps listed with numbers, against the same sets asked one state at a time."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import coarsest
from coarsest.errors import Unsupported
from coarsest.reduce.bisimulation import list_then_refine
from coarsest.reduce.partition.reachable_part import reachable_states
from coarsest.run import Run
from coarsest.space.bdd.build import build
from coarsest.space.bdd.listing import Listing
from coarsest.space.bdd.relation.monolithic import Monolithic
from random_machines import seeded_machine

FROZEN = """MODULE main
FROZENVAR size : 1..3;
VAR n : 0..9; free : {a, b, c};
ASSIGN init(n) := 0; next(n) := n + size > 9 ? 0 : n + size;"""


def checked(machine: coarsest.Machine, seed: int) -> int:
    space = build(machine)
    reached = reachable_states(space, Run())
    listing = Listing(space, reached)
    numbers = np.arange(listing.number)
    singles = [listing.set(numbers[i : i + 1]) for i in numbers]
    assert listing.set(numbers) == reached and all(space.count(one) == 1 for one in singles)
    chosen = [i for i in numbers if Random(int(seed + i)).random() < 0.4]
    some = listing.set(np.array(chosen, dtype=np.int64))
    assert listing.numbers(some).tolist() == chosen
    assert all((one <= some) == (i in chosen) for i, one in enumerate(singles))
    relation = Monolithic.of(space.step, Run()).narrowed(reached.function)
    sources, targets = listing.steps(relation.relation, Run())
    after = {i: {j for j, other in enumerate(singles) if other <= space.post(one)} for i, one in enumerate(singles)}
    assert sorted(zip(sources.tolist(), targets.tolist())) == sorted((i, j) for i in after for j in after[i])
    return listing.number


def test_random_machines() -> None:
    assert max(checked(seeded_machine(seed, state_bits=5), seed) for seed in range(60)) > 10


def test_frozen_and_unused_variables() -> None:
    assert checked(coarsest.loads(FROZEN).machine, 1) == 3 * (10 + 5 + 4)


def test_no_states() -> None:
    assert checked(coarsest.loads("MODULE main VAR x : boolean; INIT FALSE;").machine, 1) == 0


def test_more_states_than_can_be_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    model = coarsest.loads("MODULE main VAR x : 0..199; ASSIGN init(x) := 0; next(x) := (x + 1) mod 200;")
    assert model.reduce(observe=["x < 3"]).algorithm == "list-then-refine"
    for limit in ("MOST_STATES", "MOST_STEPS", "MOST_NODES"):
        with monkeypatch.context() as patch:
            patch.setattr(list_then_refine, limit, 199 if limit != "MOST_NODES" else 10)
            assert model.reduce(observe=["x < 3"]).algorithm == "signatures"
            with pytest.raises(Unsupported, match="too many"):
                model.reduce(observe=["x < 3"], algorithm="list-then-refine")


def test_what_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many classes: few states are listed; of more states, first signatures are tried."""
    model = coarsest.loads("MODULE main VAR x : 0..199; y : boolean; ASSIGN init(x) := 0; next(x) := (x + 1) mod 200;")
    found = {}
    for few, most in ((1000, 10), (10, 1000), (10, 150)):
        monkeypatch.setattr("coarsest.tuning.STATES_LISTED_FIRST", few)
        monkeypatch.setattr("coarsest.tuning.BLOCKS_BY_SIGNATURES", most)
        small = model.reduce(observe=["x < 3"], cone=False)
        found[few, most] = small.algorithm
        assert (small.states, small.transitions, small.confirmed) == (200, 200, True)
    assert list(found.values()) == ["list-then-refine", "signatures", "list-then-refine"]
