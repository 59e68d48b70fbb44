"""Reductions of Büchi automata: relations as their games define them, and the same words before and after, exactly."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np
import pytest

import coarsest
from campaigns import blocks
from coarsest._kernels.preorders.fair_simulations import delay_simulation, direct_simulation, unpacked
from coarsest._kernels.preorders.lookahead import delay_lookahead, direct_lookahead
from coarsest.automata.automaton import Automaton
from coarsest.automata.judge.same_words import accept_same_words
from coarsest.automata.listed import ListedAutomaton, unlisted
from coarsest.automata.shrink.heavy_clemente_mayr import (
    Relations,
    backward_lookahead,
    brothers,
    from_higher,
    older_sources,
    steeper,
)
from coarsest.automata.shrink.minimise import smaller
from coarsest.automata.shrink.quotients import pruned, quotient, strict, trimmed, with_most_accepting
from coarsest.logic.letters.named import NamedLetters
from coarsest.run import Run
from oracles import automaton_simulations
from oracles.buchi_words import difference
from random_buchi import from_definition, random_buchi, some_buchi


def pairs(rows: np.ndarray, buchi: ListedAutomaton) -> set[tuple[int, int]]:
    return {(int(one), int(other)) for one, other in np.argwhere(unpacked(rows, buchi.states))}


@pytest.mark.parametrize("choice", ["pure", "compiled"])
@pytest.mark.parametrize("block", blocks(3, by_day=1))
def test_simulations_are_those_of_the_games(choice: str, block: int) -> None:
    random = np.random.default_rng(1 + block)
    more_by_delay = 0
    for _ in range(20):
        buchi = some_buchi(random)
        defined, states = from_definition(buchi), buchi.states
        direct = pairs(direct_simulation(buchi, Run(), choice=choice), buchi)
        delay = pairs(delay_simulation(buchi, Run(), choice=choice), buchi)
        assert direct == automaton_simulations.direct(defined, states)
        assert delay == automaton_simulations.delay(defined, states)
        backward = pairs(backward_lookahead(buchi, 1, Run(), choice=choice), buchi)
        assert backward == automaton_simulations.direct(defined, states, backwards=True)
        assert direct <= delay
        more_by_delay += direct < delay
    assert more_by_delay > 1


@pytest.mark.parametrize("lookahead, simulation, defined", [
    (direct_lookahead, direct_simulation, automaton_simulations.direct_ahead),
    (backward_lookahead, lambda buchi, run: backward_lookahead(buchi, 1, run), automaton_simulations.backward_ahead),
    (delay_lookahead, delay_simulation, automaton_simulations.delay_ahead),
])  # fmt: skip
@pytest.mark.parametrize("automata", [8, pytest.param(24, marks=pytest.mark.nightly)])
def test_lookahead_relations_are_those_of_the_games(lookahead: Any, simulation: Any, defined: Any, automata: int) -> None:
    random = np.random.default_rng(3)
    more = 0
    for number in range(automata):
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


def test_the_judge_of_words_judges_as_all_words_do() -> None:
    random = np.random.default_rng(4)
    verdicts = [0, 0]
    for _ in range(80):
        one, other = (random_buchi(random, states=3, letters=2, density=1.4, accepting=0.5) for _ in range(2))
        if random.random() < 0.6:
            stays = random.random(one.transitions) < 0.8
            other = one.with_transitions(one.letters[stays], one.sources[stays], one.targets[stays])
        same = accept_same_words(*(unlisted(buchi, NamedLetters("ab")) for buchi in (one, other)), Run())
        assert same == (difference(from_definition(one), from_definition(other), 2) is None)
        verdicts[bool(same)] += 1
    assert min(verdicts) > 10


def test_the_judge_gives_up_and_counts_generalised_acceptance() -> None:
    generalised = coarsest.automaton("G F a & G F b", kind="generalised")
    other = coarsest.automaton("G F a & F G b", kind="generalised")
    assert accept_same_words(generalised, generalised.reduce().automaton, Run()) is True
    assert accept_same_words(generalised, generalised, Run(), most=3) is None
    edges = [[(guard, marks, target) for guard, marks, target in own] for own in other.edges]
    over_the_same_letters = Automaton(other.alphabet, other.initial, edges, 0)
    assert accept_same_words(other, over_the_same_letters, Run()) is False


def test_an_automaton_with_other_words_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    automaton = coarsest.read_automaton("examples/settles.hoa")
    wrong = Automaton(automaton.alphabet, (0,), [[(automaton.alphabet.full, 1, 0)]], 1)
    monkeypatch.setattr("coarsest.automata.shrink.minimise.minimise", lambda *_, **__: wrong)
    with pytest.raises(coarsest.EvidenceRejected, match="accepts other words"):
        automaton.reduce()
    assert not automaton.reduce(confirm="never").confirmed


@pytest.mark.parametrize("lookahead", [1, 2, 5])
@pytest.mark.parametrize("by", ["direct", "delay", "words"])
def test_the_words_stay_the_same(by: str, lookahead: int) -> None:
    random = np.random.default_rng(2)
    smaller_ones = 0
    for _ in range(60):
        buchi = some_buchi(random)
        small = smaller(trimmed(buchi), by, Run(), lookahead=lookahead)
        try:
            assert difference(from_definition(buchi), from_definition(small), len(buchi.guards), most=600) is None
        except ValueError:
            continue
        smaller_ones += small.states < trimmed(buchi).states
    assert smaller_ones > 4


def three_states(rows: list[tuple[int, int, int]]) -> ListedAutomaton:
    """All states accept, the first is initial; a row is letter, source and target."""
    empty, every = np.empty(0, dtype=np.int64), np.ones(3, dtype=np.bool_)
    bare = ListedAutomaton((1, 2), empty, empty, empty, every, np.arange(3) < 1)
    return bare.with_transitions(*(np.array(column, dtype=np.int64) for column in zip(*rows)))


def test_simulation_on_one_side_and_strict_lookahead_on_the_other_lose_words() -> None:
    """Why no such pruning is part of the reduction: it would leave these automata with other words."""
    rows = [(0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 2), (1, 1, 0), (1, 1, 2), (1, 2, 0), (1, 2, 1)]
    buchi = three_states(rows)
    above = unpacked(backward_lookahead(buchi, 1, Run()), buchi.states)
    fewer = pruned(buchi, above, strict(buchi, direct_lookahead(buchi, 2, Run())))
    assert difference(from_definition(buchi), from_definition(fewer), 2) == ([], [0])

    rows = [(0, 0, 0), (0, 1, 0), (0, 2, 1), (1, 0, 1), (1, 0, 2), (1, 1, 2), (1, 2, 1)]
    buchi = three_states(rows)
    above = unpacked(direct_simulation(buchi, Run()), buchi.states)
    fewer = pruned(buchi, strict(buchi, backward_lookahead(buchi, 2, Run())), above)
    assert difference(from_definition(buchi), from_definition(fewer), 2) == ([1, 1], [0])


@pytest.mark.nightly
def test_the_words_stay_the_same_at_length() -> None:
    """Every step of the reduction by words alone, on thousands of automata."""
    random = np.random.default_rng(5)
    steps = (brothers, older_sources, steeper, from_higher)
    for _ in range(5000):
        buchi = trimmed(some_buchi(random))
        if not buchi.states:
            continue
        buchi = with_most_accepting(buchi) if random.random() < 0.5 else buchi
        ahead = int(random.choice([1, 2, 3, 5]))
        results = [step(buchi, ahead, Relations(Run())) for step in steps]
        results += [quotient(buchi, relation(buchi, ahead, Run())) for relation in (delay_lookahead, backward_lookahead)]
        for small in [*results, smaller(buchi, "words", Run(), lookahead=ahead)]:
            if (small.states, small.transitions) != (buchi.states, buchi.transitions):
                with suppress(ValueError):
                    assert difference(from_definition(buchi), from_definition(small), len(buchi.guards), most=400) is None
