"""Small models by simulation: initial states, dead ends, fairness, actions, and what is refused."""

from __future__ import annotations

import pytest

from coarsest.api.model import loads
from coarsest.errors import InputError, Unsupported
from coarsest.evidence.verdict import Fails, Holds

WALK = "MODULE main VAR s : 0..3; DEFINE p := s in {0, 1}; ASSIGN "


def test_an_initial_state_that_another_one_simulates_is_left_out() -> None:
    """From 0 there is a way to 2, from 1 there is none; both look alike, and 1 only stays."""
    model = loads(WALK + "init(s) := {0, 1}; next(s) := case s = 0 : {0, 2}; TRUE : s; esac;")
    small = model.reduce(observe=["p"], by="simulation")
    assert (small.states_before, small.states, small.transitions, small.confirmed) == (3, 2, 3, True)
    assert len(small.graph.initial) == 1
    assert model.check("AG (p | !p)", "G (p | !p)", reduce="simulation").holds
    with pytest.raises(Unsupported, match="an initial state is left out"):
        model.check("EF !p", reduce="simulation")


def test_a_dead_end_is_not_below_a_state_that_goes_on() -> None:
    """Else `F !p` would become true: the path that stays in 1 would be lost."""
    model = loads(WALK + "init(s) := 0; next(s) := case s = 0 : {1, 2}; TRUE : 2; esac; TRANS s != 1")
    small = model.reduce(observe=["p"], by="simulation")
    assert (small.states, small.transitions, small.confirmed) == (3, 3, True)
    (answer,) = model.check("F !p", reduce="simulation").answers
    assert isinstance(answer.verdict, Fails) and answer.confirmed


def test_fairness_is_observed() -> None:
    """States 0 and 1 look alike, but only 1 is fair."""
    model = loads(WALK + "init(s) := 0; next(s) := case s < 2 : {0, 1}; TRUE : s; esac; JUSTICE s = 1")
    assert model.reduce(observe=["p"], by="simulation").states == 2
    (answer,) = model.check("F s = 1", reduce="simulation").answers
    assert isinstance(answer.verdict, Holds) and answer.confirmed


def test_actions_are_answered_by_the_same_action() -> None:
    text = "MODULE main VAR s : 0..2; IVAR go : boolean; DEFINE p := s < 2; ASSIGN init(s) := 0; "
    model = loads(text + "next(s) := case s = 0 & go : {1, 2}; s = 1 : 2; TRUE : s; esac;")
    by_steps, by_actions = (model.reduce(observe=["p"], actions=actions, by="simulation") for actions in ((), ("go",)))
    assert by_steps.confirmed and by_actions.confirmed
    assert by_steps.states == 2 and by_actions.states == 3


def test_what_is_refused() -> None:
    model = loads(WALK + "init(s) := 0; next(s) := case s = 0 : {1, 2}; TRUE : s; esac;")
    with pytest.raises(Unsupported, match="it nests statements"):
        model.check("AG EF !p", reduce="simulation")
    with pytest.raises(InputError, match="there is no algorithm 'bfh' for simulation"):
        model.reduce(observe=["p"], by="simulation", algorithm="bfh")
    with pytest.raises(InputError, match="unknown relation between the states of a model 'branching-bisimulation'"):
        model.reduce(observe=["p"], by="branching-bisimulation")
