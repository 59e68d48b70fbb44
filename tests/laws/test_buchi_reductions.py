"""Reductions of Büchi automata: relations as their games define them, and the same words before and after, exactly."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from coarsest.automata.listed import Listed
from coarsest.automata.shrink.lookahead import backward_lookahead, delay_lookahead, direct_lookahead
from coarsest.automata.shrink.minimise import smaller
from coarsest.automata.shrink.quotients import trimmed
from coarsest.automata.shrink.simulations import backward_simulation, delay_simulation, direct_simulation, unpacked
from coarsest.run import Run
from oracles import automaton_simulations
from oracles.buchi_words import difference
from random_buchi import from_definition, random_buchi, some_buchi


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


@pytest.mark.parametrize("lookahead, simulation, defined", [
    (direct_lookahead, direct_simulation, automaton_simulations.direct_ahead),
    (backward_lookahead, backward_simulation, automaton_simulations.backward_ahead),
    (delay_lookahead, delay_simulation, automaton_simulations.delay_ahead),
])  # fmt: skip
def test_lookahead_relations_are_those_of_the_games(lookahead: Any, simulation: Any, defined: Any) -> None:
    random = np.random.default_rng(3)
    more = 0
    for number in range(24):
        density = 1.2 if number % 2 else 1.6
        buchi = random_buchi(random, states=6, letters=2, density=density, accepting=0.6)
        ladder = [lookahead(buchi, ahead, Run(), choice="pure") for ahead in (1, 2, 3)]
        assert np.array_equal(ladder[0], simulation(buchi, Run()))
        for ahead, rows in enumerate(ladder, start=1):
            assert np.array_equal(rows, lookahead(buchi, ahead, Run(), choice="compiled"))
            if ahead < 3:
                expected = automaton_simulations.closed(defined(from_definition(buchi), buchi.states, ahead))
                assert pairs(rows, buchi) == expected
        more += not np.array_equal(ladder[0], ladder[2])
    assert more


@pytest.mark.parametrize("lookahead", [1, 2, 5])
@pytest.mark.parametrize("by", ["direct", "delay", "words"])
def test_the_words_stay_the_same(by: str, lookahead: int) -> None:
    random = np.random.default_rng(2)
    smaller_ones = 0
    for _ in range(150):
        buchi = some_buchi(random)
        small = smaller(trimmed(buchi), by, Run(), lookahead=lookahead)
        try:
            assert difference(from_definition(buchi), from_definition(small), len(buchi.guards), most=600) is None
        except ValueError:
            continue
        smaller_ones += small.states < trimmed(buchi).states
    assert smaller_ones > 10
