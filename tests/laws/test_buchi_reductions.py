"""Reductions of Büchi automata: relations as their games define them, and the same words before and after, exactly."""

from __future__ import annotations

import numpy as np
import pytest

from coarsest.automata.listed import Listed
from coarsest.automata.shrink.minimise import smaller
from coarsest.automata.shrink.quotients import trimmed
from coarsest.automata.shrink.simulations import backward_simulation, delay_simulation, direct_simulation, unpacked
from coarsest.run import Run
from oracles import automaton_simulations
from oracles.buchi_words import difference
from random_buchi import from_definition, some_buchi


def pairs(rows: np.ndarray, buchi: Listed) -> set[tuple[int, int]]:
    return {(int(one), int(other)) for one, other in np.argwhere(unpacked(rows, buchi.states))}


@pytest.mark.parametrize("choice", ["pure", "compiled"])
def test_simulations_are_those_of_the_games(choice: str) -> None:
    random = np.random.default_rng(1)
    more_by_delay = 0
    for _ in range(60):
        buchi = some_buchi(random)
        defined, states = from_definition(buchi), buchi.states
        direct = pairs(direct_simulation(buchi, Run(), choice=choice), buchi)
        delay = pairs(delay_simulation(buchi, Run(), choice=choice), buchi)
        assert direct == automaton_simulations.direct(defined, states)
        assert delay == automaton_simulations.delay(defined, states)
        backward = pairs(backward_simulation(buchi, Run(), choice=choice), buchi)
        assert backward == automaton_simulations.direct(defined, states, backwards=True)
        assert direct <= delay
        more_by_delay += direct < delay
    assert more_by_delay > 5


@pytest.mark.parametrize("by", ["direct", "delay"])
def test_the_words_stay_the_same(by: str) -> None:
    random = np.random.default_rng(2)
    smaller_ones = 0
    for _ in range(150):
        buchi = some_buchi(random)
        small = smaller(trimmed(buchi), by, Run())
        try:
            assert difference(from_definition(buchi), from_definition(small), len(buchi.guards), most=600) is None
        except ValueError:
            continue
        smaller_ones += small.states < trimmed(buchi).states
    assert smaller_ones > 10
