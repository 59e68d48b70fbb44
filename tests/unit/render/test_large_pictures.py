"""Pictures of what is too large for one: classes of states that are alike, or a sample that says so."""

from __future__ import annotations

import pytest

import coarsest
from coarsest.errors import InputError

COUNTER = "MODULE main VAR n : 0..499; ASSIGN init(n) := 0; next(n) := (n + 1) mod 500;\n"


def ring(states: int, actions: int) -> coarsest.Graph:
    """A ring in which the actions come one after the other."""
    names = tuple("abcdefghij"[:actions])
    return coarsest.Graph.from_edges(
        states, range(states), [n % actions for n in range(states)], [(n + 1) % states for n in range(states)], action_names=names
    )


def test_classes_as_far_as_properties_tell() -> None:
    picture = coarsest.loads(COUNTER + "INVARSPEC n mod 5 < 7").draw()
    assert "classes of states that are alike by bisimulation" in picture
    assert picture.count("class ") >= 1 and "a sample" not in picture


def test_classes_for_an_observer() -> None:
    dot = coarsest.loads(COUNTER).draw(to="dot", observe=["n mod 5 = 0"])
    assert dot.count("class ") == 5 and "5 classes of states" in coarsest.loads(COUNTER).draw(observe=["n mod 5 = 0"])
    with pytest.raises(InputError, match="has 500 states, too many for a picture"):
        coarsest.loads(COUNTER).draw(observe=["n"])


def test_a_sample_says_that_it_is_one() -> None:
    for options in ({}, {"large": "sample"}, {"mark": ["n > 3"]}):
        picture = coarsest.loads(COUNTER).draw(most=20, **options)
        assert "a sample: the first 20 reachable states, of more" in picture
    many = coarsest.loads("MODULE main VAR n : 0..4999; ASSIGN next(n) := n;").draw(most=3)
    assert "a sample: the first 3 reachable states, of more" in many  # also where not all initial states are drawn


def test_large_graphs() -> None:
    assert "classes of 1000 states that are alike by bisimulation" in ring(1000, 10).draw()
    sample = ring(1000, 10).draw(large="sample", most=30)
    assert "a sample: the first 30 of 1000 states" in sample
    chain = coarsest.Graph.from_edges(1000, range(999), [0] * 999, range(1, 1000))  # no two states are alike
    assert "a sample: the first 100 of 1000 states" in chain.draw()
    with pytest.raises(InputError, match="too many for a picture"):
        chain.draw(large="refuse")
    assert "classes of 10 states" in ring(10, 1).draw(most=1)
