"""Random walks through a symbolic space."""

from __future__ import annotations

from random import Random
from typing import Any

from coarsest.logic.expr import Value
from coarsest.system.space import State
from coarsest.system.symbolic import SymbolicSet, SymbolicSpace


def random_walk(space: SymbolicSpace[Any], steps: int, random: Random) -> tuple[list[State], list[dict[str, Value]]]:
    """States and inputs of a random path; it ends early in a state without successors, and is empty without initial states."""
    if not space.initial:
        return [], []
    here = random_state(space, space.initial, random)
    states = [space.describe(here)]
    inputs: list[dict[str, Value]] = []
    for _ in range(steps):
        successors = space.post(here)
        if not successors:
            break
        here = random_state(space, successors, random)
        states.append(space.describe(here))
        inputs.append(space.inputs_between(states[-2], states[-1]) or {})
    return states, inputs


def random_state(space: SymbolicSpace[Any], states: SymbolicSet[Any], random: Random) -> SymbolicSet[Any]:
    """One of the states, every bit tossed where both values are possible, in random order."""
    manager = space.manager
    function = states.function
    places = list(space.bits)
    random.shuffle(places)
    for place in places:
        literal = manager.var(place) if random.random() < 0.5 else ~manager.var(place)
        narrowed = function & literal
        if narrowed != manager.false:
            function = narrowed
    return space.pick(space.set(function))
